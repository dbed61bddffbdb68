//! Time at a milestone that patience does not count: waiting for resources of ours, and time in
//! which nobody worked at all.
//!
//! A weekend off, a night with zero workers or three hundred recordings ahead in the queue are not
//! the record's fault, and must not become a stop.

use std::time::Duration;

use crate::{Standing, Timestamp};

/// How long the record had waited for a resource of ours when it was claimed, however late that
/// claim came.
pub(crate) fn waited(standing: &Standing) -> Duration {
    standing.waiting_since.map_or(Duration::ZERO, |since| standing.claimed_at.since(since))
}

/// How long nobody had looked at the record before this process started. Counted once, with the
/// first run here that counts as a try.
pub(crate) fn absent(standing: &Standing, started_at: Timestamp) -> Duration {
    let looked = standing.tried_at.map_or(standing.entered_at, |at| at.max(standing.entered_at));
    started_at.since(looked)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::WorkId;

    fn standing(waiting_since: Option<i64>, tried_at: Option<i64>) -> Standing {
        Standing {
            id: WorkId(1),
            line: "test".into(),
            milestone: "in".into(),
            entered_at: Timestamp(100),
            held_us: 0,
            waiting_since: waiting_since.map(Timestamp),
            claimed_at: Timestamp(1000),
            tried_at: tried_at.map(Timestamp),
            failures: 1,
            last_failure: None,
            now: Timestamp(1001),
        }
    }

    #[test]
    fn waiting_is_measured_to_the_claim_and_not_by_the_delay_asked_for() {
        let of = |since| waited(&standing(since, None)).as_micros();
        assert_eq!((of(None), of(Some(300)), of(Some(2000))), (0, 700, 0));
    }

    #[test]
    fn absence_is_from_the_last_look_to_the_start_of_this_process() {
        let of = |tried, started| absent(&standing(None, tried), Timestamp(started)).as_micros();
        assert_eq!(of(None, 800), 700);
        assert_eq!(of(Some(300), 800), 500);
        assert_eq!(of(Some(800), 800), 0, "looked at since");
        assert_eq!(of(Some(50), 800), 700, "a look at an earlier milestone does not count");
        assert_eq!(of(None, 90), 0, "it came after the start");
    }

    #[test]
    fn whatever_was_looked_at_since_the_start_was_not_absent() {
        for (tried, started) in [(900, 800), (800, 800), (50, 90)] {
            let absent = absent(&standing(None, Some(tried)), Timestamp(started));
            assert_eq!(absent, Duration::ZERO, "{tried} {started}");
        }
    }
}
