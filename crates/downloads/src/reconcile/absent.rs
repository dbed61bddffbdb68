//! A torrent that a full listing is without.

use std::time::Duration;

use verst_kernel::{Failure, Stop, StopReason, Timestamp};

use super::unchanged;
use crate::codes;
use crate::ports::{Followed, Sight, Turn};

/// So many full listings in a row...
const LISTINGS: u32 = 3;
/// ...over at least so long: a client that has just started may list before it has loaded all.
const OVER: Duration = Duration::from_mins(5);

/// One more listing is without it.
pub(super) fn missed(task: &Followed, now: Timestamp) -> Sight {
    let mut sight = unchanged(task);
    let person = task.stop.as_ref().is_some_and(|(_, stop)| stop.reason == StopReason::Person);
    if task.stop.is_some() && !person {
        // Given up already; whether its torrent is there does not matter.
        return sight;
    }
    let measures = &mut sight.measures;
    let since = *measures.absent_since.get_or_insert(now.0);
    measures.absent_listings = measures.absent_listings.saturating_add(1);
    if measures.absent_listings >= LISTINGS && now.since(Timestamp(since)) >= OVER {
        sight.in_client = false;
        if !person {
            let failure = Failure::new(codes::TORRENT_GONE);
            sight.turn = Turn::Stop(Stop { reason: StopReason::Verdict, failure });
        }
    }
    sight
}
