//! What a torrent does, as its client shows it.

use serde::Serialize;
use utoipa::ToSchema;
use verst_service::download::{ClientState, Snapshot};

/// What a torrent did when it was last looked at.
#[derive(Serialize, ToSchema)]
pub(crate) struct Live {
    /// In words that mean the same in every version of the client.
    state: Does,
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
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
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
        let there = seen.size_bytes.saturating_sub(seen.left_bytes);
        let percent = (u128::from(there) * 100).checked_div(u128::from(seen.size_bytes));
        Self {
            state: Does::of(seen.state),
            percent: percent.filter(|_| seen.metadata).and_then(|it| u64::try_from(it).ok()),
            size_bytes: seen.size_bytes,
            left_bytes: seen.left_bytes,
            down_rate: seen.down_rate,
            up_rate: seen.up_rate,
            seeds: seen.seeds,
            peers: seen.peers,
            eta_s: seen.eta.map(|eta| eta.as_secs()),
        }
    }
}

impl Does {
    fn of(state: ClientState) -> Self {
        match state {
            ClientState::MetaDl | ClientState::ForcedMetaDl => Self::Metadata,
            ClientState::Downloading | ClientState::ForcedDl => Self::Downloading,
            ClientState::StalledDl => Self::Stalled,
            ClientState::Uploading | ClientState::StalledUp | ClientState::ForcedUp => {
                Self::Seeding
            }
            ClientState::QueuedUp | ClientState::QueuedDl => Self::Queued,
            ClientState::StoppedUp | ClientState::StoppedDl => Self::Stopped,
            ClientState::CheckingUp | ClientState::CheckingDl | ClientState::CheckingResume => {
                Self::Checking
            }
            ClientState::Moving => Self::Moving,
            ClientState::Error => Self::Error,
            ClientState::MissingFiles => Self::MissingFiles,
            ClientState::Unknown => Self::Unknown,
        }
    }
}
