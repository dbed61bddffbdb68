//! P07: the owner does not narrow the choice.

use verst_kernel::WorkId;
use verst_recordings::model::Source;
use verst_testkit::{Backend, Setup, World};

use crate::common::{MOMENT, there};

on_every_store!(
    p07_1_one_worker_gets_the_records_of_two_owners_in_order,
    p07_2_a_record_without_an_owner_is_claimed_like_any_other,
    p07_3_the_owner_survives_every_step,
);

async fn claim_all(world: &World) -> Vec<WorkId> {
    let mut claimed = Vec::new();
    while let Some(claim) = world.store.claim(&there()).await.unwrap() {
        claimed.push(claim.id());
    }
    claimed
}

async fn p07_1_one_worker_gets_the_records_of_two_owners_in_order(backend: Backend) {
    let world = World::new(backend, Setup::default());
    let mut ids = Vec::new();
    for owner in ["bob", "anna", "bob", "anna"] {
        ids.push(world.accept_from(Source::Http, None, Some(owner)).await);
    }
    assert_eq!(claim_all(&world).await, ids);
}

async fn p07_2_a_record_without_an_owner_is_claimed_like_any_other(backend: Backend) {
    let world = World::new(backend, Setup::default());
    let anna = world.accept_from(Source::Http, None, Some("anna")).await;
    let nobody = world.accept_from(Source::Telegram, Some("chat-1"), None).await;
    let bob = world.accept_from(Source::Http, None, Some("bob")).await;
    assert_eq!(world.view(nobody).await.recording.given.owner, None);
    assert_eq!(claim_all(&world).await, [anna, nobody, bob]);
}

async fn p07_3_the_owner_survives_every_step(backend: Backend) {
    let world = World::new(backend, Setup::default());
    let anna = world.accept_from(Source::Http, None, Some("anna")).await;
    let nobody = world.accept_from(Source::Telegram, Some("chat-1"), None).await;
    for milestone in ["normalized", "submitted", "transcribed", "done"] {
        for (id, owner) in [(anna, Some("anna")), (nobody, None)] {
            // Whoever was worked on stands behind the other from now on.
            world.pass(MOMENT);
            let view = world.reach(id, milestone).await;
            assert_eq!(view.recording.given.owner.as_deref(), owner, "at {milestone}");
        }
    }
}
