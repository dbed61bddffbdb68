//! How far the client's clock is from ours.
//!
//! Times of a torrent are of the client's clock, and patience is measured with ours. Each answer
//! says what time it is there, in whole seconds (RFC 9110, `Date`).
//!
//! **Invariant:** while the clocks keep their distance, the same time there is the same time here: a
//! torrent that did not change shows no change.

use verst_kernel::Timestamp;

const SECOND_US: i64 = 1_000_000;
/// Whole seconds, and the way of an answer.
const NOISE_US: i64 = 3 * SECOND_US;

/// What has to be added to times of the client.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Skew {
    ahead_us: i64,
}

impl Skew {
    /// An answer said that time, and came now.
    pub(super) fn hear(&mut self, date_s: i64, now: Timestamp) {
        let ahead_us = now.0.saturating_sub(date_s.saturating_mul(SECOND_US));
        if ahead_us.saturating_sub(self.ahead_us).saturating_abs() > NOISE_US {
            self.ahead_us = ahead_us;
        }
    }

    /// A time of the client, in seconds; none of its ways to say "never" is a time.
    pub(super) fn here(self, there_s: Option<i64>) -> Option<Timestamp> {
        let there_s = there_s.filter(|seconds| *seconds > 0)?;
        Some(Timestamp(there_s.saturating_mul(SECOND_US).saturating_add(self.ahead_us)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_elsewhere_is_corrected_and_does_not_tremble() {
        let mut skew = Skew::default();
        let now = |seconds: i64, us| Timestamp((1_000_000 + seconds) * SECOND_US + us);
        skew.hear(1_000_000, now(2, 0));
        assert_eq!(skew.here(Some(5)), Some(Timestamp(5 * SECOND_US)), "too little to tell");
        skew.hear(1_000_000 - 3600, now(0, 0));
        let first = skew.here(Some(5));
        assert_eq!(first, Some(Timestamp(3605 * SECOND_US)));
        skew.hear(1_000_001 - 3600, now(0, 999_999));
        assert_eq!(skew.here(Some(5)), first);
        skew.hear(1_000_100, now(100, 0));
        assert_eq!(skew.here(Some(5)), Some(Timestamp(5 * SECOND_US)), "it was set right");
    }

    #[test]
    fn never_is_no_time() {
        for never in [None, Some(0), Some(-1), Some(i64::MIN)] {
            assert_eq!(Skew::default().here(never), None);
        }
        assert_eq!(Skew::default().here(Some(i64::MAX)), Some(Timestamp(i64::MAX)));
    }
}
