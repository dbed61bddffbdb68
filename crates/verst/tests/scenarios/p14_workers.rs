//! P14: the number of workers is a setting.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use tokio::runtime::Builder;
use tokio_util::sync::CancellationToken;
use verst_kernel::{Entry, Limits};
use verst_runtime::{Runtime, Turn, Workers};
use verst_service::Product as AnyProduct;
use verst_testkit::{Backend, Mailbox, Setup, World, act, usual};

use crate::common::{fail, running, with_bot};

on_every_store!(
    p14_1_one_worker_and_many_come_to_the_same_end,
    p14_2_with_zero_workers_work_is_accepted_and_waits,
    p14_3_a_failure_is_counted_under_the_milestone_it_was_taken_from,
);

const RECORDINGS: usize = 12;

/// Works with so many workers on two threads until so many letters have come.
fn work(runtime: &Arc<Runtime<AnyProduct>>, count: usize, bot: &Mailbox) {
    let threads = Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    threads.block_on(async {
        let workers = Workers::start(runtime, count, CancellationToken::new());
        bot.wait_for(RECORDINGS).await;
        assert!(workers.stop().await, "all ended by themselves");
    });
}

/// What happened to a recording, without when.
type Story = (String, u32, Vec<(String, String)>);

async fn stories(backend: Backend, workers: usize) -> Vec<Story> {
    let (bot, setup) = with_bot();
    // Failures and deferrals without a pause: the clock stands still.
    let limits =
        Limits { pause_base: Duration::ZERO, pause_cap: Duration::ZERO, ..Limits::default() };
    let world = World::new(backend, Setup { limits, ..setup });
    let mut ids = Vec::new();
    for _ in 0..RECORDINGS {
        ids.push(world.accept().await);
    }
    for (milestone, first) in
        [("uploaded", fail("ffmpeg_failed")), ("submitted", running(Duration::ZERO))]
    {
        world.script.always_do(
            milestone,
            act(move |visit| {
                let untried = visit.standing.tried_at.is_none();
                let outcome = if untried { first.clone() } else { usual(visit) };
                Box::pin(async move { outcome })
            }),
        );
    }
    let (runtime, letters) = (world.runtime.clone(), bot.clone());
    tokio::task::spawn_blocking(move || {
        thread::spawn(move || work(&runtime, workers, &letters)).join().expect("workers end well");
    })
    .await
    .unwrap();

    let mut told: Vec<_> = bot.letters().iter().map(|(_, letter)| letter.work).collect();
    told.sort_unstable();
    assert_eq!(told, ids, "each sender is told once");
    let mut stories = Vec::new();
    for id in ids {
        let work = world.view(id).await.work;
        assert_eq!((work.stop, work.held), (None, false));
        let line = |e: &Entry| (e.event.name().to_owned(), e.milestone.clone());
        let journal = world.journal(id).await.iter().map(line).collect();
        stories.push((work.milestone, work.failures, journal));
    }
    assert_eq!(world.script.runs().len(), RECORDINGS * 6);
    stories
}

async fn p14_1_one_worker_and_many_come_to_the_same_end(backend: Backend) {
    let alone = stories(backend, 1).await;
    let road = ["normalized", "submitted", "transcribed", "done"];
    let journal = road.map(|m| ("advanced".to_owned(), m.to_owned())).to_vec();
    assert_eq!(alone, vec![("done".to_owned(), 0, journal); RECORDINGS]);
    assert_eq!(stories(backend, 8).await, alone);
}

async fn p14_2_with_zero_workers_work_is_accepted_and_waits(backend: Backend) {
    let world = World::new(backend, Setup::default());
    let workers = Workers::start(&world.runtime, 0, world.shutdown.child_token());
    let id = world.accept().await;
    assert!(workers.stop().await);
    let view = world.view(id).await;
    assert_eq!((view.work.milestone.as_str(), view.work.stop), ("uploaded", None));
    assert_eq!(world.script.runs(), [""; 0]);

    // It is seen to wait, and one that comes while nobody works is not lost.
    let workers = Workers::start(&world.runtime, 0, world.shutdown.child_token());
    let depth = world.tally.first_depth().await;
    assert_eq!((depth.milestone.as_str(), depth.waiting), ("uploaded", 1));
    assert!(workers.stop().await);
    assert_eq!(world.turn().await, Turn::Worked);
    assert_eq!(world.view(id).await.work.milestone, "normalized");
}

async fn p14_3_a_failure_is_counted_under_the_milestone_it_was_taken_from(backend: Backend) {
    let world = World::new(backend, Setup::default());
    let id = world.accept().await;
    world.script.once("uploaded", fail("ffmpeg_failed"));
    world.turn().await;
    assert_eq!(world.tally.of("uploaded", "failure"), 1);
    world.reach(id, "normalized").await;
    world.script.once("normalized", fail("provider_failed"));
    world.turn().await;
    assert_eq!(world.tally.of("normalized", "failure"), 1);
    assert_eq!(world.tally.of("uploaded", "failure"), 1, "each under its own");
    assert_eq!(world.tally.steps().len(), 3);
}
