//! A real swarm on this machine: a tracker, peers that have files, and qBittorrents that get them.
//!
//! Everything listens on 127.0.0.1 alone and lies in one directory, which goes with the value.

mod child;
mod ready;
mod real;
mod tracker;

use std::any::Any;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use tempfile::TempDir;
use verst_adapters::clock::SystemClock;
use verst_adapters::qbittorrent::QBittorrent;
use verst_downloads::ports::{Given, TorrentClient};

use super::Torrent;
use child::Child;
use tracker::Tracker;

pub use real::RealQBittorrent;

/// A swarm. What it started ends with it.
pub struct Swarm {
    seeders: Mutex<Vec<(Torrent, Box<dyn Any + Send>)>>,
    tracker: Tracker,
    count: AtomicUsize,
    dir: TempDir,
}

impl Swarm {
    /// Starts a tracker. Nobody has anything yet.
    pub async fn start() -> Self {
        let dir = TempDir::new().unwrap();
        // The tracker runs without rights.
        let readable = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(dir.path(), readable).unwrap();
        let tracker = Tracker::start(dir.path()).await;
        Self { seeders: Mutex::default(), tracker, count: AtomicUsize::new(0), dir }
    }

    /// A directory or file below the swarm's own that nobody else has.
    fn fresh(&self, kind: &str) -> PathBuf {
        let nth = self.count.fetch_add(1, Ordering::Relaxed);
        let dir = self.dir.path().join(format!("{kind}-{nth}"));
        std::fs::create_dir(&dir).unwrap();
        dir
    }

    /// The tracker's address, as it stands in torrents.
    pub fn announce(&self) -> String {
        self.tracker.announce()
    }

    /// A v1 torrent of a file or directory.
    pub fn torrent(&self, of: &Path) -> Torrent {
        Torrent::v1(of, Some(&self.announce()))
    }

    /// A magnet by which peers are found.
    pub fn magnet(&self, torrent: &Torrent) -> String {
        torrent.magnet(Some(&self.announce()))
    }

    /// Files of these names and bytes in a directory of that name, offered as a v1 torrent. And where
    /// they lie.
    pub async fn offer(&self, name: &str, files: &[(&str, &[u8])]) -> (Torrent, PathBuf) {
        let root = self.fresh("files").join(name);
        for (path, bytes) in files {
            let path = root.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, bytes).unwrap();
        }
        let torrent = self.torrent(&root);
        self.seed(&torrent, &root).await;
        (torrent, root)
    }

    /// A file of this name and bytes, offered as a torrent that is v1 and v2 at once. And where it
    /// lies.
    ///
    /// Another qBittorrent offers it: aria2 1.36 leaves empty keys out of what it hashes, and v2 has
    /// such keys, so it calls hybrids by hashes that nobody else knows.
    pub async fn offer_hybrid(&self, name: &str, bytes: &[u8]) -> (Torrent, PathBuf) {
        let seeder = self.qbittorrent().await;
        let path = seeder.path_of(name);
        std::fs::write(&path, bytes).unwrap();
        let torrent = Torrent::hybrid(&path, Some(&self.announce()));
        for hash in torrent.hashes().iter().filter(|hash| hash.as_str().len() == 40) {
            self.tracker.admit(hash).await;
        }
        let client = QBittorrent::new(seeder.config(), Arc::new(SystemClock)).unwrap();
        client.add(&Given::Torrent(torrent.bytes.clone())).await.unwrap();
        self.tracker.offered(torrent.v1.as_ref().unwrap()).await;
        self.keep(&torrent, seeder);
        (torrent, path)
    }

    fn keep(&self, torrent: &Torrent, seeder: impl Any + Send) {
        self.seeders.lock().unwrap().push((torrent.clone(), Box::new(seeder)));
    }

    /// A v1 torrent is offered whose file or directory lies there, and the tracker knows.
    pub async fn seed(&self, torrent: &Torrent, of: &Path) {
        let hash = torrent.v1.as_ref().expect("the tracker knows v1 hashes");
        self.tracker.admit(hash).await;
        let dir = self.fresh("seeder");
        let file = dir.join("it.torrent");
        std::fs::write(&file, &torrent.bytes).unwrap();
        let [port] = ready::free_ports();
        let (port, above) = (format!("--listen-port={port}"), of.parent().unwrap());
        let above = format!("--dir={}", above.display());
        let arguments = [
            "--no-conf",
            "--quiet",
            "--interface=127.0.0.1",
            "--enable-dht=false",
            "--enable-dht6=false",
            "--bt-enable-lpd=false",
            "--enable-peer-exchange=false",
            "--seed-ratio=0.0",
            "--check-integrity=true",
            &port,
            &above,
            file.to_str().unwrap(),
        ];
        let seeder = Child::start("aria2c", &arguments, &dir.join("log"));
        self.tracker.offered(hash).await;
        self.keep(torrent, seeder);
    }

    /// Nobody offers the torrent any more.
    pub fn withdraw(&self, torrent: &Torrent) {
        self.seeders.lock().unwrap().retain(|(offered, _)| offered != torrent);
    }

    /// A qBittorrent without torrents.
    pub async fn qbittorrent(&self) -> RealQBittorrent {
        RealQBittorrent::start(self.fresh("qbittorrent"), None).await
    }

    /// The same, which takes no more than so many KiB a second: what it downloads stays on its way.
    pub async fn slow_qbittorrent(&self, kib_a_second: u32) -> RealQBittorrent {
        RealQBittorrent::start(self.fresh("qbittorrent"), Some(kib_a_second)).await
    }
}
