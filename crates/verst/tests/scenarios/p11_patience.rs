//! P11: time at a milestone is limited.

use verst_kernel::{Failure, Limits, StopReason};
use verst_runtime::Turn;
use verst_testkit::{Backend, ScriptedProvider, Setup, World};

use crate::common::{HOUR, fail, running, stopped, with_provider};

on_every_store!(
    p11_1_a_hundred_deferrals_move_neither_the_arrival_nor_the_countdown,
    p11_2_past_the_limit_of_our_own_work_a_claim_stops_the_record_as_stuck,
    p11_2_past_the_limit_of_a_foreign_operation_a_claim_stops_the_record_as_stuck,
    p11_3_after_a_lift_the_same_operation_is_polled_further,
);

async fn p11_1_a_hundred_deferrals_move_neither_the_arrival_nor_the_countdown(backend: Backend) {
    let world = World::new(backend, Setup::default());
    let id = world.accept().await;
    let tenth = HOUR / 6;
    world.script.always("submitted", running(tenth));
    let entered_at = world.reach(id, "submitted").await.work.entered_at;
    for _ in 0..100 {
        assert_eq!(world.turn().await, Turn::Worked);
        world.pass(tenth);
        assert_eq!(world.view(id).await.work.entered_at, entered_at);
    }
    // A day has 144 of them; the one at the limit itself is still a run.
    let mut deferrals = 100;
    while stopped(&world.view(id).await).is_none() {
        world.turn().await;
        world.pass(tenth);
        deferrals += 1;
    }
    assert_eq!(world.tally.of("submitted", "deferred"), 145);
    assert_eq!(deferrals, 146, "the last claim was the stop");
    assert_eq!(stopped(&world.view(id).await), Some(StopReason::Stuck));
    assert_eq!(world.view(id).await.work.entered_at, entered_at);
}

async fn p11_2_past_the_limit_of_our_own_work_a_claim_stops_the_record_as_stuck(backend: Backend) {
    // A pause longer than the limit: the one way in which our own work waits so long.
    let limits = Limits { pause_base: HOUR * 2, pause_cap: HOUR * 2, ..Limits::default() };
    let world = World::new(backend, Setup { limits, ..Setup::default() });
    let id = world.accept().await;
    world.script.once("uploaded", fail("ffmpeg_failed"));
    world.turn().await;
    world.pass_pause(id).await;
    assert_eq!(world.turn().await, Turn::Worked);
    let mark = world.view(id).await.work.stop.expect("past the limit");
    assert_eq!((mark.reason, mark.at), (StopReason::Stuck, world.now()));
    assert_eq!(mark.failure, Failure::new(Failure::STUCK).int("hours", 1));
    assert_eq!(world.script.runs(), ["uploaded"], "it was not handed to the step again");
    assert_eq!(world.view(id).await.work.milestone, "uploaded");
}

async fn p11_2_past_the_limit_of_a_foreign_operation_a_claim_stops_the_record_as_stuck(
    backend: Backend,
) {
    let world = World::new(backend, Setup::default());
    let id = world.accept().await;
    world.reach(id, "submitted").await;
    for (delay, reason) in [(HOUR * 24, None), (HOUR, None), (HOUR, Some(StopReason::Stuck))] {
        world.script.once("submitted", running(delay));
        world.turn().await;
        assert_eq!(stopped(&world.view(id).await), reason, "after {delay:?} more");
        world.pass_pause(id).await;
    }
}

async fn p11_3_after_a_lift_the_same_operation_is_polled_further(backend: Backend) {
    let provider = ScriptedProvider::new(7).polling_every(HOUR * 6);
    let (provider, setup) = with_provider(provider);
    let world = World::new(backend, setup);
    let id = world.submit().await;
    world.reach(id, "submitted").await;
    while stopped(&world.view(id).await).is_none() {
        world.pass_pause(id).await;
        world.turn().await;
    }
    assert_eq!(stopped(&world.view(id).await), Some(StopReason::Stuck));
    let polls = provider.asked().len();
    assert_eq!(polls, 5, "at 0, 6, 12, 18 and 24 hours");

    world.pass(HOUR * 1000);
    world.service.lift(id, "anna", None).await.unwrap();
    world.reach(id, "done").await;
    assert_eq!(provider.begun(), 1, "no second operation");
    let asked = provider.asked();
    assert!(asked.len() > polls && asked.iter().all(|t| *t == asked[0]), "{asked:?}");
}
