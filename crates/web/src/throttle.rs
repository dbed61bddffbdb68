//! How often wrong tokens, and how often passwords are listened to.
//!
//! Tokens are 256 bits of chance, so nobody guesses one however often they try; what is spared is the
//! database. Passwords are guessed: attempts are counted for each address and for each account.
//! **Invariant:** a token that opened something a moment ago is never turned away because
//! of what others at the same address tried, and who signed in from where they are is not kept out by
//! what others try elsewhere: many may share the address of one proxy, and names are no secret.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;
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
/// Attempts to sign in from one address at once, and so many a minute.
const ATTEMPTS: (NonZeroU32, NonZeroU32) =
    (NonZeroU32::new(20).unwrap(), NonZeroU32::new(10).unwrap());
/// Attempts to sign in to one account.
const ATTEMPTS_FOR_ONE: (NonZeroU32, NonZeroU32) =
    (NonZeroU32::new(10).unwrap(), NonZeroU32::new(5).unwrap());
/// Addresses and tokens that are remembered.
const REMEMBERED: usize = 10_000;

type Digested = [u8; 32];

/// Who tried too often, and which tokens are known to be good.
pub(crate) struct Throttle {
    wrong: DefaultKeyedRateLimiter<IpNet>,
    barred: Mutex<HashMap<IpNet, Instant>>,
    good: Mutex<HashSet<Digested>>,
    from: DefaultKeyedRateLimiter<IpNet>,
    to: DefaultKeyedRateLimiter<Digested>,
    /// Addresses and accounts that came together.
    known: Mutex<HashSet<Digested>>,
}

impl Default for Throttle {
    fn default() -> Self {
        Self {
            wrong: RateLimiter::keyed(Quota::per_minute(WRONG_A_MINUTE)),
            barred: Mutex::default(),
            good: Mutex::default(),
            from: limited(ATTEMPTS),
            to: limited(ATTEMPTS_FOR_ONE),
            known: Mutex::default(),
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

impl Throttle {
    /// Counts an attempt to sign in from this address to the account of this name; or says how long
    /// it has to wait, and then it does not count.
    pub(crate) fn attempt(&self, from: IpNet, name: &str) -> Option<Duration> {
        let pair = digest(&format!("{from} {name}"));
        let known = lock(&self.known).contains(&pair);
        if !known && let Some(wait) = refused(&self.from, &from) {
            return Some(wait);
        }
        refused(&self.to, &if known { pair } else { digest(name) })
    }

    /// Counts an attempt of whoever is signed in to this account to show that they know its password.
    pub(crate) fn attempt_at_seat(&self, name: &str) -> Option<Duration> {
        refused(&self.to, &digest(&format!("seat {name}")))
    }

    /// An attempt succeeded.
    pub(crate) fn came_in(&self, from: IpNet, name: &str) {
        let mut known = lock(&self.known);
        if known.len() >= REMEMBERED {
            known.clear();
        }
        known.insert(digest(&format!("{from} {name}")));
    }
}

fn limited<K: Clone + Eq + Hash>(
    (at_once, a_minute): (NonZeroU32, NonZeroU32),
) -> DefaultKeyedRateLimiter<K> {
    RateLimiter::keyed(Quota::per_minute(a_minute).allow_burst(at_once))
}

/// Counts one, or says how long to wait.
fn refused<K: Clone + Eq + Hash>(
    limiter: &DefaultKeyedRateLimiter<K>,
    key: &K,
) -> Option<Duration> {
    if limiter.len() > REMEMBERED {
        limiter.retain_recent();
    }
    let refused = limiter.check_key(key).err()?;
    Some(refused.wait_time_from(DefaultClock::default().now()))
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

    #[test]
    fn passwords_are_guessed_slowly_and_who_is_known_is_not_kept_out() {
        let throttle = Throttle::default();
        let at = |n: usize| format!("192.0.2.{n}/32").parse::<IpNet>().unwrap();
        let many = |from: &dyn Fn(usize) -> IpNet, name: &dyn Fn(usize) -> String| {
            (0..100).filter(|n| throttle.attempt(from(*n), &name(*n)).is_none()).count()
        };
        throttle.came_in(at(200), "anna");
        assert_eq!(many(&at, &|_| "anna".to_owned()), 10, "from many addresses to one account");
        assert_eq!(many(&|_| at(150), &|n| n.to_string()), 20, "from one address to many accounts");
        assert!(throttle.attempt(at(201), "anna").is_some());
        assert_eq!(throttle.attempt(at(201), "boris"), None);
        // From where the account is used, as many again, and no more.
        assert_eq!(many(&|_| at(200), &|_| "anna".to_owned()), 10);
    }
}
