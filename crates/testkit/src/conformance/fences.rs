//! Fences: they only grow, and whoever has an old one is a stranger.

use std::sync::Arc;
use std::time::Duration;

use verst_kernel::{Claim, Fence, Lift, Noted, Settled, give_back};
use verst_recordings::LINE;
use verst_recordings::ports::{Admission, Lanes};

use super::{SECOND, Subject, advance, here, normalised, release, there};

/// One way to lose a claim.
#[derive(Clone, Copy, Debug)]
enum Loss {
    Settled,
    LeaseTaken,
    Reclaimed,
    Stopped,
    Lifted,
}

const LOSSES: [Loss; 5] =
    [Loss::Settled, Loss::LeaseTaken, Loss::Reclaimed, Loss::Stopped, Loss::Lifted];

async fn lose(s: &Subject, claim: &Claim, how: Loss) {
    let id = claim.id();
    match how {
        Loss::Settled => {
            s.settle(claim, release()).await;
        }
        Loss::LeaseTaken => {
            s.clock.pass(LINE.leave(LINE.first()).unwrap().lease);
            s.store.claim(&there()).await.unwrap().expect("the lease is over");
        }
        Loss::Reclaimed => {
            s.store.reclaim(&here(), Arc::new(|_| Duration::ZERO)).await.unwrap();
        }
        Loss::Stopped => {
            s.store.stop(&here(), id, "anna").await.unwrap();
        }
        Loss::Lifted => {
            s.store.stop(&here(), id, "anna").await.unwrap();
            s.store.lift(id, "anna", Lift { to: None, product: None }).await.unwrap();
        }
    }
}

/// Over every verb that moves it.
pub async fn the_fence_grows_and_never_repeats(s: Subject) {
    s.accept().await;
    let mut fences: Vec<Fence> = Vec::new();
    // The claim that follows moves it, too; and so does the lift that follows a stop.
    let moves = |how| if matches!(how, Loss::Stopped | Loss::Lifted) { 3 } else { 2 };
    for how in LOSSES {
        let claim = s.hold().await;
        fences.push(claim.fence());
        lose(&s, &claim, how).await;
        match how {
            Loss::LeaseTaken => s.clock.pass(LINE.leave(LINE.first()).unwrap().lease),
            Loss::Stopped => {
                let lift = Lift { to: None, product: None };
                s.store.lift(claim.id(), "anna", lift).await.unwrap();
            }
            Loss::Settled | Loss::Reclaimed | Loss::Lifted => {}
        }
        let next = s.hold().await;
        let grown = next.fence().0 - claim.fence().0;
        assert!(grown >= moves(how), "{how:?}: every verb counts, got {grown}");
        fences.push(next.fence());
        s.settle(&next, release()).await;
    }
    assert!(fences.is_sorted_by(|a, b| a < b), "{fences:?}");
}

/// Whichever way the claim was lost.
pub async fn a_stale_holder_reads_and_writes_nothing(s: Subject) {
    for how in LOSSES {
        let id = s.accept().await;
        let stale = s.hold().await;
        assert_eq!(stale.id(), id);
        lose(&s, &stale, how).await;
        let before = (s.view(id).await, s.store.journal(id).await.unwrap());
        assert_eq!(s.standing(&stale).await, None, "{how:?}");
        let note = s.store.note(&stale, normalised(SECOND)).await.unwrap();
        assert_eq!(note, Noted::Lost, "{how:?}");
        let change = verst_kernel::Change {
            product: Some(normalised(SECOND).into()),
            journal: Some(("normalise", verst_kernel::Event::Advanced)),
            notice: Some(verst_kernel::NoticeKind::Done),
            ..advance("normalized")
        };
        assert_eq!(s.settle(&stale, change).await, Settled::Lost, "{how:?}");
        let admission = s.store.open_attempt(&stale, "x", Lanes::Unlimited, SECOND).await.unwrap();
        assert_eq!(admission, Admission::Lost, "{how:?}");
        assert_eq!(s.store.open_attempt_of(id).await.unwrap(), None, "{how:?}");
        assert_eq!((s.view(id).await, s.store.journal(id).await.unwrap()), before, "{how:?}");
        s.store.stop(&here(), id, "anna").await.unwrap();
    }
    let told = s.store.leftover_notices(&here()).await.unwrap();
    assert!(told.iter().all(|n| n.kind != verst_kernel::NoticeKind::Done), "{told:?}");
}

/// A service that stops gives back what is still its own.
pub async fn a_stale_holder_gives_nothing_back(s: Subject) {
    for how in LOSSES {
        let id = s.accept().await;
        let stale = s.hold().await;
        let given_back = give_back(&s.standing(&stale).await.expect("held"));
        lose(&s, &stale, how).await;
        let before = s.view(id).await;
        assert_eq!(s.settle(&stale, given_back).await, Settled::Lost, "{how:?}");
        assert_eq!(s.view(id).await, before, "{how:?}");
        s.store.stop(&here(), id, "anna").await.unwrap();
    }
}

/// Late is not lost; twice is.
pub async fn a_holder_past_its_lease_still_settles_once(s: Subject) {
    let id = s.accept().await;
    let late = s.hold().await;
    s.clock.pass(LINE.leave(LINE.first()).unwrap().lease * 2);
    assert_eq!(s.store.note(&late, normalised(SECOND)).await.unwrap(), Noted::Held);
    assert_eq!(s.settle(&late, advance("normalized")).await, Settled::Done(None));
    assert_eq!(s.settle(&late, advance("submitted")).await, Settled::Lost);
    assert_eq!(s.view(id).await.work.milestone, "normalized");
}
