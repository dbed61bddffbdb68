//! What the line needs of the store, besides the queue.

use std::time::Duration;

use async_trait::async_trait;
use verst_kernel::{Claim, Notes, StoreError, WorkId};

use super::{Call, Lanes, Part, Ticket};
use crate::model::{
    Accepted, Attempt, AttemptId, CallId, NewRecording, Product, RecordedCall, Recording,
};
use crate::transcript::Transcript;

/// Answer to the wish to open an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Admission {
    /// The attempt row is written; the recogniser may be called.
    Opened(AttemptId),
    /// Its turn has not come: so many recordings are to be let in before it.
    Wait {
        /// Recordings ahead.
        ahead: u64,
    },
    /// The claim is lost.
    Lost,
}

/// The line's own tables.
#[async_trait]
pub trait RecordingStore: Notes<Product> {
    /// Takes in a recording whose bytes are already stored: its row and its work in one
    /// transaction. Answers the recording that is there already if one has the same handle.
    async fn accept(&self, new: NewRecording) -> Result<Accepted, StoreError>;

    /// Reads a recording.
    async fn recording(&self, id: WorkId) -> Result<Option<Recording>, StoreError>;

    /// The recording of this handle: how an entrance recognises what it took in before.
    async fn by_handle(&self, handle: String) -> Result<Option<WorkId>, StoreError>;

    /// How many recordings of this one's kind (larger than `small_bytes` as handed in, or not)
    /// come before it to be decoded: older ones that still are `uploaded`, and all that are
    /// decoded and wait for a recogniser. Those that failed and pause hold nobody up.
    async fn ahead(&self, id: WorkId, small_bytes: u64) -> Result<u64, StoreError>;

    /// Writes an attempt row under the fence if the recogniser's lanes admit this recording; the
    /// decision and the row are one transaction.
    async fn open_attempt(
        &self,
        claim: &Claim,
        recogniser: &'static str,
        lanes: Lanes,
        duration: Duration,
    ) -> Result<Admission, StoreError>;

    /// The recording's latest attempt that is not closed.
    async fn open_attempt_of(&self, id: WorkId) -> Result<Option<Attempt>, StoreError>;

    /// Keeps a ticket on its attempt row, whoever holds the work by now: an operation that was
    /// paid for must stay reachable. A ticket that is there already stays.
    async fn keep_ticket(&self, attempt: AttemptId, ticket: &Ticket) -> Result<(), StoreError>;

    /// The parts of an attempt, in order.
    async fn parts(&self, attempt: AttemptId) -> Result<Vec<Part>, StoreError>;

    /// Puts a call on record under the fence, before it is made. `None` when the claim is lost.
    async fn open_call(
        &self,
        claim: &Claim,
        attempt: AttemptId,
        call: Call,
    ) -> Result<Option<CallId>, StoreError>;

    /// The calls of an attempt that are not closed, in the order of their parts; at most one of
    /// them is not answered.
    async fn calls(&self, attempt: AttemptId) -> Result<Vec<RecordedCall>, StoreError>;

    /// Keeps what a call brought, whoever holds the work by now: it was paid for. An answer to a
    /// call that is answered or closed already changes nothing.
    async fn keep_answer(
        &self,
        attempt: AttemptId,
        call: CallId,
        part: &Part,
    ) -> Result<(), StoreError>;

    /// The transcript, once there is one.
    async fn transcript(&self, id: WorkId) -> Result<Option<Transcript>, StoreError>;

    /// Binds this database to the objects that carry this id, unless it is bound already; answers
    /// which it is bound to. Its rows name objects there and nowhere else.
    async fn bind_objects(&self, id: String) -> Result<String, StoreError>;

    /// Which objects this database is bound to.
    async fn bound_objects(&self) -> Result<Option<String>, StoreError>;

    /// Of these keys, those that some recording still names.
    async fn named_objects(&self, keys: Vec<String>) -> Result<Vec<String>, StoreError>;
}
