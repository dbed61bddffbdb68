//! A torrent in the scripted client, which tests read and change.

use serde_json::{Map, Value, json};
use verst_downloads::hash::{Hashes, InfoHash};
use verst_downloads::ports::ClientState;

use super::Dialect;
use crate::torrents::Torrent;

/// A torrent that the scripted client has.
#[derive(Clone, Debug)]
pub struct Held {
    /// Its v1 hash, if it is known.
    pub v1: Option<InfoHash>,
    /// Its v2 hash, if it is known.
    pub v2: Option<InfoHash>,
    /// What it is called.
    pub name: String,
    /// What it does.
    pub state: ClientState,
    /// The .torrent file, which is there with the metadata.
    pub bytes: Option<Vec<u8>>,
    /// Its files, which are there with the metadata.
    pub files: Vec<HeldFile>,
    /// When it was added, in seconds of the client's clock.
    pub added_on_s: i64,
    /// When data last moved, in seconds of the client's clock.
    pub last_activity_s: i64,
    /// Bytes that ever came.
    pub received_bytes: u64,
    /// Bytes a second that come.
    pub down_rate: u64,
    /// Seeds that it is connected to.
    pub seeds: u32,
    /// Its category.
    pub category: String,
    /// Where its files are.
    pub save_path: String,
}

/// A file of it.
#[derive(Clone, Debug)]
pub struct HeldFile {
    /// Path below the save path.
    pub path: String,
    /// Bytes.
    pub size_bytes: u64,
    /// 0 if it is not wanted.
    pub priority: u8,
    /// From 0 to 1.
    pub progress: f64,
}

impl Held {
    /// A magnet without metadata.
    pub(super) fn magnet(hashes: (Option<InfoHash>, Option<InfoHash>), name: &str) -> Self {
        Self {
            v1: hashes.0,
            v2: hashes.1,
            name: name.to_owned(),
            state: ClientState::MetaDl,
            bytes: None,
            files: Vec::new(),
            added_on_s: 0,
            last_activity_s: 0,
            received_bytes: 0,
            down_rate: 0,
            seeds: 0,
            category: String::new(),
            save_path: "/downloads".to_owned(),
        }
    }

    /// The metadata is there.
    pub(super) fn learn(&mut self, torrent: &Torrent) {
        (self.v1, self.v2) = (torrent.v1.clone(), torrent.v2.clone());
        self.name.clone_from(&torrent.name);
        self.bytes = Some(torrent.bytes.clone());
        let files = torrent.files.iter().cloned();
        let file = |(path, size_bytes)| HeldFile { path, size_bytes, priority: 1, progress: 0.0 };
        self.files = files.map(file).collect();
        if matches!(self.state, ClientState::MetaDl | ClientState::ForcedMetaDl) {
            self.state = ClientState::StalledDl;
        }
    }

    /// Everything is there, and nobody asks for it.
    pub fn complete(&mut self) {
        for file in &mut self.files {
            file.progress = 1.0;
        }
        self.received_bytes = self.size_bytes();
        self.state = ClientState::StalledUp;
    }

    /// All that it is called.
    pub fn hashes(&self) -> Hashes {
        self.v1.iter().chain(&self.v2).cloned().collect()
    }

    /// What the client calls it: the beginning of the v2 hash if there is one, otherwise the v1 hash.
    pub fn key(&self) -> InfoHash {
        match &self.v2 {
            Some(v2) => InfoHash::parse(&v2.as_str()[..40]).unwrap(),
            None => self.v1.clone().expect("a torrent has a hash"),
        }
    }

    /// Whether all that is wanted is there.
    pub fn is_whole(&self) -> bool {
        let mut wanted = self.files.iter().filter(|file| file.priority > 0);
        !self.files.is_empty() && wanted.all(|file| file.progress >= 1.0)
    }

    fn size_bytes(&self) -> u64 {
        self.files.iter().filter(|file| file.priority > 0).map(|file| file.size_bytes).sum()
    }

    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "files of tests are small"
    )]
    fn left_bytes(&self) -> u64 {
        let wanted = self.files.iter().filter(|file| file.priority > 0);
        wanted.map(|file| (file.size_bytes as f64 * (1.0 - file.progress)) as u64).sum()
    }

    /// As it stands in `torrents/info`, without its key.
    pub(super) fn json(&self, dialect: Dialect) -> Map<String, Value> {
        let text = |hash: &Option<InfoHash>| hash.as_ref().map_or("", InfoHash::as_str).to_owned();
        let known = self.bytes.is_some();
        let total: u64 = self.files.iter().map(|file| file.size_bytes).sum();
        let content_path =
            if known { format!("{}/{}", self.save_path, self.name) } else { String::new() };
        let value = json!({
            "infohash_v1": text(&self.v1), "infohash_v2": text(&self.v2), "name": self.name,
            "state": dialect.word(self.state), "size": self.size_bytes(),
            "total_size": if known { json!(total) } else { json!(-1) },
            "amount_left": self.left_bytes(), "downloaded": self.received_bytes,
            "dlspeed": self.down_rate, "upspeed": 0, "num_seeds": self.seeds, "num_leechs": 0,
            "eta": 8_640_000, "added_on": self.added_on_s, "last_activity": self.last_activity_s,
            "save_path": self.save_path, "content_path": content_path, "category": self.category,
            "auto_tmm": false, "tags": "", "progress": 0,
        });
        let Value::Object(mut fields) = value else { unreachable!("an object") };
        if dialect.since_5_0 {
            fields.insert("has_metadata".to_owned(), json!(known));
        }
        fields
    }

    /// As it stands in `torrents/files`.
    pub(super) fn files_json(&self) -> Value {
        let files = self.files.iter().enumerate();
        let file = |(index, file): (usize, &HeldFile)| {
            json!({
                "index": index, "name": file.path, "size": file.size_bytes, "availability": 0,
                "priority": file.priority, "progress": file.progress, "piece_range": [0, 0],
            })
        };
        Value::Array(files.map(file).collect())
    }
}
