//! A torrent as the client writes it, and what it means.
//!
//! Fields: <https://github.com/qbittorrent/qBittorrent/wiki/WebUI-API-(qBittorrent-5.0)>, and
//! `serialize_torrent.cpp` of 4.5.2 to 5.2.3.
//!
//! **Invariant:** a field that did not come with a change keeps its value.

use std::time::Duration;

use serde::Deserialize;
use verst_downloads::hash::{Hashes, InfoHash};
use verst_downloads::ports::{ClientState, Snapshot};

use super::skew::Skew;

/// What the client says instead of "never".
const NEVER_S: i64 = 8_640_000;

/// Names its fields once, for reading, and for taking a change over.
macro_rules! entry {
    ($($field:ident: $kind:ty,)*) => {
        /// A torrent, or what changed of it.
        #[derive(Clone, Debug, Default, Deserialize)]
        #[serde(default)]
        pub(super) struct Entry {
            $(pub(super) $field: Option<$kind>,)*
        }

        impl Entry {
            pub(super) fn renew(&mut self, news: Self) {
                $(if news.$field.is_some() { self.$field = news.$field; })*
            }
        }
    };
}

entry! {
    infohash_v1: String,
    infohash_v2: String,
    name: String,
    state: String,
    has_metadata: bool,
    total_size: i64,
    size: i64,
    amount_left: i64,
    downloaded: i64,
    dlspeed: i64,
    upspeed: i64,
    num_seeds: i64,
    num_leechs: i64,
    eta: i64,
    added_on: i64,
    last_activity: i64,
    save_path: String,
    category: String,
}

impl Entry {
    pub(super) fn snapshot(&self, key: &InfoHash, skew: Skew) -> Snapshot {
        let own = [&self.infohash_v1, &self.infohash_v2].into_iter().flatten();
        let mut hashes: Hashes = own.filter_map(|hash| InfoHash::parse(hash)).collect();
        hashes.insert(key.clone());
        let text = |field: &Option<String>| field.clone().unwrap_or_default();
        // Before 5.0 nothing says it but a size of -1. No torrent has no bytes.
        let sized = self.total_size.is_some_and(|size| size > 0);
        let eta = self.eta.filter(|eta| (0..NEVER_S).contains(eta)).map(count);
        Snapshot {
            key: key.clone(),
            hashes,
            name: text(&self.name),
            state: state(self.state.as_deref().unwrap_or_default()),
            metadata: self.has_metadata.unwrap_or(sized),
            added_on: skew.here(self.added_on),
            last_activity: skew.here(self.last_activity),
            size_bytes: number(self.size),
            left_bytes: number(self.amount_left),
            received_bytes: number(self.downloaded),
            down_rate: number(self.dlspeed),
            up_rate: number(self.upspeed),
            seeds: u32::try_from(number(self.num_seeds)).unwrap_or(u32::MAX),
            peers: u32::try_from(number(self.num_leechs)).unwrap_or(u32::MAX),
            eta: eta.map(Duration::from_secs),
            save_path: text(&self.save_path),
            category: text(&self.category),
        }
    }
}

/// Some fields say -1 for "not known".
fn count(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

fn number(field: Option<i64>) -> u64 {
    count(field.unwrap_or(0))
}

/// `torrentStateToString` of 4.5.2 to 5.2.3, both words where they differ.
fn state(word: &str) -> ClientState {
    match word {
        "error" => ClientState::Error,
        "missingFiles" => ClientState::MissingFiles,
        "uploading" => ClientState::Uploading,
        "pausedUP" | "stoppedUP" => ClientState::StoppedUp,
        "queuedUP" => ClientState::QueuedUp,
        "stalledUP" => ClientState::StalledUp,
        "forcedUP" => ClientState::ForcedUp,
        "checkingUP" => ClientState::CheckingUp,
        "downloading" => ClientState::Downloading,
        "forcedDL" => ClientState::ForcedDl,
        "metaDL" => ClientState::MetaDl,
        "forcedMetaDL" => ClientState::ForcedMetaDl,
        "pausedDL" | "stoppedDL" => ClientState::StoppedDl,
        "queuedDL" => ClientState::QueuedDl,
        "stalledDL" => ClientState::StalledDl,
        "checkingDL" => ClientState::CheckingDl,
        "checkingResumeData" => ClientState::CheckingResume,
        "moving" => ClientState::Moving,
        _ => ClientState::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Snapshot {
        let entry: Entry = serde_json::from_str(json).unwrap();
        entry.snapshot(&InfoHash::v1([0xaa; 20]), Skew::default())
    }

    #[test]
    fn a_magnet_without_metadata_has_none_in_any_version() {
        let old = r#"{"state":"metaDL","total_size":-1,"size":0,"amount_left":0,"eta":8640000}"#;
        let new = r#"{"state":"stoppedDL","has_metadata":false,"total_size":-1,"eta":-1}"#;
        for json in [old, new] {
            let magnet = read(json);
            assert!(!magnet.metadata && magnet.size_bytes == 0 && magnet.eta.is_none(), "{json}");
        }
        assert!(read(r#"{"total_size":7}"#).metadata);
        assert!(read(r#"{"total_size":-1,"has_metadata":true}"#).metadata);
    }

    #[test]
    fn a_hybrid_is_called_by_all_its_hashes_and_never_by_an_empty_one() {
        let (v1, v2) = ("bb".repeat(20), "cc".repeat(32));
        let hybrid = read(&format!(r#"{{"infohash_v1":"{v1}","infohash_v2":"{v2}"}}"#));
        let called = ["aa".repeat(20), v1, v2[..40].to_owned(), v2];
        assert_eq!(hybrid.hashes.iter().map(InfoHash::as_str).collect::<Vec<_>>(), called);
        assert_eq!(read(r#"{"infohash_v1":"","infohash_v2":""}"#).hashes.iter().count(), 1);
    }

    #[test]
    fn words_of_all_versions_are_known_and_others_are_said_to_be_unknown() {
        let said = |word: &str| read(&format!(r#"{{"state":"{word}"}}"#)).state;
        assert_eq!(said("pausedUP"), said("stoppedUP"));
        assert_eq!(said("pausedDL"), said("stoppedDL"));
        assert_eq!(said("stalledDL"), ClientState::StalledDl);
        assert_eq!(said("dreaming"), ClientState::Unknown);
        assert_eq!(read("{}").state, ClientState::Unknown);
    }

    #[test]
    fn what_did_not_change_stays() {
        let mut entry: Entry = serde_json::from_str(r#"{"name":"a","size":5}"#).unwrap();
        entry.renew(serde_json::from_str(r#"{"size":6,"ratio":1.5,"tags":""}"#).unwrap());
        assert_eq!((entry.name.as_deref(), entry.size), (Some("a"), Some(6)));
    }
}
