//! Why a file was not fetched, and which of that may pass by itself.

use std::io;

use reqwest::StatusCode;
use thiserror::Error;

/// Why a file was not fetched.
#[derive(Debug, Error)]
pub enum DownloadError {
    /// Another process fetches the same.
    #[error("another process fetches it")]
    Busy,
    /// Not an address that can be asked.
    #[error("not an address")]
    Address,
    /// There is no such file.
    #[error("not found")]
    Missing,
    /// The server does not give it to us.
    #[error("refused with status {status}")]
    Refused {
        /// As answered.
        status: u16,
    },
    /// The server is in trouble, or has enough of us for now.
    #[error("answered with status {status}")]
    Troubled {
        /// As answered.
        status: u16,
    },
    /// No connection.
    #[error("cannot be reached")]
    Unreachable(#[source] reqwest::Error),
    /// The connection broke.
    #[error("the connection broke")]
    Broken(#[source] reqwest::Error),
    /// The answer ended before the file did.
    #[error("the answer ended early")]
    Short,
    /// The file that is offered is not the one that was begun.
    #[error("the file on the server changed")]
    Changed,
    /// It broke so often that it was given up.
    #[error("the connection broke too often")]
    Unsteady,
    /// Too many redirections, or one that leads away from a protected connection.
    #[error("redirected too often or to an unprotected address")]
    Redirected,
    /// Nobody says what the file's bytes must be.
    #[error("no hash is known")]
    NoHash,
    /// The bytes are not those that were expected.
    #[error("the hash is {found} and not {expected}")]
    WrongHash {
        /// In hexadecimal.
        expected: String,
        /// In hexadecimal.
        found: String,
    },
    /// Larger than it may be.
    #[error("larger than {limit_bytes} bytes")]
    TooLarge {
        /// How large it may be.
        limit_bytes: u64,
    },
    /// The disk has no room for it.
    #[error("{needed_bytes} bytes are needed and {free_bytes} free")]
    NoRoom {
        /// What is missing of the file, and some room to spare.
        needed_bytes: u64,
        /// What the disk has.
        free_bytes: u64,
    },
    /// The file could not be written.
    #[error("cannot be written")]
    Io(#[from] io::Error),
}

impl DownloadError {
    /// Whether another try may go better.
    pub(super) fn passes(&self) -> bool {
        matches!(
            self,
            Self::Troubled { .. }
                | Self::Unreachable(_)
                | Self::Broken(_)
                | Self::Short
                | Self::Changed
        )
    }

    pub(super) fn of_status(status: StatusCode) -> Self {
        let number = status.as_u16();
        match status {
            StatusCode::NOT_FOUND | StatusCode::GONE => Self::Missing,
            StatusCode::REQUEST_TIMEOUT | StatusCode::TOO_MANY_REQUESTS => {
                Self::Troubled { status: number }
            }
            status if status.is_server_error() => Self::Troubled { status: number },
            _ => Self::Refused { status: number },
        }
    }
}
