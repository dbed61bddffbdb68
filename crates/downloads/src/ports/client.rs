//! The torrent client.
//!
//! Nothing here is judged by an answer: clients of different versions say the same words for
//! different things. Whoever adds, removes or starts something looks afterwards.

use std::time::Duration;

use async_trait::async_trait;
use thiserror::Error;
use verst_kernel::Timestamp;

use crate::hash::{Hashes, InfoHash};

/// Why a client did not do what it was asked.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ClientError {
    /// No answer: it is not there, or too slow.
    #[error("the torrent client cannot be reached")]
    Unreachable,
    /// It does not let us in, and is not asked again for so long: clients shut out those who keep
    /// trying.
    #[error("the torrent client refuses to let us in")]
    Refuses {
        /// When to try once more.
        again_in: Duration,
    },
    /// It has no such torrent.
    #[error("the torrent client has no such torrent")]
    Missing,
    /// It answered with something that this adapter does not understand.
    #[error("the torrent client gave an unexpected answer: {0}")]
    Unexpected(&'static str),
}

/// States of a torrent, over the names that versions give them.
/// <https://github.com/qbittorrent/qBittorrent/wiki/WebUI-API-(qBittorrent-5.0)#get-torrent-list>
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClientState {
    /// The client cannot go on: a broken disk, a full one.
    Error,
    /// Files that it had are gone.
    MissingFiles,
    /// Whole, and given to others. `uploading`.
    Uploading,
    /// Whole and stopped. `pausedUP`, `stoppedUP`.
    StoppedUp,
    /// Whole and waiting in a queue.
    QueuedUp,
    /// Whole, and nobody asks for it.
    StalledUp,
    /// Whole and given to others, past all limits.
    ForcedUp,
    /// Whole, and being read through.
    CheckingUp,
    /// Coming.
    Downloading,
    /// Coming, past all limits.
    ForcedDl,
    /// A magnet whose metadata is not there.
    MetaDl,
    /// The same, past all limits.
    ForcedMetaDl,
    /// Not whole and stopped; a magnet without metadata, too.
    StoppedDl,
    /// Not whole and waiting in a queue.
    QueuedDl,
    /// Not whole, and nothing comes at this moment.
    StalledDl,
    /// Not whole, and being read through.
    CheckingDl,
    /// Being looked at after the client's start.
    CheckingResume,
    /// On its way to where it is to stay.
    Moving,
    /// One that this binary does not know.
    Unknown,
}

impl ClientState {
    /// What it comes to for people, in one word for programs.
    pub fn in_short(self) -> &'static str {
        match self {
            Self::MetaDl | Self::ForcedMetaDl => "metadata",
            Self::Downloading | Self::ForcedDl => "downloading",
            Self::StalledDl => "stalled",
            Self::Uploading | Self::StalledUp | Self::ForcedUp => "seeding",
            Self::QueuedUp | Self::QueuedDl => "queued",
            Self::StoppedUp | Self::StoppedDl => "stopped",
            Self::CheckingUp | Self::CheckingDl | Self::CheckingResume => "checking",
            Self::Moving => "moving",
            Self::Error => "error",
            Self::MissingFiles => "missing_files",
            Self::Unknown => "unknown",
        }
    }
}

/// A torrent as the client shows it at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    /// What the client calls it now. This changes for a hybrid torrent.
    pub key: InfoHash,
    /// All that it says the torrent is called.
    pub hashes: Hashes,
    /// Name for people.
    pub name: String,
    /// What it does.
    pub state: ClientState,
    /// Whether the metadata is there.
    pub metadata: bool,
    /// When it was added, by our clock.
    pub added_on: Option<Timestamp>,
    /// When data last moved, either way, by our clock.
    pub last_activity: Option<Timestamp>,
    /// Bytes of the wanted files.
    pub size_bytes: u64,
    /// Bytes of them that are not there.
    pub left_bytes: u64,
    /// Bytes that ever came. Grows only, but for a recheck.
    pub received_bytes: u64,
    /// Bytes a second that come.
    pub down_rate: u64,
    /// Bytes a second that go.
    pub up_rate: u64,
    /// Seeds that it is connected to.
    pub seeds: u32,
    /// Other peers that it is connected to.
    pub peers: u32,
    /// When it will be whole, as the client guesses.
    pub eta: Option<Duration>,
    /// The directory that files' names are relative to, as the client's host calls it.
    pub save_path: String,
    /// Its category.
    pub category: String,
}

impl Snapshot {
    /// How much of the wanted files is there, once that is known.
    pub fn percent(&self) -> Option<u64> {
        let there = self.size_bytes.saturating_sub(self.left_bytes);
        let percent = (u128::from(there) * 100).checked_div(u128::from(self.size_bytes));
        percent.filter(|_| self.metadata).and_then(|it| u64::try_from(it).ok())
    }
}

/// Whether the client reaches others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Connection {
    /// It does, or may.
    Up,
    /// It says that it does not.
    Down,
}

/// All that the client has, at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Listing {
    /// Every torrent.
    pub torrents: Vec<Snapshot>,
    /// Whether the client told them all anew, rather than what changed since the last time.
    pub full: bool,
    /// Whether it reaches others.
    pub connection: Connection,
    /// Bytes free where it downloads to, if it says.
    pub free_bytes: Option<u64>,
}

/// A file of a torrent.
#[derive(Clone, Debug, PartialEq)]
pub struct TorrentFile {
    /// Its place in the torrent.
    pub index: u32,
    /// Path below the save path, parts divided by `/`, as it lies on the disk.
    pub path: String,
    /// Bytes.
    pub size_bytes: u64,
    /// Whether it is to be downloaded at all.
    pub wanted: bool,
    /// Whether it is whole.
    pub whole: bool,
    /// How much of it is there, from 0 to 1.
    pub progress: f64,
}

/// What a torrent is added by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Given {
    /// A magnet link.
    Magnet(String),
    /// The bytes of a .torrent file.
    Torrent(Vec<u8>),
}

/// What the client said to an addition. Nobody rests on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Added {
    /// That it took it, or will.
    Taken,
    /// That there was nothing new to take: it is there already, or it is no torrent.
    NotTaken,
}

/// A client, for those who see to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    /// The program's version, for people.
    pub version: String,
    /// Where it puts things by itself, as its host calls the directory.
    pub save_path: String,
    /// Whether it knows the category that we add in. If not, the first addition makes it.
    pub has_category: bool,
}

/// What becomes of the data when a torrent is removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remove {
    /// It stays.
    KeepFiles,
    /// It goes as well: only a person asks for this.
    DeleteFiles,
}

/// A torrent client. Every call ends within a limit of its own.
#[async_trait]
pub trait TorrentClient: Send + Sync {
    /// All its torrents.
    async fn list(&self) -> Result<Listing, ClientError>;

    /// Adds a torrent, in our category, started, where the client puts things by itself.
    async fn add(&self, given: &Given) -> Result<Added, ClientError>;

    /// The files of a torrent; none while there is no metadata.
    async fn files(&self, key: &InfoHash) -> Result<Vec<TorrentFile>, ClientError>;

    /// The bytes of its .torrent file; `None` while there is no metadata.
    async fn export(&self, key: &InfoHash) -> Result<Option<Vec<u8>>, ClientError>;

    /// Lets it go on.
    async fn start(&self, key: &InfoHash) -> Result<(), ClientError>;

    /// Lets it rest.
    async fn stop(&self, key: &InfoHash) -> Result<(), ClientError>;

    /// Has its trackers asked again.
    async fn reannounce(&self, key: &InfoHash) -> Result<(), ClientError>;

    /// Removes it.
    async fn remove(&self, key: &InfoHash, data: Remove) -> Result<(), ClientError>;

    /// What it is and how it is set up: asked by whoever sees to it, never by a step.
    async fn about(&self) -> Result<About, ClientError>;
}
