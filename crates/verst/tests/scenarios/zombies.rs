//! Two who believe to hold the same work: only the one with the current fence is heard.

use verst_kernel::{Failure, NoticeKind};
use verst_runtime::Turn;
use verst_testkit::{Backend, Gate, ScriptedProvider, World};

use crate::common::{fail, lease, there, verdict, while_it_begins, with_bot, with_provider};

on_every_store!(
    a_zombie_that_ends_after_its_successor_is_done_changes_nothing,
    a_zombie_in_begin_keeps_its_ticket_and_leaves_the_rest_to_its_successor,
    two_runs_of_one_record_in_one_process_are_told_apart,
);

async fn a_zombie_that_ends_after_its_successor_is_done_changes_nothing(backend: Backend) {
    let (bot, setup) = with_bot();
    let world = World::new(backend, setup);
    let id = world.accept().await;
    let gate = Gate::default();
    world.script.once_held("uploaded", &gate, verdict("damaged_file"));
    let successor = async {
        gate.arrival().await;
        let other = world.another("there");
        other.pass(lease("uploaded"));
        other.reach(id, "done").await;
        let before = (other.view(id).await, other.journal(id).await, bot.letters());
        assert_eq!(before.2.len(), 1);
        gate.open();
        before
    };
    let (_, before) = tokio::join!(world.turn(), successor);
    assert_eq!((world.view(id).await, world.journal(id).await, bot.letters()), before);
}

async fn a_zombie_in_begin_keeps_its_ticket_and_leaves_the_rest_to_its_successor(backend: Backend) {
    let (provider, setup) = with_provider(ScriptedProvider::new(0));
    let world = World::new(backend, setup);
    let id = world.submit().await;
    world.reach(id, "normalized").await;
    while_it_begins(&world, &provider, async {
        world.pass(lease("normalized"));
        let taken = world.store.claim(&there()).await.unwrap().expect("the lease is over");
        assert_eq!(taken.id(), id);
    })
    .await;
    assert_eq!(world.view(id).await.work.milestone, "normalized");
    world.reach(id, "done").await;
    assert_eq!((provider.begun(), provider.asked().len()), (1, 1));
}

async fn two_runs_of_one_record_in_one_process_are_told_apart(backend: Backend) {
    let (bot, setup) = with_bot();
    let world = World::new(backend, setup);
    let id = world.accept().await;
    let (first, second) = (Gate::default(), Gate::default());
    world.script.once_held("uploaded", &first, verdict("damaged_file"));
    world.script.once_interrupted("uploaded", &second, fail("interrupted"));
    let successor = async {
        first.arrival().await;
        world.pass(lease("uploaded"));
        world.turn().await
    };
    let person = async {
        second.arrival().await;
        // The zombie ends first; the later run is still the one that a person ends.
        first.open();
        while world.tally.of("uploaded", "verdict") == 0 {
            tokio::task::yield_now().await;
        }
        assert_eq!(world.view(id).await.work.stop, None, "the zombie stopped nothing");
        world.service.stop(id, "anna").await.unwrap();
    };
    let (zombie, successor, ()) = tokio::join!(world.turn(), successor, person);
    assert_eq!((zombie, successor), (Turn::Worked, Turn::Worked));
    let kinds: Vec<_> = bot.letters().into_iter().map(|(_, letter)| letter.kind).collect();
    assert_eq!(kinds, [NoticeKind::Stopped(Failure::new(Failure::BY_PERSON))]);
    assert_eq!(world.journal(id).await.len(), 1);
}
