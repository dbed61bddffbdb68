//! Calls for parts: on record before they are made, answered once.

use verst_kernel::{Claim, Failure, Lift, StoreError};
use verst_recordings::model::{AttemptId, CallId, Product};
use verst_recordings::ports::{Admission, Call, Lanes, Part};
use verst_recordings::transcript::Segment;

use super::{SECOND, Subject, here};

const fn call(index: u32) -> Call {
    let from_ms = index as u64 * 1000;
    Call { index, from_ms, until_ms: from_ms + 1000 }
}

fn part(index: u32, text: &str) -> Part {
    let (start_ms, end_ms) = (u64::from(index) * 1000, u64::from(index) * 1000 + 500);
    let segment = Segment { start_ms, end_ms, text: text.to_owned(), speaker: None };
    Part { index, segments: vec![segment], language: Some("ru".to_owned()) }
}

async fn begun(s: &Subject) -> (Claim, AttemptId) {
    let claim = s.hold_normalised(SECOND).await;
    let admission = s.store.open_attempt(&claim, "x", Lanes::Unlimited, SECOND).await.unwrap();
    let Admission::Opened(attempt) = admission else { panic!("{admission:?}") };
    (claim, attempt)
}

async fn opened(s: &Subject, claim: &Claim, attempt: AttemptId, index: u32) -> CallId {
    s.store.open_call(claim, attempt, call(index)).await.unwrap().expect("the claim is held")
}

/// What is on record: each call with whether it is answered.
async fn recorded(s: &Subject, attempt: AttemptId) -> Vec<(CallId, Call, bool)> {
    let calls = s.store.calls(attempt).await.unwrap();
    calls.into_iter().map(|it| (it.id, it.call, it.answered)).collect()
}

/// Whoever lost the claim makes no call.
pub async fn a_call_is_on_record_under_the_fence(s: Subject) {
    let (claim, attempt) = begun(&s).await;
    assert_eq!(recorded(&s, attempt).await, []);
    let first = opened(&s, &claim, attempt, 0).await;
    assert_eq!(recorded(&s, attempt).await, [(first, call(0), false)]);
    s.store.keep_answer(attempt, first, &part(0, "one")).await.unwrap();
    s.store.stop(&here(), claim.id(), "anna").await.unwrap();
    assert_eq!(s.store.open_call(&claim, attempt, call(1)).await.unwrap(), None);
    assert_eq!(recorded(&s, attempt).await, [(first, call(0), true)]);
}

/// The next one waits for the answer, or the end, of the one before.
pub async fn one_call_is_open_at_a_time(s: Subject) {
    let (claim, attempt) = begun(&s).await;
    let first = opened(&s, &claim, attempt, 0).await;
    let second = s.store.open_call(&claim, attempt, call(1)).await;
    assert!(matches!(second, Err(StoreError::Refused(_))), "{second:?}");
    let failure = Failure::new("provider_failed");
    s.store.note(&claim, Product::CallClosed { call: first, failure }).await.unwrap();
    assert_eq!(recorded(&s, attempt).await, []);
    let again = opened(&s, &claim, attempt, 0).await;
    assert_ne!(again, first);
    s.store.keep_answer(attempt, again, &part(0, "one")).await.unwrap();
    let next = opened(&s, &claim, attempt, 1).await;
    assert_eq!(recorded(&s, attempt).await, [(again, call(0), true), (next, call(1), false)]);
    // What is answered cannot be closed any more.
    let failure = Failure::new("provider_failed");
    s.store.note(&claim, Product::CallClosed { call: again, failure }).await.unwrap();
    assert_eq!(recorded(&s, attempt).await[0], (again, call(0), true));
}

/// A part that was paid for is kept, whoever holds the work by now.
pub async fn an_answer_is_kept_after_the_claim_was_lost(s: Subject) {
    let (claim, attempt) = begun(&s).await;
    let first = opened(&s, &claim, attempt, 0).await;
    s.store.stop(&here(), claim.id(), "anna").await.unwrap();
    s.store.keep_answer(attempt, first, &part(0, "late")).await.unwrap();
    assert_eq!(s.store.parts(attempt).await.unwrap(), [part(0, "late")]);
    assert_eq!(recorded(&s, attempt).await, [(first, call(0), true)]);
}

/// It is kept at once, and offered again with the deferral.
pub async fn an_answer_counts_once(s: Subject) {
    let (claim, attempt) = begun(&s).await;
    let first = opened(&s, &claim, attempt, 0).await;
    s.store.keep_answer(attempt, first, &part(0, "first")).await.unwrap();
    let again = Product::Answered { attempt, call: first, part: part(0, "second") };
    s.store.note(&claim, again).await.unwrap();
    s.store.keep_answer(attempt, first, &part(0, "third")).await.unwrap();
    assert_eq!(s.store.parts(attempt).await.unwrap(), [part(0, "first")]);
    let second = opened(&s, &claim, attempt, 1).await;
    let answered = Product::Answered { attempt, call: second, part: part(1, "next") };
    s.store.note(&claim, answered).await.unwrap();
    assert_eq!(s.store.parts(attempt).await.unwrap(), [part(0, "first"), part(1, "next")]);
}

/// A person has decided meanwhile, or the attempt is over.
pub async fn an_answer_to_what_is_closed_changes_nothing(s: Subject) {
    let (claim, attempt) = begun(&s).await;
    let given_up = opened(&s, &claim, attempt, 0).await;
    s.store.note(&claim, Product::CallAgain).await.unwrap();
    s.store.keep_answer(attempt, given_up, &part(0, "late")).await.unwrap();
    assert_eq!(s.store.parts(attempt).await.unwrap(), []);

    let open = opened(&s, &claim, attempt, 0).await;
    s.store.note(&claim, Product::SubmitAgain).await.unwrap();
    s.store.keep_answer(attempt, open, &part(0, "late")).await.unwrap();
    assert_eq!(s.store.parts(attempt).await.unwrap(), []);
}

/// Parts that are kept stay, and so do the calls of other recordings.
pub async fn calling_again_closes_what_has_no_answer(s: Subject) {
    let (claim, attempt) = begun(&s).await;
    let first = opened(&s, &claim, attempt, 0).await;
    s.store.keep_answer(attempt, first, &part(0, "kept")).await.unwrap();
    opened(&s, &claim, attempt, 1).await;
    let (other, theirs) = begun(&s).await;
    let open = opened(&s, &other, theirs, 0).await;

    s.store.stop(&here(), claim.id(), "anna").await.unwrap();
    let lift = Lift { to: None, product: Some(Product::CallAgain.into()) };
    s.store.lift(claim.id(), "anna", lift).await.unwrap();
    assert_eq!(recorded(&s, attempt).await, [(first, call(0), true)]);
    assert_eq!(s.store.parts(attempt).await.unwrap(), [part(0, "kept")]);
    assert_eq!(recorded(&s, theirs).await, [(open, call(0), false)]);
    assert!(s.store.open_attempt_of(claim.id()).await.unwrap().is_some());
    // Nor may one recording close another's.
    let failure = Failure::new("provider_failed");
    let held = s.hold().await;
    assert_eq!(held.id(), claim.id());
    s.store.note(&held, Product::CallClosed { call: open, failure }).await.unwrap();
    assert_eq!(recorded(&s, theirs).await, [(open, call(0), false)]);
}
