//! The two measures: how old a magnet without metadata is, and how long no data has moved.
//!
//! **Invariant:** a measure counts from the latest of all that it may count from, so each of them can
//! only put a stop off.

use std::time::Duration;

use verst_kernel::{Failure, Timestamp};

use super::Circumstances;
use crate::codes;
use crate::model::{Measure, Measures};
use crate::ports::{ClientState, Followed, Snapshot};

/// What came is written down at most this often.
const NOTED_EVERY: Duration = Duration::from_mins(1);

/// Which measure runs in a state. None does while a torrent is queued, stopped, read through, moved or
/// broken: it is not the torrent's fault then.
fn running(torrent: &Snapshot) -> Option<Measure> {
    use ClientState::{Downloading, ForcedDl, ForcedMetaDl, MetaDl, StalledDl};
    match torrent.state {
        MetaDl | ForcedMetaDl => Some(Measure::Age),
        Downloading | StalledDl | ForcedDl if torrent.metadata => Some(Measure::Idle),
        _ => None,
    }
}

/// Takes down what was seen: when a measure resumes, and that bytes came.
pub(super) fn look(measures: &mut Measures, torrent: &Snapshot, now: Timestamp) {
    let running = running(torrent);
    if running != measures.running {
        measures.running = running;
        if running.is_some() {
            measures.floor = Some(now.0);
        }
    }
    let lately = measures.moved_at.is_some_and(|at| now.since(Timestamp(at)) < NOTED_EVERY);
    if torrent.received_bytes > measures.received_bytes && !lately {
        measures.moved_at = Some(now.0);
        measures.received_bytes = torrent.received_bytes;
    } else if torrent.received_bytes < measures.received_bytes {
        // It was read through and found wanting, or added anew.
        measures.received_bytes = torrent.received_bytes;
    }
}

/// The failure of a torrent that is past its measure. `measures` are those of this look.
pub(super) fn overdue(
    task: &Followed,
    measures: &Measures,
    torrent: &Snapshot,
    around: &Circumstances<'_>,
) -> Option<Failure> {
    let (now, since) = (around.now, around.since?);
    let past = |at: &Timestamp| *at <= now;
    let added = torrent.added_on.filter(past).unwrap_or(task.created_at);
    let (code, limit, basis) = match measures.running? {
        Measure::Age => (codes::MAGNET_TIMEOUT, around.patience.magnet_timeout, added),
        Measure::Idle => {
            // A value from the future, or from before it was added, is none.
            let active = torrent.last_activity.filter(past).unwrap_or(added);
            let moved = measures.moved_at.map_or(added, Timestamp);
            (codes::STALLED, around.patience.stuck_after, active.max(added).max(moved))
        }
    };
    let floors = [measures.retried_at, measures.floor].into_iter().flatten().map(Timestamp);
    let from = floors.chain([since]).fold(basis, Timestamp::max);
    let waited = now.since(from);
    (waited > limit).then(|| {
        let hours = i64::try_from(waited.as_secs() / 3600).unwrap_or(i64::MAX);
        Failure::new(code).int("hours", hours)
    })
}
