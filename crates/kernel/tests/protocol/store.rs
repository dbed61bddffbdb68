//! The verbs of a store, one transaction each, on rows in memory: what stands in SQL elsewhere.

use verst_kernel::{Change, NoticeKind};

use crate::flaws::Flaw;
use crate::kernel::{self, End, Seen};
use crate::world::{Notice, Place, Run, World};

/// A row of `work`. The last three are not in a store: they remember what the row does not.
#[expect(clippy::struct_excessive_bools, reason = "each is a column, and they vary freely")]
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Row {
    pub(crate) milestone: u8,
    pub(crate) fence: u8,
    pub(crate) holder: Option<u8>,
    pub(crate) ready: bool,
    pub(crate) failures: u8,
    pub(crate) tried: bool,
    pub(crate) stopped: bool,
    /// There is no row, nor will there be another of this number.
    pub(crate) removed: bool,
    pub(crate) highest_fence: u8,
    pub(crate) highest_result: u8,
    pub(crate) claims: u8,
}

impl Row {
    pub(crate) fn is_done(&self) -> bool {
        kernel::stage(self.milestone).next.is_none()
    }

    pub(crate) fn is_claimable(&self, flaw: Option<Flaw>) -> bool {
        let moves = !self.stopped || flaw == Some(Flaw::ClaimIgnoresStop);
        moves && self.ready && !self.is_done() && !self.removed
    }

    /// Just taken in.
    pub(crate) fn fresh() -> Self {
        Self { ready: true, ..Self::default() }
    }

    /// Whether this run still has its claim.
    fn has(&self, run: &Run) -> bool {
        !self.removed && self.fence == run.fence
    }

    /// What a lift and a restart reset.
    fn begin(&mut self) {
        (self.stopped, self.ready, self.tried) = (false, true, false);
        (self.failures, self.claims) = (0, 0);
    }

    fn apply(&mut self, change: &Change<()>) {
        if let Some(reached) = change.advance {
            self.milestone = kernel::place(reached);
        }
        self.tried = change.advance.is_none() && (change.tried || self.tried);
        self.failures = u8::try_from(change.failures).expect("few");
        self.ready = change.ready_in.is_zero();
        self.stopped = change.stop.is_some();
        self.holder = None;
    }
}

impl World {
    fn row(&mut self, record: u8) -> &mut Row {
        &mut self.rows[usize::from(record)]
    }

    fn move_fence(&mut self, record: u8, to: u8) {
        let row = self.row(record);
        row.fence = to;
        let repeated = to <= row.highest_fence;
        row.highest_fence = row.highest_fence.max(to);
        self.broken.fence_repeated |= repeated;
        for run in self.runs_mut().filter(|run| run.record == record) {
            run.current = false;
        }
    }

    fn grow_fence(&mut self, record: u8) {
        let next = self.row(record).fence + 1;
        self.move_fence(record, next);
    }

    pub(crate) fn claim(&mut self, flaw: Option<Flaw>, holder: u8, record: u8) -> Run {
        self.grow_fence(record);
        let row = self.row(record);
        row.failures += u8::from(flaw != Some(Flaw::ClaimUncounted));
        row.claims += 1;
        row.holder = Some(holder);
        row.ready = false;
        let seen = Seen { milestone: row.milestone, failures: row.failures, tried: row.tried };
        Run { record, fence: row.fence, seen, current: true, entitled: true }
    }

    /// Writes what a step wants to keep; `false` is `Lost`.
    pub(crate) fn note(&mut self, flaw: Option<Flaw>, run: &Run) -> bool {
        let written = flaw == Some(Flaw::NoteUnfenced) || self.row(run.record).has(run);
        self.broken.stranger_wrote |= written && !run.current;
        written
    }

    /// `false` is `Lost`.
    pub(crate) fn settle(
        &mut self,
        flaw: Option<Flaw>,
        holder: u8,
        run: &Run,
        end: End,
        answered: bool,
    ) -> bool {
        let row = self.row(run.record);
        let accepted = match flaw {
            Some(Flaw::SettleUnfenced) => !row.removed,
            Some(Flaw::SettleByName) => row.holder == Some(holder),
            Some(Flaw::SettleAfterRemoval) => row.fence == run.fence,
            _ => row.has(run),
        };
        if !accepted {
            return false;
        }
        let (stopped, removed) = (row.stopped, row.removed);
        let second = run.fence <= row.highest_result;
        row.highest_result = row.highest_result.max(run.fence);
        self.broken.stopped_moved |= stopped;
        self.broken.removed_moved |= removed;
        self.broken.second_result |= second;
        self.broken.stranger_wrote |= !run.current;

        let change = kernel::change(run.seen, end);
        if flaw != Some(Flaw::SettleKeepsFence) {
            self.grow_fence(run.record);
        }
        let row = self.row(run.record);
        row.apply(&change);
        row.claims =
            if end.resets() { 0 } else { row.claims.saturating_sub(u8::from(end.gives_back())) };
        if let Some(kind) = change.notice {
            let (record, done) = (run.record, kind == NoticeKind::Done);
            let place = Place::Stored { known: answered };
            self.notices.push(Notice { record, instance: holder, done, place, ends: 0 });
        }
        true
    }

    /// What a start sees as its own: the first half of a reclaim. A store does both in one
    /// transaction; here anything may happen in between.
    pub(crate) fn former_claims(&self, flaw: Option<Flaw>, holder: u8) -> Vec<(u8, u8)> {
        let anyone = flaw == Some(Flaw::ReclaimFromAnyone);
        let rows = (0..).zip(&self.rows);
        let held =
            rows.filter(|(_, row)| row.holder == Some(holder) || anyone && row.holder.is_some());
        held.map(|(record, row)| (record, row.fence)).collect()
    }

    /// The second half.
    pub(crate) fn take_back(&mut self, flaw: Option<Flaw>, former: &[(u8, u8)]) {
        for (record, fence) in former {
            let row = self.row(*record);
            if !row.removed && (flaw == Some(Flaw::ReclaimUnfenced) || row.fence == *fence) {
                self.grow_fence(*record);
                let row = self.row(*record);
                (row.holder, row.ready) = (None, false);
            }
        }
    }

    /// Notices that a former life left are counted, and not sent.
    pub(crate) fn sweep_notices(&mut self, instance: u8) {
        for notice in self.notices.iter_mut().filter(|notice| notice.instance == instance) {
            if matches!(notice.place, Place::Stored { .. } | Place::SentFirst) {
                notice.place = Place::Gone;
                notice.ends += 1;
            }
        }
    }

    /// A pause or a lease is over.
    pub(crate) fn time_comes(&mut self, record: u8) {
        self.row(record).ready = true;
        for run in self.runs_mut().filter(|run| run.record == record) {
            run.entitled = false;
        }
    }

    pub(crate) fn clear(&mut self, notice: usize) {
        let notice = &mut self.notices[notice];
        notice.place = if notice.place == Place::SentFirst { Place::Gone } else { Place::Taken };
    }

    pub(crate) fn send(&mut self, notice: usize) {
        let notice = &mut self.notices[notice];
        notice.place = if notice.place == Place::Taken { Place::Gone } else { Place::SentFirst };
        notice.ends += 1;
    }

    /// A person decides: whoever runs for the record runs for nothing from here on.
    fn take_from_holder(&mut self, record: u8) {
        for run in self.runs_mut().filter(|run| run.record == record) {
            (run.current, run.entitled) = (false, false);
        }
    }

    pub(crate) fn stop(&mut self, flaw: Option<Flaw>, by: u8, record: u8) {
        self.take_from_holder(record);
        if flaw != Some(Flaw::StopKeepsFence) {
            self.grow_fence(record);
        }
        let row = self.row(record);
        (row.holder, row.stopped) = (None, true);
        let place = Place::Stored { known: true };
        self.notices.push(Notice { record, instance: by, done: false, place, ends: 0 });
    }

    pub(crate) fn lift(&mut self, flaw: Option<Flaw>, record: u8) {
        if flaw == Some(Flaw::LiftResetsFence) {
            self.move_fence(record, 0);
        } else {
            self.grow_fence(record);
        }
        self.row(record).begin();
    }

    /// From the beginning, wherever it stands.
    pub(crate) fn restart(&mut self, flaw: Option<Flaw>, record: u8) {
        self.take_from_holder(record);
        if flaw != Some(Flaw::RestartKeepsFence) {
            self.grow_fence(record);
        }
        let row = self.row(record);
        (row.holder, row.milestone) = (None, 0);
        row.begin();
    }

    /// The row goes, and with it what was to be told of it and nobody has taken yet.
    pub(crate) fn remove(&mut self, flaw: Option<Flaw>, record: u8) {
        self.take_from_holder(record);
        let stored = |notice: &&mut Notice| {
            notice.record == record && matches!(notice.place, Place::Stored { .. })
        };
        for notice in self.notices.iter_mut().filter(stored) {
            notice.place = Place::Gone;
        }
        let row = self.row(record);
        if flaw == Some(Flaw::NumberGivenAgain) {
            *row = Row::fresh();
        } else {
            (row.holder, row.removed) = (None, true);
        }
    }
}
