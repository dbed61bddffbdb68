//! apalis-postgres. Mode `single`: so many workers, each taking one task at a time. Mode `batch`:
//! one worker with its defaults (ten at a time) and so many tasks at the same time.

#[path = "../../../common/measured.rs"]
#[expect(dead_code, reason = "not every program uses all of it")]
mod measured;

use std::sync::OnceLock;
use std::time::Duration;

use apalis::prelude::*;
use apalis_postgres::{Config, PostgresStorage};
use futures::future::join_all;
use measured::{Asked, Gate, STUCK};
use sqlx::postgres::PgPoolOptions;
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
    let connections = u32::try_from(asked.workers + 2).expect("a few workers");
    let pool = PgPoolOptions::new()
        .min_connections(connections)
        .max_connections(connections)
        .connect(&asked.place)
        .await
        .expect("it connects");
    PostgresStorage::setup(&pool).await.expect("its schema");
    let config = Config::default().queue("nothing");
    let (config, workers, tasks) = match &*asked.mode {
        "single" => (config.batch_size(1), asked.workers, 1),
        _ => (config, 1, asked.workers),
    };
    let storage = PostgresStorage::<u64>::new(&pool).with_config(config);
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
    let left: i64 = sqlx::query_scalar("SELECT count(*) FROM apalis.jobs WHERE status <> 'Done'")
        .fetch_one(&pool)
        .await
        .expect("a count");
    assert_eq!(left, 0);
    asked.report("apalis-postgres", took);
}
