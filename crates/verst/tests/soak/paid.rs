//! Work that is paid for. The provider is a file that every host adds to: a line for each beginning,
//! with what was ordered. Decoding is real, the database and the kills are.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use futures::{StreamExt, stream};
use tokio_util::sync::CancellationToken;
use verst_adapters::clock::SystemClock;
use verst_adapters::confine::Confinement;
use verst_adapters::data_dir::DataDir;
use verst_adapters::ffmpeg::{Ffmpeg, MediaLimits};
use verst_adapters::meter::Metrics;
use verst_adapters::objects::LocalObjects;
use verst_kernel::{Limits, Supervisor};
use verst_recordings::model::{NewRecording, Source};
use verst_recordings::ports::{
    Begins, Begun, Codec, Hearing, Inquiry, Lanes, Objects, Profile, Recogniser, RecordingStore,
    Ticket, Wish,
};
use verst_recordings::transcript::Transcript;
use verst_recordings::{LINE, Recordings};
use verst_runtime::{Ailing, Alarm, Pulse, Running, Runtime, Workers};
use verst_service::{Entrance, Letter, Post, SendError};
use verst_store::{Durability, Postgres};
use verst_testkit::tone;

use crate::dice;
use crate::riot::{Host, drain, riot};
use crate::server::Server;

/// Directory of what the hosts share, the server's address, a host's own directory.
const WHERE: &str = "VERST_SOAK_HOST";

const MOVING: &str = "SELECT count(*) FROM work WHERE stopped_at IS NULL AND milestone <> 'done'";

/// Adds a line in one write, as the system appends it: whole, among others' lines.
fn append(file: &Path, line: &str) {
    let mut file = OpenOptions::new().append(true).create(true).open(file).unwrap();
    file.write_all(format!("{line}\n").as_bytes()).unwrap();
}

fn lines(file: &Path) -> BTreeMap<String, u64> {
    let mut counted = BTreeMap::new();
    for line in std::fs::read_to_string(file).unwrap_or_default().lines() {
        *counted.entry(line.to_owned()).or_default() += 1;
    }
    counted
}

struct Till(PathBuf);

#[async_trait]
impl Recogniser for Till {
    fn profile(&self) -> Profile {
        Profile {
            name: "till",
            codec: Codec::OggOpus,
            paid: true,
            begins: Begins::Outside,
            lanes: Lanes::Unlimited,
            poll_every: Duration::from_millis(50),
            longest: Duration::from_hours(4),
        }
    }

    async fn begin(&self, _audio: &Path, wish: &Wish, _supervisor: &dyn Supervisor) -> Begun {
        let order = wish.model.clone().unwrap();
        append(&self.0, &order);
        // The answer is on its way: the moment in which a kill hurts most.
        tokio::time::sleep(Duration::from_millis(30)).await;
        Begun::Ticket(Ticket(order))
    }

    async fn ask(&self, inquiry: Inquiry<'_>, _supervisor: &dyn Supervisor) -> Hearing {
        if fastrand::bool() {
            return Hearing::Running { progress: None, part: None };
        }
        Hearing::Done(Transcript { model: inquiry.ticket.0.clone(), ..Transcript::default() })
    }

    async fn forget(&self, _ticket: &Ticket) {}

    async fn check(&self, _wish: &Wish) -> Result<String, verst_kernel::Failure> {
        Ok("a till".to_owned())
    }
}

struct Postbox(PathBuf);

#[async_trait]
impl Entrance for Postbox {
    fn source(&self) -> Source {
        Source::Cli
    }

    async fn send(&self, _addressee: Option<&str>, letter: &Letter) -> Result<(), SendError> {
        append(&self.0, &format!("{} {:?}", letter.work, letter.kind));
        Ok(())
    }
}

fn objects(shared: &Path, scratch: PathBuf) -> Arc<dyn Objects> {
    Arc::new(LocalObjects::new(&shared.join("objects"), scratch, Arc::new(SystemClock)).unwrap())
}

/// A host: works until it is killed.
pub(crate) fn host() {
    let Ok(place) = std::env::var(WHERE) else { return };
    let mut place = place.split('\n');
    let (shared, address, own) =
        (place.next().unwrap(), place.next().unwrap(), place.next().unwrap());
    let shared = Path::new(shared);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let dir = DataDir::open_or_create(Path::new(own)).unwrap();
        let store =
            Arc::new(Postgres::open(address, Durability::Full, &LINE.stages()).await.unwrap());
        while !store.lock_instance(dir.instance()).await.unwrap() {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        let road = Recordings {
            store: store.clone(),
            objects: objects(shared, dir.scratch()),
            media: Arc::new(Ffmpeg::new(MediaLimits::default(), Confinement::none())),
            recognisers: vec![Arc::new(Till(shared.join("till")))],
            keep_originals: true,
        };
        let entrances: Vec<Arc<dyn Entrance>> = vec![Arc::new(Postbox(shared.join("post")))];
        let runtime = Arc::new(Runtime {
            queue: store.clone(),
            roads: vec![verst_kernel::widen(Arc::new(road))],
            herald: Arc::new(Post {
                recordings: store.clone(),
                downloads: store.clone(),
                entrances,
            }),
            meter: Arc::new(Metrics),
            limits: Limits {
                failures: 60,
                pause_base: Duration::from_millis(200),
                pause_cap: Duration::from_secs(1),
                ..Limits::default()
            },
            instance: dir.instance().clone(),
            pulse: Pulse::starting(verst_kernel::Queue::now(store.as_ref()).await.unwrap()),
            grace: Duration::from_secs(5),
            running: Running::default(),
            alarm: Alarm::default(),
            ailing: Ailing::default(),
        });
        runtime.recover().await.unwrap();
        let _workers = Workers::start(&runtime, 4, CancellationToken::new());
        std::future::pending::<()>().await;
    });
}

pub(crate) fn soak(kills: u64) {
    let (mut dice, server) = (dice(3), Server::start());
    let shared = tempfile::tempdir().unwrap();
    let path = shared.path().to_owned();
    std::fs::create_dir(path.join("objects")).unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let mut accepted = 0;
    let mut hosts: Vec<Host> = Vec::new();
    let stages = LINE.stages();
    let open = Postgres::open(&server.address, Durability::Full, &stages);
    let store = runtime.block_on(open).unwrap();
    let objects = objects(&path, path.clone());
    for n in 0..3 {
        let own = path.join(format!("host-{n}"));
        let place = format!("{}\n{}\n{}", path.display(), server.address, own.display());
        hosts.push(Host::start(&path.join(format!("log-{n}")), move || {
            let mut command = Command::new(std::env::current_exe().unwrap());
            command.args(["--exact", "host_of_paid_work", "--ignored", "--nocapture"]);
            command.env(WHERE, &place);
            command
        }));
    }
    let mut hand_in = |n: u64| {
        let key = format!("original/{n:032x}");
        let bytes = stream::iter([Ok(Bytes::from(tone(1)))]).boxed();
        let put = runtime.block_on(objects.put(&key, bytes, u64::MAX));
        let new = NewRecording {
            source: Source::Cli,
            reply_to: None,
            owner: None,
            original: key,
            handle: None,
            name: None,
            size_bytes: put.unwrap(),
            wish: Wish { language: None, model: Some(format!("order-{n}")) },
        };
        accepted += u64::from(runtime.block_on(store.accept(new)).is_ok());
    };
    riot(&mut hosts, &mut dice, kills, (50, 900), |n, dice| {
        for more in 0..3 {
            hand_in(n * 3 + more);
        }
        match n % 40 {
            9 | 19 | 29 => server.cut_connections(dice.u64(1..8)),
            25 => server.put_forward(),
            39 => server.restart(if dice.bool() { "fast" } else { "immediate" }),
            _ => {}
        }
    });
    let mut looks = 0;
    drain(&mut hosts, || {
        looks += 1;
        if looks % 30 == 0 {
            server.put_forward();
        }
        server.number(MOVING)
    });
    for host in &mut hosts {
        host.kill();
    }

    server.check(accepted);
    let (paid, told) = (lines(&path.join("till")), lines(&path.join("post")));
    let paid_twice = paid.values().filter(|count| **count > 1).count();
    let told_twice = told.values().filter(|count| **count > 1).count();
    eprintln!("paid {}, twice {paid_twice}; told {}, twice {told_twice}", paid.len(), told.len());
    let unknown =
        server.number("SELECT count(*) FROM work WHERE stop_failure LIKE '%unknown_submission%'");
    eprintln!("stopped because nobody knows whether they were begun: {unknown}");
    assert!(!paid.is_empty());
    assert_eq!((paid_twice, told_twice), (0, 0));
}
