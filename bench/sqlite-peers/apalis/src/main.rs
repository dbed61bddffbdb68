//! apalis-sqlite. Mode `single`: so many workers, each taking one task at a time. Mode `batch`: one
//! worker with its defaults (ten at a time) and so many tasks at the same time.
//!
//! Its own `setup` sets `synchronous = OFF`; it is run on another connection, and the workers'
//! connections have FULL, like all others.

#[path = "../../../common/measured.rs"]
#[expect(dead_code, reason = "not every program uses all of it")]
mod measured;

use std::sync::OnceLock;
use std::time::Duration;

use apalis::prelude::*;
use apalis_sqlite::{Config, SqlitePool, SqliteStorage};
use futures::future::join_all;
use measured::{Asked, Gate, STUCK};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use tokio::sync::Notify;

static GATE: OnceLock<Gate> = OnceLock::new();
static END: Notify = Notify::const_new();

async fn handle(_: u64) -> Result<(), BoxDynError> {
    if GATE.get().is_some_and(Gate::pass) {
        END.notify_waiters();
    }
    Ok(())
}

#[tokio::main]
async fn main() {
    let asked = Asked::read();
    let gate = GATE.get_or_init(|| Gate::of(asked.jobs));
    let options = SqliteConnectOptions::new()
        .filename(&asked.place)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .busy_timeout(STUCK);
    let setup = SqlitePool::connect_with(options.clone()).await.expect("it opens");
    SqliteStorage::setup(&setup).await.expect("its schema");
    setup.close().await;
    // One connection writes at a time in any case; more of them only wait for each other.
    let pool = SqlitePoolOptions::new()
        .max_connections(1)
        .connect_with(options.synchronous(SqliteSynchronous::Full))
        .await
        .expect("it opens");
    let config = Config::default().queue("nothing");
    let (config, workers, tasks) = match &*asked.mode {
        "single" => (config.batch_size(1), asked.workers, 1),
        _ => (config, 1, asked.workers),
    };
    let storage = SqliteStorage::<u64>::new(&pool).with_config(config);
    storage.clone().push_bulk((0..asked.jobs).collect()).await.expect("tasks");

    let workers = (0..workers).map(|number| {
        let backend = storage.clone().poll_with_interval(Duration::from_millis(10));
        let worker = WorkerBuilder::new(format!("worker-{number}"))
            .backend(backend)
            .concurrency(tasks)
            .build(handle);
        tokio::spawn(worker.run_until(async {
            END.notified().await;
            Ok::<_, std::io::Error>(())
        }))
    });
    let all = tokio::time::timeout(STUCK, join_all(workers)).await.expect("they are not stuck");
    let took = gate.took();
    all.into_iter().for_each(|it| it.expect("no panic").expect("a worker ends well"));
    let left: i64 = sqlx::query_scalar("SELECT count(*) FROM Jobs WHERE status <> 'Done'")
        .fetch_one(&pool)
        .await
        .expect("a count");
    assert_eq!(left, 0);
    asked.report("apalis-sqlite", took);
}
