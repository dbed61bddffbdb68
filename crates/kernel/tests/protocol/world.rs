//! A state: the store's rows, what the processes hold in memory, and which rules were broken.

use crate::kernel::Seen;
use crate::store::Row;

/// A claim in a worker's hands. The last two are what really is, whatever the fences say.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Run {
    pub(crate) record: u8,
    pub(crate) fence: u8,
    pub(crate) seen: Seen,
    /// Nobody has claimed, settled, stopped, taken back, begun anew or removed the record since.
    pub(crate) current: bool,
    /// Nor may anybody: the lease runs, and no person took it.
    pub(crate) entitled: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Place {
    /// In the store. Known to a process that will tell it, or to none.
    Stored {
        known: bool,
    },
    /// Cleared, and not sent yet.
    Taken,
    /// Sent, and not cleared yet: only if flawed.
    SentFirst,
    Gone,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Notice {
    pub(crate) record: u8,
    pub(crate) instance: u8,
    /// Of the end of the road, and not of a stop.
    pub(crate) done: bool,
    pub(crate) place: Place,
    /// How often it was sent, or counted as undelivered.
    pub(crate) ends: u8,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Life {
    Up,
    Down,
    /// It starts, and has seen these claims of its former life: record and fence.
    Starts(Vec<(u8, u8)>),
}

/// Rules that a step of the history has broken.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[expect(clippy::struct_excessive_bools, reason = "one for each rule")]
pub(crate) struct Broken {
    pub(crate) second_result: bool,
    pub(crate) fence_repeated: bool,
    pub(crate) stranger_wrote: bool,
    pub(crate) stopped_moved: bool,
    pub(crate) removed_moved: bool,
    pub(crate) told_early: bool,
}

/// A state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct World {
    pub(crate) rows: Vec<Row>,
    pub(crate) runs: [Option<Run>; 2],
    pub(crate) lives: [Life; 2],
    pub(crate) notices: Vec<Notice>,
    /// How many more things may go wrong.
    pub(crate) left: u8,
    pub(crate) broken: Broken,
}

impl World {
    pub(crate) fn runs(&self) -> impl Iterator<Item = &Run> {
        self.runs.iter().flatten()
    }

    pub(crate) fn runs_mut(&mut self) -> impl Iterator<Item = &mut Run> {
        self.runs.iter_mut().flatten()
    }

    pub(crate) fn is_down(&self, instance: u8) -> bool {
        self.lives[usize::from(instance)] == Life::Down
    }

    pub(crate) fn is_up(&self, instance: u8) -> bool {
        self.lives[usize::from(instance)] == Life::Up
    }

    pub(crate) fn nobody_is_up(&self) -> bool {
        self.lives.iter().all(|life| *life != Life::Up)
    }

    /// Whether its holder is alive: a lease that ends all the same is a disturbance.
    pub(crate) fn is_worked_on(&self, record: u8) -> bool {
        let fence = self.rows[usize::from(record)].fence;
        self.runs().any(|run| run.record == record && run.fence == fence)
    }

    pub(crate) fn is_settled(&self) -> bool {
        self.rows.iter().all(|row| row.stopped || row.is_done() || row.removed)
    }

    /// How often somebody was to be told that this record is done.
    pub(crate) fn times_done(&self, record: u8) -> usize {
        self.notices.iter().filter(|notice| notice.record == record && notice.done).count()
    }

    pub(crate) fn disturbed(mut self) -> Self {
        self.left -= 1;
        self
    }
}
