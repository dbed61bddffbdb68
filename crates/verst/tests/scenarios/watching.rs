//! The watch of a client through a defect of its own and through silence: it slows, it is told as
//! trouble, and the next success goes on as if nothing had been.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use verst_adapters::qbittorrent::QBittorrent;
use verst_downloads::hash::InfoHash;
use verst_downloads::ports::{
    About, Added, ClientError, Contact, Given, Listing, Remove, TorrentClient, TorrentFile,
};
use verst_kernel::Failure;
use verst_service::{TORRENT_CLIENT, WatchView};
use verst_testkit::torrents::{Dialect, ScriptedQBittorrent, Torrent};
use verst_testkit::{Backend, Harbour, TestClock};

use crate::shore::{FILM, Shore, hash};

on_every_store!(
    a_hundred_panics_slow_the_watch_and_the_next_success_mends_it,
    since_when_a_client_is_silent_is_known_and_forgotten,
);

/// A client whose listing runs into a defect while it is to.
struct Defective {
    client: QBittorrent,
    defective: AtomicBool,
}

#[async_trait]
impl TorrentClient for Defective {
    async fn list(&self) -> Result<Listing, ClientError> {
        assert!(!self.defective.load(Ordering::SeqCst), "a defect");
        self.client.list().await
    }

    async fn add(&self, given: &Given) -> Result<Added, ClientError> {
        self.client.add(given).await
    }

    async fn files(&self, key: &InfoHash) -> Result<Vec<TorrentFile>, ClientError> {
        self.client.files(key).await
    }

    async fn export(&self, key: &InfoHash) -> Result<Option<Vec<u8>>, ClientError> {
        self.client.export(key).await
    }

    async fn start(&self, key: &InfoHash) -> Result<(), ClientError> {
        self.client.start(key).await
    }

    async fn stop(&self, key: &InfoHash) -> Result<(), ClientError> {
        self.client.stop(key).await
    }

    async fn reannounce(&self, key: &InfoHash) -> Result<(), ClientError> {
        self.client.reannounce(key).await
    }

    async fn remove(&self, key: &InfoHash, data: Remove) -> Result<(), ClientError> {
        self.client.remove(key, data).await
    }

    async fn about(&self) -> Result<About, ClientError> {
        self.client.about().await
    }
}

async fn view(harbour: &Harbour) -> WatchView {
    harbour.store.watch_view(TORRENT_CLIENT).await.unwrap().expect("there is a watch")
}

async fn trouble(harbour: &Harbour) -> Option<Failure> {
    view(harbour).await.trouble(harbour.now(), harbour.runtime.pulse.started_at())
}

/// The next look, as soon as it is due.
async fn look(harbour: &Harbour) {
    let due = view(harbour).await.work.ready_at;
    harbour.elapse(due.since(harbour.now())).await;
    harbour.work().await;
}

async fn a_hundred_panics_slow_the_watch_and_the_next_success_mends_it(backend: Backend) {
    let clock = Arc::new(TestClock::default());
    let server = ScriptedQBittorrent::start(Dialect::V5_1, clock.clone());
    let client = QBittorrent::new(server.config(), clock.clone()).unwrap();
    let client = Arc::new(Defective { client, defective: AtomicBool::new(false) });
    let harbour = Harbour::new(backend, client.clone(), clock, Vec::new()).await;
    let torrent = Torrent::sample(FILM);
    let id = harbour.bytes(&torrent).await;
    harbour.reach(id, "downloading").await;
    look(&harbour).await;
    assert_eq!((view(&harbour).await.failed(), trouble(&harbour).await), (0, None));

    client.defective.store(true, Ordering::SeqCst);
    server.change(hash(&torrent), verst_testkit::torrents::Held::complete);
    for times in 1..=100 {
        look(&harbour).await;
        let view = view(&harbour).await;
        assert_eq!((view.failed(), &view.work.stop), (times, &None));
        let pause = view.work.ready_at.since(harbour.now());
        assert!(pause <= Duration::from_mins(1), "{pause:?} after {times}");
        // The jitter takes a quarter at most.
        assert!(times < 10 || pause >= Duration::from_secs(45), "{pause:?} after {times}");
    }
    let failing = Failure::new("watch_failing").int("times", 100);
    assert_eq!(trouble(&harbour).await, Some(failing));
    assert_eq!(harbour.state(id).await, "downloading", "and nothing was stopped");

    client.defective.store(false, Ordering::SeqCst);
    look(&harbour).await;
    assert_eq!((view(&harbour).await.failed(), trouble(&harbour).await), (0, None));
    assert_ne!(harbour.state(id).await, "downloading");
}

async fn since_when_a_client_is_silent_is_known_and_forgotten(backend: Backend) {
    let shore = Shore::new(backend, Dialect::V5_1).await;
    let harbour = &shore.harbour;
    let id = shore.coming(&Torrent::sample(FILM)).await;
    let answering = view(harbour).await.contact;
    assert!(matches!(answering, Some(Contact::Answering(_))), "{answering:?}");
    assert!(harbour.board.of(id).is_some());
    shore.client.stop();
    look(harbour).await;
    let silent = view(harbour).await.contact;
    assert!(matches!(silent, Some(Contact::Silent(_))), "{silent:?}");
    assert_eq!(trouble(harbour).await, None, "a stumble is none");
    assert!(harbour.board.of(id).is_none(), "what it did says nothing of what it does");
    look(harbour).await;
    look(harbour).await;
    assert_eq!(view(harbour).await.contact, silent, "since the first time");
    assert_eq!(trouble(harbour).await, Some(Failure::new("client_unreachable")));
    shore.client.start_again();
    look(harbour).await;
    let again = view(harbour).await.contact;
    assert!(matches!(again, Some(Contact::Answering(_))) && again != answering, "{again:?}");
    assert_eq!(trouble(harbour).await, None);
    // Where nobody looks, that is trouble after a while.
    harbour.pass(Duration::from_mins(30));
    let late = trouble(harbour).await.expect("nobody looks");
    assert_eq!(late.code, "watch_late");
}
