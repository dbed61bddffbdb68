//! What is checked right after a claim, by the one who claimed, before any step runs.

use std::time::Duration;

use crate::held::waited;
use crate::{Failure, Limits, Patience, Stage, Standing, Stop, StopReason, Timestamp};

/// The answer of the guards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Guard {
    /// Hand the work to its step.
    Go,
    /// Stop it instead.
    Stop(Stop),
}

/// Whether claimed work may be handed to its step.
///
/// Patience judges only what was tried at this milestone since this process started
/// (`started_at`): a night with zero workers, or three hundred uploads at once, must not become
/// three hundred false stops. A false stop is worse than a late one.
pub fn guards(standing: &Standing, stage: &Stage, limits: &Limits, started_at: Timestamp) -> Guard {
    let unlimited = stage.patience == Patience::Unlimited;
    if !unlimited && standing.failures > limits.failures {
        let failure = standing.last_failure.clone();
        return Guard::Stop(Stop {
            reason: StopReason::Failures,
            failure: failure.unwrap_or_else(|| Failure::new(Failure::ABANDONED)),
        });
    }
    let patience = match stage.patience {
        Patience::Own => limits.own_patience,
        Patience::Foreign => limits.foreign_patience,
        Patience::Unlimited => return Guard::Go,
    };
    let tried = standing.tried_at.is_some_and(|at| at >= started_at);
    let held = Duration::from_micros(u64::try_from(standing.held_us).unwrap_or(0));
    let held = held.saturating_add(waited(standing));
    let stood = standing.now.since(standing.entered_at).saturating_sub(held);
    if tried && stood > patience {
        let minutes = i64::try_from(patience.as_secs() / 60).unwrap_or(i64::MAX);
        let mut failure = Failure::new(Failure::STUCK).int("hours", minutes / 60);
        if minutes < 60 {
            failure = failure.int("minutes", minutes);
        }
        return Guard::Stop(Stop { reason: StopReason::Stuck, failure });
    }
    Guard::Go
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::WorkId;

    const HOUR: i64 = 3_600_000_000;
    const STARTED: Timestamp = Timestamp(0);

    fn stage(patience: Patience) -> Stage {
        Stage {
            line: "test",
            name: "in",
            position: 0,
            step: Some("only"),
            lease: Duration::from_secs(1),
            patience,
            next: Some("done"),
        }
    }

    fn standing(stood: i64, held: i64, tried: Option<i64>, failures: u32) -> Standing {
        Standing {
            id: WorkId(1),
            line: "test".into(),
            milestone: "in".into(),
            entered_at: Timestamp(100),
            held_us: held,
            waiting_since: None,
            claimed_at: Timestamp(100 + stood),
            tried_at: tried.map(Timestamp),
            failures,
            last_failure: None,
            now: Timestamp(100 + stood),
        }
    }

    fn check(patience: Patience, standing: &Standing, expected: Option<StopReason>) {
        let reason = match guards(standing, &stage(patience), &Limits::default(), STARTED) {
            Guard::Go => None,
            Guard::Stop(stop) => Some(stop.reason),
        };
        assert_eq!(reason, expected, "{patience:?} {standing:?}");
    }

    #[test]
    fn patience_judges_only_what_was_tried_here_and_now() {
        use Patience::{Foreign, Own, Unlimited};
        let stuck = Some(StopReason::Stuck);
        check(Own, &standing(HOUR, 0, Some(200), 1), None);
        check(Own, &standing(HOUR + 1, 0, Some(200), 1), stuck);
        check(Own, &standing(HOUR + 1, 0, None, 1), None);
        check(Own, &standing(HOUR + 1, 0, Some(-1), 1), None);
        check(Own, &standing(HOUR + 1, 0, Some(0), 1), stuck);
        check(Own, &standing(HOUR + 2, 1, Some(200), 1), stuck);
        check(Own, &standing(HOUR + 1, 1, Some(200), 1), None);
        let mut waiting = standing(HOUR + 1, 0, Some(200), 1);
        waiting.waiting_since = Some(Timestamp(100 + HOUR));
        check(Own, &waiting, None);
        waiting.claimed_at = Timestamp(100 + HOUR);
        check(Own, &waiting, stuck);
        check(Foreign, &standing(24 * HOUR, 0, Some(200), 1), None);
        check(Foreign, &standing(24 * HOUR + 1, 0, Some(200), 1), stuck);
        check(Unlimited, &standing(900 * HOUR, 0, Some(200), 1), None);
    }

    #[test]
    fn the_claim_after_the_last_allowed_one_stops() {
        let limit = Limits::default().failures;
        check(Patience::Own, &standing(1, 0, None, limit), None);
        check(Patience::Own, &standing(1, 0, None, limit + 1), Some(StopReason::Failures));
        check(Patience::Foreign, &standing(1, 0, None, limit + 1), Some(StopReason::Failures));
        check(Patience::Unlimited, &standing(1, 0, None, limit + 1), None);
    }

    #[test]
    fn a_stop_by_failures_carries_the_last_failure_or_says_that_none_was_declared() {
        let over = Limits::default().failures + 1;
        let mut standing = standing(1, 0, None, over);
        let code =
            |s: &Standing| match guards(s, &stage(Patience::Own), &Limits::default(), STARTED) {
                Guard::Stop(stop) => stop.failure.code,
                Guard::Go => panic!("must stop"),
            };
        assert_eq!(code(&standing), Failure::ABANDONED);
        standing.last_failure = Some(Failure::new("engine_died"));
        assert_eq!(code(&standing), "engine_died");
    }

    #[test]
    fn a_stop_for_standing_too_long_says_how_long_is_allowed() {
        for (minutes, said) in
            [(30, "stuck hours=0 minutes=30"), (60, "stuck hours=1"), (1440, "stuck hours=24")]
        {
            let own_patience = Duration::from_mins(minutes);
            let limits = Limits { own_patience, ..Limits::default() };
            let stuck = standing(25 * HOUR, 0, Some(200), 1);
            let answer = guards(&stuck, &stage(Patience::Own), &limits, STARTED);
            let Guard::Stop(stop) = answer else { panic!("{minutes} minutes must stop") };
            assert_eq!(stop.failure.to_string(), said);
        }
    }
}
