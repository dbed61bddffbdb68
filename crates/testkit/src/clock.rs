//! A clock that stands still until a test moves it.

use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use verst_kernel::{Clock, Timestamp};

type Follower = Box<dyn Fn(Timestamp) + Send + Sync>;

/// Starts in November 2026.
pub struct TestClock {
    now: Mutex<i64>,
    follower: OnceLock<Follower>,
}

impl Default for TestClock {
    fn default() -> Self {
        Self { now: Mutex::new(1_795_000_000_000_000), follower: OnceLock::new() }
    }
}

impl TestClock {
    /// Moves forward.
    pub fn pass(&self, time: Duration) {
        self.shift(i64::try_from(time.as_micros()).unwrap());
    }

    /// Jumps back, as a wall clock may.
    pub fn step_back(&self, time: Duration) {
        self.shift(-i64::try_from(time.as_micros()).unwrap());
    }

    fn shift(&self, by: i64) {
        let mut now = self.now.lock().unwrap();
        *now += by;
        if let Some(follower) = self.follower.get() {
            follower(Timestamp(*now));
        }
    }

    /// Another clock, a database's, that from now on shows what this one shows.
    pub(crate) fn lead(&self, follower: impl Fn(Timestamp) + Send + Sync + 'static) {
        let now = self.now.lock().unwrap();
        follower(Timestamp(*now));
        // The second store of a world finds the database's clock led already.
        let _ = self.follower.set(Box::new(follower));
    }
}

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        Timestamp(*self.now.lock().unwrap())
    }
}
