//! Moving a file that was taken in out of the way.
//!
//! **Invariant:** no file is ever overwritten. Its new name is first taken by an empty file, which
//! only one can make, and which the file then replaces.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use verst_kernel::WorkId;

use super::names::{TAKEN, copy, numbered};
use super::scan::Identity;

/// Copies of one recording under one name that are told apart.
const COPIES: u32 = 1000;

/// Moves a file to the directory for those that were taken in: under its own name, or with its
/// recording's number where that is in use. Returns where it is now. One that is gone, or is another
/// by now, is left where it is: another host moved it, or it has its own turn.
pub(super) fn move_taken(
    root: &Path,
    path: &Path,
    identity: Identity,
    id: WorkId,
) -> io::Result<Option<PathBuf>> {
    let from = root.join(path);
    if !is_still(&from, identity) {
        return Ok(None);
    }
    let taken = root.join(TAKEN).join(path);
    let (dir, name) = (taken.parent().unwrap_or(root), taken.file_name().unwrap_or_default());
    fs::create_dir_all(dir)?;
    let first = [name.to_owned(), numbered(name, id)];
    let more = (2..COPIES).map(|count| copy(name, id, count));
    for name in first.into_iter().chain(more) {
        let to = dir.join(name);
        match put(&from, &to) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
            Ok(()) => {
                if !is_still(&to, identity) {
                    // Another file took its place at the last moment, and was not taken in.
                    put(&to, &from)?;
                    return Ok(None);
                }
                // A name that is lost with the power is made again: content is recognised.
                let _ = File::open(dir).and_then(|dir| dir.sync_all());
                return Ok(Some(to));
            }
        }
    }
    Err(ErrorKind::AlreadyExists.into())
}

fn is_still(path: &Path, identity: Identity) -> bool {
    fs::symlink_metadata(path).is_ok_and(|meta| Identity::of(&meta) == identity)
}

fn put(from: &Path, to: &Path) -> io::Result<()> {
    OpenOptions::new().write(true).create_new(true).open(to)?;
    let moved = fs::rename(from, to);
    if moved.is_err() {
        let _ = fs::remove_file(to);
    }
    moved
}
