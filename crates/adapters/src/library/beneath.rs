//! Directories below a root, entered one name at a time and never through a symbolic link.
//!
//! `openat` with `O_NOFOLLOW` for single names, none of them `..`, reaches exactly what `openat2` with
//! `RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS` does. It also works on kernels and in containers whose
//! filters do not know `openat2`, and an open directory serves all the files in it.
//!
//! **Invariant:** whatever is done in a directory is done through its descriptor and a single name, so
//! that a path that others change meanwhile leads nowhere else.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;

use rustix::fs::{AtFlags, FileType, Mode, OFlags, Stat, mkdirat, open, openat, statat};
use rustix::io::Errno;

/// Of a directory that is entered. Its entries are not read.
const ENTERED: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
/// Directories below each other: what `PATH_MAX` has room for is far more than libraries have.
const DEEPEST: usize = 100;

/// What a file is, whatever it is called.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Identity {
    pub(super) device: u64,
    inode: u64,
}

impl Identity {
    pub(super) fn of(stat: &Stat) -> Self {
        Self { device: stat.st_dev, inode: stat.st_ino }
    }
}

/// Whether this is a plain file of so many bytes.
pub(super) fn is_plain(stat: &Stat, size_bytes: u64) -> bool {
    FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile
        && u64::try_from(stat.st_size) == Ok(size_bytes)
}

/// What has this name there, itself and not what it points to.
pub(super) fn look(dir: BorrowedFd<'_>, name: &str) -> Result<Stat, Errno> {
    statat(dir, name, AtFlags::SYMLINK_NOFOLLOW)
}

/// The directory and the name of a path of single names; `None` if it is none.
pub(super) fn split(path: &[String]) -> Option<(&[String], &str)> {
    let single = |name: &String| {
        !matches!(&**name, "" | "." | "..") && !name.bytes().any(|byte| matches!(byte, b'/' | 0))
    };
    let (name, dir) = path.split_last()?;
    (path.len() <= DEEPEST && path.iter().all(single)).then_some((dir, name))
}

/// A root, and the way from it to the directory that was entered last.
pub(super) struct Beneath {
    root: OwnedFd,
    way: Vec<(String, OwnedFd)>,
}

impl Beneath {
    /// The root itself may be reached through links: a person named it.
    pub(super) fn open(root: &Path) -> Result<Self, Errno> {
        Ok(Self { root: open(root, ENTERED, Mode::empty())?, way: Vec::new() })
    }

    /// Enters a directory, of names that [`split`] let pass.
    pub(super) fn enter(&mut self, dir: &[String]) -> Result<BorrowedFd<'_>, Errno> {
        self.walk(dir, |_, _, _| Err(Errno::NOENT))
    }

    /// The same, and makes what is not there. `made` is called with every path that was made.
    pub(super) fn enter_or_make(
        &mut self,
        dir: &[String],
        mut made: impl FnMut(&[String]),
    ) -> Result<BorrowedFd<'_>, Errno> {
        self.walk(dir, |parent, path, name| {
            match mkdirat(parent, name, Mode::from_raw_mode(0o777)) {
                Ok(()) => made(path),
                // Another download's, a moment ago.
                Err(Errno::EXIST) => {}
                Err(error) => return Err(error),
            }
            openat(parent, name, ENTERED | OFlags::NOFOLLOW, Mode::empty())
        })
    }

    fn walk(
        &mut self,
        dir: &[String],
        mut missing: impl FnMut(BorrowedFd<'_>, &[String], &str) -> Result<OwnedFd, Errno>,
    ) -> Result<BorrowedFd<'_>, Errno> {
        let common = self.way.iter().zip(dir).take_while(|(entered, name)| entered.0 == **name);
        let common = common.count();
        self.way.truncate(common);
        for (at, name) in dir.iter().enumerate().skip(common) {
            let parent = self.last();
            let entered = match openat(parent, &**name, ENTERED | OFlags::NOFOLLOW, Mode::empty()) {
                Err(Errno::NOENT) => missing(parent, &dir[..=at], name)?,
                entered => entered?,
            };
            self.way.push((name.clone(), entered));
        }
        Ok(self.last())
    }

    fn last(&self) -> BorrowedFd<'_> {
        self.way.last().map_or(self.root.as_fd(), |(_, entered)| entered.as_fd())
    }
}
