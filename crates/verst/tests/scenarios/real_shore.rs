//! A harbour whose client is a real qBittorrent, with real peers.
//!
//! What is measured in hours is told to the store (`give_up`): the client's clock cannot be moved, and
//! the adapter holds its times against ours.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use verst_adapters::qbittorrent::QBittorrent;
use verst_downloads::ports::{Given, Snapshot};
use verst_kernel::WorkId;
use verst_recordings::model::Source;
use verst_service::Entrance;
use verst_testkit::torrents::{RealQBittorrent, Swarm, Torrent};
use verst_testkit::{Backend, Harbour, Mailbox, TestClock};

/// Between two looks at a client that does things in its own time.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// KiB a second at which a film of a harbour takes long.
const SLOW: u32 = 64;

/// A harbour and who is around it.
pub(crate) struct RealShore {
    pub(crate) harbour: Harbour,
    pub(crate) client: RealQBittorrent,
    pub(crate) swarm: Swarm,
    bot: Arc<Mailbox>,
}

/// A film that nobody offers yet.
pub(crate) struct Film {
    pub(crate) torrent: Torrent,
    pub(crate) path: PathBuf,
}

impl RealShore {
    pub(crate) async fn new(backend: Backend) -> Self {
        let swarm = Swarm::start().await;
        let client = swarm.qbittorrent().await;
        Self::with(backend, swarm, client).await
    }

    /// With a client for which a film takes half a minute.
    pub(crate) async fn slow(backend: Backend) -> Self {
        let swarm = Swarm::start().await;
        let client = swarm.slow_qbittorrent(SLOW).await;
        Self::with(backend, swarm, client).await
    }

    async fn with(backend: Backend, swarm: Swarm, client: RealQBittorrent) -> Self {
        let clock = Arc::new(TestClock::default());
        let adapter = Arc::new(QBittorrent::new(client.config(), clock.clone()).unwrap());
        let bot = Arc::new(Mailbox::new(Source::Telegram));
        let entrances: Vec<Arc<dyn Entrance>> = vec![bot.clone()];
        let harbour = Harbour::new(backend, adapter, clock, entrances).await;
        Self { harbour, client, swarm, bot }
    }

    /// A film of two MiB.
    pub(crate) fn film(&self, name: &str) -> Film {
        let dir = self.harbour.dir().join("offered");
        std::fs::create_dir_all(&dir).unwrap();
        let path = dir.join(name);
        std::fs::write(&path, name.repeat((2 << 20) / name.len())).unwrap();
        Film { torrent: self.swarm.torrent(&path), path }
    }

    /// Takes a film in by its magnet; the client has it.
    pub(crate) async fn magnet(&self, film: &Film) -> WorkId {
        let link = self.swarm.magnet(&film.torrent);
        let id = self.harbour.catch(Given::Magnet(link), &film.torrent).await;
        self.harbour.reach(id, "downloading").await;
        id
    }

    /// Takes a film in by its bytes; the client has it.
    pub(crate) async fn bytes(&self, film: &Film) -> WorkId {
        let id = self.harbour.bytes(&film.torrent).await;
        self.harbour.reach(id, "downloading").await;
        id
    }

    /// Somebody offers it, and the client hears of that.
    pub(crate) async fn offer(&self, film: &Film) {
        self.swarm.seed(&film.torrent, &film.path).await;
        let key = film.torrent.v1.as_ref().unwrap();
        self.harbour.client.reannounce(key).await.unwrap();
    }

    /// The torrent as the client shows it now.
    pub(crate) async fn torrent(&self, film: &Film) -> Option<Snapshot> {
        let listing = self.harbour.client.list().await.unwrap();
        listing.torrents.into_iter().find(|it| it.hashes.meets(&film.torrent.hashes()))
    }

    /// Waits until the client shows it so.
    pub(crate) async fn until(&self, film: &Film, is_so: impl Fn(&Snapshot) -> bool) {
        while !self.torrent(film).await.is_some_and(|torrent| is_so(&torrent)) {
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }

    /// So many hours in which nothing is done, and then a tick.
    pub(crate) async fn hours_later(&self, hours: u64) {
        self.harbour.elapse(Duration::from_hours(hours)).await;
        self.harbour.work().await;
    }

    /// How many letters were sent about it.
    pub(crate) fn letters(&self, id: WorkId) -> usize {
        self.bot.letters().iter().filter(|(_, letter)| letter.work == id).count()
    }
}
