//! The file that a backup is written to: under another name until it is whole, and never over one
//! that is there.
//!
//! **Invariant:** whoever finds the file under its name finds all of it, durable.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, RenameFlags, renameat_with};
use verst_kernel::Timestamp;

use super::broken::Broken;
use crate::refusal::Refusal;

/// The name of a backup in a directory begins and ends so, and there is the time between.
const PREFIX: &str = "verst-";
const SUFFIX: &str = ".tar";
const PART: &str = ".part";

/// A backup's file in the making, gone with the value unless it was published.
pub(super) struct Target {
    file: PathBuf,
    part: PathBuf,
    /// Its lock tells others that somebody writes there.
    _lock: File,
}

impl Target {
    /// Opens the file that is meant. What one that was killed left behind is cleared.
    pub(super) fn open(to: &Path, now: Timestamp) -> Result<(Self, File), Broken> {
        let file = if to.is_dir() {
            clear(to)?;
            to.join(format!("{PREFIX}{}{SUFFIX}", stamp(now)))
        } else {
            to.to_owned()
        };
        if file.symlink_metadata().is_ok() {
            return Err(taken(&file));
        }
        let mut part = file.clone().into_os_string();
        part.push(PART);
        let part = PathBuf::from(part);
        let lock = lock(&part)?.ok_or_else(|| busy(&file))?;
        lock.set_len(0)?;
        lock.set_permissions(fs::Permissions::from_mode(0o600))?;
        let writer = lock.try_clone()?;
        Ok((Self { file, part, _lock: lock }, writer))
    }

    /// Where it is until it is published.
    pub(super) fn part(&self) -> &Path {
        &self.part
    }

    /// Where it will be.
    pub(super) fn file(&self) -> &Path {
        &self.file
    }

    /// Gives it its name.
    pub(super) fn publish(self) -> Result<PathBuf, Broken> {
        match renameat_with(CWD, &self.part, CWD, &self.file, RenameFlags::NOREPLACE) {
            Ok(()) => {}
            Err(rustix::io::Errno::EXIST) => return Err(taken(&self.file)),
            // A file system that has no such rename has links, or nothing that is safe.
            Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOSYS) => {
                fs::hard_link(&self.part, &self.file).map_err(|error| match error.kind() {
                    ErrorKind::AlreadyExists => taken(&self.file),
                    _ => Broken::Io(error),
                })?;
            }
            Err(error) => return Err(io::Error::from(error).into()),
        }
        let directory = self.file.parent().filter(|parent| !parent.as_os_str().is_empty());
        File::open(directory.unwrap_or(Path::new(".")))?.sync_all()?;
        Ok(self.file.clone())
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        // Published by a rename, it is not there any more.
        let _ = fs::remove_file(&self.part);
    }
}

/// Opens and locks a file in the making; `None` while somebody else writes there.
fn lock(part: &Path) -> io::Result<Option<File>> {
    loop {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false).mode(0o600);
        let nofollow = i32::try_from(rustix::fs::OFlags::NOFOLLOW.bits()).unwrap_or(0);
        let file = options.custom_flags(nofollow).open(part)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(error),
        }
        // Between opening and locking it may have been published: then it is no longer ours.
        let same = part.symlink_metadata().is_ok_and(|there| {
            file.metadata().is_ok_and(|here| (here.dev(), here.ino()) == (there.dev(), there.ino()))
        });
        if same {
            return Ok(Some(file));
        }
    }
}

/// Removes what killed backups left in a directory.
fn clear(directory: &Path) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let name = entry.file_name();
        let ours = name
            .to_str()
            .and_then(|name| name.strip_suffix(PART))
            .is_some_and(|whole| whole.starts_with(PREFIX) && whole.ends_with(SUFFIX));
        if ours && entry.file_type()?.is_file() && lock(&entry.path())?.is_some() {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// `20261130T183000Z`.
pub(super) fn stamp(now: Timestamp) -> String {
    moment(now).strftime("%Y%m%dT%H%M%SZ").to_string()
}

/// In UTC.
pub(super) fn moment(now: Timestamp) -> jiff::Timestamp {
    jiff::Timestamp::from_microsecond(now.0).unwrap_or_default()
}

fn taken(file: &Path) -> Broken {
    Refusal::Cannot("backup-exists", vec![("file", file.display().to_string())]).into()
}

fn busy(file: &Path) -> Broken {
    Refusal::Cannot("backup-busy", vec![("file", file.display().to_string())]).into()
}
