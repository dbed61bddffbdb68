//! The suite of the port on the qBittorrent of this machine, with real peers, and what only a real
//! one can show.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use verst_adapters::clock::SystemClock;
use verst_adapters::qbittorrent::{QBittorrent, QBittorrentConfig};
use verst_downloads::ports::{ClientError, ClientState, TorrentClient};
use verst_testkit::conformance::torrents::TorrentGround;
use verst_testkit::torrent_conformance;
use verst_testkit::torrents::{RealQBittorrent, Swarm, Torrent};

use super::bench::bytes_of;

struct Real {
    client: QBittorrent,
    server: RealQBittorrent,
    swarm: Swarm,
    count: AtomicUsize,
}

impl Real {
    async fn new() -> Self {
        let swarm = Swarm::start().await;
        let server = swarm.qbittorrent().await;
        let client = QBittorrent::new(server.config(), Arc::new(SystemClock)).unwrap();
        Self { client, server, swarm, count: AtomicUsize::new(0) }
    }

    /// Bytes that no other torrent has.
    fn bytes(&self) -> Vec<u8> {
        let nth = self.count.fetch_add(1, Ordering::Relaxed);
        format!("bytes number {nth}, ").repeat(20_000).into_bytes()
    }

    async fn until(&self, is_so: impl Fn(ClientState) -> bool) {
        loop {
            let torrents = self.client.list().await.unwrap().torrents;
            if torrents.first().is_some_and(|it| is_so(it.state)) {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    }
}

#[async_trait]
impl TorrentGround for Real {
    fn client(&self) -> &dyn TorrentClient {
        &self.client
    }

    fn category(&self) -> &'static str {
        "verst"
    }

    async fn offered(&self) -> Torrent {
        let bytes = self.bytes();
        let files: [(&str, &[u8]); 2] = [("a/long.mkv", &bytes), ("b.srt", b"words")];
        self.swarm.offer("something", &files).await.0
    }

    async fn offered_hybrid(&self) -> Torrent {
        self.swarm.offer_hybrid("something.mkv", &self.bytes()).await.0
    }

    fn magnet(&self, torrent: &Torrent) -> String {
        self.swarm.magnet(torrent)
    }

    async fn by_hand(&self, torrent: &Torrent) {
        let plain = QBittorrentConfig { category: String::new(), ..self.server.config() };
        let other = QBittorrent::new(plain, Arc::new(SystemClock)).unwrap();
        other.add(&bytes_of(torrent)).await.unwrap();
    }

    async fn let_metadata_come(&self, _: &Torrent) {}

    async fn let_data_come(&self, _: &Torrent) {}

    async fn has_files(&self, torrent: &Torrent) -> bool {
        torrent.files.iter().all(|(path, size_bytes)| {
            let found = std::fs::metadata(self.server.path_of(path));
            found.is_ok_and(|found| found.len() == *size_bytes)
        })
    }
}

torrent_conformance!(process_real, super::Real::new());

#[tokio::test]
async fn process_real_what_came_is_what_was_offered() {
    let real = Real::new().await;
    let bytes = real.bytes();
    let (torrent, root) = real.swarm.offer("it", &[("x/y.mkv", &bytes)]).await;
    real.client.add(&bytes_of(&torrent)).await.unwrap();
    real.until(|state| matches!(state, ClientState::Uploading | ClientState::StalledUp)).await;
    let content = |root: &Path| std::fs::read(root.join("x/y.mkv")).unwrap();
    assert!(content(&root) == content(&real.server.path_of("it")));
}

#[tokio::test]
async fn process_real_a_client_that_is_restarted_or_killed_has_its_torrents_afterwards() {
    let real = Real::new().await;
    let (torrent, _) = real.swarm.offer("it", &[("x.mkv", &real.bytes())]).await;
    real.client.add(&bytes_of(&torrent)).await.unwrap();
    real.until(|state| matches!(state, ClientState::Uploading | ClientState::StalledUp)).await;
    real.server.stop();
    assert_eq!(real.client.list().await, Err(ClientError::Unreachable));
    real.server.start_again().await;
    let listing = real.client.list().await.unwrap();
    assert!(listing.full && listing.torrents[0].hashes.meets(&torrent.hashes()));
    real.server.kill();
    assert_eq!(real.client.list().await, Err(ClientError::Unreachable));
    real.server.start_again().await;
    let listing = real.client.list().await.unwrap();
    assert!(listing.full && listing.torrents.len() == 1);
}

#[tokio::test]
async fn process_real_files_that_are_gone_are_missed() {
    let real = Real::new().await;
    let (torrent, _) = real.swarm.offer("it", &[("x.mkv", &real.bytes())]).await;
    real.client.add(&bytes_of(&torrent)).await.unwrap();
    real.until(|state| matches!(state, ClientState::Uploading | ClientState::StalledUp)).await;
    real.server.stop();
    std::fs::remove_file(real.server.path_of("it/x.mkv")).unwrap();
    real.server.start_again().await;
    real.until(|state| state == ClientState::MissingFiles).await;
}

#[tokio::test]
async fn process_real_a_wrong_password_is_not_tried_again() {
    let real = Real::new().await;
    let wrong = QBittorrentConfig { password: "wrong".to_owned(), ..real.server.config() };
    let other = QBittorrent::new(wrong, Arc::new(SystemClock)).unwrap();
    for _ in 0..20 {
        assert!(matches!(other.list().await, Err(ClientError::Refuses { .. })));
    }
    real.client.list().await.expect("this host is not shut out");
}
