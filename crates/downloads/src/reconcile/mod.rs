//! What follows for a download from a look at its torrent. Pure, and total.
//!
//! **Invariant:** what is not known stops nothing: a client that is silent, or that reaches nobody,
//! changes no download, and a torrent is gone only when several full listings over minutes say so.

mod absent;
mod measure;
#[cfg(test)]
mod tests;

use verst_kernel::{Failure, Stop, StopReason, Timestamp};

use crate::codes;
use crate::model::Patience;
use crate::ports::{ClientState, Followed, Sight, Snapshot, Turn};

/// What is seen of a torrent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sighting<'a> {
    /// It is there.
    Present {
        /// As the client shows it.
        torrent: &'a Snapshot,
        /// Whether every wanted file is whole, if that was asked: see [`wants_files`].
        whole: Option<bool>,
    },
    /// A listing is without it.
    Absent {
        /// Whether that listing told all torrents anew.
        full: bool,
    },
    /// Nothing is known: the client did not answer.
    Silent,
}

/// What else the answer depends on.
#[derive(Clone, Copy, Debug)]
pub struct Circumstances<'a> {
    /// How patient we are.
    pub patience: &'a Patience,
    /// Since when the client answers, and reaches others, without a break; `None` if it does not.
    pub since: Option<Timestamp>,
    /// Now.
    pub now: Timestamp,
}

/// States in which a torrent is whole and where it is to stay. The same list as Sonarr's: a torrent
/// that is being moved or read through is neither.
fn rests(state: ClientState) -> bool {
    use ClientState::{ForcedUp, QueuedUp, StalledUp, StoppedUp, Uploading};
    matches!(state, Uploading | StalledUp | QueuedUp | ForcedUp | StoppedUp)
}

/// Whether the torrent is whole, but for a look at each of its files. Without metadata nothing is
/// left either, and where no file is wanted nothing ever comes.
fn looks_whole(torrent: &Snapshot) -> bool {
    rests(torrent.state) && torrent.metadata && torrent.size_bytes > 0 && torrent.left_bytes == 0
}

/// Whether the answer depends on the torrent's files.
pub fn wants_files(task: &Followed, torrent: &Snapshot) -> bool {
    let person = task.stop.as_ref().is_some_and(|(_, stop)| stop.reason == StopReason::Person);
    looks_whole(torrent) && !person
}

/// What is to be written; `None` when nothing changed.
pub fn decide(
    task: &Followed,
    sighting: Sighting<'_>,
    around: &Circumstances<'_>,
) -> Option<Sight> {
    let sight = match sighting {
        Sighting::Silent | Sighting::Absent { full: false } => return None,
        Sighting::Absent { full: true } => absent::missed(task, around.now),
        Sighting::Present { torrent, whole } => present(task, torrent, whole == Some(true), around),
    };
    (sight != unchanged(task)).then_some(sight)
}

/// What is written when nothing changed, which is then not written.
pub(crate) fn unchanged(task: &Followed) -> Sight {
    Sight {
        turn: Turn::Stay,
        measures: task.measures.clone(),
        learned: crate::hash::Hashes::default(),
        called: None,
        in_client: task.in_client,
        bytes: None,
    }
}

fn present(task: &Followed, torrent: &Snapshot, whole: bool, around: &Circumstances<'_>) -> Sight {
    let mut sight = Sight {
        learned: task.hashes.unknown(&torrent.hashes),
        called: called(task, torrent),
        in_client: true,
        ..unchanged(task)
    };
    (sight.measures.absent_since, sight.measures.absent_listings) = (None, 0);
    let whole = whole && looks_whole(torrent);
    match &task.stop {
        None => {
            measure::look(&mut sight.measures, torrent, around.now);
            sight.turn = if whole {
                Turn::Complete
            } else if let Some(failure) = broken(torrent.state) {
                Turn::Stop(Stop { reason: StopReason::Verdict, failure })
            } else {
                measure::overdue(task, &sight.measures, torrent, around)
                    .map_or(Turn::Stay, |failure| {
                        Turn::Stop(Stop { reason: StopReason::Stuck, failure })
                    })
            };
        }
        Some((at, stop))
            if broken(torrent.state).is_none() && advanced(task, *at, stop, torrent) =>
        {
            sight.turn = Turn::Revive { complete: whole };
        }
        Some(_) => {}
    }
    sight
}

/// Whether a torrent that our impatience gave up did what it was given up for not doing.
fn advanced(task: &Followed, stopped_at: Timestamp, stop: &Stop, torrent: &Snapshot) -> bool {
    match &*stop.failure.code {
        _ if stop.reason == StopReason::Person => false,
        codes::MAGNET_TIMEOUT => torrent.metadata,
        codes::STALLED => {
            looks_whole(torrent)
                || torrent.last_activity.is_some_and(|at| at > stopped_at)
                || torrent.received_bytes > task.measures.received_bytes
        }
        _ => false,
    }
}

fn broken(state: ClientState) -> Option<Failure> {
    let state = match state {
        ClientState::Error => "error",
        ClientState::MissingFiles => "missing_files",
        _ => return None,
    };
    Some(Failure::new(codes::CLIENT_ERROR).term("state", state))
}

/// Name and size, once there is metadata, where they differ from what is known.
fn called(task: &Followed, torrent: &Snapshot) -> Option<(String, u64)> {
    let known = (task.called.0.as_deref(), task.called.1);
    let news = known != (Some(torrent.name.as_str()), Some(torrent.size_bytes));
    (torrent.metadata && news).then(|| (torrent.name.clone(), torrent.size_bytes))
}
