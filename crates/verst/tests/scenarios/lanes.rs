//! Two in the engine at a time: the oldest, and the oldest short one. The others wait their turn
//! without a failure and without a stop, however long it takes.

use std::sync::Arc;
use std::time::Duration;

use tracing::Level;
use verst_kernel::{Event, StopReason, WorkId};
use verst_recordings::codes;
use verst_recordings::model::Source;
use verst_testkit::{Backend, ScriptedProvider, Setup, World, tone};

use crate::common::{HOUR, busy, running, stopped, with_provider};

on_every_store!(
    the_oldest_and_one_short_recording_enter_and_the_others_wait,
    a_stopped_recording_leaves_its_lane,
    recordings_that_wait_their_turn_for_days_are_not_stopped,
    a_wait_for_our_own_resources_is_held_apart_however_late_the_claim_comes,
);

const SHORT: Duration = Duration::from_secs(2);

fn engine(backend: Backend, polls: u32) -> (Arc<ScriptedProvider>, World) {
    let engine = ScriptedProvider::new(polls).polling_every(HOUR / 2).like_the_engine(SHORT);
    let (engine, setup) = with_provider(engine);
    (engine, World::new(backend, setup))
}

async fn submit(world: &World, seconds: u32) -> WorkId {
    let id = world.submit_from(Source::Telegram, Some("chat-1"), tone(seconds)).await.unwrap();
    world.reach(id, "normalized").await;
    id
}

/// Turns until every recording has been looked at in this instant.
async fn look(world: &World) {
    world.pass(HOUR / 2);
    world.settle_down().await;
}

async fn milestones(world: &World, ids: &[WorkId]) -> Vec<String> {
    let mut found = Vec::new();
    for id in ids {
        found.push(world.view(*id).await.work.milestone);
    }
    found
}

async fn the_oldest_and_one_short_recording_enter_and_the_others_wait(backend: Backend) {
    let (engine, world) = engine(backend, 4);
    let mut ids = Vec::new();
    for seconds in [5, 6, 1, 1, 5] {
        ids.push(world.submit_from(Source::Http, None, tone(seconds)).await.unwrap());
    }
    while world.tally.of("uploaded", "success") < ids.len() {
        world.turn().await;
    }
    look(&world).await;
    let at = |m: [&str; 5]| m.map(str::to_owned).to_vec();
    let (wait, inside) = ("normalized", "submitted");
    assert_eq!(milestones(&world, &ids).await, at([inside, wait, inside, wait, wait]));
    assert_eq!(engine.begun(), 2);
    let waiting = world.view(ids[4]).await.work;
    assert_eq!((waiting.failures, waiting.stop), (0, None));
    let why = waiting.why.expect("it says what it waits for");
    assert_eq!(why.code, codes::WAITING_TURN);

    let mut looks = 0;
    while milestones(&world, &ids).await != at(["done"; 5]) {
        look(&world).await;
        looks += 1;
        let found = milestones(&world, &ids).await;
        let inside = found.iter().filter(|m| *m == inside).count();
        assert!(inside <= 2, "{found:?}");
        assert!(looks < 100, "{found:?}");
    }
    assert_eq!(engine.begun(), 5);
    assert_eq!(world.logs.at_least(Level::WARN), []);
}

async fn a_stopped_recording_leaves_its_lane(backend: Backend) {
    let (engine, world) = engine(backend, 1000);
    let first = submit(&world, 5).await;
    look(&world).await;
    let second = submit(&world, 5).await;
    look(&world).await;
    let found = milestones(&world, &[first, second]).await;
    assert_eq!(found, ["submitted", "normalized"]);
    world.service.stop(first, "anna").await.unwrap();
    look(&world).await;
    assert_eq!(world.view(second).await.work.milestone, "submitted");
    assert_eq!(engine.begun(), 2);
}

async fn recordings_that_wait_their_turn_for_days_are_not_stopped(backend: Backend) {
    // Ten hours each and two at a time, with the real limits: the last waits for thirty hours.
    let (engine, world) = engine(backend, 20);
    let mut ids = Vec::new();
    for _ in 0..8 {
        ids.push(world.submit_from(Source::Http, None, tone(1)).await.unwrap());
    }
    let began = world.now();
    let mut last_entered = began;
    for _ in 0..100 {
        look(&world).await;
        if engine.begun() < ids.len() {
            last_entered = world.now();
        }
    }
    assert!(last_entered.since(began) >= HOUR * 29, "they did wait for long");
    for id in ids {
        assert_eq!(world.view(id).await.work.milestone, "done");
        let events: Vec<_> = world.journal(id).await.into_iter().map(|e| e.event).collect();
        assert_eq!(events, [Event::Advanced; 4], "{id}");
    }
    assert_eq!(engine.begun(), 8);
}

/// The recording was tried here (a poll), and now waits for a resource of ours; the workers are
/// so busy that each claim comes long after its delay.
async fn a_wait_for_our_own_resources_is_held_apart_however_late_the_claim_comes(backend: Backend) {
    let world = World::new(backend, Setup::default());
    let id = world.accept().await;
    world.reach(id, "submitted").await;
    world.script.once("submitted", running(Duration::from_secs(1)));
    world.script.always("submitted", busy(Duration::from_secs(1)));
    world.turn().await;
    for _ in 0..30 {
        world.pass(HOUR);
        world.turn().await;
    }
    assert_eq!(stopped(&world.view(id).await), None::<StopReason>, "a false stop");
    assert_eq!(world.tally.of("submitted", "busy"), 30);
}
