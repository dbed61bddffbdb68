//! The queue port: what the kernel promises, each store keeps.
//!
//! Every verb is one transaction. Verbs that take a [`Claim`] compare its fence inside that
//! transaction and answer `Lost` when it moved; they then have written nothing.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use thiserror::Error;

use crate::{Change, Claim, Instance, Notice, NoticeId, Standing, Timestamp, WorkId};

/// Trouble of the store itself. "No work" is never one: it is a value.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The database refused or could not be reached.
    #[error("the database could not be used")]
    Database(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The database refused a value for good: it breaks a rule of the schema.
    #[error("the database refuses the value")]
    Refused(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// A stored value is not one this binary can have written.
    #[error("stored {what} is not readable")]
    Damaged {
        /// The column or record.
        what: &'static str,
    },
    /// The disk is full; what was asked for was not done.
    #[error("no space left for the database")]
    Full,
    /// The store was shut down.
    #[error("the store is closed")]
    Closed,
}

impl StoreError {
    /// Whether the same call may go well later.
    pub fn may_pass(&self) -> bool {
        match self {
            Self::Database(_) | Self::Full | Self::Closed => true,
            Self::Refused(_) | Self::Damaged { .. } => false,
        }
    }

    /// Wraps a driver's error.
    pub fn database(error: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self::Database(Box::new(error))
    }
}

/// What became of a settle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Settled {
    /// Applied. The notice, if any, is stored and may now be taken and sent.
    Done(Option<Notice>),
    /// The claim had gone to another; nothing was written.
    Lost,
}

/// What became of a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Noted {
    /// Applied; the claim is still held.
    Held,
    /// The claim had gone to another; nothing was written.
    Lost,
}

/// What became of a person's stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StopByPerson {
    /// The mark is set; whoever held the work has lost it.
    Stopped(Notice),
    /// It was stopped already; the earlier mark stays.
    AlreadyStopped,
    /// It stands at the final milestone.
    Finished,
    /// No such work.
    Missing,
}

/// How work goes on after a stop was lifted, or anew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lift<P> {
    /// The milestone to return to; `None` keeps the one where it stands.
    pub to: Option<&'static str>,
    /// What else to write in the same transaction.
    pub product: Option<P>,
}

/// What became of lifting a stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lifted {
    /// The mark is gone; failures, pause and entered-time are reset.
    Lifted,
    /// There was no mark.
    NotStopped,
    /// No such work.
    Missing,
}

/// The pause that a count of failures calls for.
pub type PauseOf = Arc<dyn Fn(u32) -> Duration + Send + Sync>;

/// How many claims an instance took back from its own former life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reclaimed(pub u64);

/// How much work waits at one milestone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Depth {
    /// The line.
    pub line: String,
    /// The milestone.
    pub milestone: String,
    /// Rows that are neither stopped nor final.
    pub waiting: u64,
    /// When the one waiting longest entered the milestone.
    pub oldest: Option<Timestamp>,
}

/// The fenced write in the middle of a step.
#[async_trait]
pub trait Notes<P>: Send + Sync {
    /// Writes `product` if the claim is still held. The claim goes on.
    async fn note(&self, claim: &Claim, product: P) -> Result<Noted, StoreError>;
}

/// The queue of one store. `P` is what the lines write.
#[async_trait]
pub trait Queue<P>: Send + Sync {
    /// The store's clock.
    async fn now(&self) -> Result<Timestamp, StoreError>;

    /// Claims the next ready work of any line: one statement that selects and marks, adds one to
    /// fence and failures, and writes holder, claim time, the milestone's lease and, as the next
    /// ready time, the end of that lease. Order is `ready_at, id`.
    async fn claim(&self, holder: &Instance) -> Result<Option<Claim>, StoreError>;

    /// Reads the row under the claim's fence; `None` when the claim is lost.
    async fn standing(&self, claim: &Claim) -> Result<Option<Standing>, StoreError>;

    /// Applies a change, moves the fence and clears the holder. A holder whose lease ran out but
    /// whose fence is current still settles. Settling twice does nothing the second time: the
    /// fence has moved, and the answer is `Lost`.
    async fn settle(&self, claim: &Claim, change: &Change<P>) -> Result<Settled, StoreError>;

    /// What a start does to the queue. Takes back what this instance held in its former life:
    /// failures stay, and each row becomes ready after the pause that its count of failures calls
    /// for. Rows that nobody holds become ready now if they wait for a resource of ours, which
    /// may be there again, or if they would be ready later than any lease and pause allow: a
    /// clock was ahead when they were written.
    async fn reclaim(&self, holder: &Instance, pause: PauseOf) -> Result<Reclaimed, StoreError>;

    /// Claims and stops in one transaction, in a person's name. `by` is the instance that will
    /// tell the sender.
    async fn stop(
        &self,
        by: &Instance,
        id: WorkId,
        person: &str,
    ) -> Result<StopByPerson, StoreError>;

    /// Lifts a stop in a person's name.
    async fn lift(&self, id: WorkId, person: &str, lift: Lift<P>) -> Result<Lifted, StoreError>;

    /// Begins work anew in a person's name, from wherever it stands, `done` included: whoever held
    /// it has lost it, a stop is lifted, failures and times are reset. `false` when there is no
    /// such work.
    async fn restart(&self, id: WorkId, person: &str, lift: Lift<P>) -> Result<bool, StoreError>;

    /// Removes a notice, so that whoever removed it may send it. `false` when it is gone.
    async fn take_notice(&self, id: NoticeId) -> Result<bool, StoreError>;

    /// Removes and returns the notices that this instance left unsent in its former life.
    async fn leftover_notices(&self, holder: &Instance) -> Result<Vec<Notice>, StoreError>;

    /// How much waits where.
    async fn depth(&self) -> Result<Vec<Depth>, StoreError>;

    /// Returns when new work may be ready. It may also never return: callers poll besides.
    async fn work_arrived(&self);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_database_refuses_for_good_does_not_pass() {
        let cause = || Box::new(std::io::Error::other("cause"));
        let passing = [StoreError::Database(cause()), StoreError::Full, StoreError::Closed];
        assert!(passing.iter().all(StoreError::may_pass));
        let lasting = [StoreError::Refused(cause()), StoreError::Damaged { what: "column" }];
        assert!(!lasting.iter().any(StoreError::may_pass));
    }
}
