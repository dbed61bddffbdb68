//! P01: an empty run is not a failure.

use std::error::Error;
use std::sync::Arc;

use tracing::Level;
use verst_runtime::Turn;
use verst_testkit::{Backend, Count, Layer, Setup, World};

use crate::common::fail;

on_every_store!(
    p01_1_nothing_claimable_is_neither_logged_nor_counted,
    p01_2_nothing_claimable_stays_so_through_a_layer_that_explains,
    p01_3_a_failing_step_is_logged_once_and_counted_under_its_milestone,
    p01_4_a_step_that_goes_well_is_counted_and_leaves_no_failure,
);

async fn p01_1_nothing_claimable_is_neither_logged_nor_counted(backend: Backend) {
    let world = World::new(backend, Setup::default());
    assert_eq!(world.turn().await, Turn::Idle);
    let id = world.accept().await;
    world.reach(id, "done").await;
    let (records, steps) = (world.logs.at_least(Level::TRACE), world.tally.steps());
    assert_eq!(world.turn().await, Turn::Idle);
    assert_eq!(world.logs.at_least(Level::TRACE), records);
    assert_eq!(world.tally.steps(), steps);
}

async fn p01_2_nothing_claimable_stays_so_through_a_layer_that_explains(backend: Backend) {
    let world = World::new(backend, Setup::default());
    let layer = Arc::new(Layer::new(world.store.clone()));
    let runtime = world.through(layer.clone());
    assert_eq!(runtime.turn(&world.shutdown).await.unwrap(), Turn::Idle);
    assert_eq!(world.logs.at_least(Level::INFO), []);
    assert_eq!(world.tally.steps(), []);

    // And the other way round: a trouble that the layer explains never passes for an empty run.
    world.accept().await;
    layer.fail_claims(1);
    let trouble = runtime.turn(&world.shutdown).await.expect_err("a trouble is not an empty run");
    let explained = trouble.source().expect("the layer explains").to_string();
    assert_eq!(explained, "the layer in between could not reach the queue");
    assert_eq!(runtime.turn(&world.shutdown).await.unwrap(), Turn::Worked);
}

async fn p01_3_a_failing_step_is_logged_once_and_counted_under_its_milestone(backend: Backend) {
    for milestone in ["uploaded", "normalized", "submitted", "transcribed"] {
        let world = World::new(backend, Setup::default());
        let id = world.accept().await;
        world.reach(id, milestone).await;
        let before = world.tally.steps();
        world.script.once(milestone, fail("ffmpeg_failed"));
        assert_eq!(world.turn().await, Turn::Worked);
        let counted = world.tally.steps().split_off(before.len());
        assert_eq!(counted, [Count { milestone: milestone.to_owned(), outcome: "failure" }]);
        let records = world.logs.at_least(Level::WARN);
        assert_eq!(records.len(), 1, "{records:?}");
        for part in ["ffmpeg_failed", &format!("work={id}"), &format!("milestone={milestone}")] {
            assert!(records[0].text.contains(part), "{part}: {records:?}");
        }
    }
}

async fn p01_4_a_step_that_goes_well_is_counted_and_leaves_no_failure(backend: Backend) {
    let world = World::new(backend, Setup::default());
    world.accept().await;
    assert_eq!(world.turn().await, Turn::Worked);
    assert_eq!(
        world.tally.steps(),
        [Count { milestone: "uploaded".to_owned(), outcome: "success" }]
    );
    assert_eq!(world.logs.at_least(Level::WARN), []);
}
