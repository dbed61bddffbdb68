//! Since when this process has worked without a break.
//!
//! Patience judges only what was looked at since. A laptop that was shut, a process that was frozen
//! and a clock that was set right all look alike: the store's clock has moved on and nobody here
//! has noticed. Then the break counts as a start.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use verst_kernel::Timestamp;

/// How often a running service feels its pulse.
pub(crate) const BEAT: Duration = Duration::from_secs(5);
/// A longer silence than this is a break.
const BREAK: Duration = Duration::from_mins(1);

const NEVER: i64 = i64::MIN;

/// The pulse of one process.
#[derive(Debug)]
pub struct Pulse {
    started_at: AtomicI64,
    /// The last beat; `NEVER` while nothing beats, and then nothing is noticed either.
    last: AtomicI64,
}

impl Pulse {
    /// The process starts now, by the store's clock.
    pub fn starting(now: Timestamp) -> Self {
        Self { started_at: AtomicI64::new(now.0), last: AtomicI64::new(NEVER) }
    }

    /// Since when the process has worked without a break.
    pub fn started_at(&self) -> Timestamp {
        Timestamp(self.started_at.load(Ordering::SeqCst))
    }

    /// One beat.
    pub(crate) fn beat(&self, now: Timestamp) {
        let last = self.last.swap(now.0, Ordering::SeqCst);
        self.compare(last, now);
    }

    /// Looks whether the last beat is long ago, as it is for whoever wakes first after a break.
    pub(crate) fn feel(&self, now: Timestamp) -> Timestamp {
        self.compare(self.last.load(Ordering::SeqCst), now);
        self.started_at()
    }

    fn compare(&self, last: i64, now: Timestamp) {
        let silence = now.since(Timestamp(last)).max(Timestamp(last).since(now));
        if last != NEVER && silence > BREAK {
            self.started_at.store(now.0, Ordering::SeqCst);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: i64 = 60_000_000;

    #[test]
    fn a_break_counts_as_a_start_whoever_notices_it_first() {
        let pulse = Pulse::starting(Timestamp(0));
        pulse.beat(Timestamp(MINUTE));
        assert_eq!(pulse.feel(Timestamp(2 * MINUTE)), Timestamp(0), "a minute is no break");
        assert_eq!(pulse.feel(Timestamp(9 * MINUTE)), Timestamp(9 * MINUTE));
        pulse.beat(Timestamp(9 * MINUTE + 1));
        assert_eq!(pulse.feel(Timestamp(9 * MINUTE + 2)), Timestamp(9 * MINUTE + 1));
        pulse.beat(Timestamp(MINUTE));
        assert_eq!(pulse.started_at(), Timestamp(MINUTE), "a clock that was set back too");
    }

    #[test]
    fn without_a_beat_nothing_is_noticed() {
        let pulse = Pulse::starting(Timestamp(5));
        assert_eq!(pulse.feel(Timestamp(900 * MINUTE)), Timestamp(5));
    }
}
