//! A scripted client, and the adapter that speaks with it.

use std::sync::Arc;

use verst_adapters::qbittorrent::{QBittorrent, QBittorrentConfig};
use verst_downloads::ports::{ClientError, Given, Snapshot, TorrentClient};
use verst_testkit::TestClock;
use verst_testkit::torrents::{Dialect, ScriptedQBittorrent, Torrent};

pub(crate) struct Bench {
    pub(crate) server: ScriptedQBittorrent,
    pub(crate) client: QBittorrent,
}

impl Bench {
    pub(crate) fn new(dialect: Dialect) -> Self {
        Self::with(dialect, |config| config)
    }

    pub(crate) fn with(
        dialect: Dialect,
        set: impl FnOnce(QBittorrentConfig) -> QBittorrentConfig,
    ) -> Self {
        let clock = Arc::new(TestClock::default());
        let server = ScriptedQBittorrent::start(dialect, clock.clone());
        let client = QBittorrent::new(set(server.config()), clock).unwrap();
        Self { server, client }
    }

    pub(crate) async fn list(&self) -> Result<Vec<Snapshot>, ClientError> {
        Ok(self.client.list().await?.torrents)
    }

    /// A torrent that is there.
    pub(crate) fn has(&self, name: &str) -> Torrent {
        let torrent = Torrent::sample(name);
        self.server.put(&torrent);
        torrent
    }
}

pub(crate) fn bytes_of(torrent: &Torrent) -> Given {
    Given::Torrent(torrent.bytes.clone())
}
