//! Uploads that were never finished. The crate `object_store` hides them from every listing, so a
//! look at the directory itself has to find them. A bucket has a rule of its own for them.

use std::fs::DirEntry;
use std::io;
use std::path::Path;
use std::time::Duration;

use verst_kernel::Timestamp;

/// Removes those that nobody has written to for so long.
pub(super) fn clear(root: &Path, now: Timestamp, older: Duration) -> io::Result<()> {
    let mut below = vec![root.to_owned()];
    while let Some(directory) = below.pop() {
        for entry in std::fs::read_dir(directory)? {
            let entry = entry?;
            let kind = entry.file_type()?;
            if kind.is_dir() {
                below.push(entry.path());
            } else if kind.is_file() && entry.file_name().to_str().is_some_and(staged) {
                match clear_file(&entry, now, older) {
                    // It was finished, or given up, since it was listed.
                    Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                    cleared => cleared?,
                }
            }
        }
    }
    Ok(())
}

fn clear_file(entry: &DirEntry, now: Timestamp, older: Duration) -> io::Result<()> {
    if age(&entry.metadata()?, now) > older { std::fs::remove_file(entry.path()) } else { Ok(()) }
}

fn age(file: &std::fs::Metadata, now: Timestamp) -> Duration {
    let written = file.modified().ok().and_then(|at| at.duration_since(std::time::UNIX_EPOCH).ok());
    let written = written.and_then(|at| i64::try_from(at.as_micros()).ok());
    written.map_or(Duration::ZERO, |at| now.since(Timestamp(at)))
}

/// As `object_store` names an upload: no key of ours has that sign.
fn staged(name: &str) -> bool {
    name.rsplit_once('#').is_some_and(|(key, number)| {
        !key.is_empty() && !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())
    })
}
