//! P04: abandoned work returns.

use verst_runtime::Turn;
use verst_testkit::{Backend, Setup, World};

use crate::common::{HOUR, MOMENT, lease, there};

on_every_store!(
    p04_1_when_the_lease_is_over_the_next_claim_gets_the_record,
    p04_2_the_lease_counts_from_the_claim_in_the_stores_own_time,
    p04_3_each_row_carries_the_lease_of_its_own_milestone,
);

async fn p04_1_when_the_lease_is_over_the_next_claim_gets_the_record(backend: Backend) {
    let world = World::new(backend, Setup::default());
    let id = world.accept().await;
    let abandoned = world.store.claim(&there()).await.unwrap().unwrap();
    world.pass(lease("uploaded") + HOUR);
    assert_eq!(world.turn().await, Turn::Worked);
    assert_eq!(world.view(id).await.work.milestone, "normalized");
    assert_eq!(world.store.standing(&abandoned).await.unwrap(), None);
}

async fn p04_2_the_lease_counts_from_the_claim_in_the_stores_own_time(backend: Backend) {
    let world = World::new(backend, Setup::default());
    let id = world.accept().await;
    // The claim comes at another time than the record, so that the two cannot be confused.
    world.pass(HOUR * 5);
    let claimed_at = world.store.now().await.unwrap();
    world.store.claim(&there()).await.unwrap().unwrap();
    let view = world.view(id).await;
    assert!(view.work.held);
    assert_eq!(view.work.created_at.after(HOUR * 5), claimed_at);
    assert_eq!(view.work.ready_at, claimed_at.after(lease("uploaded")));

    world.pass(lease("uploaded").saturating_sub(MOMENT));
    assert_eq!(world.turn().await, Turn::Idle);
    world.pass(MOMENT);
    assert_eq!(world.turn().await, Turn::Worked);
}

async fn p04_3_each_row_carries_the_lease_of_its_own_milestone(backend: Backend) {
    let world = World::new(backend, Setup::default());
    let ahead = world.accept().await;
    world.reach(ahead, "submitted").await;
    let behind = world.accept().await;
    let (short, long) = (lease("submitted"), lease("uploaded"));
    assert!(short < long, "the two milestones differ");

    for _ in 0..2 {
        world.store.claim(&there()).await.unwrap().expect("both are ready");
    }
    let now = world.now();
    for (id, lease) in [(ahead, short), (behind, long)] {
        assert_eq!(world.view(id).await.work.ready_at, now.after(lease));
    }
    world.pass(short.saturating_sub(MOMENT));
    assert_eq!(world.store.claim(&there()).await.unwrap(), None);
    world.pass(MOMENT);
    assert_eq!(world.store.claim(&there()).await.unwrap().map(|c| c.id()), Some(ahead));
    world.pass(long.saturating_sub(short + MOMENT));
    // The other one's second lease is over by now; what matters is who is not handed out.
    let next = world.store.claim(&there()).await.unwrap().map(|c| c.id());
    assert_eq!((next, world.store.claim(&there()).await.unwrap()), (Some(ahead), None));
    world.pass(MOMENT);
    assert_eq!(world.store.claim(&there()).await.unwrap().map(|c| c.id()), Some(behind));
}
