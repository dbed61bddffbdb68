//! What lies in the folder: regular files with what tells one content from another.
//!
//! **Invariant:** nothing is opened and no symbolic link is followed.

use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::names::{TAKEN, is_left_alone};

/// Directories below one another.
const DEPTH: usize = 8;
/// Entries that are looked at in one scan. It bounds the files too: a lower bound for those alone
/// would be used up by files that are kept, and nothing new would ever be seen.
const ENTRIES: usize = 200_000;

/// What changes when a file's content does. Not its inode: some shares make up another one at each
/// look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Identity {
    pub(super) size_bytes: u64,
    modified: (i64, i64),
}

impl Identity {
    pub(super) fn of(meta: &Metadata) -> Self {
        Self { size_bytes: meta.size(), modified: (meta.mtime(), meta.mtime_nsec()) }
    }
}

/// A file, by its path below the folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) path: PathBuf,
    pub(super) identity: Identity,
    /// Device and inode, as they were when it was found.
    pub(super) node: (u64, u64),
}

/// All files that may be taken in, the oldest first. A directory that cannot be read is passed over,
/// unless it is the folder itself.
pub(super) fn scan(root: &Path) -> io::Result<Vec<Found>> {
    let mut files = Vec::new();
    let mut left = vec![(PathBuf::new(), 0)];
    let mut entries = ENTRIES;
    while let Some((below, depth)) = left.pop() {
        let listed = match fs::read_dir(root.join(&below)) {
            Err(error) if depth == 0 => return Err(error),
            Err(_) => continue,
            Ok(listed) => listed,
        };
        for entry in listed.map_while(Result::ok).take(entries) {
            entries -= 1;
            let (name, path) = (entry.file_name(), below.join(entry.file_name()));
            if is_left_alone(&name) || (depth == 0 && name == TAKEN) {
                continue;
            }
            // Of the entry itself, not of what a link leads to.
            let Ok(meta) = entry.metadata() else { continue };
            if meta.is_dir() && depth < DEPTH {
                left.push((path, depth + 1));
            } else if meta.is_file() {
                let (identity, node) = (Identity::of(&meta), (meta.dev(), meta.ino()));
                files.push(Found { path, identity, node });
            }
        }
    }
    files.sort_by(|a, b| (a.identity.modified, &a.path).cmp(&(b.identity.modified, &b.path)));
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regular_files_are_found_down_to_a_depth_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        let deep = (1..=8).fold(root.to_owned(), |path, n| path.join(n.to_string()));
        fs::create_dir_all(deep.join("9")).unwrap();
        fs::create_dir_all(root.join("taken")).unwrap();
        fs::create_dir_all(root.join(".stversions")).unwrap();
        fs::create_dir_all(root.join("sub/taken")).unwrap();
        for file in
            ["a.ogg", ".b.ogg", "c.part", "taken/d.ogg", ".stversions/e.ogg", "sub/taken/f.ogg"]
        {
            fs::write(root.join(file), "x").unwrap();
        }
        fs::write(deep.join("deep.ogg"), "x").unwrap();
        fs::write(deep.join("9/deeper.ogg"), "x").unwrap();
        std::os::unix::fs::symlink(root.join("a.ogg"), root.join("link.ogg")).unwrap();
        std::os::unix::fs::symlink(root.join("taken"), root.join("linked")).unwrap();
        let fifo = rustix::fs::FileType::Fifo;
        rustix::fs::mknodat(rustix::fs::CWD, root.join("pipe.ogg"), fifo, 0o600.into(), 0).unwrap();
        let mut found: Vec<_> = scan(root).unwrap().into_iter().map(|found| found.path).collect();
        found.sort();
        let expected = ["1/2/3/4/5/6/7/8/deep.ogg", "a.ogg", "sub/taken/f.ogg"];
        assert_eq!(found, expected.map(PathBuf::from));
        assert!(scan(&root.join("nowhere")).is_err());
    }
}
