//! What the second road needs of this machine besides a client and a library.

use std::path::PathBuf;
use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use verst_downloads::hash::InfoHash;
use verst_downloads::ports::{
    Added, Announce, ClientError, Given, Listing, Pauses, Places, Remove, TorrentClient,
    TorrentFile,
};
use verst_kernel::Notice;

use crate::qbittorrent::PathMap;

/// The time that really passes.
pub struct RealPauses;

#[async_trait]
impl Pauses for RealPauses {
    async fn pause(&self, length: Duration) {
        tokio::time::sleep(length).await;
    }
}

impl Places for PathMap {
    fn local(&self, remote: &str) -> Option<PathBuf> {
        Self::local(self, remote)
    }
}

/// Passes notices on to whoever tells them. There are no more of them than downloads that were
/// stopped since the last was told.
pub struct Announcer(UnboundedSender<Notice>);

impl Announcer {
    /// It, and the other end.
    pub fn new() -> (Self, UnboundedReceiver<Notice>) {
        let (sender, receiver) = unbounded_channel();
        (Self(sender), receiver)
    }
}

impl Announce for Announcer {
    fn announce(&self, notice: Notice) {
        // When nobody tells any more, the process ends; the next start counts what stayed behind.
        let _ = self.0.send(notice);
    }
}

/// No client is set. Downloads that are there wait for one.
pub struct NoTorrentClient;

#[async_trait]
impl TorrentClient for NoTorrentClient {
    async fn list(&self) -> Result<Listing, ClientError> {
        Err(ClientError::Unreachable)
    }

    async fn add(&self, _given: &Given) -> Result<Added, ClientError> {
        Err(ClientError::Unreachable)
    }

    async fn files(&self, _key: &InfoHash) -> Result<Vec<TorrentFile>, ClientError> {
        Err(ClientError::Unreachable)
    }

    async fn export(&self, _key: &InfoHash) -> Result<Option<Vec<u8>>, ClientError> {
        Err(ClientError::Unreachable)
    }

    async fn start(&self, _key: &InfoHash) -> Result<(), ClientError> {
        Err(ClientError::Unreachable)
    }

    async fn stop(&self, _key: &InfoHash) -> Result<(), ClientError> {
        Err(ClientError::Unreachable)
    }

    async fn recheck(&self, _key: &InfoHash) -> Result<(), ClientError> {
        Err(ClientError::Unreachable)
    }

    async fn reannounce(&self, _key: &InfoHash) -> Result<(), ClientError> {
        Err(ClientError::Unreachable)
    }

    async fn remove(&self, _key: &InfoHash, _data: Remove) -> Result<(), ClientError> {
        Err(ClientError::Unreachable)
    }

    async fn version(&self) -> Result<String, ClientError> {
        Err(ClientError::Unreachable)
    }
}
