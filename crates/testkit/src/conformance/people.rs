//! A person's stop and lift.

use verst_kernel::{
    Actor, Change, Event, Failure, Lift, Lifted, NoticeKind, StopByPerson, StopReason, WorkId,
};
use verst_recordings::model::Product;
use verst_recordings::ports::{Admission, Lanes};
use verst_service::Product as AnyProduct;

use super::{SECOND, Subject, advance, here, release, there};

const AS_IT_STANDS: Lift<AnyProduct> = Lift { to: None, product: None };

/// The mark, the journal and the notice in one.
pub async fn a_stop_takes_the_work_from_its_holder(s: Subject) {
    let id = s.accept().await;
    let held = s.hold().await;
    let answer = s.store.stop(&there(), id, "anna").await.unwrap();
    let StopByPerson::Stopped(notice) = answer else { panic!("{answer:?}") };
    let failure = Failure::new(Failure::BY_PERSON);
    assert_eq!((notice.work, notice.kind), (id, NoticeKind::Stopped(failure.clone())));
    assert_eq!(s.standing(&held).await, None);
    let work = s.view(id).await.work;
    let mark = work.stop.expect("stopped");
    assert_eq!(
        (mark.reason, mark.failure, work.held),
        (StopReason::Person, failure.clone(), false)
    );
    let row = s.store.journal(id).await.unwrap().pop().expect("a row");
    assert_eq!((row.actor, row.event), (Actor::Person("anna".to_owned()), Event::Stopped));
    assert_eq!(row.failure, Some(failure));
    let left = s.store.leftover_notices(&there()).await.unwrap();
    assert_eq!(left.iter().map(|n| n.id).collect::<Vec<_>>(), [notice.id], "theirs to tell");
}

/// And leave it as it is.
pub async fn stops_answer_what_they_found(s: Subject) {
    let finished = s.accept().await;
    let claim = s.hold().await;
    s.settle(&claim, advance("done")).await;
    let stopped = s.accept().await;
    s.store.stop(&here(), stopped, "anna").await.unwrap();
    let before = (s.view(finished).await, s.view(stopped).await);
    s.clock.pass(SECOND);
    let missing = WorkId(stopped.0 + 100);
    for (id, answer) in [
        (finished, StopByPerson::Finished),
        (stopped, StopByPerson::AlreadyStopped),
        (missing, StopByPerson::Missing),
    ] {
        assert_eq!(s.store.stop(&here(), id, "boris").await.unwrap(), answer);
    }
    assert_eq!((s.view(finished).await, s.view(stopped).await), before);
    assert_eq!(s.store.journal(stopped).await.unwrap().len(), 1);
    assert_eq!(s.store.journal(finished).await.unwrap(), []);
}

/// Failures, pause, time held, tries and arrival.
pub async fn a_lift_resets_every_guard(s: Subject) {
    let id = s.accept().await;
    let claim = s.hold().await;
    let failure = Some(Failure::new("ffmpeg_failed"));
    let change = Change {
        failures: 4,
        held_us: 9,
        ready_in: SECOND * 100,
        why: failure.clone(),
        last_failure: failure,
        ..release()
    };
    s.settle(&claim, change).await;
    s.store.stop(&here(), id, "anna").await.unwrap();
    s.clock.pass(SECOND * 5);
    assert_eq!(s.store.lift(id, "boris", AS_IT_STANDS).await.unwrap(), Lifted::Lifted);

    let now = s.store.now().await.unwrap();
    let work = s.view(id).await.work;
    assert_eq!((work.stop, work.why, &*work.milestone), (None, None, "uploaded"));
    assert_eq!((work.entered_at, work.ready_at, work.failures), (now, now, 0));
    let row = s.store.journal(id).await.unwrap().pop().expect("a row");
    assert_eq!((row.actor, row.event), (Actor::Person("boris".to_owned()), Event::Lifted));
    let claim = s.hold().await;
    let standing = s.standing(&claim).await.unwrap();
    assert_eq!((standing.failures, standing.held_us, standing.tried_at), (1, 0, None));
    assert_eq!(standing.last_failure, None);
}

/// With a new attempt from an earlier milestone.
pub async fn a_lift_may_go_back_and_write(s: Subject) {
    let claim = s.hold_normalised(SECOND).await;
    let id = claim.id();
    let opened = s.store.open_attempt(&claim, "x", Lanes::Unlimited, SECOND).await.unwrap();
    assert!(matches!(opened, Admission::Opened(_)));
    s.settle(&claim, advance("submitted")).await;
    s.store.stop(&here(), id, "anna").await.unwrap();
    let lift = Lift { to: Some("normalized"), product: Some(Product::SubmitAgain.into()) };
    assert_eq!(s.store.lift(id, "anna", lift).await.unwrap(), Lifted::Lifted);
    assert_eq!(s.view(id).await.work.milestone, "normalized");
    assert_eq!(s.store.open_attempt_of(id).await.unwrap(), None);
    let row = s.store.journal(id).await.unwrap().pop().expect("a row");
    assert_eq!((row.event, &*row.milestone), (Event::Lifted, "normalized"));
}

/// And write nothing where there is nothing to lift.
pub async fn lifts_answer_what_they_found(s: Subject) {
    let claim = s.hold_normalised(SECOND).await;
    let id = claim.id();
    s.store.open_attempt(&claim, "x", Lanes::Unlimited, SECOND).await.unwrap();
    let before = s.view(id).await;
    let again = || Lift { to: Some("uploaded"), product: Some(Product::SubmitAgain.into()) };
    assert_eq!(s.store.lift(id, "anna", again()).await.unwrap(), Lifted::NotStopped);
    assert_eq!(s.view(id).await, before);
    assert!(s.store.open_attempt_of(id).await.unwrap().is_some(), "the attempt stays open");
    assert!(s.standing(&claim).await.is_some(), "its holder keeps it");
    assert_eq!(s.store.journal(id).await.unwrap(), []);
    let missing = WorkId(id.0 + 100);
    assert_eq!(s.store.lift(missing, "anna", again()).await.unwrap(), Lifted::Missing);
}
