//! What a torrent does, as its client shows it.

use serde::Serialize;
use utoipa::ToSchema;
use verst_service::download::Snapshot;

/// What a torrent did when it was last looked at.
#[derive(PartialEq, Serialize, ToSchema)]
pub(crate) struct Live {
    /// In words that mean the same in every version of the client.
    #[schema(value_type = Does)]
    state: &'static str,
    /// How much of the wanted files is there; null while that is not known.
    #[schema(minimum = 0, maximum = 100)]
    percent: Option<u64>,
    /// Bytes of the wanted files.
    size_bytes: u64,
    /// Bytes of them that are not there.
    left_bytes: u64,
    /// Bytes a second that come.
    down_rate: u64,
    /// Bytes a second that go.
    up_rate: u64,
    /// Seeds that it is connected to.
    seeds: u32,
    /// Other peers that it is connected to.
    peers: u32,
    /// Seconds until it is whole, as the client guesses.
    eta_s: Option<u64>,
}

/// What it does.
#[derive(ToSchema)]
#[schema(rename_all = "snake_case")]
#[expect(dead_code, reason = "it describes the words; the line has them")]
enum Does {
    /// It looks for its metadata.
    Metadata,
    /// It comes.
    Downloading,
    /// It is not whole, and nothing comes.
    Stalled,
    /// It is whole, and there for others.
    Seeding,
    /// It waits in the client's queue.
    Queued,
    /// It rests.
    Stopped,
    /// Its data is read through.
    Checking,
    /// Its files are being moved.
    Moving,
    /// The client cannot go on with it.
    Error,
    /// Files that it had are gone.
    MissingFiles,
    /// Something that this version does not know.
    Unknown,
}

impl Live {
    pub(crate) fn of(seen: &Snapshot) -> Self {
        Self {
            state: seen.state.in_short(),
            percent: seen.percent(),
            size_bytes: seen.size_bytes,
            left_bytes: seen.left_bytes,
            down_rate: seen.down_rate,
            up_rate: seen.up_rate,
            seeds: seen.seeds,
            peers: seen.peers,
            eta_s: seen.eta.map(|eta| eta.as_secs()),
        }
    }

    /// What it does and how far it is, roughly.
    pub(crate) fn rough(&self) -> (&'static str, Option<u64>) {
        (self.state, self.percent)
    }

    /// One of a thousand bytes, of which so many are left.
    #[cfg(test)]
    pub(crate) fn sample(state: &'static str, left_bytes: u64, down_rate: u64) -> Self {
        Self {
            state,
            percent: Some((1000 - left_bytes) / 10),
            size_bytes: 1000,
            left_bytes,
            down_rate,
            up_rate: 0,
            seeds: 1,
            peers: 0,
            eta_s: None,
        }
    }
}
