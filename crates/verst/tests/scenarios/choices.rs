//! Lifting where going on could pay twice or ask in vain: the person has to choose.

use std::sync::Arc;

use verst_kernel::{StopReason, WorkId};
use verst_recordings::codes;
use verst_service::{Choice, LiftError};
use verst_testkit::{Backend, Gate, Order, ScriptedProvider, World};

use crate::common::{HOUR, stopped, with_provider};

on_every_store!(
    an_unknown_submission_needs_a_choice,
    submitting_again_pays_again_because_a_person_said_so,
    keeping_waiting_finds_the_ticket_that_came_late,
    keeping_waiting_for_a_ticket_that_never_comes_ends_as_stuck,
    a_refused_operation_can_be_submitted_again,
    a_refused_operation_can_be_waited_for,
    a_ticket_that_arrives_after_the_claim_was_lost_is_kept,
);

type Peer = (Arc<ScriptedProvider>, World, WorkId);

async fn ready_to_submit(backend: Backend) -> Peer {
    let (provider, setup) = with_provider(ScriptedProvider::new(0));
    let world = World::new(backend, setup);
    let id = world.submit().await;
    world.reach(id, "normalized").await;
    (provider, world, id)
}

/// Begun, and the answer lost on the way.
async fn unknown_submission(backend: Backend) -> Peer {
    let (provider, world, id) = ready_to_submit(backend).await;
    provider.order(Order::LoseAnswer);
    world.turn().await;
    let stop = world.view(id).await.work.stop.expect("nobody may guess");
    assert_eq!(
        (stop.reason, &*stop.failure.code),
        (StopReason::Verdict, codes::UNKNOWN_SUBMISSION)
    );
    (provider, world, id)
}

/// Begun and polled, and refused.
async fn refused(backend: Backend) -> Peer {
    let (provider, world, id) = ready_to_submit(backend).await;
    world.reach(id, "submitted").await;
    provider.refuse_all();
    world.turn().await;
    let stop = world.view(id).await.work.stop.expect("refused for good");
    assert_eq!(
        (stop.reason, &*stop.failure.code),
        (StopReason::Verdict, codes::RECOGNISER_REFUSED)
    );
    (provider, world, id)
}

async fn needs_a_choice(world: &World, id: WorkId) {
    let before = (world.view(id).await, world.journal(id).await);
    let answer = world.service.lift(id, "anna", None).await;
    assert!(matches!(answer, Err(LiftError::ChoiceNeeded)), "{answer:?}");
    assert_eq!((world.view(id).await, world.journal(id).await), before, "nothing was lifted");
}

async fn an_unknown_submission_needs_a_choice(backend: Backend) {
    let (provider, world, id) = unknown_submission(backend).await;
    needs_a_choice(&world, id).await;
    assert_eq!(provider.begun(), 1);
}

async fn submitting_again_pays_again_because_a_person_said_so(backend: Backend) {
    let (provider, world, id) = unknown_submission(backend).await;
    world.service.lift(id, "anna", Some(Choice::SubmitAgain)).await.unwrap();
    world.reach(id, "done").await;
    assert_eq!((provider.begun(), provider.asked()), (2, vec!["operation-2".to_owned()]));
    assert_eq!(world.tally.of("uploaded", "success"), 1, "from normalized, not from the start");
}

async fn keeping_waiting_finds_the_ticket_that_came_late(backend: Backend) {
    let (provider, world, id) = unknown_submission(backend).await;
    world.service.lift(id, "anna", Some(Choice::KeepWaiting)).await.unwrap();
    world.turn().await;
    let work = world.view(id).await.work;
    assert_eq!(work.why.map(|w| w.code).as_deref(), Some(codes::AWAITING_TICKET));
    assert!(work.ready_at > world.now(), "it looks again later");

    let attempt = world.store.open_attempt_of(id).await.unwrap().unwrap();
    assert!(attempt.awaited);
    let ticket = verst_recordings::ports::Ticket("operation-1".to_owned());
    world.store.keep_ticket(attempt.id, &ticket).await.unwrap();
    world.reach(id, "done").await;
    assert_eq!((provider.begun(), provider.asked()), (1, vec!["operation-1".to_owned()]));
}

async fn keeping_waiting_for_a_ticket_that_never_comes_ends_as_stuck(backend: Backend) {
    let (provider, world, id) = unknown_submission(backend).await;
    world.service.lift(id, "anna", Some(Choice::KeepWaiting)).await.unwrap();
    let lifted_at = world.now();
    while stopped(&world.view(id).await).is_none() {
        world.pass_pause(id).await;
        world.turn().await;
    }
    assert_eq!(stopped(&world.view(id).await), Some(StopReason::Stuck));
    assert!(world.now().since(lifted_at) > HOUR * 24);
    assert_eq!(provider.begun(), 1);
}

async fn a_refused_operation_can_be_submitted_again(backend: Backend) {
    let (provider, world, id) = refused(backend).await;
    needs_a_choice(&world, id).await;
    world.service.lift(id, "anna", Some(Choice::SubmitAgain)).await.unwrap();
    assert_eq!(world.view(id).await.work.milestone, "normalized");
    world.reach(id, "done").await;
    assert_eq!(provider.asked(), ["operation-1", "operation-2"]);
}

async fn a_refused_operation_can_be_waited_for(backend: Backend) {
    let (provider, world, id) = refused(backend).await;
    world.service.lift(id, "anna", Some(Choice::KeepWaiting)).await.unwrap();
    assert_eq!(world.view(id).await.work.milestone, "submitted");
    world.turn().await;
    assert_eq!(provider.asked(), ["operation-1"; 2]);
    assert_eq!(provider.begun(), 1);
}

async fn a_ticket_that_arrives_after_the_claim_was_lost_is_kept(backend: Backend) {
    let (provider, world, id) = ready_to_submit(backend).await;
    let gate = Gate::default();
    provider.order(Order::Hold(gate.clone()));
    tokio::join!(world.turn(), async {
        gate.arrival().await;
        world.service.stop(id, "anna").await.unwrap();
        let attempt = world.store.open_attempt_of(id).await.unwrap().unwrap();
        assert_eq!(attempt.ticket, None);
        gate.open();
    });
    let view = world.view(id).await;
    assert_eq!((stopped(&view), &*view.work.milestone), (Some(StopReason::Person), "normalized"));
    let attempt = world.store.open_attempt_of(id).await.unwrap().unwrap();
    assert_eq!(attempt.ticket.map(|t| t.0).as_deref(), Some("operation-1"));
}
