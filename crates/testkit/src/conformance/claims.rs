//! Claims: one statement that selects and marks, in a total order.

use std::collections::HashSet;
use std::time::Duration;

use futures::future::join_all;
use verst_kernel::{Change, Failure, Stop, StopReason};
use verst_recordings::LINE;

use super::{MOMENT, SECOND, Subject, advance, release, there};

/// `None`, and not an error.
pub async fn nothing_to_claim_is_an_answer(s: Subject) {
    assert_eq!(s.claim().await, None);
    s.accept().await;
    s.hold().await;
    assert_eq!(s.claim().await, None);
}

/// Whoever is ready for longest comes first; among equals the smaller id.
pub async fn order_is_ready_time_then_id(s: Subject) {
    let ids = [s.accept().await, s.accept().await, s.accept().await, s.accept().await];
    for (n, id) in ids.into_iter().enumerate() {
        let claim = s.hold().await;
        assert_eq!(claim.id(), id, "all were ready at once: by id");
        let pauses = [SECOND * 3, SECOND * 2, SECOND * 5, SECOND * 2];
        s.settle(&claim, Change { ready_in: pauses[n], ..release() }).await;
    }
    s.clock.pass(SECOND * 9);
    let mut order = Vec::new();
    while let Some(claim) = s.claim().await {
        order.push(claim.id());
    }
    assert_eq!(order, [ids[1], ids[3], ids[0], ids[2]]);
}

/// Fence and failures grow by one; holder, lease and the end of the lease stand in the row.
pub async fn a_claim_marks_the_row(s: Subject) {
    let created_at = s.store.now().await.unwrap();
    let id = s.accept().await;
    s.clock.pass(SECOND);
    let now = s.store.now().await.unwrap();
    let claim = s.hold().await;
    assert_eq!(claim.id(), id);
    let standing = s.standing(&claim).await.expect("held");
    assert_eq!((standing.id, standing.now), (id, now));
    assert_eq!((&*standing.line, &*standing.milestone), (LINE.name(), LINE.first()));
    assert_eq!((standing.entered_at, standing.tried_at), (created_at, None));
    assert_eq!((standing.failures, standing.held_us), (1, 0));
    assert_eq!(standing.last_failure, None);
    let work = s.view(id).await.work;
    assert!(work.held);
    assert_eq!(work.created_at, created_at);
    let lease = LINE.leave(LINE.first()).unwrap().lease;
    assert_eq!(work.ready_at, now.after(lease));
}

/// Neither what pauses nor what is stopped.
pub async fn what_is_not_ready_is_not_handed_out(s: Subject) {
    for _ in 0..2 {
        s.accept().await;
    }
    let (pausing, stopped) = (s.hold().await, s.hold().await);
    s.settle(&pausing, Change { ready_in: SECOND, ..release() }).await;
    let mark = Stop { reason: StopReason::Verdict, failure: Failure::new("damaged_file") };
    s.settle(&stopped, Change { stop: Some(mark), ..release() }).await;
    assert_eq!(s.claim().await, None);
    s.clock.pass(SECOND.saturating_sub(MOMENT));
    assert_eq!(s.claim().await, None);
    s.clock.pass(MOMENT);
    assert_eq!(s.hold().await.id(), pausing.id());
    s.clock.pass(Duration::from_hours(10_000));
    assert_eq!(s.hold().await.id(), pausing.id(), "its lease is over");
    assert_eq!(s.claim().await, None, "a stop is not");
}

/// Each milestone has the lease of its declaration, to the microsecond.
pub async fn a_lease_ends_at_its_moment(s: Subject) {
    s.accept().await;
    let stages = LINE.stages();
    let leaving = stages.iter().filter(|stage| stage.step.is_some());
    for stage in leaving {
        let abandoned = s.hold().await;
        assert_eq!(s.standing(&abandoned).await.unwrap().milestone, stage.name);
        s.clock.pass(stage.lease.saturating_sub(MOMENT));
        assert_eq!(s.store.claim(&there()).await.unwrap(), None, "at {}", stage.name);
        s.clock.pass(MOMENT);
        let next = s.store.claim(&there()).await.unwrap().expect("the lease is over");
        assert_eq!(s.standing(&next).await.unwrap().failures, 2, "both claims counted");
        s.settle(&next, advance(stage.next.unwrap())).await;
    }
}

/// Fifty claims at once over twenty pieces of work: each is handed out once.
pub async fn many_claims_at_once_share_nothing(s: Subject) {
    for _ in 0..20 {
        s.accept().await;
    }
    let claims = join_all((0..50).map(|_| s.claim())).await;
    let claimed: Vec<_> = claims.into_iter().flatten().map(|claim| claim.id()).collect();
    assert_eq!(claimed.len(), 20);
    assert_eq!(claimed.iter().collect::<HashSet<_>>().len(), 20);
}
