//! What follows from an answer: whether an event is delivered, tried again, or given up. Pure.

use std::time::Duration;

use verst_kernel::{Roll, Timestamp};
use verst_service::FetchError;

use crate::outward::Answer;

/// After each try that may be repeated; five tries in about eight minutes.
pub const PAUSES: [Duration; 4] = [
    Duration::from_secs(5),
    Duration::from_secs(30),
    Duration::from_mins(2),
    Duration::from_mins(5),
];
/// The longest wait that the other side may ask for.
const LONGEST: Duration = Duration::from_mins(10);

/// What to do next.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Next {
    Delivered,
    GiveUp,
    Again(Duration),
}

/// `tries` were made before this one.
pub(super) fn next(
    answer: &Result<Answer, FetchError>,
    tries: usize,
    pauses: &[Duration],
    now: Timestamp,
    roll: Roll,
) -> Next {
    let asked = match answer {
        Ok(answer) if (200..300).contains(&answer.status) => return Next::Delivered,
        // "Later", in its three forms, and trouble on the other side. Any other answer, redirects
        // too, would be the same the next time.
        Ok(answer) if matches!(answer.status, 408 | 425 | 429 | 500..) => {
            answer.retry_after.as_deref().and_then(|at| retry_after(at, now))
        }
        Err(FetchError::Unreachable | FetchError::TimedOut) => None,
        Ok(_) | Err(_) => return Next::GiveUp,
    };
    let Some(pause) = pauses.get(tries) else { return Next::GiveUp };
    Next::Again(spread(*pause, roll).max(asked.unwrap_or_default()))
}

/// Up to a quarter longer, so that events that failed together do not come back together.
fn spread(pause: Duration, roll: Roll) -> Duration {
    pause + pause.mul_f64(f64::from(roll.0) / f64::from(u32::MAX) / 4.0)
}

/// Seconds, or a date: <https://www.rfc-editor.org/rfc/rfc9110#field.retry-after>.
fn retry_after(text: &str, now: Timestamp) -> Option<Duration> {
    let wait = if let Ok(seconds) = text.trim().parse() {
        Duration::from_secs(seconds)
    } else {
        let at = httpdate::parse_http_date(text.trim()).ok()?;
        let at = at.duration_since(std::time::UNIX_EPOCH).ok()?;
        Timestamp(i64::try_from(at.as_micros()).ok()?).since(now)
    };
    Some(wait.min(LONGEST))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOW: Roll = Roll(0);
    /// Sun, 06 Nov 1994 08:49:37 GMT.
    const NOW: Timestamp = Timestamp(784_111_777_000_000);

    #[expect(clippy::unnecessary_wraps, reason = "beside errors, as whoever sends sees them")]
    fn answer(status: u16, retry_after: Option<&str>) -> Result<Answer, FetchError> {
        let retry_after = retry_after.map(str::to_owned);
        Ok(Answer { status, retry_after, beginning: String::new() })
    }

    #[track_caller]
    fn check(answer: &Result<Answer, FetchError>, tries: usize, expected: &Next) {
        assert_eq!(next(answer, tries, &PAUSES, NOW, LOW), *expected, "{answer:?} {tries}");
    }

    #[test]
    fn success_is_delivered_and_a_refusal_is_final() {
        for status in [200, 201, 202, 204, 299] {
            check(&answer(status, None), 0, &Next::Delivered);
        }
        for status in [301, 302, 304, 307, 400, 401, 403, 404, 405, 410, 413, 422, 451] {
            check(&answer(status, Some("1")), 0, &Next::GiveUp);
        }
        for error in [FetchError::NotAllowed, FetchError::Scheme] {
            check(&Err(error), 0, &Next::GiveUp);
        }
    }

    #[test]
    fn what_may_pass_is_tried_again_with_growing_pauses_and_not_for_ever() {
        for trouble in [answer(408, None), answer(425, None), answer(429, None), answer(500, None)]
        {
            check(&trouble, 0, &Next::Again(PAUSES[0]));
        }
        for trouble in [answer(503, None), Err(FetchError::TimedOut), Err(FetchError::Unreachable)]
        {
            for (tries, pause) in PAUSES.into_iter().enumerate() {
                check(&trouble, tries, &Next::Again(pause));
            }
            check(&trouble, 4, &Next::GiveUp);
        }
        assert!(PAUSES.is_sorted());
        let spread = next(&answer(500, None), 0, &PAUSES, NOW, Roll(u32::MAX));
        assert_eq!(spread, Next::Again(Duration::from_millis(6250)));
    }

    #[test]
    fn the_other_side_may_ask_for_more_time_within_limits() {
        let asks = |at: &str| answer(429, Some(at));
        check(&asks("60"), 0, &Next::Again(Duration::from_mins(1)));
        check(&asks("1"), 0, &Next::Again(PAUSES[0]));
        check(&asks("99999999"), 0, &Next::Again(LONGEST));
        check(&asks("Sun, 06 Nov 1994 08:50:37 GMT"), 0, &Next::Again(Duration::from_mins(1)));
        check(&asks("Sun, 06 Nov 1994 08:00:00 GMT"), 0, &Next::Again(PAUSES[0]));
        check(&asks("Fri, 31 Dec 2100 00:00:00 GMT"), 0, &Next::Again(LONGEST));
        for nonsense in ["", "soon", "-1", "1.5"] {
            check(&asks(nonsense), 0, &Next::Again(PAUSES[0]));
        }
    }
}
