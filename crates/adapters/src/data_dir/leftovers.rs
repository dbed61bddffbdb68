//! What a former process left unfinished. Nothing of it is named by any row, and nobody else is
//! making it, because the lock is ours. Only names of our own making go.

use std::fs;
use std::io;
use std::path::Path;

/// Removes files in the making.
pub(super) fn clear_scratch(scratch: &Path) -> io::Result<()> {
    for entry in fs::read_dir(scratch)? {
        let entry = entry?;
        if entry.file_type()?.is_file() && entry.file_name().to_str().is_some_and(in_the_making) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// As [`LocalObjects::scratch`](crate::objects::LocalObjects), FFmpeg's adapter and SQLite beside its
/// own files name them.
fn in_the_making(name: &str) -> bool {
    let ends = [".part", "-wal", "-shm", "-journal"];
    let stem = ends.iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
    stem.len() == 32 && stem.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}
