//! Whether downloads have what they need: the client, its watch, the library.
//!
//! **Invariant:** a link is tried seldom: whoever asks every second wears out no disk.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::{Instant, timeout};
use verst_downloads::codes;
use verst_downloads::ports::About;
use verst_downloads::steps::client_failure;
use verst_kernel::{Failure, Timestamp};
use verst_service::{DownloadService, Finding, try_library};

/// How long a link that was made holds, and one that was not.
const WELL: Duration = Duration::from_mins(10);
const ILL: Duration = Duration::from_secs(30);

/// What is looked at of the second road.
pub(super) struct Torrents {
    service: Arc<DownloadService>,
    /// Since when this process works.
    started_at: Timestamp,
    tried: Mutex<Option<(Instant, Option<Failure>)>>,
}

impl Torrents {
    pub(super) fn new(service: Arc<DownloadService>, started_at: Timestamp) -> Self {
        Self { service, started_at, tried: Mutex::default() }
    }

    /// A finding for each thing; nothing about the library while nobody says where downloads are.
    pub(super) async fn examine(&self, patience: Duration) -> Vec<Finding> {
        let (about, watch) = tokio::join!(
            timeout(patience, self.service.line.client.about()),
            timeout(patience, self.service.watch_trouble(self.started_at)),
        );
        let finding = |part, trouble| Finding { part, trouble };
        // A database that does not answer is told of as such.
        let watch = finding("watch", watch.ok().and_then(Result::ok).flatten());
        match about {
            Ok(Ok(about)) => {
                let library = finding("library", self.library(&about, patience).await);
                vec![finding("qbittorrent", None), watch, library]
            }
            Ok(Err(error)) => vec![finding("qbittorrent", Some(client_failure(&error))), watch],
            Err(_) => {
                let silent = Failure::new(codes::CLIENT_UNREACHABLE);
                vec![finding("qbittorrent", Some(silent)), watch]
            }
        }
    }

    async fn library(&self, about: &About, patience: Duration) -> Option<Failure> {
        let mut tried = self.tried.lock().await;
        if let Some((at, trouble)) = &*tried
            && at.elapsed() < trouble.as_ref().map_or(WELL, |_| ILL)
        {
            return trouble.clone();
        }
        let line = &self.service.line;
        let made = timeout(patience, try_library(about, &*line.places, &*line.library)).await;
        let trouble = match made {
            Ok(made) => made.err(),
            Err(_) => Some(Failure::new(codes::LIBRARY_FAILED)),
        };
        *tried = Some((Instant::now(), trouble.clone()));
        trouble
    }
}
