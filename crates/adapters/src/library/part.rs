//! A copy in the making: a hidden file beside its target, which nobody sees under the target's name
//! until it is whole and on the disk.
//!
//! Its name follows from the target's, so that whoever does the same work after a crash finds it and
//! clears it away. A lock says that somebody is still at it.
//!
//! **Invariant:** only the holder of its lock renames or removes it, and nothing is ever written over.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};

use rustix::fs::{
    AtFlags, FlockOperation, Mode, OFlags, RenameFlags, flock, fstat, linkat, openat,
    renameat_with, unlinkat,
};
use rustix::io::Errno;
use sha2::{Digest, Sha256};
use verst_downloads::ports::LibraryError;

use super::beneath::{Identity, look};
use super::trouble::trouble;

/// A file without its name.
pub(super) struct Part<'a> {
    dir: BorrowedFd<'a>,
    name: String,
    pub(super) file: File,
}

impl<'a> Part<'a> {
    /// A new one for this target. If another run is at it, this one fails and may come again.
    pub(super) fn begin(dir: BorrowedFd<'a>, target: &str) -> Result<Self, LibraryError> {
        clear(dir, target)?;
        let name = name_for(target);
        let flags =
            OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let file = openat(dir, &*name, flags, Mode::from_raw_mode(0o666))
            .map_err(|error| if error == Errno::EXIST { busy() } else { trouble(error) })?;
        if !hold(&file)? || !has_name(dir, &name, &file) {
            return Err(busy());
        }
        Ok(Self { dir, name, file: file.into() })
    }

    /// Gives it the target's name, if nothing has that.
    pub(super) fn publish(self, target: &str) -> Result<(), Errno> {
        let published =
            match renameat_with(self.dir, &*self.name, self.dir, target, RenameFlags::NOREPLACE) {
                // File systems over a network know no such renaming, but links, which replace nothing.
                Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {
                    linkat(self.dir, &*self.name, self.dir, target, AtFlags::empty())
                        .and_then(|()| unlinkat(self.dir, &*self.name, AtFlags::empty()))
                }
                renamed => renamed,
            };
        if published.is_err() {
            self.discard();
        }
        published
    }

    /// Removes it. What cannot be removed is cleared by the next run.
    pub(super) fn discard(self) {
        if unlinkat(self.dir, &*self.name, AtFlags::empty()).is_err() {
            tracing::warn!("an unfinished copy could not be removed from the library");
        }
    }
}

/// Removes what a run that was killed left for this target.
pub(super) fn clear(dir: BorrowedFd<'_>, target: &str) -> Result<(), LibraryError> {
    let name = name_for(target);
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let left = match openat(dir, &*name, flags, Mode::empty()) {
        Err(Errno::NOENT) => return Ok(()),
        left => left.map_err(trouble)?,
    };
    if !hold(&left)? || !has_name(dir, &name, &left) {
        return Err(busy());
    }
    unlinkat(dir, &*name, AtFlags::empty()).map_err(trouble)
}

fn name_for(target: &str) -> String {
    let digest = Sha256::digest(target.as_bytes());
    format!(".verst-{}.part", base16ct::lower::encode_string(&digest[..8]))
}

/// Takes the lock. File systems that have none are believed to have one process.
fn hold(file: impl AsFd) -> Result<bool, LibraryError> {
    match flock(file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) | Err(Errno::NOSYS | Errno::OPNOTSUPP | Errno::NOLCK) => Ok(true),
        Err(Errno::WOULDBLOCK) => Ok(false),
        Err(error) => Err(trouble(error)),
    }
}

/// Whether this is still what has the name: another may have cleared it before it was locked.
fn has_name(dir: BorrowedFd<'_>, name: &str, file: impl AsFd) -> bool {
    let (Ok(named), Ok(ours)) = (look(dir, name), fstat(file)) else { return false };
    Identity::of(&named) == Identity::of(&ours)
}

fn busy() -> LibraryError {
    LibraryError::Failed(io::ErrorKind::WouldBlock.into())
}
