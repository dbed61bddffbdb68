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

/// Removes uploads that were never finished. The object store hides them from every listing, so
/// no sweep would find them.
pub(super) fn clear_staged(objects: &Path) -> io::Result<()> {
    let mut below = vec![objects.to_owned()];
    while let Some(directory) = below.pop() {
        for entry in fs::read_dir(directory)? {
            let entry = entry?;
            let kind = entry.file_type()?;
            if kind.is_dir() {
                below.push(entry.path());
            } else if kind.is_file() && entry.file_name().to_str().is_some_and(staged) {
                fs::remove_file(entry.path())?;
            }
        }
    }
    Ok(())
}

/// As [`LocalObjects::scratch`](crate::objects::LocalObjects) and FFmpeg's adapter name them.
fn in_the_making(name: &str) -> bool {
    let stem = name.strip_suffix(".part").unwrap_or(name);
    stem.len() == 32 && stem.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

/// As the crate `object_store` names an upload: no key of ours has that sign.
fn staged(name: &str) -> bool {
    name.rsplit_once('#').is_some_and(|(key, number)| {
        !key.is_empty() && !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())
    })
}
