//! P01: an empty run is not a failure.

use tracing::Level;
use verst_kernel::{Failure, Outcome};
use verst_runtime::Turn;
use verst_testkit::{Backend, Setup, World};

on_every_store!(
    p01_1_nothing_claimable_is_neither_logged_nor_counted,
    p01_3_a_failing_step_is_logged_once_and_counted_under_its_milestone,
);

async fn p01_1_nothing_claimable_is_neither_logged_nor_counted(backend: Backend) {
    let world = World::new(backend, Setup::default());
    assert_eq!(world.turn().await, Turn::Idle);
    assert_eq!(world.logs.at_least(Level::INFO), []);
    assert_eq!(world.tally.steps(), []);
}

async fn p01_3_a_failing_step_is_logged_once_and_counted_under_its_milestone(backend: Backend) {
    let world = World::new(backend, Setup::default());
    world.accept().await;
    world.script.once("uploaded", Outcome::Fail(Failure::new("ffmpeg_failed")));
    assert_eq!(world.turn().await, Turn::Worked);
    assert_eq!(world.tally.of("uploaded", "failure"), 1);
    let records = world.logs.at_least(Level::WARN);
    assert_eq!(records.len(), 1, "{records:?}");
    assert!(records[0].text.contains("ffmpeg_failed"), "{records:?}");
}
