//! P13: a step that is paid for outside checks what is done.

use verst_kernel::StopReason;
use verst_recordings::codes;
use verst_testkit::{Backend, Gate, Order, ScriptedProvider, World};

use crate::common::{lease, stopped, while_it_begins, with_provider};

on_every_store!(
    p13_1_what_is_recorded_as_begun_is_not_begun_again,
    p13_1_a_process_that_died_after_the_ticket_goes_on_with_it,
    p13_1_a_process_that_died_before_the_ticket_pays_no_second_time,
);

async fn p13_1_what_is_recorded_as_begun_is_not_begun_again(backend: Backend) {
    let (provider, setup) = with_provider(ScriptedProvider::new(2));
    let world = World::new(backend, setup);
    let id = world.submit().await;
    world.reach(id, "normalized").await;
    // The claim is lost while the provider answers, so the milestone is not written.
    while_it_begins(&world, &provider, async {
        world.service.stop(id, "anna").await.unwrap();
    })
    .await;
    assert_eq!(world.view(id).await.work.milestone, "normalized");
    world.service.lift(id, "anna", None).await.unwrap();
    world.reach(id, "done").await;
    assert_eq!(world.tally.of("normalized", "success"), 2, "the step ran twice");
    assert_eq!(provider.begun(), 1, "and called once");
    assert_eq!(provider.asked(), ["operation-1"; 3]);
}

/// A turn in which the process dies while the provider is about to answer.
async fn die_in_begin(world: &World, provider: &ScriptedProvider) {
    let gate = Gate::default();
    provider.order(Order::Hold(gate.clone()));
    tokio::select! {
        _ = world.turn() => panic!("the gate stayed shut"),
        () = gate.arrival() => {}
    }
}

async fn p13_1_a_process_that_died_after_the_ticket_goes_on_with_it(backend: Backend) {
    let (provider, setup) = with_provider(ScriptedProvider::new(0));
    let world = World::new(backend, setup);
    let id = world.submit().await;
    world.reach(id, "normalized").await;
    die_in_begin(&world, &provider).await;
    let attempt = world.store.open_attempt_of(id).await.unwrap().expect("written before the call");
    assert_eq!(attempt.ticket, None);
    let ticket = verst_recordings::ports::Ticket("operation-1".to_owned());
    world.store.keep_ticket(attempt.id, &ticket).await.unwrap();

    let restarted = world.another("here");
    restarted.runtime.recover().await.unwrap();
    restarted.reach(id, "done").await;
    assert_eq!(provider.begun(), 1);
    assert_eq!(provider.asked(), ["operation-1"]);
}

async fn p13_1_a_process_that_died_before_the_ticket_pays_no_second_time(backend: Backend) {
    let (provider, setup) = with_provider(ScriptedProvider::new(0));
    let world = World::new(backend, setup);
    let id = world.submit().await;
    world.reach(id, "normalized").await;
    die_in_begin(&world, &provider).await;

    let restarted = world.another("there");
    restarted.pass(lease("normalized"));
    restarted.turn().await;
    let view = restarted.view(id).await;
    assert_eq!(stopped(&view), Some(StopReason::Verdict));
    assert_eq!(view.work.stop.unwrap().failure.code, codes::UNKNOWN_SUBMISSION);
    assert_eq!(provider.begun(), 1);
}
