//! Taking back what a former life held.

use std::sync::Arc;

use verst_kernel::{Change, PauseOf, Reclaimed, Wait};

use super::{SECOND, Subject, here, release, there};

/// Failures stay, the pause follows from them, others' claims are left alone.
pub async fn an_instance_takes_back_its_own_and_only_its_own(s: Subject) {
    let (ours, theirs, idle) = (s.accept().await, s.accept().await, s.accept().await);
    let held = s.hold().await;
    let taken = s.store.claim(&there()).await.unwrap().unwrap();
    assert_eq!((held.id(), taken.id()), (ours, theirs));
    let before = s.view(idle).await;

    s.clock.pass(SECOND * 10);
    // The store also asks for the longest pause there is.
    let pause: PauseOf = Arc::new(|failures: u32| SECOND * (failures.min(9) + 40));
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

/// What waits for a resource of ours is looked at at once; what pauses after a failure is not; and
/// what a clock that was ahead has put off for longer than any lease and pause is ready too.
pub async fn a_start_makes_ready_what_waits_for_us_and_what_no_clock_can_mean(s: Subject) {
    let pause: PauseOf = Arc::new(|_| SECOND * 60);
    let mut ids = Vec::new();
    for (wait, ready_in) in [
        (Wait::Begins, SECOND * 50),
        (Wait::Over, SECOND * 50),
        (Wait::Over, SECOND * 60 * 60 * 24 * 300),
    ] {
        ids.push(s.accept().await);
        let claim = s.hold().await;
        s.settle(&claim, Change { wait, ready_in, failures: 1, ..release() }).await;
    }
    s.clock.pass(SECOND);
    s.store.reclaim(&here(), pause).await.unwrap();
    let now = s.store.now().await.unwrap();
    for (id, expected) in ids.iter().zip([now, now.after(SECOND * 49), now]) {
        assert_eq!(s.view(*id).await.work.ready_at, expected, "{id}");
    }
}

/// The time of a run that brought a part of the result is not counted; that of any other is.
pub async fn a_run_that_brings_a_part_is_held(s: Subject) {
    s.accept().await;
    for (run_held, expected) in [(false, 0), (true, 7_000_000), (false, 7_000_000)] {
        let claim = s.hold().await;
        s.clock.pass(SECOND * 7);
        s.settle(&claim, Change { run_held, ..release() }).await;
        let claim = s.hold().await;
        assert_eq!(s.standing(&claim).await.unwrap().held_us, expected);
        s.settle(&claim, release()).await;
    }
}
