//! The second road with everything around it: a real store, a torrent client, a library.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use verst_store::Store;

use async_trait::async_trait;
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;
use verst_adapters::aftermath::RuntimeAftermath;
use verst_adapters::confine::Confinement;
use verst_adapters::ffmpeg::{Ffmpeg, MediaLimits};
use verst_adapters::harbour::Threads;
use verst_adapters::library::Shelves;
use verst_adapters::qbittorrent::QBittorrent;
use verst_downloads::layout::Roots;
use verst_downloads::model::{NewDownload, Patience, Sender, Source};
use verst_downloads::ports::{Announce, Given, Link, Pauses, Places, Preset, TorrentClient};
use verst_downloads::retry::{RetryError, retry};
use verst_downloads::steps::{Board, Downloads, Watch};
use verst_kernel::{
    Clock, Entry, Failure, Instance, Limits, Notice, Stop, Timestamp, WorkId, widen,
};
use verst_runtime::{Ailing, Alarm, Pulse, Running, Runtime, Turn};
use verst_service::{DownloadService, Entrance, Fetch, Post, Product};
use verst_store::{Durability, Sqlite};

use crate::crammed::Crammed;
use crate::torrents::{ScriptedQBittorrent, Torrent};
use crate::{Backend, Schema, Tally, TestClock, World, Writes};

/// How a download stands, as people see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stands {
    /// The milestone that it has reached.
    pub milestone: String,
    /// Its stop.
    pub stop: Option<Stop>,
}

impl Stands {
    /// The state in the specification's words: the milestone, `stuck`, or `failed` with its code.
    pub fn state(&self) -> String {
        match &self.stop {
            None => self.milestone.clone(),
            Some(stop) if stop.failure.code == "stalled" => "stuck".to_owned(),
            Some(stop) => format!("failed/{}", stop.failure.code),
        }
    }
}

/// A test waits a tenth of what it would: real clients need some time, and scripted ones none.
struct ShortPauses;

#[async_trait]
impl Pauses for ShortPauses {
    async fn pause(&self, length: Duration) {
        tokio::time::sleep(length / 10).await;
    }
}

/// The client's directories are this machine's.
struct Here;

impl Places for Here {
    fn local(&self, remote: &str) -> Option<PathBuf> {
        Some(PathBuf::from(remote))
    }
}

/// What watches had to tell.
#[derive(Clone, Default)]
struct Told(Arc<Mutex<Vec<Notice>>>);

impl Announce for Told {
    fn announce(&self, notice: Notice) {
        self.0.lock().unwrap().push(notice);
    }

    fn looked(&self, _at: Timestamp) {}
}

/// A harbour.
pub struct Harbour {
    /// The store.
    pub store: Arc<dyn Store>,
    /// Its clock.
    pub clock: Arc<TestClock>,
    /// The client.
    pub client: Arc<dyn TorrentClient>,
    /// The line.
    pub line: Arc<Downloads>,
    /// What was last seen.
    pub board: Arc<Board>,
    /// The shell.
    pub runtime: Arc<Runtime<Product>>,
    /// What was counted.
    pub tally: Tally,
    /// The record of the watch.
    pub watch: WorkId,
    told: Told,
    dir: TempDir,
    shelves: Arc<Crammed>,
    /// Where its store is, if it is not a file of its own.
    schema: Option<Arc<Schema>>,
}

/// A file in the harbour's directory.
const FILE: &str = "verst.sqlite";

impl Harbour {
    /// How patient a harbour is.
    pub const PATIENCE: Patience = Patience {
        magnet_timeout: Duration::from_hours(48),
        stuck_after: Duration::from_hours(72),
    };

    /// A harbour with this client, whose clock is given, and these entrances.
    pub async fn new(
        backend: Backend,
        client: Arc<dyn TorrentClient>,
        clock: Arc<TestClock>,
        entrances: Vec<Arc<dyn Entrance>>,
    ) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let schema = matches!(backend, Backend::Postgres).then(Schema::create);
        let store: Arc<dyn Store> = if let Some(schema) = &schema {
            schema.open(&clock)
        } else {
            let file = dir.path().join(FILE);
            let stages = verst_service::stages();
            Arc::new(Sqlite::open(&file, Durability::Normal, clock.clone(), &stages).unwrap())
        };
        Self { schema, ..Self::build(store, client, clock, entrances, dir).await }
    }

    /// A harbour with this client, on the store and the clock of a world.
    pub async fn beside(world: &World, server: &ScriptedQBittorrent) -> Self {
        Self::with_bot(world, server, Vec::new()).await
    }

    /// The same, with entrances through which people are told.
    pub async fn with_bot(
        world: &World,
        server: &ScriptedQBittorrent,
        entrances: Vec<Arc<dyn Entrance>>,
    ) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let (store, clock) = (world.store.clone(), world.clock.clone());
        let client = Arc::new(QBittorrent::new(server.config(), clock.clone()).unwrap());
        Self::build(store, client, clock, entrances, dir).await
    }

    async fn build(
        store: Arc<dyn Store>,
        client: Arc<dyn TorrentClient>,
        clock: Arc<TestClock>,
        entrances: Vec<Arc<dyn Entrance>>,
        dir: TempDir,
    ) -> Self {
        std::fs::create_dir(dir.path().join("library")).unwrap();
        let shelves = Shelves::new(dir.path().join("library"), Roots::default(), Link::Fail);
        let library = Arc::new(Crammed { shelves, full: AtomicBool::new(false) });
        let line = Arc::new(Downloads {
            store: store.clone(),
            client: client.clone(),
            library: library.clone(),
            places: Arc::new(Here),
            pauses: Arc::new(ShortPauses),
            bench: Arc::new(Threads),
            preset: Preset::Jellyfin,
            roots: Roots::default(),
        });
        let (told, board, tally) = (Told::default(), Arc::new(Board::default()), Tally::default());
        let watch = Watch {
            store: store.clone(),
            client: client.clone(),
            announce: Arc::new(told.clone()),
            board: board.clone(),
            patience: Self::PATIENCE,
            every: Duration::from_secs(5),
        };
        let herald = Post { recordings: store.clone(), downloads: store.clone(), entrances };
        let runtime = Arc::new(Runtime {
            queue: store.clone(),
            roads: vec![widen(line.clone()), widen(Arc::new(watch))],
            herald: Arc::new(herald),
            meter: Arc::new(tally.clone()),
            limits: Limits::default(),
            instance: Instance("here".to_owned()),
            pulse: Pulse::starting(clock.now()),
            grace: Duration::from_secs(30),
            running: Running::default(),
            alarm: Alarm::default(),
            ailing: Ailing::default(),
        });
        let watch = store.watch("qbittorrent").await.unwrap();
        Self {
            store,
            clock,
            client,
            line,
            board,
            runtime,
            tally,
            watch,
            told,
            dir,
            shelves: library,
            schema: None,
        }
    }

    /// The use cases, which fetch with this.
    pub fn service(&self, fetch: Arc<dyn Fetch>) -> Arc<DownloadService> {
        Arc::new(DownloadService {
            queue: self.store.clone(),
            views: self.store.clone(),
            ledger: self.store.clone(),
            line: self.line.clone(),
            board: self.board.clone(),
            fetch,
            media: Arc::new(Ffmpeg::new(MediaLimits::default(), Confinement::none())),
            aftermath: Arc::new(RuntimeAftermath(self.runtime.clone())),
            instance: self.runtime.instance.clone(),
        })
    }

    /// Takes a torrent in by its magnet, which knows its v1 hash alone, from a chat.
    pub async fn magnet(&self, torrent: &Torrent) -> WorkId {
        let named = Torrent { v2: None, ..torrent.clone() };
        self.catch(Given::Magnet(torrent.magnet(None)), &named).await
    }

    /// Takes a torrent in by its bytes, from a chat.
    pub async fn bytes(&self, torrent: &Torrent) -> WorkId {
        self.catch(Given::Torrent(torrent.bytes.clone()), torrent).await
    }

    /// Takes a torrent in, from a chat.
    pub async fn catch(&self, given: Given, torrent: &Torrent) -> WorkId {
        let sender =
            Sender { source: Source::Telegram, reply_to: Some("chat-1".to_owned()), owner: None };
        let (name, size_bytes) = (Some(torrent.name.clone()), None);
        let hashes = torrent.hashes();
        let new = NewDownload { sender, given, hashes, name, size_bytes };
        self.store.catch(new).await.unwrap().id
    }

    /// How it stands.
    pub async fn stands(&self, id: WorkId) -> Stands {
        let view = self.store.download_view(id).await.unwrap().expect("it is there").work;
        let stop = view.stop.map(|mark| Stop { reason: mark.reason, failure: mark.failure });
        Stands { milestone: view.milestone, stop }
    }

    /// In the specification's words.
    pub async fn state(&self, id: WorkId) -> String {
        self.stands(id).await.state()
    }

    /// One tick: the time to the next look passes, and everything that is ready is done. What watches
    /// had to tell is told.
    pub async fn tick(&self) {
        self.elapse(Duration::from_mins(1)).await;
        self.work().await;
    }

    /// Everything that is ready is done, and what watches had to tell is told.
    pub async fn work(&self) {
        let shutdown = CancellationToken::new();
        for _ in 0..100 {
            if self.runtime.turn(&shutdown).await.unwrap() == Turn::Idle {
                break;
            }
        }
        let told = std::mem::take(&mut *self.told.0.lock().unwrap());
        for notice in told {
            let _ = self.runtime.stopped_by_watch(&notice).await;
        }
    }

    /// Ticks until it has this state. Fails after a few hundred.
    pub async fn reach(&self, id: WorkId, state: &str) {
        for _ in 0..600 {
            if self.state(id).await == state {
                return;
            }
            self.tick().await;
        }
        panic!("{} and not {state}", self.state(id).await);
    }

    /// A person's retry.
    pub async fn retry(&self, id: WorkId, person: &str) -> Result<(), RetryError> {
        retry(&*self.store, self.line.desk(), id, person).await
    }

    /// Puts a stop on it, as our impatience does.
    pub async fn give_up(&self, id: WorkId, code: &'static str) {
        let stop = Stop { reason: verst_kernel::StopReason::Stuck, failure: Failure::new(code) };
        let followed = self.store.followed().await.unwrap();
        let task = followed.iter().find(|task| task.id == id).expect("it is followed");
        let claim = loop {
            let claim = self.store.claim(&self.runtime.instance).await.unwrap();
            match claim {
                Some(claim) if claim.id() == self.watch => break claim,
                Some(_) => panic!("something else is ready"),
                None => self.pass(Duration::from_secs(5)),
            }
        };
        let sight = verst_downloads::ports::Sight {
            turn: verst_downloads::ports::Turn::Stop(stop),
            measures: task.measures.clone(),
            learned: verst_downloads::hash::Hashes::default(),
            called: None,
            in_client: true,
            bytes: None,
        };
        self.store.observe(&claim, (id, task.fence), sight).await.unwrap();
        let standing = self.store.standing(&claim).await.unwrap().unwrap();
        self.store.settle(&claim, &verst_kernel::give_back(&standing)).await.unwrap();
    }

    /// Moves the clock, and with it the time that clients are spared for and listed anew by.
    pub async fn elapse(&self, time: Duration) {
        self.pass(time);
        tokio::time::pause();
        tokio::time::advance(time).await;
        tokio::time::resume();
    }

    /// Moves the clock.
    pub fn pass(&self, time: Duration) {
        self.clock.pass(time);
    }

    /// The library's disk is full.
    pub fn fill_library(&self) {
        self.shelves.full.store(true, Ordering::SeqCst);
    }

    /// And it is not any more.
    pub fn clear_library(&self) {
        self.shelves.full.store(false, Ordering::SeqCst);
    }

    /// Counts what is written from now on.
    pub fn writes(&self) -> Writes {
        match &self.schema {
            Some(schema) => Writes::to_schema(schema),
            None => Writes::to_file(&self.dir.path().join(FILE)),
        }
    }

    /// The clock.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Its journal.
    pub async fn journal(&self, id: WorkId) -> Vec<Entry> {
        self.store.journal(id).await.unwrap()
    }

    /// The library.
    pub fn library(&self) -> PathBuf {
        self.dir.path().join("library")
    }

    /// A directory of the harbour's own.
    pub fn dir(&self) -> &Path {
        self.dir.path()
    }
}
