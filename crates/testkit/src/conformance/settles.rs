//! Settling: each kind of change, to the column.

use verst_kernel::{
    Actor, Change, Entry, Event, Failure, NoticeKind, Settled, Stop, StopReason, Wait,
};
use verst_recordings::model::Product;

use super::{SECOND, Subject, advance, normalised, release};

fn us(seconds: u32) -> i64 {
    i64::from(seconds) * 1_000_000
}

/// Arrival is now; time held, tries and failures belong to the milestone before.
pub async fn an_advance_resets_what_belongs_to_the_milestone(s: Subject) {
    let id = s.accept().await;
    let claim = s.hold().await;
    s.settle(&claim, Change { held_us: us(5), failures: 3, ..release() }).await;
    let claim = s.hold().await;
    s.clock.pass(SECOND * 7);
    let change = Change {
        product: Some(normalised(SECOND).into()),
        journal: Some(("normalise", Event::Advanced)),
        ..advance("normalized")
    };
    assert_eq!(s.settle(&claim, change).await, Settled::Done(None));
    let now = s.store.now().await.unwrap();
    let view = s.view(id).await;
    assert_eq!((&*view.work.milestone, view.work.entered_at), ("normalized", now));
    assert_eq!((view.work.ready_at, view.work.failures, view.work.held), (now, 0, false));
    assert_eq!(view.recording.audio.map(|a| a.key).as_deref(), Some("normalised/x"));
    let actor = Actor::Step("normalise".to_owned());
    assert_eq!(
        s.store.journal(id).await.unwrap(),
        [Entry {
            at: now,
            actor,
            event: Event::Advanced,
            milestone: "normalized".to_owned(),
            duration: SECOND * 7,
            failure: None,
        }]
    );
    let claim = s.hold().await;
    let standing = s.standing(&claim).await.unwrap();
    assert_eq!((standing.held_us, standing.tried_at, standing.failures), (0, None, 1));
}

/// Only the pause and the try are written.
pub async fn a_deferral_moves_nothing(s: Subject) {
    let id = s.accept().await;
    let before = s.view(id).await.work;
    let claim = s.hold().await;
    s.clock.pass(SECOND);
    let tried_at = s.store.now().await.unwrap();
    let why = Failure::new("recognising").int("percent", 40);
    s.settle(&claim, Change { ready_in: SECOND * 30, why: Some(why.clone()), ..release() }).await;
    let work = s.view(id).await.work;
    assert_eq!((&work.milestone, work.entered_at), (&before.milestone, before.entered_at));
    assert_eq!((work.ready_at, work.failures), (tried_at.after(SECOND * 30), 0));
    assert_eq!((work.why, work.held, work.stop), (Some(why), false, None));
    assert_eq!(s.store.journal(id).await.unwrap(), []);
    s.clock.pass(SECOND * 30);
    let claim = s.hold().await;
    assert_eq!(s.standing(&claim).await.unwrap().tried_at, Some(tried_at));
}

/// The time held adds up, and an earlier try stays as it was.
pub async fn busy_is_held_apart_and_no_try(s: Subject) {
    s.accept().await;
    let busy = |seconds| Change { held_us: us(seconds), tried: false, ..release() };
    let mut claim = s.hold().await;
    s.settle(&claim, busy(2)).await;
    claim = s.hold().await;
    let standing = s.standing(&claim).await.unwrap();
    assert_eq!((standing.held_us, standing.tried_at), (us(2), None));
    let tried_at = s.store.now().await.unwrap();
    s.settle(&claim, release()).await;
    s.clock.pass(SECOND);
    claim = s.hold().await;
    s.settle(&claim, busy(3)).await;
    claim = s.hold().await;
    let standing = s.standing(&claim).await.unwrap();
    assert_eq!((standing.held_us, standing.tried_at), (us(5), Some(tried_at)));
}

/// It is over unless the change says otherwise; a claim without a result leaves it alone.
pub async fn a_wait_begins_goes_on_and_ends(s: Subject) {
    let id = s.accept().await;
    let mut since = None;
    for (wait, over) in [
        (Wait::Over, true),
        (Wait::GoesOn, true),
        (Wait::Begins, false),
        (Wait::GoesOn, false),
        (Wait::Begins, false),
        (Wait::Over, true),
        (Wait::Begins, false),
    ] {
        s.clock.pass(SECOND);
        let claimed_at = s.store.now().await.unwrap();
        let claim = s.hold().await;
        s.clock.pass(SECOND);
        let standing = s.standing(&claim).await.unwrap();
        assert_eq!((standing.waiting_since, standing.claimed_at), (since, claimed_at));
        s.settle(&claim, Change { wait, ..release() }).await;
        if wait == Wait::Begins {
            since = Some(s.store.now().await.unwrap());
        }
        if over {
            since = None;
        }
    }
    s.store.stop(&super::here(), id, "anna").await.unwrap();
    let lift = verst_kernel::Lift { to: None, product: None };
    s.store.lift(id, "anna", lift).await.unwrap();
    let claim = s.hold().await;
    assert_eq!(s.standing(&claim).await.unwrap().waiting_since, None, "a lift ends it");
    s.settle(&claim, Change { wait: Wait::Begins, ..release() }).await;
    let claim = s.hold().await;
    s.settle(&claim, advance("normalized")).await;
    let claim = s.hold().await;
    assert_eq!(s.standing(&claim).await.unwrap().waiting_since, None, "an advance does");
}

/// A mark with its time, reason and text; and a notice for the sender.
pub async fn a_stop_keeps_the_milestone(s: Subject) {
    for reason in StopReason::ALL {
        let id = s.accept().await;
        let claim = s.hold().await;
        s.clock.pass(SECOND);
        let failure = Failure::new("too_long").int("limit_s", 9);
        let kind = NoticeKind::Stopped(failure.clone());
        let change = Change {
            stop: Some(Stop { reason, failure: failure.clone() }),
            journal: Some(("normalise", Event::Stopped)),
            notice: Some(kind.clone()),
            ..release()
        };
        let settled = s.settle(&claim, change).await;
        let Settled::Done(Some(notice)) = settled else { panic!("{settled:?}") };
        assert_eq!((notice.work, notice.kind), (id, kind));
        let work = s.view(id).await.work;
        let mark = work.stop.expect("the mark is set");
        assert_eq!((mark.at, mark.reason), (s.store.now().await.unwrap(), reason));
        assert_eq!((mark.failure, &*work.milestone), (failure.clone(), "uploaded"));
        let row = s.store.journal(id).await.unwrap().pop().expect("a row");
        assert_eq!((row.event, row.failure), (Event::Stopped, Some(failure)));
        assert_eq!(row.milestone, "uploaded");
        assert_eq!(s.claim().await, None);
    }
}

/// What failed last is read back by the next holder.
pub async fn failures_and_reasons_read_back(s: Subject) {
    let id = s.accept().await;
    let failure = Failure::new("ffmpeg_failed").int("status", -9).term("signal", "SIGSEGV «x»");
    let claim = s.hold().await;
    let change = Change {
        failures: 1,
        why: Some(failure.clone()),
        last_failure: Some(failure.clone()),
        ..release()
    };
    s.settle(&claim, change).await;
    assert_eq!(s.view(id).await.work.why.as_ref(), Some(&failure));
    let claim = s.hold().await;
    let standing = s.standing(&claim).await.unwrap();
    assert_eq!((standing.failures, standing.last_failure), (2, Some(failure)));
    s.settle(&claim, release()).await;
    let claim = s.hold().await;
    let standing = s.standing(&claim).await.unwrap();
    assert_eq!((standing.failures, standing.last_failure), (1, None));
}

/// And its end is told.
pub async fn the_end_of_the_road_is_never_claimed(s: Subject) {
    let id = s.accept().await;
    let claim = s.hold().await;
    let change = Change {
        product: Some(Product::Finished { original_deleted: true }.into()),
        notice: Some(NoticeKind::Done),
        ..advance("done")
    };
    let settled = s.settle(&claim, change).await;
    assert!(
        matches!(settled, Settled::Done(Some(n)) if n.work == id && n.kind == NoticeKind::Done)
    );
    s.clock.pass(SECOND * 1_000_000);
    assert_eq!(s.claim().await, None);
}
