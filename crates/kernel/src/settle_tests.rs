use proptest::prelude::*;

use super::*;
use crate::{Patience, Timestamp, WorkId};

fn stage(next: &'static str) -> Stage {
    Stage {
        line: "test",
        name: "in",
        position: 0,
        step: Some("only"),
        lease: Duration::from_secs(1),
        patience: Patience::Own,
        next: Some(next),
    }
}

fn standing() -> Standing {
    Standing {
        id: WorkId(1),
        line: "test".into(),
        milestone: "in".into(),
        entered_at: Timestamp(0),
        held_us: 7,
        waiting_since: Some(Timestamp(4)),
        claimed_at: Timestamp(9),
        tried_at: None,
        failures: 3,
        last_failure: Some(Failure::new("earlier")),
        now: Timestamp(9),
    }
}

fn settled(next: &'static str, outcome: Outcome<u8>) -> Change<u8> {
    settle(&standing(), &stage(next), outcome, &Limits::default(), Timestamp(3), Roll(0))
}

const SOON: Duration = Duration::from_secs(3);

#[test]
fn an_advance_moves_resets_and_is_journalled() {
    let change = settled("middle", Outcome::Advance(5));
    assert_eq!(change.advance, Some("middle"));
    assert_eq!((change.failures, change.product), (0, Some(5)));
    assert_eq!(change.journal, Some(("only", Event::Advanced)));
    assert_eq!((change.notice, change.last_failure, change.stop), (None, None, None));
    assert_eq!(change.ready_in, Duration::ZERO);
}

#[test]
fn reaching_the_end_is_told() {
    assert_eq!(settled("done", Outcome::Advance(5)).notice, Some(NoticeKind::Done));
}

#[test]
fn a_deferral_moves_nothing_and_resets_failures() {
    let change =
        settled("middle", Outcome::Defer { delay: SOON, why: Failure::new("w"), product: Some(1) });
    assert_eq!((change.advance, change.failures, change.ready_in), (None, 0, SOON));
    // Waited 5 before the claim; absent for 3 before this process started.
    assert_eq!((change.held_us, change.tried, change.product), (8, true, Some(1)));
    assert_eq!((change.wait, change.run_held), (Wait::Over, true));
    assert_eq!(change.why, Some(Failure::new("w")));
    let why = Failure::new("w");
    let silent = settled("middle", Outcome::Defer { delay: SOON, why, product: None });
    assert!(!silent.run_held, "a poll that brings nothing is waiting");
    assert_eq!((change.journal, change.notice, change.last_failure), (None, None, None));
}

#[test]
fn busy_gives_back_only_this_attempt_and_holds_the_wait() {
    let change =
        settled("middle", Outcome::Busy { delay: SOON, why: Failure::new("w"), trouble: true });
    assert_eq!((change.advance, change.failures, change.ready_in), (None, 2, SOON));
    assert_eq!((change.held_us, change.tried, change.wait), (5, false, Wait::Begins));
    assert_eq!(change.last_failure, Some(Failure::new("earlier")));
    assert_eq!((change.why, change.journal), (Some(Failure::new("w")), None));
}

#[test]
fn a_failure_pauses_by_the_count_and_stops_nothing() {
    let change = settled("middle", Outcome::Fail(Failure::new("f")));
    assert_eq!(change.ready_in, Duration::from_secs(20));
    assert_eq!((change.failures, change.stop, change.notice), (3, None, None));
    assert_eq!(change.last_failure, Some(Failure::new("f")));
    assert_eq!(change.why, Some(Failure::new("f")));
    assert_eq!((change.journal, change.tried, change.held_us), (None, true, 8));
}

#[test]
fn a_verdict_stops_here_and_is_told() {
    let change = settled("middle", Outcome::Verdict(Failure::new("v")));
    assert_eq!(change.advance, None);
    assert_eq!(change.stop.as_ref().map(|s| s.reason), Some(StopReason::Verdict));
    assert_eq!(change.notice, Some(NoticeKind::Stopped(Failure::new("v"))));
    assert_eq!(change.journal, Some(("only", Event::Stopped)));
    assert_eq!((change.last_failure, change.why), (Some(Failure::new("v")), None));
}

#[test]
fn a_give_back_is_as_if_the_claim_had_not_been() {
    let change: Change<u8> = give_back(&standing());
    assert_eq!((change.failures, change.tried), (2, false));
    assert_eq!((change.held_us, change.wait), (0, Wait::GoesOn));
    assert_eq!(change.last_failure, Some(Failure::new("earlier")));
    assert_eq!((change.advance, change.stop, change.journal), (None, None, None));
    assert_eq!(change.ready_in, Duration::ZERO);
}

fn any_outcome() -> impl Strategy<Value = Outcome<u8>> {
    let seconds = || (0_u64..1_000_000).prop_map(Duration::from_secs);
    let why = || Just(Failure::new("w"));
    prop_oneof![
        any::<u8>().prop_map(Outcome::Advance),
        (seconds(), why(), any::<Option<u8>>()).prop_map(|(delay, why, product)| Outcome::Defer {
            delay,
            why,
            product
        }),
        (seconds(), why(), any::<bool>()).prop_map(|(delay, why, trouble)| Outcome::Busy {
            delay,
            why,
            trouble
        }),
        why().prop_map(Outcome::Fail),
        why().prop_map(Outcome::Verdict),
    ]
}

fn any_standing() -> impl Strategy<Value = Standing> {
    let time = || any::<i64>().prop_map(Timestamp);
    let times = (time(), time(), proptest::option::of(time()), proptest::option::of(time()));
    (any::<u32>(), times).prop_map(|(failures, (entered_at, claimed_at, since, tried_at))| {
        Standing { entered_at, claimed_at, waiting_since: since, tried_at, failures, ..standing() }
    })
}

proptest! {
    /// Whatever a row and a clock may hold.
    #[test]
    fn settle_is_total_and_keeps_the_counts(
        standing in any_standing(),
        outcome in any_outcome(),
        started_at in any::<i64>(),
        roll in any::<u32>(),
    ) {
        let limits = Limits::default();
        let change = settle(
            &standing, &stage("done"), outcome.clone(), &limits, Timestamp(started_at), Roll(roll),
        );
        // Nothing is taken from the time that patience does not count.
        prop_assert!(change.held_us >= 0);
        prop_assert!(change.failures <= standing.failures);
        prop_assert_eq!(change.advance.is_some(), matches!(outcome, Outcome::Advance(_)));
        prop_assert_eq!(change.stop.is_some(), matches!(outcome, Outcome::Verdict(_)));
        prop_assert_eq!(change.journal.is_some(), change.advance.is_some() || change.stop.is_some());
        prop_assert_eq!(change.notice.is_some(), change.journal.is_some());
        prop_assert_eq!(change.tried, !matches!(outcome, Outcome::Busy { .. }));
        if matches!(outcome, Outcome::Fail(_)) {
            prop_assert!(change.ready_in <= limits.pause_cap);
            prop_assert!(change.ready_in >= limits.pause_base.mul_f64(0.75));
        }
    }
}
