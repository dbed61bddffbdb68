//! What the refusals of a file system mean.

use rustix::io::Errno;
use verst_downloads::ports::LibraryError;

/// A refusal in the library.
pub(super) fn trouble(error: Errno) -> LibraryError {
    match error {
        Errno::NOSPC | Errno::DQUOT => LibraryError::Full,
        error => LibraryError::Failed(error.into()),
    }
}

/// The same, of an operation of the standard library.
pub(super) fn io_trouble(error: std::io::Error) -> LibraryError {
    match Errno::from_io_error(&error) {
        Some(Errno::NOSPC | Errno::DQUOT) => LibraryError::Full,
        _ => LibraryError::Failed(error),
    }
}

/// A refusal on the way to a target: what is there and is no directory is somebody else's.
pub(super) fn way_trouble(error: Errno, file: u32) -> LibraryError {
    match error {
        Errno::NOTDIR | Errno::LOOP => LibraryError::Taken { file },
        error => trouble(error),
    }
}

/// A refusal on the way to a source, or at it: a link, a directory in its place, nothing.
pub(super) fn source_trouble(error: Errno, file: u32) -> LibraryError {
    match error {
        Errno::NOENT | Errno::NOTDIR | Errno::LOOP | Errno::NXIO => {
            LibraryError::SourceMissing { file }
        }
        error => LibraryError::Failed(error.into()),
    }
}

/// Whether a file system says that this link cannot be made, and a copy perhaps can: another file
/// system or another mount of the same one, one without links or with rules against them, too many
/// links to one file.
pub(super) fn cannot_link(error: Errno) -> bool {
    matches!(error, Errno::XDEV | Errno::PERM | Errno::MLINK | Errno::OPNOTSUPP | Errno::NOSYS)
}
