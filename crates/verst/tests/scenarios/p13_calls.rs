//! Parts that are had by calls of their own: none is paid for twice, and a person's word repeats
//! only the one of which nobody knows.

use std::sync::Arc;

use verst_kernel::{Failure, StopReason, WorkId};
use verst_recordings::codes;
use verst_recordings::ports::{Codec, Obstacle, Recogniser};
use verst_service::{Choice, LiftError};
use verst_testkit::{Backend, Gate, Ring, ScriptedCaller, ScriptedProvider, Setup, World};

use crate::common::{lease, stopped};

on_every_store!(
    p13_2_a_process_that_died_during_a_call_has_a_person_repeat_that_part_alone,
    p13_3_a_lost_answer_of_a_free_recogniser_is_asked_for_again,
    an_answer_that_comes_after_a_persons_stop_is_kept,
    a_call_that_certainly_was_not_made_is_made_again,
    a_refused_part_is_called_for_again_and_the_others_stay,
    a_recording_decoded_for_another_recogniser_is_decoded_anew,
);

type Peer = (Arc<ScriptedCaller>, World, WorkId);

async fn submitted(backend: Backend, caller: ScriptedCaller) -> Peer {
    let caller = Arc::new(caller);
    let recognisers: Vec<Arc<dyn Recogniser>> = vec![caller.clone()];
    let world = World::new(backend, Setup { recognisers, ..Setup::default() });
    let id = world.submit().await;
    world.reach(id, "submitted").await;
    (caller, world, id)
}

/// A turn in which the process dies while the provider is about to answer.
async fn die_in_call(world: &World, caller: &ScriptedCaller) {
    let gate = Gate::default();
    caller.order(Ring::Hold(gate.clone()));
    tokio::select! {
        _ = world.turn() => panic!("the gate stayed shut"),
        () = gate.arrival() => {}
    }
}

async fn text(world: &World, id: WorkId) -> String {
    world.store.transcript(id).await.unwrap().expect("there is a text").text()
}

async fn is_unknown(world: &World, id: WorkId, part: u32) {
    let stop = world.view(id).await.work.stop.expect("nobody may guess");
    assert_eq!(stop.reason, StopReason::Verdict);
    let unknown = Failure::new(codes::UNKNOWN_SUBMISSION);
    assert_eq!(stop.failure, codes::of_part(unknown, part));
}

async fn p13_2_a_process_that_died_during_a_call_has_a_person_repeat_that_part_alone(
    backend: Backend,
) {
    let (caller, world, id) = submitted(backend, ScriptedCaller::new(3)).await;
    world.turn().await;
    die_in_call(&world, &caller).await;

    let restarted = world.another("there");
    restarted.pass(lease("submitted"));
    restarted.turn().await;
    is_unknown(&restarted, id, 1).await;
    assert_eq!(caller.heard(), [0, 1]);
    for choice in [None, Some(Choice::KeepWaiting)] {
        let answer = restarted.service.lift(id, "anna", choice).await;
        assert!(matches!(answer, Err(LiftError::OnlyAgain)), "{answer:?}");
    }
    restarted.service.lift(id, "anna", Some(Choice::SubmitAgain)).await.unwrap();
    restarted.reach(id, "done").await;
    assert_eq!(caller.heard(), [0, 1, 1, 2], "that part alone was paid for twice");
    assert_eq!(text(&restarted, id).await, "part 0 part 1 part 2");
}

async fn p13_3_a_lost_answer_of_a_free_recogniser_is_asked_for_again(backend: Backend) {
    let (caller, world, id) = submitted(backend, ScriptedCaller::free(2)).await;
    caller.order(Ring::LoseAnswer);
    world.turn().await;
    assert_eq!(world.view(id).await.work.failures, 1);
    world.pass_pause(id).await;
    die_in_call(&world, &caller).await;
    let restarted = world.another("there");
    restarted.pass(lease("submitted"));
    restarted.reach(id, "done").await;
    assert_eq!(caller.heard(), [0, 0, 0, 1]);
    assert_eq!(text(&restarted, id).await, "part 0 part 1");
}

async fn an_answer_that_comes_after_a_persons_stop_is_kept(backend: Backend) {
    let (caller, world, id) = submitted(backend, ScriptedCaller::new(2)).await;
    let gate = Gate::default();
    caller.order(Ring::Hold(gate.clone()));
    tokio::join!(world.turn(), async {
        gate.arrival().await;
        world.service.stop(id, "anna").await.unwrap();
        gate.open();
    });
    assert_eq!(stopped(&world.view(id).await), Some(StopReason::Person));
    world.service.lift(id, "anna", None).await.unwrap();
    world.reach(id, "done").await;
    assert_eq!(caller.heard(), [0, 1], "nothing was paid for twice");
    assert_eq!(text(&world, id).await, "part 0 part 1");
}

async fn a_call_that_certainly_was_not_made_is_made_again(backend: Backend) {
    let (caller, world, id) = submitted(backend, ScriptedCaller::new(2)).await;
    let delay = ScriptedProvider::POLL;
    let failed = Failure::new(codes::PROVIDER_FAILED);
    for obstacle in [
        Obstacle::Paused { delay, failure: Failure::new(codes::PROVIDER_PAUSED) },
        Obstacle::Busy { delay },
        Obstacle::Failed(failed),
    ] {
        caller.order(Ring::Decline(obstacle));
        world.turn().await;
        assert_eq!(world.view(id).await.work.stop, None);
        let attempt = world.store.open_attempt_of(id).await.unwrap().unwrap();
        assert_eq!(world.store.calls(attempt.id).await.unwrap(), [], "a definite no closes it");
        world.pass_pause(id).await;
    }
    world.reach(id, "done").await;
    assert_eq!(caller.heard(), [0, 1]);
}

async fn a_refused_part_is_called_for_again_and_the_others_stay(backend: Backend) {
    let (caller, world, id) = submitted(backend, ScriptedCaller::new(2)).await;
    world.turn().await;
    let refused = Failure::new(codes::RECOGNISER_REFUSED);
    caller.order(Ring::Decline(Obstacle::Refused(refused.clone())));
    world.turn().await;
    let stop = world.view(id).await.work.stop.expect("refused");
    assert_eq!(stop.failure, codes::of_part(refused, 1));
    world.service.lift(id, "anna", Some(Choice::SubmitAgain)).await.unwrap();
    world.reach(id, "done").await;
    assert_eq!(caller.heard(), [0, 1]);
}

/// The setting was changed while it waited for its turn.
async fn a_recording_decoded_for_another_recogniser_is_decoded_anew(backend: Backend) {
    let decoded_for = Arc::new(ScriptedProvider::new(0));
    let chosen = Arc::new(ScriptedCaller::free(1).taking(Codec::Pcm16k));
    let before: Vec<Arc<dyn Recogniser>> = vec![decoded_for.clone(), chosen.clone()];
    let world = World::new(backend, Setup { recognisers: before, ..Setup::default() });
    let id = world.submit().await;
    let key = |view: verst_service::View| view.recording.audio.unwrap().key;
    let first = key(world.reach(id, "normalized").await);
    assert_eq!(first.rsplit('.').next(), Some("ogg"), "{first}");

    let after = world.another_with("here", vec![chosen.clone(), decoded_for.clone()]);
    let second = key(after.reach(id, "submitted").await);
    assert_eq!(second.rsplit('.').next(), Some("s16"), "{second}");
    after.reach(id, "done").await;
    assert_eq!((decoded_for.begun(), chosen.heard()), (0, vec![0]));
}
