//! What the scripted client knows, and who is let in to it.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use verst_downloads::hash::InfoHash;
use verst_kernel::Clock;

use super::sync::Told;
use super::{Deed, Dialect, Held, Trick};

/// Refused logins until an address is shut out.
const REFUSALS: u32 = 5;

pub(super) struct World {
    pub(super) dialect: Dialect,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) port: u16,
    pub(super) user: String,
    pub(super) password: String,
    pub(super) api_key: String,
    pub(super) lets_all_in: bool,
    pub(super) banned: bool,
    refusals: u32,
    sessions: BTreeMap<String, Told>,
    pub(super) torrents: BTreeMap<InfoHash, Held>,
    pub(super) categories: BTreeSet<String>,
    pub(super) save_path: String,
    pub(super) connection: String,
    pub(super) free_bytes: i64,
    pub(super) ahead_s: i64,
    pub(super) tricks: VecDeque<(String, Trick)>,
    pub(super) deeds: Vec<Deed>,
    pub(super) heard: Vec<String>,
}

/// What became of a login.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Login {
    In(String),
    Wrong,
    Banned,
}

impl World {
    pub(super) fn new(dialect: Dialect, clock: Arc<dyn Clock>, port: u16) -> Self {
        Self {
            dialect,
            clock,
            port,
            user: "admin".to_owned(),
            password: "a password & more".to_owned(),
            api_key: "qbt_0123456789abcdefghijklmnopqr".to_owned(),
            lets_all_in: false,
            banned: false,
            refusals: 0,
            sessions: BTreeMap::new(),
            torrents: BTreeMap::new(),
            categories: BTreeSet::new(),
            save_path: "/downloads".to_owned(),
            connection: "connected".to_owned(),
            free_bytes: 1 << 40,
            ahead_s: 0,
            tricks: VecDeque::new(),
            deeds: Vec::new(),
            heard: Vec::new(),
        }
    }

    /// What time it is on the client's clock, in seconds.
    pub(super) fn now_s(&self) -> i64 {
        self.clock.now().0.div_euclid(1_000_000) + self.ahead_s
    }

    pub(super) fn login(&mut self, user: &str, password: &str) -> Login {
        if self.banned {
            return Login::Banned;
        }
        if (user, password) != (&self.user, &self.password) {
            self.refusals += 1;
            self.banned = self.refusals >= REFUSALS;
            return Login::Wrong;
        }
        self.refusals = 0;
        Login::In(self.open())
    }

    fn open(&mut self) -> String {
        let session = format!("{:032x}", fastrand::u128(..));
        self.sessions.insert(session.clone(), Told::default());
        session
    }

    /// The session that somebody is let in with: that of the cookie, that of the key, or, where all
    /// are let in, a new one. And whether a cookie has to be set.
    pub(super) fn session(&mut self, cookie: &str, key: Option<&str>) -> Option<(String, bool)> {
        let name = format!("{}=", self.dialect.cookie(self.port));
        let own = cookie.split("; ").find_map(|cookie| cookie.strip_prefix(&name));
        if let Some(own) = own.filter(|own| self.sessions.contains_key(*own)) {
            return Some((own.to_owned(), false));
        }
        if self.dialect.since_5_2 && key.is_some_and(|key| key == self.api_key) {
            // All who have the key share a session.
            self.sessions.entry(self.api_key.clone()).or_default();
            return Some((self.api_key.clone(), false));
        }
        self.lets_all_in.then(|| (self.open(), true))
    }

    pub(super) fn told(&mut self, session: &str) -> &mut Told {
        self.sessions.entry(session.to_owned()).or_default()
    }

    pub(super) fn forget_sessions(&mut self) {
        self.sessions.clear();
    }

    pub(super) fn pardon(&mut self) {
        (self.banned, self.refusals) = (false, 0);
    }

    /// What happens to a question instead of a good answer.
    pub(super) fn trick(&mut self, verb: &str) -> Option<Trick> {
        let at = self.tricks.iter().position(|(of, _)| of == verb || of == "*")?;
        self.tricks.remove(at).map(|(_, trick)| trick)
    }

    /// The torrent that is called so, by any of its hashes.
    pub(super) fn find(&self, hash: &InfoHash) -> Option<InfoHash> {
        let mut all = self.torrents.iter();
        all.find(|(_, held)| held.hashes().contains(hash)).map(|(key, _)| key.clone())
    }

    /// Has it under the key that its hashes now make.
    pub(super) fn hold(&mut self, held: Held) {
        self.torrents.insert(held.key(), held);
    }
}
