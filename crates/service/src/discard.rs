//! Deleting, for good: the row first, then the objects.
//!
//! **Invariant:** the keys of what is to go are written by the transaction that removes the row, and
//! no key is ever given to another recording. So a crash in between loses nothing but time: the next
//! sweep finishes it.

use verst_kernel::{StoreError, WorkId};
use verst_recordings::ports::ObjectError;

use crate::{Service, SweepError};

/// Objects removed in one go.
const AT_ONCE: u32 = 1000;

impl Service {
    /// Deletes a recording with its audio, its text and its journal. `false` when there is none.
    pub async fn delete(&self, id: WorkId) -> Result<bool, StoreError> {
        if !self.ledger.remove(id).await? {
            return Ok(false);
        }
        self.aftermath.superseded(id).await;
        // The recording is gone whether its audio can be removed now or by the next sweep.
        let _ = self.discard().await;
        Ok(true)
    }

    /// Removes objects that were discarded. One that cannot be removed keeps no other; the first such
    /// trouble is the answer.
    pub(crate) async fn discard(&self) -> Result<(), SweepError> {
        loop {
            let keys = self.ledger.discarded(AT_ONCE).await?;
            let (mut gone, mut trouble) = (Vec::new(), None);
            for key in keys {
                match self.objects.delete(&key).await {
                    Ok(()) | Err(ObjectError::Missing) => gone.push(key),
                    Err(error) => {
                        trouble.get_or_insert(error);
                    }
                }
            }
            let ended = gone.is_empty();
            if !ended {
                self.ledger.forget_discarded(gone).await?;
            }
            match trouble {
                Some(error) => return Err(error.into()),
                None if ended => return Ok(()),
                None => {}
            }
        }
    }
}
