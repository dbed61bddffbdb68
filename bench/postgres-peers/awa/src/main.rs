//! awa. Mode `default`: as its README makes a client, which claims and completes in batches. Mode
//! `single`: one job per claim and per completion, as many claimers and completers as workers.

#[path = "../../../common/measured.rs"]
mod measured;

use std::sync::OnceLock;
use std::time::Duration;

use awa::{
    Client, InsertOpts, InsertParams, JobArgs, JobResult, QueueConfig, insert_many_copy_from_pool,
    migrations,
};
use measured::{Asked, Gate, STUCK};
use serde::{Deserialize, Serialize};
use sqlx::PgPool;
use sqlx::postgres::PgPoolOptions;

static GATE: OnceLock<Gate> = OnceLock::new();

#[derive(Serialize, Deserialize, JobArgs)]
struct Nothing {}

fn client(pool: &PgPool, queue: &str, config: QueueConfig) -> Client {
    Client::builder(pool.clone())
        .queue(queue, config)
        .register::<Nothing, _, _>(|_, _| async {
            GATE.get().expect("it is set before the first job").pass();
            Ok(JobResult::Completed)
        })
        .build()
        .expect("a client")
}

#[tokio::main]
async fn main() {
    let asked = Asked::read();
    let gate = GATE.get_or_init(|| Gate::of(asked.jobs));
    let connections = u32::try_from(2 * asked.workers + 8).expect("a few workers");
    let pool = PgPoolOptions::new()
        .min_connections(connections)
        .max_connections(connections)
        .connect(&asked.place)
        .await
        .expect("it connects");
    migrations::run(&pool).await.expect("its schema");
    // The first client of a new database brings its storage into use.
    let first = client(&pool, "none", QueueConfig::default());
    first.start().await.expect("it starts");
    first.shutdown(Duration::from_secs(5)).await;
    let job = || InsertParams {
        kind: Nothing::kind().to_owned(),
        args: serde_json::json!({}),
        opts: InsertOpts { queue: "nothing".into(), ..Default::default() },
    };
    let jobs: Vec<_> = (0..asked.jobs).map(|_| job()).collect();
    insert_many_copy_from_pool(&pool, &jobs).await.expect("jobs");

    let max_workers = u32::try_from(asked.workers).expect("a few workers");
    // As in its own benchmark: without a deadline it has less to write.
    let mut config = QueueConfig {
        max_workers,
        poll_interval: Duration::from_millis(50),
        deadline_duration: Duration::ZERO,
        ..QueueConfig::default()
    };
    if asked.mode == "single" {
        config.claim_batch_size = 1;
        config.claimers = u16::try_from(asked.workers).expect("a few workers");
    }
    let client = client(&pool, "nothing", config);
    client.start().await.expect("it starts");
    let left = "SELECT count(*) FROM awa.jobs WHERE state::text <> 'completed'";
    tokio::time::timeout(STUCK, async {
        while !gate.all_passed() {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        while sqlx::query_scalar::<_, i64>(left).fetch_one(&pool).await.expect("a count") > 0 {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    })
    .await
    .expect("it is not stuck");
    let took = gate.took();
    client.shutdown(Duration::from_secs(5)).await;
    asked.report("awa", took);
}
