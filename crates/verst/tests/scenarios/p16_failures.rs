//! P16: the number of failures limits the retries.

use tracing::Level;
use verst_kernel::{Failure, NoticeKind, Outcome, StopReason};
use verst_recordings::model::Product;
use verst_runtime::Turn;
use verst_testkit::{Backend, Gate, ScriptedProvider, World};

use crate::common::{HOUR, fail, lease, stopped, there, verdict, with_bot, with_provider};

on_every_store!(
    p16_1_failing_on_every_attempt_ends_in_a_stop,
    p16_2_a_step_that_takes_the_process_down_ends_in_a_stop,
    p16_2_a_machine_that_never_returns_ends_in_a_stop_too,
    p16_3_a_shutdown_gives_the_attempt_back_and_judges_nothing,
    p16_4_a_record_that_went_well_has_no_failures,
);

async fn p16_1_failing_on_every_attempt_ends_in_a_stop(backend: Backend) {
    let (bot, setup) = with_bot();
    let world = World::new(backend, setup);
    let id = world.accept().await;
    world.script.always("uploaded", fail("ffmpeg_failed"));
    let limit = world.runtime.limits.failures;
    for attempt in 1..=limit {
        world.pass_pause(id).await;
        assert_eq!(world.turn().await, Turn::Worked);
        let work = world.view(id).await.work;
        assert_eq!((work.failures, work.stop), (attempt, None));
    }
    world.pass_pause(id).await;
    world.turn().await;
    let mark = world.view(id).await.work.stop.expect("the claim after the last one stops it");
    assert_eq!((mark.reason, mark.failure), (StopReason::Failures, Failure::new("ffmpeg_failed")));
    assert_eq!(world.script.runs().len(), usize::try_from(limit).unwrap(), "no step saw it again");
    assert_eq!(world.tally.of("uploaded", "stopped"), 1);

    world.pass(HOUR * 100);
    assert_eq!(world.turn().await, Turn::Idle);
    let kinds: Vec<_> = bot.letters().into_iter().map(|(_, letter)| letter.kind).collect();
    assert_eq!(kinds, [NoticeKind::Stopped(Failure::new("ffmpeg_failed"))]);
}

async fn p16_2_a_step_that_takes_the_process_down_ends_in_a_stop(backend: Backend) {
    let (bot, setup) = with_bot();
    let world = World::new(backend, setup);
    let id = world.accept().await;
    let limit = world.runtime.limits.failures;
    let mut process = world.another("here");
    for life in 1..=limit {
        let gate = Gate::default();
        process.script.once_held("uploaded", &gate, fail("never said"));
        tokio::select! {
            _ = process.turn() => panic!("the process dies first"),
            () = gate.arrival() => {}
        }
        assert_eq!(process.view(id).await.work.failures, life);
        drop(process);
        process = world.another("here");
        process.runtime.recover().await.unwrap();
        let work = process.view(id).await.work;
        assert_eq!((work.failures, work.held, work.stop), (life, false, None));
        process.pass_pause(id).await;
    }
    assert_eq!(process.turn().await, Turn::Worked);
    let mark = process.view(id).await.work.stop.expect("enough lives");
    assert_eq!(mark.reason, StopReason::Failures);
    assert_eq!(mark.failure, Failure::new(Failure::ABANDONED));
    assert_eq!(process.script.runs(), [""; 0], "no step saw it");
    assert_eq!(bot.letters().len(), 1);
}

async fn p16_2_a_machine_that_never_returns_ends_in_a_stop_too(backend: Backend) {
    let (bot, setup) = with_bot();
    let world = World::new(backend, setup);
    let id = world.accept().await;
    for _ in 0..world.runtime.limits.failures {
        world.store.claim(&there()).await.unwrap().expect("its lease is over");
        world.pass(lease("uploaded"));
    }
    world.turn().await;
    assert_eq!(stopped(&world.view(id).await), Some(StopReason::Failures));
    assert_eq!(world.script.runs(), [""; 0], "no step saw it");
    assert_eq!(bot.letters().len(), 1);
}

async fn p16_3_a_shutdown_gives_the_attempt_back_and_judges_nothing(backend: Backend) {
    let caused: [Outcome<Product>; 2] = [fail("interrupted"), verdict("damaged_file")];
    for outcome in caused {
        let (bot, setup) = with_bot();
        let world = World::new(backend, setup);
        let id = world.accept().await;
        world.script.once("uploaded", fail("ffmpeg_failed"));
        world.turn().await;
        world.pass_pause(id).await;
        let before = world.view(id).await;
        let records = world.logs.at_least(Level::WARN);
        assert_eq!(before.work.failures, 1);

        let gate = Gate::default();
        world.script.once_interrupted("uploaded", &gate, outcome);
        tokio::join!(world.turn(), async {
            gate.arrival().await;
            assert_eq!(world.view(id).await.work.failures, 2, "the claim counted");
            world.shutdown.cancel();
        });
        let after = world.view(id).await;
        assert_eq!((after.work.failures, after.work.stop, after.work.held), (1, None, false));
        assert_eq!(after.work.milestone, "uploaded");
        assert_eq!(after.work.ready_at, world.now(), "the next start goes on at once");
        assert_eq!(world.tally.of("uploaded", "given_back"), 1);
        assert_eq!(world.logs.at_least(Level::WARN), records, "nothing failed");
        assert_eq!((bot.letters(), world.journal(id).await), (vec![], vec![]));

        let restarted = world.another("here");
        assert_eq!(restarted.turn().await, Turn::Worked);
        assert_eq!(restarted.view(id).await.work.milestone, "normalized");
    }
}

async fn p16_4_a_record_that_went_well_has_no_failures(backend: Backend) {
    let (_, setup) = with_provider(ScriptedProvider::new(2));
    let world = World::new(backend, setup);
    let id = world.submit().await;
    for milestone in ["normalized", "submitted", "transcribed", "done"] {
        let view = world.reach(id, milestone).await;
        assert_eq!(view.work.failures, 0, "at {milestone}");
    }
    assert_eq!(world.tally.steps().len(), 6, "each claim had counted one");
}
