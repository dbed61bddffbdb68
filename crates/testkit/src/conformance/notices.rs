//! Notices: at most once, and each instance its own.

use futures::future::join_all;
use verst_kernel::{Change, Failure, NoticeId, NoticeKind, Settled};

use super::{Subject, advance, here, release, there};

/// Whoever takes it may send it; nobody else may.
pub async fn a_notice_is_taken_once(s: Subject) {
    s.accept().await;
    let claim = s.hold().await;
    let change = Change { notice: Some(NoticeKind::Done), ..advance("done") };
    let settled = s.settle(&claim, change).await;
    let Settled::Done(Some(notice)) = settled else { panic!("{settled:?}") };
    let taken = join_all((0..10).map(|_| s.store.take_notice(notice.id))).await;
    assert_eq!(taken.into_iter().filter(|t| matches!(t, Ok(true))).count(), 1);
    assert!(!s.store.take_notice(NoticeId(notice.id.0 + 100)).await.unwrap());
    assert_eq!(s.store.leftover_notices(&here()).await.unwrap(), []);
}

/// Removed as they are returned.
pub async fn leftovers_belong_to_their_instance(s: Subject) {
    let ids = [s.accept().await, s.accept().await, s.accept().await];
    let failure = Failure::new("too_long").int("limit_s", 5);
    let kinds = [NoticeKind::Done, NoticeKind::Stopped(failure), NoticeKind::Done];
    for (n, kind) in kinds.iter().enumerate() {
        let who = if n == 2 { there() } else { here() };
        let claim = s.store.claim(&who).await.unwrap().unwrap();
        let pause = std::time::Duration::from_hours(1);
        let change = Change { notice: Some(kind.clone()), ready_in: pause, ..release() };
        s.settle(&claim, change).await;
    }
    let told = |left: Vec<verst_kernel::Notice>| -> Vec<_> {
        left.into_iter().map(|n| (n.work, n.kind)).collect()
    };
    let ours = told(s.store.leftover_notices(&here()).await.unwrap());
    assert_eq!(ours, [(ids[0], kinds[0].clone()), (ids[1], kinds[1].clone())]);
    assert_eq!(s.store.leftover_notices(&here()).await.unwrap(), []);
    let theirs = told(s.store.leftover_notices(&there()).await.unwrap());
    assert_eq!(theirs, [(ids[2], kinds[2].clone())]);
}
