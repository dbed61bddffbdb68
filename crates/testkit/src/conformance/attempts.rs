//! Attempt rows, lanes, tickets and parts.

use std::time::Duration;

use futures::future::join_all;
use verst_kernel::{Change, Claim, Failure, StoreError};
use verst_recordings::model::{AttemptId, NewRecording, Product, Source};
use verst_recordings::ports::{Admission, Lanes, Part, Ticket};
use verst_recordings::transcript::Segment;

use super::{SECOND, Subject, advance, here, new, normalised, release};

const LANES: Lanes = Lanes::OldestAndShort { short: SECOND };

async fn open(s: &Subject, claim: &Claim, lanes: Lanes, duration: Duration) -> Admission {
    s.store.open_attempt(claim, "x", lanes, duration).await.unwrap()
}

async fn opened(s: &Subject, claim: &Claim) -> AttemptId {
    let admission = open(s, claim, Lanes::Unlimited, SECOND).await;
    let Admission::Opened(attempt) = admission else { panic!("{admission:?}") };
    attempt
}

/// Closed by its failure or by a person's wish for another.
pub async fn one_attempt_is_open_at_a_time(s: Subject) {
    let claim = s.hold_normalised(SECOND).await;
    let id = claim.id();
    assert_eq!(s.store.open_attempt_of(id).await.unwrap(), None);
    let first = opened(&s, &claim).await;
    let attempt = s.store.open_attempt_of(id).await.unwrap().expect("it is open");
    assert_eq!((attempt.id, &*attempt.recogniser), (first, "x"));
    assert_eq!((attempt.ticket, attempt.awaited), (None, false));
    let again = s.store.open_attempt(&claim, "x", Lanes::Unlimited, SECOND).await;
    assert!(matches!(again, Err(StoreError::Refused(_))), "{again:?}");
    let failure = Failure::new("provider_failed");
    s.store.note(&claim, Product::AttemptClosed { attempt: first, failure }).await.unwrap();
    assert_eq!(s.store.open_attempt_of(id).await.unwrap(), None);

    let second = opened(&s, &claim).await;
    assert_ne!(first, second);
    s.store.note(&claim, Product::KeepWaiting).await.unwrap();
    assert!(s.store.open_attempt_of(id).await.unwrap().unwrap().awaited);
    s.store.note(&claim, Product::SubmitAgain).await.unwrap();
    assert_eq!(s.store.open_attempt_of(id).await.unwrap(), None);
}

/// So many recordings at `normalized`, all claimed, oldest first.
async fn hold_all(s: &Subject, durations: &[Duration]) -> Vec<Claim> {
    for _ in durations {
        s.accept().await;
    }
    for duration in durations {
        let claim = s.hold().await;
        let change =
            Change { product: Some(normalised(*duration).into()), ..advance("normalized") };
        // The pause keeps it behind those that are not normalised yet.
        s.settle(&claim, Change { ready_in: SECOND, ..change }).await;
    }
    s.clock.pass(SECOND);
    let mut claims = Vec::new();
    for _ in durations {
        claims.push(s.hold().await);
    }
    assert!(claims.is_sorted_by_key(Claim::id));
    claims
}

/// Oldest whatever its length, then the oldest short one; the rest learn how many are ahead.
pub async fn lanes_let_the_oldest_and_a_short_one_in(s: Subject) {
    let long = SECOND * 9;
    let all = [long, long, SECOND, SECOND, long];
    let claims = hold_all(&s, &all).await;
    let wait = |ahead| Admission::Wait { ahead };
    assert_eq!(open(&s, &claims[4], LANES, all[4]).await, wait(4));
    assert_eq!(open(&s, &claims[3], LANES, all[3]).await, wait(1));
    assert_eq!(open(&s, &claims[1], LANES, all[1]).await, wait(1));
    assert!(matches!(open(&s, &claims[0], LANES, all[0]).await, Admission::Opened(_)));
    assert!(matches!(open(&s, &claims[2], LANES, all[2]).await, Admission::Opened(_)));
    assert_eq!(open(&s, &claims[1], LANES, all[1]).await, wait(0), "the lane is taken");
    assert_eq!(open(&s, &claims[3], LANES, all[3]).await, wait(0), "the lane is taken");

    // A lane is free again when its recording has gone on, or was stopped.
    s.settle(&claims[0], advance("transcribed")).await;
    s.store.stop(&here(), claims[2].id(), "anna").await.unwrap();
    assert!(matches!(open(&s, &claims[1], LANES, all[1]).await, Admission::Opened(_)));
    assert!(matches!(open(&s, &claims[3], LANES, all[3]).await, Admission::Opened(_)));
    assert_eq!(open(&s, &claims[4], LANES, all[4]).await, wait(0));
    let other = s.store.open_attempt(&claims[4], "y", LANES, all[4]).await.unwrap();
    assert!(matches!(other, Admission::Opened(_)), "another recogniser has lanes of its own");
}

/// All ask at once, in every order: two are let in, and they are the right ones.
pub async fn lanes_hold_under_concurrency(s: Subject) {
    let long = SECOND * 9;
    let all = [long, long, long, SECOND, SECOND, SECOND, long, SECOND];
    let claims = hold_all(&s, &all).await;
    let asking = claims.iter().zip(&all).rev();
    let answers =
        join_all(asking.map(|(claim, duration)| async {
            (claim.id(), open(&s, claim, LANES, *duration).await)
        }));
    let mut entered: Vec<_> = answers
        .await
        .into_iter()
        .filter(|(_, answer)| matches!(answer, Admission::Opened(_)))
        .map(|(id, _)| id)
        .collect();
    entered.sort_unstable();
    assert_eq!(entered, [claims[0].id(), claims[3].id()]);
    for claim in &claims {
        let open = s.store.open_attempt_of(claim.id()).await.unwrap().is_some();
        assert_eq!(open, entered.contains(&claim.id()), "{:?}", claim.id());
    }
}

/// An operation that was paid for stays reachable.
pub async fn a_ticket_is_kept_after_the_claim_was_lost(s: Subject) {
    let claim = s.hold_normalised(SECOND).await;
    let attempt = opened(&s, &claim).await;
    s.store.stop(&here(), claim.id(), "anna").await.unwrap();
    let ticket = Ticket("late".to_owned());
    s.store.keep_ticket(attempt, &ticket).await.unwrap();
    let kept = s.store.open_attempt_of(claim.id()).await.unwrap().unwrap();
    assert_eq!(kept.ticket, Some(ticket));
}

/// Whoever comes second is too late.
pub async fn a_ticket_is_never_overwritten(s: Subject) {
    let claim = s.hold_normalised(SECOND).await;
    let attempt = opened(&s, &claim).await;
    for ticket in ["first", "second"] {
        s.store.keep_ticket(attempt, &Ticket(ticket.to_owned())).await.unwrap();
    }
    let kept = s.store.open_attempt_of(claim.id()).await.unwrap().unwrap();
    assert_eq!(kept.ticket, Some(Ticket("first".to_owned())));
}

/// What was heard stays as it was heard first.
pub async fn a_part_is_written_once(s: Subject) {
    let claim = s.hold_normalised(SECOND).await;
    let attempt = opened(&s, &claim).await;
    let part = |language: &str| {
        let language = Some(language.to_owned());
        Product::Part { attempt, part: Part { index: 0, segments: Vec::new(), language } }
    };
    s.store.note(&claim, part("ru")).await.unwrap();
    let again = s.store.note(&claim, part("en")).await;
    assert!(matches!(again, Err(StoreError::Refused(_))), "{again:?}");
    let kept = s.store.parts(attempt).await.unwrap();
    assert_eq!(kept.iter().map(|part| part.language.as_deref()).collect::<Vec<_>>(), [Some("ru")]);
}

/// In the order of their places, whatever the order of writing; gone with the work's end.
pub async fn parts_come_in_order_and_end_with_the_road(s: Subject) {
    let claim = s.hold_normalised(SECOND).await;
    let attempt = opened(&s, &claim).await;
    let part = |index| Part {
        index,
        segments: vec![Segment {
            start_ms: u64::from(index),
            end_ms: 10,
            text: format!("часть {index}"),
            speaker: (index == 1).then(|| "A".to_owned()),
        }],
        language: Some("ru".to_owned()),
    };
    assert_eq!(s.store.parts(attempt).await.unwrap(), []);
    for index in [0, 2, 1] {
        s.store.note(&claim, Product::Part { attempt, part: part(index) }).await.unwrap();
    }
    assert_eq!(s.store.parts(attempt).await.unwrap(), [part(0), part(1), part(2)]);
    assert_eq!(s.view(claim.id()).await.parts, 3);
    let change = Change {
        product: Some(Product::Finished { original_deleted: false }.into()),
        ready_in: SECOND,
        ..release()
    };
    s.settle(&claim, change).await;
    assert_eq!(s.store.parts(attempt).await.unwrap(), []);
    assert_eq!(s.view(claim.id()).await.parts, 0);
    assert_eq!(s.store.open_attempt_of(claim.id()).await.unwrap(), None);
}

/// Ahead of a recording that is to be decoded: older ones of its kind that still are, and all of
/// its kind that wait for a recogniser; not those of the other kind, nor those that failed.
pub async fn older_ones_of_its_kind_are_ahead(s: Subject) {
    let small = 100;
    let mut ids = Vec::new();
    for size_bytes in [500, 500, 50, 500, 50] {
        let given = NewRecording { size_bytes, ..new(Source::Http, None) };
        ids.push(s.store.accept(given).await.unwrap().id);
    }
    let ahead = async |i: usize| s.store.ahead(ids[i], small).await.unwrap();
    assert_eq!((ahead(0).await, ahead(1).await, ahead(3).await), (0, 1, 2), "large ones");
    assert_eq!((ahead(2).await, ahead(4).await), (0, 1), "small ones");

    // The first is decoded and waits: it stays ahead, now also of none but large ones.
    let claim = s.hold().await;
    assert_eq!(claim.id(), ids[0]);
    let product = Some(normalised(SECOND * 9).into());
    s.settle(&claim, Change { product, ready_in: SECOND * 9, ..advance("normalized") }).await;
    assert_eq!((ahead(1).await, ahead(3).await, ahead(4).await), (1, 2, 1));

    // The second fails and pauses: it holds nobody up.
    let claim = s.hold().await;
    assert_eq!(claim.id(), ids[1]);
    let last_failure = Some(Failure::new("ffmpeg_failed"));
    s.settle(&claim, Change { last_failure, ready_in: SECOND * 9, ..release() }).await;
    assert_eq!(ahead(3).await, 1);
}
