//! Trouble that waits for a person, as the rows show it, and what of it belongs to this run.

use std::collections::BTreeMap;
use std::time::Duration;

use tokio::time::Instant;
use verst_kernel::{Failure, StoreError, Timestamp, WorkId};
use verst_recordings::codes;
use verst_service::{Filter, State, WorkView};

use crate::house::House;

/// Rows read at once.
const PAGE: u32 = 1000;

/// The rows that stood in trouble before this run looked at any. What they say may have been mended
/// since, so they are heeded only after a run of this process moved them.
pub(super) struct Former {
    troubled: BTreeMap<WorkId, Timestamp>,
}

impl Former {
    /// Has to be read before the workers start.
    pub(super) async fn read(house: &House) -> Result<Self, StoreError> {
        let mut troubled = BTreeMap::new();
        let mut before = None;
        loop {
            let filter =
                Filter { state: Some(State::Moving), before, limit: PAGE, ..Filter::default() };
            let page = house.service.ledger.list(filter).await?;
            let Some(last) = page.last() else { return Ok(Self { troubled }) };
            before = Some(last.work.id);
            let here = page.iter().filter(|view| awaits_person(view.work.why.as_ref()));
            troubled.extend(here.map(|view| (view.work.id, view.work.ready_at)));
        }
    }

    /// The trouble in which a run of this process left the work.
    pub(super) fn trouble<'a>(&self, work: &'a WorkView) -> Option<&'a Failure> {
        // A claim moves the time before its run can say how it went.
        let fresh = !work.held && self.troubled.get(&work.id) != Some(&work.ready_at);
        work.why.as_ref().filter(|why| fresh && awaits_person(Some(why)))
    }
}

pub(super) fn awaits_person(why: Option<&Failure>) -> bool {
    why.is_some_and(|why| codes::awaits_person(&why.code))
}

/// How recordings stand that are neither done nor stopped.
#[derive(Clone, Debug, Default)]
pub(super) struct Standings {
    /// Under way, or soon so.
    pub(super) moving: usize,
    /// Waiting for others to make room, which those in trouble may never do.
    pub(super) queued: usize,
    /// One of the troubles.
    pub(super) trouble: Option<Failure>,
}

/// How long something has been so.
#[derive(Debug, Default)]
pub(super) struct Since(Option<Instant>);

impl Since {
    /// It is so, or it is not. Whether it has been so for that long.
    pub(super) fn lasts(&mut self, so: bool, long: Duration) -> bool {
        if !so {
            self.0 = None;
            return false;
        }
        self.0.get_or_insert_with(Instant::now).elapsed() >= long
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn work(ready_at: i64, held: bool, code: &'static str) -> WorkView {
        WorkView {
            id: WorkId(1),
            milestone: "uploaded".into(),
            created_at: Timestamp(0),
            entered_at: Timestamp(0),
            ready_at: Timestamp(ready_at),
            held,
            failures: 0,
            why: Some(Failure::new(code)),
            stop: None,
        }
    }

    #[test]
    fn trouble_of_a_former_run_is_not_heeded() {
        let troubled = [(WorkId(1), Timestamp(5))].into();
        let former = Former { troubled };
        let heeded = |ready_at, held, code| former.trouble(&work(ready_at, held, code)).is_some();
        assert!(!heeded(5, false, codes::DISK_FULL), "nobody has looked at it since");
        assert!(!heeded(9, true, codes::DISK_FULL), "somebody is looking at it");
        assert!(heeded(9, false, codes::DISK_FULL));
        assert!(!heeded(9, false, codes::FFMPEG_FAILED));
        let calm = Former { troubled: BTreeMap::new() };
        assert!(calm.trouble(&work(5, false, codes::DISK_FULL)).is_some());
    }
}
