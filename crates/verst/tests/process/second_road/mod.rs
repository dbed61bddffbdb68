//! The second road of the real binary: a real swarm, a real qBittorrent, real hard links.

mod killed;
mod road;
mod sluice;

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use verst_adapters::clock::SystemClock;
use verst_adapters::qbittorrent::QBittorrent;
use verst_downloads::ports::{ClientState, Snapshot, TorrentClient};
use verst_testkit::torrents::{RealQBittorrent, Swarm, Torrent};

use super::support::Place;

/// Between two looks at what another process does.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// A swarm, a client, and a place whose service uses it, and which has a library.
struct Coast {
    swarm: Swarm,
    client: RealQBittorrent,
    asked: QBittorrent,
    place: Place,
}

impl Coast {
    async fn new() -> Self {
        let swarm = Swarm::start().await;
        let client = swarm.qbittorrent().await;
        let asked = QBittorrent::new(client.config(), Arc::new(SystemClock)).unwrap();
        let place = Place::new();
        std::fs::create_dir(place.path().join("library")).unwrap();
        let coast = Self { swarm, client, asked, place };
        coast.reach_client_at(&coast.client.url());
        coast
    }

    /// The service finds its client at this address.
    fn reach_client_at(&self, url: &str) {
        let (config, library) = (self.client.config(), self.library());
        self.place.set(&format!(
            "pause_base_s = 1\nqbittorrent = \"{url}\"\nqbittorrent_user = \"{}\"\n\
             qbittorrent_password = \"{}\"\nlibrary = \"{}\"\n",
            config.user,
            config.password,
            library.display()
        ));
    }

    fn library(&self) -> PathBuf {
        self.place.path().join("library")
    }

    /// The torrent as the client shows it now.
    async fn torrent(&self, torrent: &Torrent) -> Option<Snapshot> {
        let listing = self.asked.list().await.unwrap();
        listing.torrents.into_iter().find(|it| it.hashes.meets(&torrent.hashes()))
    }

    /// Fails unless the files of the torrent, and they alone, stand in the library as the very files
    /// that the client downloaded and still gives to others.
    async fn is_filed(&self, torrents: &[&Torrent]) {
        let mut downloaded = BTreeMap::new();
        for torrent in torrents {
            let seen = self.torrent(torrent).await.expect("the client has it");
            let gives = matches!(seen.state, ClientState::Uploading | ClientState::StalledUp);
            assert!(gives && seen.left_bytes == 0, "{:?}", seen.state);
            for (path, size_bytes) in &torrent.files {
                downloaded.insert(inode(&self.client.path_of(path)), *size_bytes);
            }
        }
        let filed = files(&self.library());
        let sizes = filed.iter().map(|path| (inode(path), std::fs::metadata(path).unwrap().len()));
        assert_eq!(sizes.collect::<BTreeMap<_, _>>(), downloaded, "{filed:?}");
        assert_eq!(filed.len(), downloaded.len(), "none twice, and nothing half done: {filed:?}");
    }
}

/// All files below it.
fn files(below: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(below).unwrap().map(|entry| entry.unwrap().path());
    let found = entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] });
    found.collect()
}

fn inode(path: &Path) -> (u64, u64) {
    let data = std::fs::metadata(path).unwrap();
    (data.dev(), data.ino())
}

/// Bytes that nothing else has.
fn bytes(what: &str) -> Vec<u8> {
    what.repeat(300_000 / what.len()).into_bytes()
}
