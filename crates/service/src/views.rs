//! What people look at, and the port that reads it. Nothing here is ever read by a step.

use async_trait::async_trait;
use verst_kernel::{Entry, Failure, Stage, StopReason, StoreError, Timestamp, WorkId};
use verst_recordings::model::Recording;
use verst_recordings::search::Query;
use verst_recordings::transcript::Segment;

use crate::Edit;

/// A stop mark as people see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StopMark {
    /// Since when.
    pub at: Timestamp,
    /// Why.
    pub reason: StopReason,
    /// The machine text.
    pub failure: Failure,
}

/// A piece of work as people see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkView {
    /// Identity.
    pub id: WorkId,
    /// The milestone it has reached.
    pub milestone: String,
    /// When it was taken in.
    pub created_at: Timestamp,
    /// Since when it stands at its milestone.
    pub entered_at: Timestamp,
    /// When it may be claimed again.
    pub ready_at: Timestamp,
    /// Whether a worker holds it now.
    pub held: bool,
    /// Attempts spent since the last reset.
    pub failures: u32,
    /// What it waits for.
    pub why: Option<Failure>,
    /// The stop mark.
    pub stop: Option<StopMark>,
}

/// A recording with its work.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// Where it is on its road.
    pub work: WorkView,
    /// What it is.
    pub recording: Recording,
    /// Finished parts of the open attempt.
    pub parts: u64,
}

/// Where a recording stands, as far as people sort it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Neither done nor stopped.
    Moving,
    /// Stopped, by a person or not.
    Stopped,
    /// Its text is there.
    Done,
}

impl WorkView {
    /// Where it stands.
    pub fn state(&self) -> State {
        match &self.stop {
            Some(_) => State::Stopped,
            None if self.milestone == Stage::FINAL => State::Done,
            None => State::Moving,
        }
    }
}

/// Which recordings to list. The default lists none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Only those that stand so.
    pub state: Option<State>,
    /// Only those of this owner.
    pub owner: Option<String>,
    /// Only those older than this one; `None` starts with the newest.
    pub before: Option<WorkId>,
    /// At most so many.
    pub limit: u32,
    /// Only those in which all of these words are: said, typed by a person, or in the name.
    pub search: Option<Query>,
}

/// A stretch of a transcript in which something of what was looked for is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Glimpse {
    /// Of which recording.
    pub id: WorkId,
    /// What was said there.
    pub segments: Vec<Segment>,
}

/// Reads for people, and writes what belongs to them and to no step.
#[async_trait]
pub trait Ledger: Send + Sync {
    /// Recordings, newest first.
    async fn list(&self, filter: Filter) -> Result<Vec<View>, StoreError>;
    /// One recording.
    async fn view(&self, id: WorkId) -> Result<Option<View>, StoreError>;
    /// The journal of one piece of work, oldest first.
    async fn journal(&self, id: WorkId) -> Result<Vec<Entry>, StoreError>;
    /// Where in these recordings it was said: two stretches of each at most, in their order. Costs
    /// nothing of what else was said in them.
    async fn glimpses(&self, ids: Vec<WorkId>, query: Query) -> Result<Vec<Glimpse>, StoreError>;
    /// Makes at most so many index cards anew that were made by earlier rules, newest first.
    /// Answers how many; none are left when there were none.
    async fn renew_cards(&self, limit: u32) -> Result<u64, StoreError>;
    /// Writes what a person changed. `false` when there is no such recording.
    async fn edit(&self, id: WorkId, edit: Edit) -> Result<bool, StoreError>;
    /// Removes a recording with all that belongs to it; whoever held its work has lost it. The keys
    /// of its objects are kept as discarded by the same transaction. `false` when there is none.
    async fn remove(&self, id: WorkId) -> Result<bool, StoreError>;
    /// Keys of objects that no recording names any more and never will, at most `limit`.
    async fn discarded(&self, limit: u32) -> Result<Vec<String>, StoreError>;
    /// Forgets discarded keys whose objects are gone.
    async fn forget_discarded(&self, keys: Vec<String>) -> Result<(), StoreError>;
}
