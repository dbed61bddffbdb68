//! Claims and settles until nothing is left. Modes:
//!
//!   finish    claim, and settle to the final milestone with journal and notice. The step wrote
//!             nothing of its own, as the peers' handlers do
//!   product   the same with what the last step of a recording writes
//!   turn      whole turns of the service's workers: claim, read, guards, step, settle with the
//!             product, and take the notice

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::future::join_all;
use tokio_util::sync::CancellationToken;
use verst_kernel::{
    Change, Limits, Outcome, Roll, Settled, Stage, Standing, Timestamp, WorkId, settle,
};
use verst_recordings::LINE;
use verst_runtime::{Runtime, Turn};
use verst_service::Product;
use verst_store::Store;

use crate::fill::{self, Rows, fill};
use crate::measured::{Asked, Gate};
use crate::{place, service};

/// A fast drain is repeated on the same database until it has taken this long altogether.
pub const AT_LEAST: Duration = Duration::from_secs(1);

pub async fn run(asked: &Asked) {
    let store = place::open(&asked.place).await;
    let runtime = service::runtime(&store).await;
    let (mut took, mut jobs) = (Duration::ZERO, 0);
    while took < AT_LEAST {
        let ready = i64::try_from(asked.jobs).expect("a number of jobs");
        fill(&asked.place, Rows { ready, ..Rows::default() }).await;
        // Connections are made before and not while it is measured.
        join_all((0..64).map(|_| store.now())).await;
        took += once(asked, &store, &runtime).await;
        jobs += asked.jobs;
    }
    assert!(fill::all_finished(&asked.place).await);
    let system = if place::is_postgres(&asked.place) { "verst-postgres" } else { "verst-sqlite" };
    Asked { jobs, ..asked.clone() }.report(system, took);
}

async fn once(asked: &Asked, store: &Arc<dyn Store>, runtime: &Arc<Runtime<Product>>) -> Duration {
    let gate = Arc::new(Gate::of(asked.jobs));
    let began = Instant::now();
    let workers = (0..asked.workers).map(|_| {
        let gate = Arc::clone(&gate);
        match &*asked.mode {
            "turn" => tokio::spawn(turns(Arc::clone(runtime), gate)),
            "product" => tokio::spawn(settles(Arc::clone(store), gate, finish(Some(())))),
            _ => tokio::spawn(settles(Arc::clone(store), gate, finish(None))),
        }
    });
    let workers: Vec<_> = workers.collect();
    join_all(workers).await.into_iter().for_each(|it| it.expect("no panic"));
    began.elapsed()
}

async fn settles(store: Arc<dyn Store>, gate: Arc<Gate>, change: Change<Product>) {
    let holder = service::instance();
    while !gate.all_passed() {
        // On PostgreSQL "nothing" may mean that others hold the rest: the count decides.
        let Some(claim) = store.claim(&holder).await.expect("an answer") else {
            tokio::time::sleep(Duration::from_millis(1)).await;
            continue;
        };
        let settled = store.settle(&claim, &change).await.expect("an answer");
        assert!(matches!(settled, Settled::Done(Some(_))));
        gate.pass();
    }
}

async fn turns(runtime: Arc<Runtime<Product>>, gate: Arc<Gate>) {
    let shutdown = CancellationToken::new();
    while !gate.all_passed() {
        match runtime.turn(&shutdown).await.expect("an answer") {
            Turn::Worked => {
                gate.pass();
            }
            Turn::Idle => tokio::time::sleep(Duration::from_millis(1)).await,
        }
    }
}

/// What the kernel makes of a last step that went well.
fn finish(with_product: Option<()>) -> Change<Product> {
    let stages = LINE.stages();
    let stage = stages.iter().find(|it| it.next == Some(Stage::FINAL)).expect("a last step");
    let standing = Standing {
        id: WorkId(1),
        line: stage.line.to_owned(),
        milestone: stage.name.to_owned(),
        entered_at: Timestamp(0),
        held_us: 0,
        waiting_since: None,
        claimed_at: Timestamp(0),
        tried_at: None,
        failures: 1,
        last_failure: None,
        now: Timestamp(0),
    };
    let outcome = Outcome::Advance(service::PRODUCT);
    let change = settle(&standing, stage, outcome, &Limits::default(), Timestamp(0), Roll(0));
    let product = with_product.and(change.product.clone());
    Change { product, ..change }
}
