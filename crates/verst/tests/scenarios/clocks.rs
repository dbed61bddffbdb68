//! Clocks decide when, never whether it is safe: a clock that steps back delays and breaks nothing.

use verst_kernel::Event;
use verst_runtime::Turn;
use verst_testkit::{Backend, Gate, Setup, World};

use crate::common::{HOUR, running, there, with_bot};

on_every_store!(
    a_clock_that_steps_back_under_a_step_loses_nothing,
    a_clock_that_steps_back_hands_nothing_out_twice_and_stops_nothing,
    a_clock_that_steps_back_holds_no_new_recording_up,
    what_was_written_under_a_clock_that_was_ahead_is_ready_after_a_restart,
);

async fn a_clock_that_steps_back_under_a_step_loses_nothing(backend: Backend) {
    let world = World::new(backend, Setup::default());
    let id = world.accept().await;
    let gate = Gate::default();
    world.script.once_held("uploaded", &gate, running(HOUR / 60));
    tokio::join!(world.turn(), async {
        gate.arrival().await;
        world.clock.step_back(HOUR * 3);
        gate.open();
    });
    let work = world.view(id).await.work;
    assert_eq!(work.ready_at, world.now().after(HOUR / 60), "counted on the clock as it is now");
    world.reach(id, "done").await;
    let journal = world.journal(id).await;
    assert_eq!(journal.len(), 4);
    assert!(journal.iter().all(|e| e.event == Event::Advanced && e.duration.is_zero()));
}

async fn a_clock_that_steps_back_hands_nothing_out_twice_and_stops_nothing(backend: Backend) {
    let (bot, setup) = with_bot();
    let world = World::new(backend, setup);
    let id = world.accept().await;
    let held = world.store.claim(&there()).await.unwrap().unwrap();
    world.clock.step_back(HOUR * 5);
    assert_eq!(world.turn().await, Turn::Idle);
    assert!(world.store.standing(&held).await.unwrap().is_some(), "the holder keeps it");
    world.pass(HOUR * 5);
    assert_eq!(world.turn().await, Turn::Idle);

    // Back again after the lease: the arrival lies in the future, which is no time at all.
    world.pass(HOUR * 2);
    world.clock.step_back(HOUR);
    world.pass(HOUR);
    world.reach(id, "done").await;
    assert_eq!(bot.letters().len(), 1);
    assert_eq!(world.tally.of("uploaded", "stopped"), 0);
}

async fn a_clock_that_steps_back_holds_no_new_recording_up(backend: Backend) {
    let world = World::new(backend, Setup::default());
    let old = world.accept().await;
    world.clock.step_back(HOUR * 24 * 365);
    let new = world.accept().await;
    assert!(new > old, "ids grow whatever the clock says");
    world.settle_down().await;
    assert_eq!(world.view(new).await.work.milestone, "done");
    world.reach(old, "done").await;
}

async fn what_was_written_under_a_clock_that_was_ahead_is_ready_after_a_restart(backend: Backend) {
    let world = World::new(backend, Setup::default());
    world.pass(HOUR * 24 * 365);
    let id = world.accept().await;
    world.clock.step_back(HOUR * 24 * 365);
    assert_eq!(world.turn().await, Turn::Idle, "it would wait for a year");
    let restarted = world.another("here");
    restarted.runtime.recover().await.unwrap();
    restarted.reach(id, "done").await;
    assert_eq!(restarted.now(), world.now(), "and waits for nothing");
}
