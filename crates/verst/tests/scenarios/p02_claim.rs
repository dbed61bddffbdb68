//! P02: a claim is indivisible.

use std::sync::{Arc, Barrier, Mutex};
use std::thread;
use verst_store::Store;

use tokio::runtime::Builder;
use verst_kernel::{Claim, Instance};
use verst_runtime::Turn;
use verst_testkit::{Backend, Setup, World, act};

use crate::common::{HOUR, MOMENT, lease, there};

on_every_store!(
    p02_1_of_three_simultaneous_claims_exactly_one_wins,
    p02_1_of_three_threads_exactly_one_wins,
    p02_1_of_three_processes_exactly_one_wins,
    p02_2_a_claimed_record_is_not_handed_out_before_its_lease_ends,
    p02_2_an_instance_that_restarts_takes_its_own_claims_back,
    p02_3_a_claim_is_an_id_and_a_token_and_the_step_reads_the_rest,
    p02_4_after_a_lift_the_next_claim_has_another_token,
);

fn winners(claims: [Option<Claim>; 3]) -> usize {
    claims.into_iter().flatten().count()
}

async fn p02_1_of_three_simultaneous_claims_exactly_one_wins(backend: Backend) {
    let world = World::new(backend, Setup::default());
    let (store, who) = (&world.store, there());
    for _ in 0..10 {
        world.accept().await;
        let (a, b, c) = tokio::join!(store.claim(&who), store.claim(&who), store.claim(&who));
        assert_eq!(winners([a.unwrap(), b.unwrap(), c.unwrap()]), 1);
    }
}

async fn p02_1_of_three_threads_exactly_one_wins(backend: Backend) {
    let world = World::new(backend, Setup::default());
    let stores = [world.store.clone(), world.store.clone(), world.store.clone()];
    for _ in 0..10 {
        world.accept().await;
        assert_eq!(winners(at_once(&stores)), 1);
    }
}

async fn p02_1_of_three_processes_exactly_one_wins(backend: Backend) {
    let world = World::new(backend, Setup::default());
    let (second, third) = (world.another("second"), world.another("third"));
    let stores = [world.store.clone(), second.store.clone(), third.store.clone()];
    for _ in 0..10 {
        world.accept().await;
        assert_eq!(winners(at_once(&stores)), 1);
    }
}

/// Three claims from three threads that start together.
fn at_once(stores: &[Arc<dyn Store>; 3]) -> [Option<Claim>; 3] {
    let start = Barrier::new(3);
    thread::scope(|scope| {
        let threads = stores.each_ref().map(|store| {
            let start = &start;
            scope.spawn(move || {
                let alone = Builder::new_current_thread().build().unwrap();
                start.wait();
                alone.block_on(store.claim(&there())).unwrap()
            })
        });
        threads.map(|thread| thread.join().unwrap())
    })
}

async fn p02_2_a_claimed_record_is_not_handed_out_before_its_lease_ends(backend: Backend) {
    let world = World::new(backend, Setup::default());
    world.accept().await;
    let held = world.store.claim(&there()).await.unwrap();
    assert!(held.is_some());
    assert_eq!(world.turn().await, Turn::Idle);
    world.pass(lease("uploaded").saturating_sub(MOMENT));
    assert_eq!(world.turn().await, Turn::Idle);
    assert_eq!(world.script.runs(), [""; 0]);
}

async fn p02_2_an_instance_that_restarts_takes_its_own_claims_back(backend: Backend) {
    let world = World::new(backend, Setup::default());
    let (ours, theirs) = (world.accept().await, world.accept().await);
    let here = Instance("here".to_owned());
    let claimed = world.store.claim(&here).await.unwrap().unwrap();
    assert_eq!(claimed.id(), ours);
    assert_eq!(world.store.claim(&there()).await.unwrap().unwrap().id(), theirs);

    let restarted = world.another("here");
    restarted.runtime.recover().await.unwrap();
    assert_eq!(restarted.turn().await, Turn::Idle, "the death was an attempt and has its pause");
    restarted.pass(world.runtime.limits.pause_cap);
    assert_eq!(restarted.turn().await, Turn::Worked);
    assert_eq!(restarted.view(ours).await.work.milestone, "normalized");
    assert!(restarted.view(theirs).await.work.held, "what another holds stays theirs");
}

async fn p02_3_a_claim_is_an_id_and_a_token_and_the_step_reads_the_rest(backend: Backend) {
    let world = World::new(backend, Setup::default());
    let id = world.accept().await;
    let read = Arc::new(Mutex::new(Vec::new()));
    let (store, kept) = (world.store.clone(), read.clone());
    world.script.once_do(
        "uploaded",
        act(move |visit| {
            let (store, kept) = (store.clone(), kept.clone());
            Box::pin(async move {
                let row = store.recording(visit.claim.id()).await.unwrap().unwrap();
                let standing = store.standing(visit.claim).await.unwrap();
                kept.lock().unwrap().push((row, standing.as_ref() == Some(visit.standing)));
                crate::common::fail("enough")
            })
        }),
    );
    let before = world.view(id).await;
    world.turn().await;
    assert_eq!(*read.lock().unwrap(), [(before.recording, true)]);

    // The value itself has nothing but the two.
    world.pass(HOUR / 2);
    let Some(claim) = world.store.claim(&there()).await.unwrap() else { panic!("ready again") };
    assert_eq!(format!("{claim:?}"), format!("Claim {{ id: {id:?}, fence: {:?} }}", claim.fence()));
}

async fn p02_4_after_a_lift_the_next_claim_has_another_token(backend: Backend) {
    let world = World::new(backend, Setup::default());
    let id = world.accept().await;
    let first = world.store.claim(&there()).await.unwrap().unwrap();
    world.service.stop(id, "anna").await.unwrap();
    world.service.lift(id, "anna", None).await.unwrap();
    let second = world.store.claim(&there()).await.unwrap().unwrap();
    assert_eq!((first.id(), second.id()), (id, id));
    assert_ne!(first.fence(), second.fence());
    assert_eq!(world.store.standing(&first).await.unwrap(), None);
    assert!(world.store.standing(&second).await.unwrap().is_some());
}
