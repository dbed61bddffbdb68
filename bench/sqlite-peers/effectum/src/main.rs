//! effectum: its worker with as many jobs at the same time as there are workers asked for, the way
//! its README does it. What it claims and completes together, it commits together.

#[path = "../../../common/measured.rs"]
mod measured;

use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use effectum::{Error, Job, JobRunner, Queue, RunningJob, Worker};
use measured::{Asked, Gate, STUCK};
use rusqlite::Connection;

static GATE: OnceLock<Gate> = OnceLock::new();

fn gate() -> &'static Gate {
    GATE.get().expect("it is set before the first job")
}

async fn handle(job: RunningJob, _: Arc<()>) -> Result<(), Error> {
    // Completed here and not by returning, so that it is known when that is written.
    job.complete(()).await?;
    gate().pass();
    Ok(())
}

#[tokio::main]
async fn main() {
    let asked = Asked::read();
    let gate = GATE.get_or_init(|| Gate::of(asked.jobs));
    let queue = Queue::new(Path::new(&asked.place)).await.expect("it opens");
    // Modes `full` and `wal` are built with its pragmas mended; see the README.
    let mode: String = Connection::open(&asked.place)
        .and_then(|db| db.pragma_query_value(None, "journal_mode", |row| row.get(0)))
        .expect("a mode");
    assert_eq!(mode, if asked.mode == "wal" { "wal" } else { "delete" });
    let jobs = (0..asked.jobs).map(|_| Job::builder("nothing").build()).collect();
    queue.add_jobs(jobs).await.expect("jobs");

    let runner = JobRunner::builder("nothing", handle).build();
    let concurrency = u16::try_from(asked.workers).expect("a few workers");
    let worker = Worker::builder(&queue, Arc::new(()))
        .max_concurrency(concurrency)
        .jobs([runner])
        .build()
        .await
        .expect("a worker");
    tokio::time::timeout(STUCK, async {
        while !gate.all_passed() {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    })
    .await
    .expect("it is not stuck");
    let took = gate.took();
    worker.unregister(None).await.expect("it ends");
    let left: i64 = Connection::open(&asked.place)
        .and_then(|db| db.query_row("SELECT count(*) FROM active_jobs", [], |row| row.get(0)))
        .expect("a count");
    assert_eq!(left, 0);
    asked.report("effectum", took);
}
