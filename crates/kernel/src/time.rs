//! Instants as whole microseconds, the one form in which every store keeps and compares them.

use std::time::Duration;

/// Microseconds since the Unix epoch, UTC. Compared as an integer everywhere, so that no two
/// spellings of one instant can disagree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(pub i64);

impl Timestamp {
    /// The instant `delay` later; saturates at the end of time instead of wrapping.
    pub fn after(self, delay: Duration) -> Self {
        Self(self.0.saturating_add(micros(delay)))
    }

    /// How long after `earlier` this is; zero when a clock stepped back.
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_micros(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }
}

/// Whole microseconds of a duration, saturating.
pub(crate) fn micros(delay: Duration) -> i64 {
    i64::try_from(delay.as_micros()).unwrap_or(i64::MAX)
}

/// Where a store that has no clock of its own (SQLite) takes the time from. Only stores and loops
/// hold one; everything below them is given `now`.
pub trait Clock: Send + Sync {
    /// The current instant.
    fn now(&self) -> Timestamp;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_stepped_back_measures_zero() {
        assert_eq!(Timestamp(5).since(Timestamp(9)), Duration::ZERO);
        assert_eq!(Timestamp(9).since(Timestamp(5)), Duration::from_micros(4));
    }

    #[test]
    fn the_end_of_time_does_not_wrap() {
        assert_eq!(Timestamp(7).after(Duration::MAX), Timestamp(i64::MAX));
    }
}
