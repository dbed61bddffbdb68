//! Faults around a step: panics, a store that fails, a holder who is late.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures::{StreamExt, stream};
use tracing::Level;
use verst_kernel::{Failure, Outcome, StopReason};
use verst_recordings::model::{AttemptId, Product};
use verst_recordings::ports::Part;
use verst_runtime::Turn;
use verst_testkit::{Backend, Gate, Layer, Setup, World, act, usual};

use crate::common::{HOUR, fail, lease, stopped, with_bot};

on_every_store!(
    a_panic_in_a_step_is_a_failure_like_any_other,
    a_step_that_always_panics_is_stopped_in_the_end,
    a_holder_whose_lease_ran_out_may_finish_while_nobody_else_claimed,
    a_result_that_cannot_be_written_is_kept_and_offered_again,
    work_at_a_milestone_that_nobody_declares_is_stopped_with_a_reason,
    a_result_that_the_database_refuses_is_a_failure_and_blocks_nobody,
    a_sweep_removes_decoded_audio_and_sets_originals_aside,
    a_step_that_ignores_the_end_of_the_service_is_abandoned_and_its_attempt_given_back,
);

async fn a_panic_in_a_step_is_a_failure_like_any_other(backend: Backend) {
    let world = World::new(backend, Setup::default());
    let id = world.accept().await;
    world.script.once_do("uploaded", act(|_| panic!("a defect")));
    world.script.once_do("uploaded", act(|_| Box::pin(async { panic!("a later defect") })));
    for failures in 1..=2 {
        world.pass_pause(id).await;
        assert_eq!(world.turn().await, Turn::Worked);
        let work = world.view(id).await.work;
        assert_eq!((work.failures, work.held, work.stop), (failures, false, None));
        assert_eq!(work.why, Some(Failure::new(Failure::PANICKED)));
    }
    assert_eq!(world.tally.of("uploaded", "failure"), 2);
    let records = world.logs.at_least(Level::WARN);
    assert_eq!(records.len(), 2, "{records:?}");
    assert!(records[0].text.contains(Failure::PANICKED), "{records:?}");
    world.reach(id, "done").await;
}

async fn a_step_that_always_panics_is_stopped_in_the_end(backend: Backend) {
    let (bot, setup) = with_bot();
    let world = World::new(backend, setup);
    let id = world.accept().await;
    world.script.always_do("uploaded", act(|_| panic!("a defect")));
    while stopped(&world.view(id).await).is_none() {
        world.pass_pause(id).await;
        world.turn().await;
    }
    let stop = world.view(id).await.work.stop.unwrap();
    assert_eq!((stop.reason, &*stop.failure.code), (StopReason::Failures, Failure::PANICKED));
    assert_eq!(bot.letters().len(), 1);
}

async fn a_holder_whose_lease_ran_out_may_finish_while_nobody_else_claimed(backend: Backend) {
    let world = World::new(backend, Setup::default());
    let id = world.accept().await;
    let clock = world.clock.clone();
    world.script.once_do(
        "uploaded",
        act(move |visit| {
            clock.pass(lease("uploaded") * 3);
            let outcome = usual(visit);
            Box::pin(async move { outcome })
        }),
    );
    world.turn().await;
    let view = world.view(id).await;
    assert_eq!((view.work.milestone.as_str(), view.work.stop), ("normalized", None));
    assert!(view.recording.audio.is_some(), "the result is written");
    assert_eq!(world.journal(id).await[0].duration, lease("uploaded") * 3);
}

async fn a_result_that_cannot_be_written_is_kept_and_offered_again(backend: Backend) {
    let (bot, setup) = with_bot();
    let world = World::new(backend, setup);
    let id = world.accept().await;
    world.reach(id, "transcribed").await;
    let layer = Arc::new(Layer::new(world.store.clone()));
    layer.fail_settles(2);
    let runtime = world.through(layer.clone());
    assert_eq!(runtime.turn(&world.shutdown).await.unwrap(), Turn::Worked);
    assert_eq!(layer.settles_to_fail(), 0, "it was offered three times");
    assert_eq!(world.view(id).await.work.milestone, "done");
    assert_eq!(world.script.runs().len(), 4, "the step ran once");
    assert_eq!(bot.letters().len(), 1);
    let errors = world.logs.at_least(Level::ERROR);
    assert_eq!(errors.len(), 1, "said once, not at each offer: {errors:?}");
}

async fn work_at_a_milestone_that_nobody_declares_is_stopped_with_a_reason(backend: Backend) {
    let (bot, setup) = with_bot();
    let world = World::new(backend, setup);
    let id = world.accept().await;
    let mut runtime = world.through(world.store.clone());
    runtime.roads.clear();
    assert_eq!(runtime.turn(&world.shutdown).await.unwrap(), Turn::Worked);
    let stop = world.view(id).await.work.stop.expect("not silently left behind");
    assert_eq!(
        (stop.reason, &*stop.failure.code),
        (StopReason::Verdict, Failure::UNKNOWN_MILESTONE)
    );
    assert_eq!(world.view(id).await.work.milestone, "uploaded");
    assert_eq!(bot.letters().len(), 1);
}

async fn a_result_that_the_database_refuses_is_a_failure_and_blocks_nobody(backend: Backend) {
    let world = World::new(backend, Setup::default());
    let id = world.accept().await;
    world.reach(id, "submitted").await;
    // No such attempt: the reference is refused however often it is offered.
    let part = Part { index: 0, segments: Vec::new(), language: None };
    let product = Product::Part { attempt: AttemptId(987), part };
    let why = Failure::new("recognising");
    let refused = Outcome::Defer { delay: HOUR, why, product: Some(product) };
    world.script.once("submitted", refused);
    assert_eq!(world.turn().await, Turn::Worked);
    let work = world.view(id).await.work;
    assert_eq!((work.failures, work.held, work.stop), (1, false, None));
    assert_eq!(work.why, Some(Failure::new(Failure::RESULT_REFUSED)));
    world.reach(id, "done").await;
}

async fn a_step_that_ignores_the_end_of_the_service_is_abandoned_and_its_attempt_given_back(
    backend: Backend,
) {
    let world = World::new(backend, Setup::default());
    let id = world.accept().await;
    let gate = Gate::default();
    world.script.once_held("uploaded", &gate, fail("never said"));
    let mut runtime = world.through(world.store.clone());
    runtime.grace = Duration::from_millis(20);
    let (turn, ()) = tokio::join!(runtime.turn(&world.shutdown), async {
        gate.arrival().await;
        world.shutdown.cancel();
    });
    assert_eq!(turn.unwrap(), Turn::Worked, "it ended although the gate never opened");
    let work = world.view(id).await.work;
    assert_eq!((work.failures, work.held, work.stop), (0, false, None));
    assert_eq!(world.tally.of("uploaded", "given_back"), 1);
}

/// A database that was lost or restored from an older copy names none of the later originals: they
/// were accepted, so they are set aside and never removed.
async fn a_sweep_removes_decoded_audio_and_sets_originals_aside(backend: Backend) {
    let world = World::new(backend, Setup::default());
    let id = world.submit().await;
    let named = world.view(id).await.recording.given.original;
    for key in ["original/lost", "normalised/left"] {
        let bytes = stream::iter([Ok(Bytes::from_static(b"audio"))]).boxed();
        world.service.objects.put(key, bytes, 100).await.unwrap();
    }
    let exists = async |key: &str| world.service.objects.local(key).await.is_ok();
    world.service.sweep().await.unwrap();
    assert!(exists("original/lost").await && exists("normalised/left").await, "too young");

    world.pass(HOUR * 24 * 30);
    let swept = world.service.sweep().await.unwrap();
    assert_eq!((swept.removed, swept.set_aside), (1, 1));
    assert!(!exists("original/lost").await && !exists("normalised/left").await);
    assert!(exists("unnamed/original/lost").await && exists(&named).await);
}
