//! How often wrong tokens are listened to.
//!
//! Tokens are 256 bits of chance, so nobody guesses one however often they try; what is spared is the
//! database. **Invariant:** a token that opened something a moment ago is never turned away because
//! of what others at the same address tried: many may share the address of one proxy.

use std::collections::{HashMap, HashSet};
use std::num::NonZeroU32;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use ipnet::IpNet;
use sha2::{Digest, Sha256};
use tokio::time::Instant;

/// Wrong tokens at once, and so many a minute.
const WRONG_A_MINUTE: NonZeroU32 = NonZeroU32::new(10).unwrap();
/// Addresses and tokens that are remembered.
const REMEMBERED: usize = 10_000;

type Digested = [u8; 32];

/// Who tried too often, and which tokens are known to be good.
pub(crate) struct Throttle {
    wrong: DefaultKeyedRateLimiter<IpNet>,
    barred: Mutex<HashMap<IpNet, Instant>>,
    good: Mutex<HashSet<Digested>>,
}

impl Default for Throttle {
    fn default() -> Self {
        Self {
            wrong: RateLimiter::keyed(Quota::per_minute(WRONG_A_MINUTE)),
            barred: Mutex::default(),
            good: Mutex::default(),
        }
    }
}

impl Throttle {
    /// How long this address has to wait before this token is looked at.
    pub(crate) fn wait(&self, from: IpNet, secret: &str) -> Option<Duration> {
        let until = *lock(&self.barred).get(&from)?;
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            lock(&self.barred).remove(&from);
            return None;
        }
        (!lock(&self.good).contains(&digest(secret))).then_some(left)
    }

    /// A token opened something.
    pub(crate) fn right(&self, secret: &str) {
        let mut good = lock(&self.good);
        // What is forgotten when it is too much is learnt again.
        if good.len() >= REMEMBERED {
            good.clear();
        }
        good.insert(digest(secret));
    }

    /// A token opened nothing.
    pub(crate) fn wrong(&self, from: IpNet, secret: &str) {
        lock(&self.good).remove(&digest(secret));
        if self.wrong.len() > REMEMBERED {
            self.wrong.retain_recent();
        }
        if let Err(refused) = self.wrong.check_key(&from) {
            let wait = refused.wait_time_from(DefaultClock::default().now());
            let mut barred = lock(&self.barred);
            if barred.len() >= REMEMBERED {
                barred.clear();
            }
            barred.insert(from, Instant::now() + wait);
        }
    }
}

fn digest(secret: &str) -> Digested {
    Sha256::digest(secret.as_bytes()).into()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_tries_too_often_waits_and_others_do_not() {
        let (throttle, here) = (Throttle::default(), "192.0.2.1/32".parse().unwrap());
        throttle.right("known");
        for _ in 0..WRONG_A_MINUTE.get() {
            throttle.wrong(here, "guess");
            assert_eq!(throttle.wait(here, "guess"), None);
        }
        throttle.wrong(here, "guess");
        assert!(throttle.wait(here, "another guess").is_some());
        assert_eq!(throttle.wait(here, "known"), None);
        assert_eq!(throttle.wait("192.0.2.2/32".parse().unwrap(), "guess"), None);
        // What opens nothing any more is no better than a guess.
        throttle.wrong(here, "known");
        assert!(throttle.wait(here, "known").is_some());
    }
}
