//! A database on a disk that has no space left for another recording. What is there can be read.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use verst_kernel::{Claim, Noted, Notes, StoreError, WorkId};
use verst_recordings::model::{
    Accepted, Attempt, AttemptId, CallId, NewRecording, Product, RecordedCall, Recording,
};
use verst_recordings::ports::{Admission, Call, Lanes, Part, RecordingStore, Ticket};
use verst_recordings::transcript::Transcript;

/// The recordings' tables of a world whose disk has just become full.
pub struct FullTable(pub Arc<dyn RecordingStore>);

#[async_trait]
impl Notes<Product> for FullTable {
    async fn note(&self, claim: &Claim, product: Product) -> Result<Noted, StoreError> {
        self.0.note(claim, product).await
    }
}

#[async_trait]
impl RecordingStore for FullTable {
    async fn accept(&self, _new: NewRecording) -> Result<Accepted, StoreError> {
        Err(StoreError::Full)
    }

    async fn recording(&self, id: WorkId) -> Result<Option<Recording>, StoreError> {
        self.0.recording(id).await
    }

    async fn by_handle(&self, handle: String) -> Result<Option<WorkId>, StoreError> {
        self.0.by_handle(handle).await
    }

    async fn ahead(&self, id: WorkId, small_bytes: u64) -> Result<u64, StoreError> {
        self.0.ahead(id, small_bytes).await
    }

    async fn open_attempt(
        &self,
        claim: &Claim,
        recogniser: &'static str,
        lanes: Lanes,
        duration: Duration,
    ) -> Result<Admission, StoreError> {
        self.0.open_attempt(claim, recogniser, lanes, duration).await
    }

    async fn open_attempt_of(&self, id: WorkId) -> Result<Option<Attempt>, StoreError> {
        self.0.open_attempt_of(id).await
    }

    async fn keep_ticket(&self, attempt: AttemptId, ticket: &Ticket) -> Result<(), StoreError> {
        self.0.keep_ticket(attempt, ticket).await
    }

    async fn parts(&self, attempt: AttemptId) -> Result<Vec<Part>, StoreError> {
        self.0.parts(attempt).await
    }

    async fn open_call(
        &self,
        claim: &Claim,
        attempt: AttemptId,
        call: Call,
    ) -> Result<Option<CallId>, StoreError> {
        self.0.open_call(claim, attempt, call).await
    }

    async fn calls(&self, attempt: AttemptId) -> Result<Vec<RecordedCall>, StoreError> {
        self.0.calls(attempt).await
    }

    async fn keep_answer(
        &self,
        attempt: AttemptId,
        call: CallId,
        part: &Part,
    ) -> Result<(), StoreError> {
        self.0.keep_answer(attempt, call, part).await
    }

    async fn transcript(&self, id: WorkId) -> Result<Option<Transcript>, StoreError> {
        self.0.transcript(id).await
    }

    async fn bind_objects(&self, id: String) -> Result<String, StoreError> {
        self.0.bind_objects(id).await
    }

    async fn bound_objects(&self) -> Result<Option<String>, StoreError> {
        self.0.bound_objects().await
    }

    async fn named_objects(&self, keys: Vec<String>) -> Result<Vec<String>, StoreError> {
        self.0.named_objects(keys).await
    }
}
