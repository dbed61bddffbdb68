//! P12: deferring is not a transition.

use std::time::Duration;

use verst_kernel::Failure;
use verst_recordings::ports::Obstacle;
use verst_testkit::{Backend, ScriptedProvider, World};

use crate::common::with_provider;

on_every_store!(p12_1_a_poll_of_a_running_operation_is_no_transition);

async fn p12_1_a_poll_of_a_running_operation_is_no_transition(backend: Backend) {
    let (provider, setup) = with_provider(ScriptedProvider::new(1));
    let world = World::new(backend, setup);
    let id = world.submit().await;
    let arrived = world.reach(id, "submitted").await.work;
    let journal = world.journal(id).await;
    provider.obstruct(Some(Obstacle::Failed(Failure::new("provider_failed"))));
    world.pass(Duration::from_mins(1));
    world.turn().await;
    assert_eq!(world.view(id).await.work.failures, 1, "there is something to reset");
    provider.obstruct(None);

    world.pass_pause(id).await;
    world.turn().await;
    let work = world.view(id).await.work;
    assert_eq!((&work.milestone, work.entered_at), (&arrived.milestone, arrived.entered_at));
    assert!(!work.held, "the claim is released");
    assert_eq!(work.ready_at, world.now().after(ScriptedProvider::POLL));
    assert_eq!((work.failures, work.stop), (0, None));
    assert_eq!(world.tally.of("submitted", "deferred"), 1);
    assert_eq!(world.journal(id).await, journal);
}
