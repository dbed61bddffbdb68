//! P09: a stop is a mark, not a milestone.

use verst_kernel::{Failure, StopReason};
use verst_runtime::Turn;
use verst_testkit::{Backend, Setup, World};

use crate::common::{HOUR, fail, stopped, verdict};

on_every_store!(
    p09_1_after_a_lift_the_record_goes_on_where_it_stood,
    p09_2_a_stopped_record_is_not_handed_out,
    p09_3_a_lift_resets_failures_pause_and_the_time_of_arrival,
);

async fn p09_1_after_a_lift_the_record_goes_on_where_it_stood(backend: Backend) {
    let world = World::new(backend, Setup::default());
    let id = world.accept().await;
    world.script.once("normalized", verdict("too_long"));
    world.settle_down().await;
    let view = world.view(id).await;
    assert_eq!(view.work.milestone, "normalized", "the mark does not erase the milestone");
    let mark = view.work.stop.expect("the verdict is a mark");
    assert_eq!((mark.at, mark.reason), (world.now(), StopReason::Verdict));
    assert_eq!(mark.failure, Failure::new("too_long"));

    world.service.lift(id, "anna", None).await.unwrap();
    assert_eq!(world.turn().await, Turn::Worked);
    assert_eq!(world.script.runs(), ["uploaded", "normalized", "normalized"]);
    let view = world.view(id).await;
    assert_eq!((view.work.milestone.as_str(), view.work.stop), ("submitted", None));
}

async fn p09_2_a_stopped_record_is_not_handed_out(backend: Backend) {
    for milestone in ["uploaded", "normalized", "submitted", "transcribed"] {
        let world = World::new(backend, Setup::default());
        let id = world.accept().await;
        world.reach(id, milestone).await;
        world.script.once(milestone, verdict("damaged_file"));
        world.turn().await;
        let (before, runs) = (world.view(id).await, world.script.runs());
        assert_eq!(before.work.milestone, milestone);
        for _ in 0..3 {
            world.pass(HOUR * 1000);
            assert_eq!(world.turn().await, Turn::Idle);
        }
        assert_eq!((world.view(id).await, world.script.runs()), (before, runs));
    }
}

async fn p09_3_a_lift_resets_failures_pause_and_the_time_of_arrival(backend: Backend) {
    let world = World::new(backend, Setup::default());
    let id = world.accept().await;
    let attempts = world.runtime.limits.failures;
    for _ in 0..attempts {
        world.script.once("uploaded", fail("ffmpeg_failed"));
        world.pass_pause(id).await;
        world.turn().await;
    }
    assert!(world.view(id).await.work.ready_at > world.now(), "there is a pause to reset");
    world.pass_pause(id).await;
    world.turn().await;
    assert_eq!(stopped(&world.view(id).await), Some(StopReason::Failures));
    world.pass(world.runtime.limits.own_patience * 48);

    world.service.lift(id, "anna", None).await.unwrap();
    let work = world.view(id).await.work;
    assert_eq!((work.stop, work.failures), (None, 0));
    assert_eq!((work.ready_at, work.entered_at), (world.now(), world.now()));
    assert_eq!(world.turn().await, Turn::Worked);
    let work = world.view(id).await.work;
    assert_eq!((work.milestone.as_str(), work.stop), ("normalized", None));

    // One failure after a lift is the first one again.
    assert_eq!(world.script.runs().len(), usize::try_from(attempts).unwrap() + 1);
}
