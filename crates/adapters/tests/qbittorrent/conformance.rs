//! The suite of the port, on the scripted client in each dialect.

use std::sync::Arc;

use async_trait::async_trait;
use verst_adapters::qbittorrent::QBittorrent;
use verst_downloads::ports::TorrentClient;
use verst_testkit::conformance::torrents::TorrentGround;
use verst_testkit::torrents::{Deed, Dialect, Held, ScriptedQBittorrent, Torrent};
use verst_testkit::{TestClock, torrent_conformance};

struct Scripted {
    server: ScriptedQBittorrent,
    client: QBittorrent,
}

impl Scripted {
    fn new(dialect: Dialect) -> Self {
        let clock = Arc::new(TestClock::default());
        let server = ScriptedQBittorrent::start(dialect, clock.clone());
        let client = QBittorrent::new(server.config(), clock).unwrap();
        Self { server, client }
    }
}

#[async_trait]
impl TorrentGround for Scripted {
    fn client(&self) -> &dyn TorrentClient {
        &self.client
    }

    fn category(&self) -> &'static str {
        "verst"
    }

    async fn offered(&self) -> Torrent {
        Torrent::sample("something")
    }

    async fn offered_hybrid(&self) -> Torrent {
        Torrent::sample_hybrid("something")
    }

    fn magnet(&self, torrent: &Torrent) -> String {
        torrent.magnet(None)
    }

    async fn by_hand(&self, torrent: &Torrent) {
        self.server.put(torrent);
    }

    async fn let_metadata_come(&self, torrent: &Torrent) {
        self.server.learn(torrent);
    }

    async fn let_data_come(&self, torrent: &Torrent) {
        self.server.change(torrent.hashes().iter().next().unwrap(), Held::complete);
    }

    async fn has_files(&self, torrent: &Torrent) -> bool {
        let deeds = self.server.deeds();
        let removed = |deed: &&Deed| matches!(deed, Deed::Removed { .. });
        let last = deeds.iter().rfind(removed);
        let keeps = !matches!(last, Some(Deed::Removed { files: true, .. }));
        assert!(!torrent.files.is_empty());
        keeps
    }
}

torrent_conformance!(speaks_4_5_2, async { super::Scripted::new(super::Dialect::V4_5_2) });
torrent_conformance!(speaks_5_1, async { super::Scripted::new(super::Dialect::V5_1) });
torrent_conformance!(speaks_5_2, async { super::Scripted::new(super::Dialect::V5_2) });
