//! A person wants a download to go on.
//!
//! **Invariant:** a download is `downloading` only once its torrent was seen in the client. Whoever
//! takes its fence meanwhile wins, and this one then says so.

use thiserror::Error;
use verst_kernel::{StoreError, WorkId};

use crate::ports::{ClientError, DownloadStore, Retried, RetryBegun};
use crate::steps::{Desk, Ensured};

/// Why a download was not put on its way again. It stands as it stood.
#[derive(Debug, Error)]
pub enum RetryError {
    /// Another download has its torrent.
    #[error("another download, {0}, has its torrent")]
    Owned(WorkId),
    /// It is not stopped.
    #[error("not stopped")]
    NotStopped,
    /// No such download.
    #[error("no such download")]
    Missing,
    /// Somebody else moved it meanwhile.
    #[error("somebody else moved it meanwhile")]
    Lost,
    /// The client did not take it.
    #[error("the client did not take it")]
    Refused,
    /// There is no room for it.
    #[error("there is no room for it")]
    NoRoom,
    /// The client.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Puts a stopped download to `downloading`, in a person's name: a healthy torrent is taken up again, a
/// broken or missing one is added once more by what it was given by.
pub async fn retry(
    store: &dyn DownloadStore,
    desk: Desk<'_>,
    id: WorkId,
    person: &str,
) -> Result<(), RetryError> {
    let (fence, hashes, given) = match store.begin_retry(id).await? {
        RetryBegun::Begun { fence, hashes, given } => (fence, hashes, given),
        RetryBegun::Owned(other) => return Err(RetryError::Owned(other)),
        RetryBegun::NotStopped => return Err(RetryError::NotStopped),
        RetryBegun::Missing => return Err(RetryError::Missing),
    };
    let size_bytes = store.download(id).await?.and_then(|download| download.size_bytes);
    match desk.ensure(&hashes, &given, size_bytes).await? {
        Ensured::Adopted | Ensured::Added => {}
        Ensured::Refused => return Err(RetryError::Refused),
        Ensured::NoRoom => return Err(RetryError::NoRoom),
    }
    match store.finish_retry(id, fence, person).await? {
        Retried::Done => Ok(()),
        Retried::Lost => Err(RetryError::Lost),
        Retried::Owned(other) => Err(RetryError::Owned(other)),
    }
}
