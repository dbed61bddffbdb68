//! Transcribing once more: with another model, or in another language.
//!
//! **Invariant:** the text that is there stays until the new one takes its place, and what a person
//! wrote stays for good.

use thiserror::Error;
use verst_kernel::{Lift, StoreError, WorkId};
use verst_recordings::LINE;
use verst_recordings::model::Product;
use verst_recordings::ports::Wish;

use crate::Service;

/// Why nothing was begun.
#[derive(Debug, Error)]
pub enum AgainError {
    /// The settings say not to keep originals.
    #[error("the original is gone")]
    OriginalGone,
    /// It costs money, and nobody agreed to that yet.
    #[error("a new recognition costs money")]
    CostsMoney,
    /// No such recording.
    #[error("no such recording")]
    Missing,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Service {
    /// Sends a recording on its way once more, from wherever it stands. Where that costs money,
    /// only with `consent`: an operation that is still under way is paid for and given up.
    pub async fn again(
        &self,
        id: WorkId,
        person: &str,
        wish: Wish,
        consent: bool,
    ) -> Result<(), AgainError> {
        let recording = self.recordings.recording(id).await?.ok_or(AgainError::Missing)?;
        if recording.original_deleted {
            return Err(AgainError::OriginalGone);
        }
        if self.paid && !consent {
            return Err(AgainError::CostsMoney);
        }
        let lift = Lift { to: Some(LINE.first()), product: Some(Product::Again(wish).into()) };
        if !self.queue.restart(id, person, lift).await? {
            return Err(AgainError::Missing);
        }
        self.aftermath.superseded(id).await;
        Ok(())
    }
}
