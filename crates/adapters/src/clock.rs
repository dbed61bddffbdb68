//! The system's clock: the one place that reads it.

use std::time::{SystemTime, UNIX_EPOCH};

use verst_kernel::{Clock, Timestamp};

/// The wall clock, UTC. May jump; only the questions of *when* depend on it, never safety.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the system clock adapter")]
    fn now(&self) -> Timestamp {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Timestamp(i64::try_from(since.as_micros()).unwrap_or(i64::MAX))
    }
}
