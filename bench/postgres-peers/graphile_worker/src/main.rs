//! graphile_worker. Mode `single`: a worker as its README makes it, which takes and completes jobs
//! one by one. Mode `batch`: with the local queue and the batched completion of its guide.
//!
//! Without a local queue each of its slots takes one job for a signal, and signals come with new jobs
//! and with the poll interval. Jobs that wait already would drain by so many a second, so it is told
//! to poll without a pause: then a slot that is free takes the next job at once.

#[path = "../../../common/measured.rs"]
mod measured;

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use graphile_worker::{
    IntoTaskHandlerResult, JobSpec, LocalQueueConfig, RawJobSpec, TaskHandler, WorkerContext,
    WorkerOptions, WorkerUtils,
};
use measured::{Asked, Gate, STUCK};
use serde::{Deserialize, Serialize};
use sqlx::postgres::PgPoolOptions;

static GATE: OnceLock<Gate> = OnceLock::new();

#[derive(Deserialize, Serialize)]
struct Nothing {}

impl TaskHandler for Nothing {
    const IDENTIFIER: &'static str = "nothing";

    async fn run(self, _: WorkerContext) -> impl IntoTaskHandlerResult {
        GATE.get().expect("it is set before the first job").pass();
        Ok::<(), String>(())
    }
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
    let utils = WorkerUtils::new(pool.clone(), "graphile_worker");
    utils.migrate().await.expect("its schema");
    let jobs: Vec<_> = (0..asked.jobs)
        .map(|_| RawJobSpec {
            identifier: Nothing::IDENTIFIER.to_owned(),
            payload: serde_json::json!({}),
            spec: JobSpec::default(),
        })
        .collect();
    utils.add_raw_jobs(&jobs).await.expect("jobs");

    let mut options = WorkerOptions::default()
        .schema("graphile_worker")
        .concurrency(asked.workers)
        .pg_pool(pool.clone())
        .listen_os_shutdown_signals(false)
        .define_job::<Nothing>();
    options = if asked.mode == "batch" {
        options
            .complete_job_batch_delay(Duration::from_millis(5))
            .local_queue(LocalQueueConfig::default().with_size(100))
    } else {
        options.poll_interval(Duration::from_millis(1))
    };
    let worker = Arc::new(options.init().await.expect("a worker"));
    let running = {
        let worker = Arc::clone(&worker);
        tokio::spawn(async move { worker.run().await })
    };
    let left = "SELECT count(*) FROM graphile_worker._private_jobs";
    tokio::time::timeout(STUCK, async {
        while !gate.all_passed()
            || sqlx::query_scalar::<_, i64>(left).fetch_one(&pool).await.expect("a count") > 0
        {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    })
    .await
    .expect("it is not stuck");
    let took = gate.took();
    worker.request_shutdown();
    running.await.expect("no panic").expect("it ends well");
    asked.report("graphile_worker", took);
}
