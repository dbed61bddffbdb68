//! Whether files that are downloaded can be brought into the library, tried with one of our own.
//!
//! Equal device numbers prove nothing: two mounts of one disk have the same and take no links between
//! each other. And the directories of films and of series may be on disks of their own.
//!
//! **Invariant:** no directory is made, and all names are gone afterwards.

use std::fs::File;
use std::io::{Error, ErrorKind, Write};
use std::path::Path;

use rustix::io::Errno;
use verst_downloads::layout::Roots;
use verst_downloads::ports::{LibraryError, Link, Placement};

use super::beneath::Beneath;
use super::order::open_library;
use super::place::place;
use super::run::Run;
use super::trouble::{io_trouble, trouble};
use super::unplace::unplace;

/// What the file holds: enough for a block to be shared.
const HELD: [u8; 4096] = [0; 4096];

/// Places a file of its own as any other is placed, and takes it back.
pub(super) fn probe(
    library: &Path,
    downloaded: &Path,
    roots: &Roots,
    link: Link,
    run: &Run,
) -> Result<(), LibraryError> {
    let name = format!(".verst-probe-{:016x}", fastrand::u64(..));
    let mut dirs = vec![there(library, roots.movies())?, there(library, roots.shows())?];
    dirs.dedup();
    let placed = |dir: &[String]| Placement {
        file: 0,
        source: vec![name.clone()],
        target: [dir, &[format!("{name}-placed")]].concat(),
        size_bytes: HELD.len() as u64,
    };
    let plan: Vec<Placement> = dirs.into_iter().map(placed).collect();
    let source = downloaded.join(&name);
    let made = File::create_new(&source).and_then(|mut file| file.write_all(&HELD));
    if link == Link::Copy && downloaded != library && made.as_ref().is_err_and(is_read_only) {
        // A download that can only be read is enough for copies; what is left to try is the library.
        Beneath::open(downloaded).map_err(trouble)?;
        return probe(library, library, roots, link, run);
    }
    let tried = made.map_err(io_trouble).and_then(|()| {
        place(library, downloaded, link, &plan, run)?;
        unplace(library, downloaded, roots, link, &plan, run)
    });
    let removed = std::fs::remove_file(&source);
    tried?;
    removed.map_err(io_trouble)
}

fn is_read_only(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::ReadOnlyFilesystem | ErrorKind::PermissionDenied)
}

/// As much of a directory as is there.
fn there<'a>(library: &Path, dir: &'a [String]) -> Result<&'a [String], LibraryError> {
    let mut library = open_library(library)?;
    for depth in (1..=dir.len()).rev() {
        match library.enter(&dir[..depth]) {
            Ok(_) => return Ok(&dir[..depth]),
            Err(Errno::NOENT) => {}
            Err(error) => return Err(trouble(error)),
        }
    }
    Ok(&[])
}
