//! A clock that stands still until a test moves it.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use verst_kernel::{Clock, Timestamp};

/// Starts in November 2026.
#[derive(Debug)]
pub struct TestClock(AtomicI64);

impl Default for TestClock {
    fn default() -> Self {
        Self(AtomicI64::new(1_795_000_000_000_000))
    }
}

impl TestClock {
    /// Moves forward.
    pub fn pass(&self, time: Duration) {
        self.0.fetch_add(i64::try_from(time.as_micros()).unwrap(), Ordering::SeqCst);
    }

    /// Jumps back, as a wall clock may.
    pub fn step_back(&self, time: Duration) {
        self.0.fetch_sub(i64::try_from(time.as_micros()).unwrap(), Ordering::SeqCst);
    }
}

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        Timestamp(self.0.load(Ordering::SeqCst))
    }
}
