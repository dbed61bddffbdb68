//! P05: the pause before a retry grows, and waiting for a foreign operation is not one.

use std::time::Duration;

use verst_kernel::Limits;
use verst_runtime::Turn;
use verst_testkit::{Backend, ScriptedProvider, Setup, World};

use crate::common::{HOUR, MOMENT, fail, with_provider};

on_every_store!(
    p05_1_a_failed_record_waits_out_its_pause,
    p05_2_the_second_pause_is_longer_and_the_cap_holds_at_any_number,
    p05_3_polls_of_a_running_operation_keep_their_delay_and_spend_nothing,
);

async fn p05_1_a_failed_record_waits_out_its_pause(backend: Backend) {
    let world = World::new(backend, Setup::default());
    let id = world.accept().await;
    world.script.once("uploaded", fail("ffmpeg_failed"));
    world.turn().await;
    let ready_at = world.view(id).await.work.ready_at;
    assert!(ready_at > world.now(), "there is a pause");
    assert_eq!(world.turn().await, Turn::Idle);
    world.pass(ready_at.since(world.now()).saturating_sub(MOMENT));
    assert_eq!(world.turn().await, Turn::Idle);
    world.pass(MOMENT);
    assert_eq!(world.turn().await, Turn::Worked);
}

async fn p05_2_the_second_pause_is_longer_and_the_cap_holds_at_any_number(backend: Backend) {
    let limits = Limits { failures: 1000, own_patience: HOUR * 1_000_000, ..Limits::default() };
    let cap = limits.pause_cap;
    let world = World::new(backend, Setup { limits, ..Setup::default() });
    let id = world.accept().await;
    world.script.always("uploaded", fail("ffmpeg_failed"));
    let mut pauses: Vec<Duration> = Vec::new();
    // Past 32 and past 64, where a power that is not clamped overflows.
    for _ in 0..70 {
        world.turn().await;
        pauses.push(world.view(id).await.work.ready_at.since(world.now()));
        world.pass_pause(id).await;
    }
    assert_eq!(world.view(id).await.work.failures, 70);
    assert!(pauses[1] > pauses[0], "{pauses:?}");
    assert!(pauses.iter().all(|pause| *pause <= cap), "{pauses:?}");
    assert!(pauses[10..].iter().all(|pause| *pause >= cap * 3 / 4), "{pauses:?}");
}

async fn p05_3_polls_of_a_running_operation_keep_their_delay_and_spend_nothing(backend: Backend) {
    let (provider, setup) = with_provider(ScriptedProvider::new(5));
    let world = World::new(backend, setup);
    let id = world.submit().await;
    world.reach(id, "submitted").await;
    for poll in 1..=5 {
        assert_eq!(world.turn().await, Turn::Worked);
        let work = world.view(id).await.work;
        assert_eq!(work.milestone, "submitted");
        assert_eq!(work.ready_at.since(world.now()), ScriptedProvider::POLL, "poll {poll}");
        assert_eq!(work.failures, 0, "poll {poll}");
        assert_eq!(work.why.map(|why| why.code).as_deref(), Some("recognising"));
        world.pass(ScriptedProvider::POLL.saturating_sub(MOMENT));
        assert_eq!(world.turn().await, Turn::Idle, "poll {poll} is not followed too early");
        world.pass(MOMENT);
    }
    assert_eq!(provider.asked().len(), 5);
    assert_eq!(world.turn().await, Turn::Worked);
    assert_eq!(world.view(id).await.work.milestone, "transcribed");
}
