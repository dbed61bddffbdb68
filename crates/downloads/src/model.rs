//! The rows of the line and what its steps may write.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use verst_kernel::{Timestamp, WorkId};

pub use verst_kernel::Source;

use crate::filing::Filing;
use crate::hash::Hashes;
use crate::names::Candidate;
use crate::ports::{Given, Placement};

/// Somebody who sent it, and is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sender {
    /// The entrance.
    pub source: Source,
    /// Where the answer goes, in the entrance's own terms.
    pub reply_to: Option<String>,
    /// Whose it is.
    pub owner: Option<String>,
}

/// A download to take in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewDownload {
    /// Who sent it.
    pub sender: Sender,
    /// What it is added by.
    pub given: Given,
    /// What it is called; never empty.
    pub hashes: Hashes,
    /// Its name, if it has one already. Shown, never used as a path.
    pub name: Option<String>,
    /// Bytes, if that is known already.
    pub size_bytes: Option<u64>,
}

/// What became of a download to take in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// The download.
    pub id: WorkId,
    /// Whether it is a new one; otherwise an active one has one of the hashes, and the sender is told
    /// about that.
    pub fresh: bool,
}

/// A download as it is stored.
#[derive(Clone, Debug, PartialEq)]
pub struct Download {
    /// Identity, the same as that of its work.
    pub id: WorkId,
    /// When it was taken in.
    pub created_at: Timestamp,
    /// What it is added by. For a magnet, the exported bytes once there are some.
    pub given: Given,
    /// All that it is called.
    pub hashes: Hashes,
    /// Its name.
    pub name: Option<String>,
    /// Bytes of the wanted files.
    pub size_bytes: Option<u64>,
    /// Those who are told; the first is whose it is.
    pub senders: Vec<Sender>,
    /// What its client's watch remembers of it.
    pub measures: Measures,
    /// Whether its torrent is in the client, as far as is known.
    pub in_client: bool,
    /// What it is, once that was found out or said.
    pub filing: Option<Filing>,
    /// What it may be, as long as a person has not said.
    pub candidates: Vec<Candidate>,
    /// What is laid out, or about to be.
    pub placed: Vec<Placement>,
    /// The download that it turned out to be the same as.
    pub merged_into: Option<WorkId>,
}

/// Which of the two measures runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// Age: no metadata yet.
    Age,
    /// Idleness: no data moves.
    Idle,
}

/// What is remembered of a torrent between two looks at it. All times are whole microseconds UTC.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Measures {
    /// When a person last let it go on.
    pub retried_at: Option<i64>,
    /// The measure that ran at the last look.
    pub running: Option<Measure>,
    /// When that one last began to run: it counts from no earlier.
    pub floor: Option<i64>,
    /// Bytes that had come when we last saw more come.
    pub received_bytes: u64,
    /// When that was.
    pub moved_at: Option<i64>,
    /// Since when full listings do not have it.
    pub absent_since: Option<i64>,
    /// How many of them in a row.
    pub absent_listings: u32,
}

/// How patient we are. Both are settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// How long a magnet may be without metadata.
    pub magnet_timeout: Duration,
    /// How long a torrent may be without data.
    pub stuck_after: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            magnet_timeout: Duration::from_hours(7 * 24),
            stuck_after: Duration::from_hours(7 * 24),
        }
    }
}

/// What a step, or a person, writes besides the move.
#[derive(Clone, Debug, PartialEq)]
pub enum Product {
    /// Its torrent is in the client.
    Added,
    /// The bytes of its torrent, which its magnet had not.
    Exported(Vec<u8>),
    /// What it is.
    Filing(Filing),
    /// What it may be: a person is asked.
    Candidates(Vec<Candidate>),
    /// What is about to be laid out.
    Planned(Vec<Placement>),
    /// It is laid out; nothing more to write.
    Placed,
}
