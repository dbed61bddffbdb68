//! Whether two names are one file, or two files have the same bytes.
//!
//! **Invariant:** what is compared are plain files, opened without following a link.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::os::fd::BorrowedFd;

use rustix::fs::{Mode, OFlags, fstat, openat};
use rustix::io::Errno;
use verst_downloads::ports::{LibraryError, Link};

use super::beneath::{Identity, is_plain, look};
use super::run::Run;
use super::trouble::{io_trouble, trouble};

/// What is read at a time, in bytes; between two of them the work may end.
pub(super) const PIECE_BYTES: usize = 1 << 20;

/// A plain file of a known size and identity, in a directory.
#[derive(Clone, Copy)]
pub(super) struct Plain<'a> {
    pub(super) dir: BorrowedFd<'a>,
    pub(super) name: &'a str,
    pub(super) size_bytes: u64,
    pub(super) identity: Identity,
}

impl Plain<'_> {
    /// Opens it. `None` if the name has gone to something else.
    pub(super) fn open(&self) -> Result<Option<File>, Errno> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = openat(self.dir, self.name, flags, Mode::empty())?;
        let stat = fstat(&file)?;
        let same = is_plain(&stat, self.size_bytes) && Identity::of(&stat) == self.identity;
        Ok(same.then(|| file.into()))
    }
}

/// Whether what has this name is the very file, or a copy of it: one with the same bytes, where copies
/// are made, or where nothing but a copy can be.
pub(super) fn is_same(
    source: Plain<'_>,
    (dir, name): (BorrowedFd<'_>, &str),
    link: Link,
    run: &Run,
) -> Result<bool, LibraryError> {
    let stat = match look(dir, name) {
        Err(Errno::NOENT) => return Ok(false),
        stat => stat.map_err(trouble)?,
    };
    let identity = Identity::of(&stat);
    if identity == source.identity {
        return Ok(true);
    }
    let copies = link != Link::Fail || identity.device != source.identity.device;
    if !copies || !is_plain(&stat, source.size_bytes) {
        return Ok(false);
    }
    let copy = Plain { dir, name, identity, ..source };
    match (source.open().map_err(trouble)?, copy.open().map_err(trouble)?) {
        (Some(original), Some(copy)) => is_equal(&original, &copy, run),
        _ => Ok(false),
    }
}

/// Whether both have the same bytes from where they stand to their ends.
pub(super) fn is_equal(one: &File, other: &File, run: &Run) -> Result<bool, LibraryError> {
    let (mut ours, mut theirs) = (vec![0; PIECE_BYTES], vec![0; PIECE_BYTES]);
    loop {
        run.go_on()?;
        let (read, compared) = (read_full(one, &mut ours)?, read_full(other, &mut theirs)?);
        if ours[..read] != theirs[..compared] {
            return Ok(false);
        }
        if read == 0 {
            return Ok(true);
        }
    }
}

/// Reads until the piece is full or the file ends.
pub(super) fn read_full(mut file: &File, piece: &mut [u8]) -> Result<usize, LibraryError> {
    let mut read = 0;
    while read < piece.len() {
        match file.read(&mut piece[read..]) {
            Ok(0) => break,
            Ok(more) => read += more,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(io_trouble(error)),
        }
    }
    Ok(read)
}
