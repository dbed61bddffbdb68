//! Taking back what a former life held.

use std::sync::Arc;

use verst_kernel::{PauseOf, Reclaimed};

use super::{SECOND, Subject, here, there};

/// Failures stay, the pause follows from them, others' claims are left alone.
pub async fn an_instance_takes_back_its_own_and_only_its_own(s: Subject) {
    let (ours, theirs, idle) = (s.accept().await, s.accept().await, s.accept().await);
    let held = s.hold().await;
    let taken = s.store.claim(&there()).await.unwrap().unwrap();
    assert_eq!((held.id(), taken.id()), (ours, theirs));
    let before = s.view(idle).await;

    s.clock.pass(SECOND * 10);
    let pause: PauseOf = Arc::new(|failures| SECOND * (failures + 40));
    let reclaimed = s.store.reclaim(&here(), pause.clone()).await.unwrap();
    assert_eq!(reclaimed, Reclaimed(1));
    let now = s.store.now().await.unwrap();
    let work = s.view(ours).await.work;
    assert_eq!((work.held, work.failures, &*work.milestone), (false, 1, "uploaded"));
    assert_eq!(work.ready_at, now.after(SECOND * 41));
    assert_eq!(s.standing(&held).await, None);
    assert!(s.standing(&taken).await.is_some(), "theirs");
    assert_eq!(s.view(idle).await, before, "nobody's");
    assert_eq!(s.store.reclaim(&here(), pause).await.unwrap(), Reclaimed(0));
    assert_eq!(s.store.journal(ours).await.unwrap(), [], "no change of milestone");
}
