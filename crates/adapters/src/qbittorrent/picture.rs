//! What the client has, kept from one `sync/maindata` to the next.
//!
//! The client tells what changed since an answer that we name by its number, or everything if it
//! does not know that number. What it does not know may also be lost between us, so everything is
//! asked for now and then, and after each login.
//!
//! **Invariant:** after a full answer nothing is left of what was there before.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use serde::Deserialize;
use tokio::time::Instant;
use verst_downloads::hash::InfoHash;
use verst_downloads::ports::{Connection, Listing};

use super::entry::Entry;
use super::skew::Skew;

/// An answer.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct News {
    rid: i64,
    full_update: bool,
    torrents: HashMap<String, Entry>,
    torrents_removed: Vec<String>,
    server_state: Server,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Server {
    connection_status: Option<String>,
    free_space_on_disk: Option<i64>,
}

#[derive(Default)]
pub(super) struct Picture {
    rid: i64,
    /// The login that the number is of.
    login: u64,
    full_at: Option<Instant>,
    torrents: BTreeMap<InfoHash, Entry>,
    connected: Option<bool>,
    free_bytes: Option<u64>,
    pub(super) skew: Skew,
}

impl Picture {
    /// The number to name; 0 asks for everything.
    pub(super) fn rid(&self, login: u64, now: Instant, full_every: Duration) -> i64 {
        let fresh = self.full_at.is_some_and(|at| now < at + full_every);
        if fresh && login == self.login { self.rid } else { 0 }
    }

    /// Takes an answer over. `false` if it tells changes of something that was not told.
    pub(super) fn take(&mut self, news: News, asked: i64, login: u64, now: Instant) -> bool {
        if news.full_update {
            (self.torrents, self.full_at) = (BTreeMap::new(), Some(now));
            (self.connected, self.free_bytes) = (None, None);
        } else if asked == 0 || login != self.login {
            self.rid = 0;
            return false;
        }
        (self.rid, self.login) = (news.rid, login);
        for gone in news.torrents_removed.iter().filter_map(|hash| InfoHash::parse(hash)) {
            self.torrents.remove(&gone);
        }
        for (key, changed) in news.torrents {
            let Some(key) = InfoHash::parse(&key) else { continue };
            let entry = self.torrents.entry(key).or_default();
            entry.renew(changed);
            if entry.state.is_none() {
                // A change of a torrent that we never heard of: we missed something.
                self.rid = 0;
            }
        }
        self.forget_renamed();
        if let Some(status) = news.server_state.connection_status {
            // Behind a firewall it still reaches those who are not.
            self.connected = Some(status != "disconnected");
        }
        if let Some(free) = news.server_state.free_space_on_disk {
            // 0 is also what it says after its start, before it has looked. Where the disk really is
            // full, it says so itself of each torrent.
            self.free_bytes = u64::try_from(free).ok().filter(|free| *free > 0);
        }
        true
    }

    /// A hybrid is called by its v2 hash once its metadata is there, and 5.1.0 lists it under the
    /// name of before as well.
    fn forget_renamed(&mut self) {
        let renamed = self.torrents.iter().filter_map(|(key, entry)| {
            let before = InfoHash::parse(entry.infohash_v1.as_deref()?)?;
            (before != *key).then_some(before)
        });
        let renamed: Vec<InfoHash> = renamed.collect();
        for before in renamed {
            self.torrents.remove(&before);
        }
    }

    /// All of it.
    pub(super) fn listing(&self, full: bool) -> Listing {
        let up = self.connected.unwrap_or(true);
        let all = self.torrents.iter();
        Listing {
            torrents: all.map(|(key, entry)| entry.snapshot(key, self.skew)).collect(),
            full,
            connection: if up { Connection::Up } else { Connection::Down },
            free_bytes: self.free_bytes,
        }
    }
}

impl News {
    pub(super) fn is_full(&self) -> bool {
        self.full_update
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVERY: Duration = Duration::from_mins(10);

    struct Bench(Picture, Instant);

    impl Bench {
        fn new() -> Self {
            Self(Picture::default(), Instant::now())
        }

        fn take(&mut self, json: &str) -> Vec<String> {
            let asked = self.0.rid(1, self.1, EVERY);
            let news = serde_json::from_str(json).unwrap();
            assert!(self.0.take(news, asked, 1, self.1), "{json}");
            let listing = self.0.listing(false);
            listing
                .torrents
                .into_iter()
                .map(|it| format!("{}{}", &it.key.as_str()[..1], it.name))
                .collect()
        }
    }

    fn torrent(digit: char, name: &str) -> String {
        let key = digit.to_string().repeat(40);
        format!(r#""{key}":{{"name":"{name}","state":"stalledDL"}}"#)
    }

    #[test]
    fn changes_are_laid_over_what_was_there() {
        let mut bench = Bench::new();
        let (a, b) = (torrent('a', "x"), torrent('b', "y"));
        let all = format!(r#"{{"rid":7,"full_update":true,"torrents":{{{a},{b}}}}}"#);
        assert_eq!(bench.take(&all), ["ax", "by"]);
        assert_eq!(bench.0.rid(1, bench.1, EVERY), 7);
        let (gone, c) = ("a".repeat(40), torrent('c', "x"));
        let rekeyed = format!(r#"{{"rid":8,"torrents_removed":["{gone}"],"torrents":{{{c}}}}}"#);
        assert_eq!(bench.take(&rekeyed), ["by", "cx"]);
        assert_eq!(bench.take(r#"{"rid":9}"#), ["by", "cx"]);
        assert_eq!(bench.take(r#"{"rid":10,"full_update":true}"#), Vec::<String>::new());
    }

    #[test]
    fn everything_is_asked_for_now_and_then_and_after_a_login() {
        let mut bench = Bench::new();
        assert_eq!(bench.0.rid(1, bench.1, EVERY), 0);
        bench.take(r#"{"rid":7,"full_update":true}"#);
        assert_eq!(bench.0.rid(2, bench.1, EVERY), 0);
        assert_eq!(bench.0.rid(1, bench.1 + EVERY, EVERY), 0);
        assert_eq!(bench.0.rid(1, bench.1, Duration::ZERO), 0);
    }

    #[test]
    fn changes_of_something_unheard_of_are_not_believed() {
        let mut bench = Bench::new();
        let news: News = serde_json::from_str(r#"{"rid":3}"#).unwrap();
        assert!(!bench.0.take(news, 0, 1, bench.1));
        bench.take(r#"{"rid":7,"full_update":true}"#);
        let key = "d".repeat(40);
        bench.take(&format!(r#"{{"rid":8,"torrents":{{"{key}":{{"dlspeed":1}}}}}}"#));
        assert_eq!(bench.0.rid(1, bench.1, EVERY), 0, "everything once more");
    }

    #[test]
    fn a_torrent_that_is_called_anew_is_not_there_under_its_old_name() {
        let mut bench = Bench::new();
        let a = torrent('a', "x");
        bench.take(&format!(r#"{{"rid":1,"full_update":true,"torrents":{{{a}}}}}"#));
        let (b, v1) = ("b".repeat(40), "a".repeat(40));
        let anew = format!(r#""{b}":{{"name":"x","state":"stalledDL","infohash_v1":"{v1}"}}"#);
        assert_eq!(bench.take(&format!(r#"{{"rid":2,"torrents":{{{anew}}}}}"#)), ["bx"]);
    }

    #[test]
    fn keys_that_are_no_hashes_and_spaces_that_are_not_known_are_left_out() {
        let mut bench = Bench::new();
        let json = r#"{"rid":1,"full_update":true,"torrents":{"all":{"state":"error"}},
            "server_state":{"connection_status":"disconnected","free_space_on_disk":-1}}"#;
        assert_eq!(bench.take(json), Vec::<String>::new());
        let listing = bench.0.listing(true);
        assert_eq!((listing.connection, listing.free_bytes), (Connection::Down, None));
        bench.take(
            r#"{"rid":2,"server_state":{"connection_status":"firewalled","free_space_on_disk":0}}"#,
        );
        let listing = bench.0.listing(true);
        assert_eq!((listing.connection, listing.free_bytes), (Connection::Up, None));
    }
}
