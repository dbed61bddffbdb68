//! How often it is told what torrents do: numbers that move all the time must not drown the rest.
//!
//! **Invariant:** of one look at most [`MOST`] things are told for their torrents' sake alone, and none
//! that waited is passed over for one that waited less.

use std::time::Duration;

use tokio::time::Instant;
use verst_service::WorkId;

use crate::downloads::live::Live;

/// So many at a look: far fewer than a slow listener may be behind.
const MOST: usize = 64;
/// Speeds, peers and the like of one torrent are told this seldom.
const NUMBERS_EVERY: Duration = Duration::from_secs(10);

/// What was told of a torrent, and when.
pub(super) struct Heard {
    pub(super) live: Option<Live>,
    pub(super) at: Instant,
}

/// Whether what a torrent does now is worth telling: its state and its percent as soon as they
/// change, all else now and then.
pub(super) fn is_due(heard: &Heard, live: Option<&Live>, now: Instant) -> bool {
    let before = heard.live.as_ref();
    if before == live {
        return false;
    }
    let rough = |live: Option<&Live>| live.map(Live::rough);
    rough(before) != rough(live) || now.duration_since(heard.at) >= NUMBERS_EVERY
}

/// Those of what is due that are told at this look.
pub(super) fn pick(mut due: Vec<(Instant, WorkId)>) -> Vec<WorkId> {
    due.sort_unstable();
    due.into_iter().take(MOST).map(|(_, id)| id).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(after_s: u64, live: Option<&Live>, expected: bool) {
        let at = Instant::now();
        let heard = Heard { live: Some(Live::sample("downloading", 500, 7)), at };
        assert_eq!(is_due(&heard, live, at + Duration::from_secs(after_s)), expected);
    }

    #[test]
    fn a_state_and_a_percent_are_told_at_once_and_a_speed_now_and_then() {
        check(100, Some(&Live::sample("downloading", 500, 7)), false);
        check(0, Some(&Live::sample("stalled", 500, 7)), true);
        check(0, Some(&Live::sample("downloading", 480, 7)), true);
        check(0, None, true);
        // Within the same percent.
        check(9, Some(&Live::sample("downloading", 491, 8)), false);
        check(10, Some(&Live::sample("downloading", 491, 8)), true);
    }

    #[test]
    fn of_many_those_are_told_that_waited_longest() {
        let begun = Instant::now();
        let at = |n: u64| (begun + Duration::from_secs(n), WorkId(i64::try_from(n).unwrap()));
        let picked = pick((0..200).rev().map(at).collect());
        assert_eq!(picked.len(), MOST);
        assert_eq!(picked.iter().map(|id| id.0).max(), Some(63));
    }
}
