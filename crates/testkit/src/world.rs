//! The world: a real store in a directory of its own, and everything around it.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures::{StreamExt, stream};
use tokio_util::sync::CancellationToken;
use tracing::subscriber::DefaultGuard;
use tracing_subscriber::prelude::*;
use verst_adapters::aftermath::RuntimeAftermath;
use verst_adapters::confine::Confinement;
use verst_adapters::ffmpeg::{Ffmpeg, MediaLimits};
use verst_adapters::objects::LocalObjects;
use verst_adapters::passwords::Argon2id;
use verst_adapters::random::SystemRandom;
use verst_kernel::{Clock, Entry, Herald, Instance, Limits, Queue, Road, Timestamp, WorkId, widen};
use verst_recordings::Recordings;
use verst_recordings::model::{NewRecording, Product as OfRecording, Source};
use verst_recordings::ports::{Objects, Recogniser, Wish};
use verst_runtime::{Ailing, Alarm, Pulse, Running, Runtime, Turn};
use verst_service::accounts::SessionLimits;
use verst_service::{Arrival, Entrance, Post, Product, Service, SubmitError, View};
use verst_store::{Durability, Sqlite, Store};

use crate::{Logs, Schema, ScriptedRoad, Tally, TestClock, tone};

/// Which store a world stands on.
#[derive(Clone, Copy, Debug)]
pub enum Backend {
    /// A file in the world's directory.
    Sqlite,
    /// A schema on the tests' server.
    Postgres,
}

/// Where a world's stores stand.
#[derive(Clone)]
enum Ground {
    Sqlite,
    Postgres(Arc<Schema>),
}

/// What a world is made of.
#[derive(Default)]
pub struct Setup {
    /// Entrances that are up.
    pub entrances: Vec<Arc<dyn Entrance>>,
    /// Patience and retries.
    pub limits: Limits,
    /// With recognisers, the steps are the real ones (FFmpeg included); without, the script's.
    pub recognisers: Vec<Arc<dyn Recogniser>>,
}

/// A world.
pub struct World {
    /// The store.
    pub store: Arc<dyn Store>,
    /// Its clock.
    pub clock: Arc<TestClock>,
    /// The steps, when they are scripted.
    pub script: Arc<ScriptedRoad>,
    /// What was counted.
    pub tally: Tally,
    /// What was logged on this thread.
    pub logs: Logs,
    /// The use cases.
    pub service: Arc<Service>,
    /// The shell.
    pub runtime: Arc<Runtime<Product>>,
    /// Ends the service.
    pub shutdown: CancellationToken,
    /// Where the world lives.
    pub dir: Arc<tempfile::TempDir>,
    ground: Ground,
    setup: Arc<Setup>,
    _logging: DefaultGuard,
}

fn open(ground: &Ground, dir: &Path, clock: Arc<TestClock>) -> Arc<dyn Store> {
    match ground {
        Ground::Postgres(schema) => schema.open(&clock),
        Ground::Sqlite => {
            let file = dir.join("verst.sqlite");
            let stages = verst_service::stages();
            Arc::new(Sqlite::open(&file, Durability::Full, clock, &stages).unwrap())
        }
    }
}

impl World {
    /// The name that every recording was given by its sender; it has no place in any log.
    pub const NAME: &'static str = "secret-name.ogg";

    /// A new world.
    pub fn new(backend: Backend, setup: Setup) -> Self {
        let dir = Arc::new(tempfile::tempdir().unwrap());
        for part in ["objects", "scratch"] {
            std::fs::create_dir(dir.path().join(part)).unwrap();
        }
        let ground = match backend {
            Backend::Sqlite => Ground::Sqlite,
            Backend::Postgres => Ground::Postgres(Schema::create()),
        };
        Self::build(ground, Arc::new(setup), dir, Arc::new(TestClock::default()), "here")
    }

    fn build(
        ground: Ground,
        setup: Arc<Setup>,
        dir: Arc<tempfile::TempDir>,
        clock: Arc<TestClock>,
        instance: &str,
    ) -> Self {
        let logs = Logs::default();
        let logging =
            tracing::subscriber::set_default(tracing_subscriber::registry().with(logs.clone()));
        let store = open(&ground, dir.path(), clock.clone());
        let objects: Arc<dyn Objects> = Arc::new(
            LocalObjects::new(
                &dir.path().join("objects"),
                dir.path().join("scratch"),
                clock.clone(),
            )
            .unwrap(),
        );
        let media = Arc::new(Ffmpeg::new(MediaLimits::default(), Confinement::none()));
        let script = Arc::new(ScriptedRoad::default());
        let road: Arc<dyn Road<OfRecording>> = if setup.recognisers.is_empty() {
            script.clone()
        } else {
            Arc::new(Recordings {
                store: store.clone(),
                objects: objects.clone(),
                media: media.clone(),
                recognisers: setup.recognisers.clone(),
                keep_originals: true,
            })
        };
        let herald: Arc<dyn Herald> = Arc::new(Post {
            recordings: store.clone(),
            downloads: store.clone(),
            entrances: setup.entrances.clone(),
        });
        let tally = Tally::default();
        let instance = Instance(instance.to_owned());
        let runtime = Arc::new(Runtime {
            queue: store.clone(),
            roads: vec![widen(road)],
            herald,
            meter: Arc::new(tally.clone()),
            limits: setup.limits.clone(),
            instance: instance.clone(),
            pulse: Pulse::starting(clock.now()),
            grace: Duration::from_secs(30),
            running: Running::default(),
            alarm: Alarm::default(),
            ailing: Ailing::default(),
        });
        let service = Arc::new(Service {
            queue: store.clone(),
            recordings: store.clone(),
            ledger: store.clone(),
            objects,
            media,
            aftermath: Arc::new(RuntimeAftermath(runtime.clone())),
            instance,
            largest_bytes: 1 << 30,
            tokens: store.clone(),
            corrections: store.clone(),
            shares: store.clone(),
            accounts: store.clone(),
            sessions: store.clone(),
            session_limits: SessionLimits::default(),
            passwords: Arc::new(Argon2id::default()),
            random: Arc::new(SystemRandom),
            paid: setup.recognisers.first().is_some_and(|first| first.profile().paid),
        });
        Self {
            store,
            clock,
            script,
            tally,
            logs,
            service,
            runtime,
            shutdown: CancellationToken::new(),
            dir,
            ground,
            setup,
            _logging: logging,
        }
    }

    /// Another process of the same service on the same store and clock: the same installation
    /// restarted, or another one. Its script, tally and logs are its own.
    pub fn another(&self, instance: &str) -> Self {
        let (setup, dir, clock) = (self.setup.clone(), self.dir.clone(), self.clock.clone());
        Self::build(self.ground.clone(), setup, dir, clock, instance)
    }

    /// The same with other recognisers: the settings were changed in between.
    pub fn another_with(&self, instance: &str, recognisers: Vec<Arc<dyn Recogniser>>) -> Self {
        let (entrances, limits) = (self.setup.entrances.clone(), self.setup.limits.clone());
        let setup = Arc::new(Setup { entrances, limits, recognisers });
        let (dir, clock) = (self.dir.clone(), self.clock.clone());
        Self::build(self.ground.clone(), setup, dir, clock, instance)
    }

    /// Takes in a recording from the bot that names a chat, without looking at any bytes.
    pub async fn accept(&self) -> WorkId {
        self.accept_from(Source::Telegram, Some("chat-1"), None).await
    }

    /// Takes in a recording with this origin, without looking at any bytes.
    pub async fn accept_from(
        &self,
        source: Source,
        reply_to: Option<&str>,
        owner: Option<&str>,
    ) -> WorkId {
        let new = NewRecording {
            source,
            reply_to: reply_to.map(str::to_owned),
            owner: owner.map(str::to_owned),
            original: format!("original/{:016x}", fastrand::u64(..)),
            handle: None,
            name: Some(Self::NAME.to_owned()),
            size_bytes: 1,
            wish: Wish::default(),
        };
        self.store.accept(new).await.unwrap().id
    }

    /// Takes in a second of sound, from the bot, through the service.
    pub async fn submit(&self) -> WorkId {
        self.submit_from(Source::Telegram, Some("chat-1"), tone(1)).await.unwrap()
    }

    /// Takes in real bytes with this origin through the service.
    pub async fn submit_from(
        &self,
        source: Source,
        reply_to: Option<&str>,
        bytes: Vec<u8>,
    ) -> Result<WorkId, SubmitError> {
        let arrival = Arrival {
            source,
            reply_to: reply_to.map(str::to_owned),
            owner: None,
            name: Some(Self::NAME.to_owned()),
            wish: Wish::default(),
            handle: None,
        };
        let bytes = stream::iter([Ok(Bytes::from(bytes))]).boxed();
        self.service.submit(arrival, bytes).await.map(|accepted| accepted.id)
    }

    /// One turn of a worker.
    pub async fn turn(&self) -> Turn {
        self.runtime.turn(&self.shutdown).await.unwrap()
    }

    /// Turns until nothing is ready; how many did something. Fails after a thousand.
    pub async fn settle_down(&self) -> usize {
        for turns in 0..1000 {
            if self.turn().await == Turn::Idle {
                return turns;
            }
        }
        panic!("a thousand turns and still work: something runs in circles");
    }

    /// Turns until the recording has reached `milestone`, passing the time it waits meanwhile.
    /// Fails when it is stopped or after a thousand turns.
    pub async fn reach(&self, id: WorkId, milestone: &str) -> View {
        for _ in 0..1000 {
            let view = self.view(id).await;
            if view.work.milestone == milestone {
                return view;
            }
            assert_eq!(view.work.stop, None, "stopped on the way to {milestone}");
            self.pass_until(view.work.ready_at);
            self.turn().await;
        }
        panic!("a thousand turns and not yet {milestone}");
    }

    /// Moves the clock to when the recording may be claimed again.
    pub async fn pass_pause(&self, id: WorkId) {
        self.pass_until(self.view(id).await.work.ready_at);
    }

    /// Moves the clock to this time, never back.
    pub fn pass_until(&self, at: Timestamp) {
        self.pass(at.since(self.now()));
    }

    /// The same shell with another queue between it and the store.
    pub fn through(&self, queue: Arc<dyn Queue<Product>>) -> Runtime<Product> {
        Runtime {
            queue,
            roads: self.runtime.roads.clone(),
            herald: self.runtime.herald.clone(),
            meter: self.runtime.meter.clone(),
            limits: self.runtime.limits.clone(),
            instance: self.runtime.instance.clone(),
            pulse: Pulse::starting(self.runtime.pulse.started_at()),
            running: self.runtime.running.clone(),
            grace: self.runtime.grace,
            alarm: Alarm::default(),
            ailing: Ailing::default(),
        }
    }

    /// Moves the clock.
    pub fn pass(&self, time: Duration) {
        self.clock.pass(time);
    }

    /// The clock.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// How people see a recording.
    pub async fn view(&self, id: WorkId) -> View {
        self.store.view(id).await.unwrap().expect("the recording exists")
    }

    /// Its journal.
    pub async fn journal(&self, id: WorkId) -> Vec<Entry> {
        self.store.journal(id).await.unwrap()
    }
}
