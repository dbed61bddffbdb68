//! Copies, where a link cannot be made: written beside, brought to the disk, read back and compared,
//! and only then named.
//!
//! **Invariant:** a target's name never shows anything but the whole file.

use std::fs::File;
use std::io::{ErrorKind, Seek, Write};
use std::os::fd::BorrowedFd;

use rustix::fs::{Advice, FallocateFlags, fadvise, fallocate, fstat, ioctl_ficlone};
use rustix::io::Errno;
use verst_downloads::ports::LibraryError;

use super::beneath::Identity;
use super::part::Part;
use super::run::Run;
use super::same::{PIECE_BYTES, Plain, is_equal, read_full};
use super::trouble::{io_trouble, source_trouble, trouble};

/// How a copy is made.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    /// Byte by byte.
    Bytes,
    /// By sharing the blocks, as `cp --reflink=always`.
    SharedBlocks,
}

/// Makes a copy under this name. `told` hears how much of it is done, from 0 to 1.
pub(super) fn copy(
    source: Plain<'_>,
    (dir, name): (BorrowedFd<'_>, &str),
    file: u32,
    how: How,
    run: &Run,
    told: impl Fn(f64),
) -> Result<Identity, LibraryError> {
    let missing = LibraryError::SourceMissing { file };
    let original = source.open().map_err(|error| source_trouble(error, file))?.ok_or(missing)?;
    let part = Part::begin(dir, name)?;
    let filled = match how {
        How::SharedBlocks => share(&original, &part.file),
        How::Bytes => fill(&original, &part.file, source.size_bytes, run, told),
    };
    let identity = filled.and_then(|()| Ok(Identity::of(&fstat(&part.file).map_err(trouble)?)));
    match identity {
        Ok(identity) => part.publish(name).map(|()| identity).map_err(|error| match error {
            Errno::EXIST => LibraryError::Taken { file },
            error => trouble(error),
        }),
        Err(error) => {
            part.discard();
            Err(error)
        }
    }
}

fn share(original: &File, part: &File) -> Result<(), LibraryError> {
    ioctl_ficlone(part, original).map_err(|error| match error {
        Errno::NOSPC | Errno::DQUOT => LibraryError::Full,
        // Whatever else file systems say that cannot do it.
        _ => LibraryError::CrossDevice,
    })?;
    part.sync_all().map_err(io_trouble)
}

fn fill(
    mut original: &File,
    mut part: &File,
    size_bytes: u64,
    run: &Run,
    told: impl Fn(f64),
) -> Result<(), LibraryError> {
    reserve(part, size_bytes)?;
    let mut piece = vec![0; PIECE_BYTES];
    let mut copied = 0;
    loop {
        run.go_on()?;
        let read = read_full(original, &mut piece)?;
        if read == 0 {
            break;
        }
        part.write_all(&piece[..read]).map_err(io_trouble)?;
        copied += read as u64;
        told(ratio(copied, size_bytes));
    }
    part.sync_all().map_err(io_trouble)?;
    // What is compared is to come from the disk and not from memory, as far as that can be asked for.
    let dropped = fadvise(part, 0, None, Advice::DontNeed);
    tracing::debug!(?dropped, "a copy is compared");
    original.rewind().and_then(|()| part.rewind()).map_err(io_trouble)?;
    if copied == size_bytes && is_equal(original, part, run)? {
        return Ok(());
    }
    Err(LibraryError::Failed(std::io::Error::new(
        ErrorKind::InvalidData,
        "a copy is not what was copied",
    )))
}

/// Asks for all the room at once: that a disk is too small is to show now and not after hours.
fn reserve(part: &File, size_bytes: u64) -> Result<(), LibraryError> {
    if size_bytes == 0 {
        return Ok(());
    }
    match fallocate(part, FallocateFlags::KEEP_SIZE, 0, size_bytes) {
        Ok(()) | Err(Errno::OPNOTSUPP | Errno::NOSYS) => Ok(()),
        Err(error) => Err(trouble(error)),
    }
}

#[expect(clippy::cast_precision_loss, reason = "shown to people, in thousandths")]
fn ratio(part: u64, all: u64) -> f64 {
    part as f64 / all.max(1) as f64
}
