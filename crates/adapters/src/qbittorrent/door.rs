//! When the client is asked, and when it is left alone.
//!
//! qBittorrent shuts an address out for an hour after five refused logins, whoever else lives
//! there, and does not forget refusals with time. So a refused login is repeated more and more
//! seldom, and a ban is waited out.
//!
//! **Invariant:** between two logins that were not accepted lies the pause of the first.

use std::collections::BTreeMap;
use std::time::Duration;

use tokio::time::Instant;
use verst_downloads::ports::ClientError;

/// Pauses after refused logins; the last one repeats.
const REFUSED: [Duration; 4] = [
    Duration::from_mins(5),
    Duration::from_hours(1),
    Duration::from_hours(6),
    Duration::from_hours(24),
];
/// qBittorrent's own setting unless somebody changed it. Ours begins later, so it ends later.
const BANNED: Duration = Duration::from_hours(1);
/// After a login that helped nothing, or had no answer.
const USELESS: Duration = Duration::from_mins(1);
/// Cookies that are kept, and the longest.
const COOKIES: usize = 16;
const COOKIE_BYTES: usize = 4096;

/// Cookies by name. Versions call that of the session `SID`, `QBT_SID_8080` or as people please.
pub(super) type Cookies = BTreeMap<String, String>;

/// What is known about being let in.
#[derive(Default)]
pub(super) struct Door {
    logins: u64,
    cookies: Cookies,
    refusals: usize,
    shut: Option<Shut>,
}

#[derive(Clone, Copy)]
struct Shut {
    until: Instant,
    /// Whether it is shut because nobody answered.
    silent: bool,
}

/// What a question is asked with.
#[derive(Clone)]
pub(super) struct Pass {
    /// Which login it is of, from 1; 0 before any.
    pub(super) login: u64,
    /// The header, if there are cookies.
    pub(super) cookie: Option<String>,
}

impl Door {
    /// What to ask with, unless nothing is to be asked now.
    pub(super) fn pass(&self, now: Instant) -> Result<Pass, ClientError> {
        match self.shut.filter(|shut| shut.until > now) {
            Some(Shut { silent: true, .. }) => Err(ClientError::Unreachable),
            Some(Shut { until, .. }) => Err(ClientError::Refuses { again_in: until - now }),
            None => Ok(Pass { login: self.logins, cookie: self.cookie() }),
        }
    }

    fn cookie(&self) -> Option<String> {
        let all: Vec<String> =
            self.cookies.iter().map(|(name, it)| format!("{name}={it}")).collect();
        (!all.is_empty()).then(|| all.join("; "))
    }

    /// A login was accepted.
    pub(super) fn let_in(&mut self, cookies: Cookies) {
        self.logins += 1;
        self.cookies.clear();
        (self.refusals, self.shut) = (0, None);
        self.keep(self.logins, cookies);
    }

    /// An answer brought cookies to a question of that login.
    pub(super) fn keep(&mut self, login: u64, cookies: Cookies) {
        if login != self.logins {
            return;
        }
        for (name, value) in cookies {
            let fits = name.len() + value.len() <= COOKIE_BYTES;
            if fits && (self.cookies.len() < COOKIES || self.cookies.contains_key(&name)) {
                self.cookies.insert(name, value);
            }
        }
    }

    /// Our name, password or key is wrong.
    pub(super) fn refused(&mut self, now: Instant) -> ClientError {
        let pause = REFUSED[self.refusals.min(REFUSED.len() - 1)];
        self.refusals += 1;
        self.shut(now, pause, false)
    }

    /// This host is shut out.
    pub(super) fn banned(&mut self, now: Instant) -> ClientError {
        self.shut(now, BANNED, false)
    }

    /// A login was accepted and opened nothing, or the answer to it means nothing to us.
    pub(super) fn useless(&mut self, now: Instant) -> ClientError {
        self.shut(now, USELESS, false)
    }

    /// A login went out and no answer came: it may have been counted as refused.
    pub(super) fn unanswered(&mut self, now: Instant) -> ClientError {
        self.shut(now, USELESS, true)
    }

    fn shut(&mut self, now: Instant, pause: Duration, silent: bool) -> ClientError {
        self.shut = Some(Shut { until: now + pause, silent });
        if silent { ClientError::Unreachable } else { ClientError::Refuses { again_in: pause } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cookies(all: &[(&str, &str)]) -> Cookies {
        all.iter().map(|(name, it)| ((*name).to_owned(), (*it).to_owned())).collect()
    }

    #[test]
    fn refused_logins_are_repeated_more_and_more_seldom() {
        let (mut door, mut now, begin) = (Door::default(), Instant::now(), Instant::now());
        let mut tries = 0;
        while now < begin + Duration::from_hours(48) {
            tries += 1;
            let Err(ClientError::Refuses { again_in }) = Err::<(), _>(door.refused(now)) else {
                panic!("refuses")
            };
            let just_before = now + again_in.saturating_sub(Duration::from_secs(1));
            assert!(door.pass(just_before).is_err(), "not before the pause is over");
            now += again_in;
            assert!(door.pass(now).is_ok(), "and then again");
        }
        assert!(tries < 6, "{tries} in two days");
        door.let_in(Cookies::new());
        assert_eq!(door.refused(now), ClientError::Refuses { again_in: REFUSED[0] });
    }

    #[test]
    fn a_ban_is_waited_out() {
        let (mut door, now) = (Door::default(), Instant::now());
        assert_eq!(door.banned(now), ClientError::Refuses { again_in: BANNED });
        let later = now + Duration::from_mins(59);
        let left = ClientError::Refuses { again_in: Duration::from_mins(1) };
        assert_eq!(door.pass(later).err(), Some(left));
        assert!(door.pass(now + BANNED).is_ok());
    }

    #[test]
    fn silence_after_a_login_is_no_refusal_but_a_pause() {
        let (mut door, now) = (Door::default(), Instant::now());
        assert_eq!(door.unanswered(now), ClientError::Unreachable);
        assert_eq!(door.pass(now).err(), Some(ClientError::Unreachable));
        assert!(door.pass(now + USELESS).is_ok());
    }

    #[test]
    fn cookies_are_those_of_the_last_login_whatever_their_name() {
        let (mut door, now) = (Door::default(), Instant::now());
        door.let_in(cookies(&[("SID", "old")]));
        door.let_in(cookies(&[("QBT_SID_8080", "new"), ("lb", "2")]));
        door.keep(1, cookies(&[("SID", "late")]));
        door.keep(2, cookies(&[("long", &"x".repeat(COOKIE_BYTES))]));
        let pass = door.pass(now).unwrap();
        assert_eq!((pass.login, pass.cookie.as_deref()), (2, Some("QBT_SID_8080=new; lb=2")));
    }
}
