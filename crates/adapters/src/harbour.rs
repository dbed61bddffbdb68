//! What the second road needs of this machine besides a client and a library.

use std::path::PathBuf;
use std::time::Duration;

use async_trait::async_trait;
use metrics::gauge;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::spawn_blocking;
use verst_downloads::hash::InfoHash;
use verst_downloads::ports::{
    About, Added, Announce, Bench, ClientError, Given, Listing, Pauses, Places, Remove,
    TorrentClient, TorrentFile,
};
use verst_kernel::{Notice, Timestamp};

use crate::qbittorrent::PathMap;

/// The time that really passes.
pub struct RealPauses;

#[async_trait]
impl Pauses for RealPauses {
    async fn pause(&self, length: Duration) {
        tokio::time::sleep(length).await;
    }
}

/// The threads that may be kept busy.
pub struct Threads;

#[async_trait]
impl Bench for Threads {
    async fn work(&self, work: Box<dyn FnOnce() + Send>) {
        if let Err(error) = spawn_blocking(work).await
            && let Ok(panic) = error.try_into_panic()
        {
            std::panic::resume_unwind(panic);
        }
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

    fn looked(&self, at: Timestamp) {
        #[expect(clippy::cast_precision_loss, reason = "a gauge is a float")]
        gauge!("verst_client_last_success_timestamp_seconds").set(at.0 as f64 / 1e6);
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

    async fn reannounce(&self, _key: &InfoHash) -> Result<(), ClientError> {
        Err(ClientError::Unreachable)
    }

    async fn remove(&self, _key: &InfoHash, _data: Remove) -> Result<(), ClientError> {
        Err(ClientError::Unreachable)
    }

    async fn about(&self) -> Result<About, ClientError> {
        Err(ClientError::Unreachable)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::thread::current;

    use super::*;

    #[tokio::test]
    async fn what_takes_seconds_keeps_no_other_waiting() {
        let (say, heard) = channel();
        let (go, wait) = channel();
        let work = move || {
            let _: Result<(), _> = wait.recv();
            say.send(current().id()).unwrap();
        };
        let goes_on = async { go.send(()).unwrap() };
        // On one thread the second would never come to let the first go on.
        tokio::join!(Threads.work(Box::new(work)), goes_on);
        assert_ne!(heard.recv().unwrap(), current().id());
        let broken = tokio::spawn(Threads.work(Box::new(|| panic!("a defect"))));
        assert!(broken.await.unwrap_err().is_panic(), "whoever asked hears of it");
    }
}
