//! Putting a text where it was asked for: whole or not at all, and over nothing that is there.

use std::fs::{File, FileType, OpenOptions};
use std::io::{Error, ErrorKind, Write};
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags};

/// What became of a text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Saved {
    /// It is there, now or already.
    There,
    /// Something else is there and was left alone.
    Occupied,
}

/// Saves a text.
pub(crate) fn save(target: &Path, text: &[u8]) -> std::io::Result<Saved> {
    match std::fs::metadata(target) {
        Ok(meta) if meta.is_file() => Ok(compare(target, text)),
        Ok(meta) if meta.is_dir() => Err(ErrorKind::IsADirectory.into()),
        Ok(meta) => pour(target, meta.file_type(), text).map(|()| Saved::There),
        Err(error) if error.kind() == ErrorKind::NotFound => publish(target, text),
        Err(error) => Err(error),
    }
}

/// What cannot be read may say anything, so it counts as something else.
fn compare(target: &Path, text: &[u8]) -> Saved {
    match std::fs::read(target) {
        Ok(there) if there == text => Saved::There,
        _ => Saved::Occupied,
    }
}

/// Writes to a pipe or a device, which have no content to protect. A pipe that nobody reads is an
/// error instead of a wait without an end.
fn pour(target: &Path, kind: FileType, text: &[u8]) -> std::io::Result<()> {
    use std::os::unix::fs::FileTypeExt;
    let waits = if kind.is_fifo() { OFlags::NONBLOCK } else { OFlags::empty() };
    let open = rustix::fs::open(target, OFlags::WRONLY | OFlags::CLOEXEC | waits, Mode::empty())?;
    // Once it is open, a slow reader is waited for.
    rustix::fs::fcntl_setfl(&open, OFlags::empty())?;
    File::from(open).write_all(text)
}

fn publish(target: &Path, text: &[u8]) -> std::io::Result<Saved> {
    let parent = target.parent().filter(|dir| !dir.as_os_str().is_empty());
    let parent = parent.unwrap_or(Path::new("."));
    std::fs::create_dir_all(parent)?;
    let draft = Draft::write(parent, text)?;
    match std::fs::hard_link(&draft.0, target) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::AlreadyExists => return Ok(compare(target, text)),
        // Some file systems have no links; there the name is taken first and filled then.
        Err(_) => match fill(target, text) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                return Ok(compare(target, text));
            }
            Err(error) => return Err(error),
        },
    }
    // The text is kept in the data directory too, so a directory that cannot be synced is no harm.
    let _ = File::open(parent).and_then(|dir| dir.sync_all());
    Ok(Saved::There)
}

/// Writes a text in place of whatever file has this name.
pub(crate) fn replace(target: &Path, text: &[u8]) -> std::io::Result<()> {
    let parent = target.parent().ok_or(ErrorKind::InvalidInput)?;
    let draft = Draft::write(parent, text)?;
    std::fs::rename(&draft.0, target)
}

/// Makes a file that was not there.
fn fill(target: &Path, text: &[u8]) -> std::io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(target)?;
    let filled = file.write_all(text).and_then(|()| file.sync_all());
    if filled.is_err() {
        let _ = std::fs::remove_file(target);
    }
    filled
}

/// A whole text under a name of no meaning, gone when it is dropped.
struct Draft(PathBuf);

impl Draft {
    fn write(dir: &Path, text: &[u8]) -> std::io::Result<Self> {
        for attempt in 0..100 {
            let path = dir.join(format!(".verst-{}-{attempt}.tmp", std::process::id()));
            match fill(&path, text) {
                Ok(()) => return Ok(Self(path)),
                // Left over from a process of the same number.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(Error::from(ErrorKind::AlreadyExists))
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_whole_and_replaces_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("deep/talk.txt");
        assert_eq!(save(&target, b"one").unwrap(), Saved::There);
        assert_eq!(save(&target, b"one").unwrap(), Saved::There);
        assert_eq!(save(&target, b"two").unwrap(), Saved::Occupied);
        assert_eq!(std::fs::read(&target).unwrap(), b"one");
        let left = std::fs::read_dir(dir.path().join("deep")).unwrap().count();
        assert_eq!(left, 1, "no draft stays");
        assert!(save(dir.path(), b"one").is_err(), "a directory is no place for a text");
    }

    #[test]
    fn a_name_of_our_own_is_replaced_and_a_link_in_its_place_not_followed() {
        let dir = tempfile::tempdir().unwrap();
        let (target, other) = (dir.path().join("report"), dir.path().join("other"));
        std::fs::write(&other, "theirs").unwrap();
        std::os::unix::fs::symlink(&other, &target).unwrap();
        replace(&target, b"one").unwrap();
        replace(&target, b"two").unwrap();
        assert_eq!(std::fs::read_to_string(&target).unwrap(), "two");
        assert_eq!(std::fs::read_to_string(&other).unwrap(), "theirs");
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 2, "no draft stays");
    }

    #[test]
    fn a_link_to_nowhere_is_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("link.txt");
        std::os::unix::fs::symlink("nowhere", &target).unwrap();
        assert_eq!(save(&target, b"one").unwrap(), Saved::Occupied);
    }

    #[test]
    fn pipes_and_devices_are_written_to_and_never_waited_for() {
        assert_eq!(save(Path::new("/dev/null"), b"one").unwrap(), Saved::There);
        assert!(save(Path::new("/dev/full"), b"one").is_err());
        let dir = tempfile::tempdir().unwrap();
        let pipe = dir.path().join("pipe");
        let kind = rustix::fs::FileType::Fifo;
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, kind, Mode::RUSR | Mode::WUSR, 0).unwrap();
        assert!(save(&pipe, b"one").is_err(), "nobody reads it");
    }
}
