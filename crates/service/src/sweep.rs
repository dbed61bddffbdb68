//! Clears objects that no row names: what a crash between bytes and row leaves behind.
//!
//! Decoded audio can be made again and is removed. An original cannot: when the database was lost
//! or restored from an older copy, every recording since looks unnamed. **Invariant:** the sweep
//! never removes an original; it sets it aside under `unnamed/` and says so.

use std::collections::HashSet;
use std::time::Duration;

use thiserror::Error;
use verst_kernel::StoreError;
use verst_recordings::ports::ObjectError;

use crate::Service;

/// Younger objects may belong to an intake or a run that is still under way.
const GRACE: Duration = Duration::from_hours(24);
/// Objects looked at in one sweep.
const AT_ONCE: usize = 100_000;

/// What was cleared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Swept {
    /// Decoded audio that is gone.
    pub removed: u64,
    /// Originals that lie under `unnamed/` now.
    pub set_aside: u64,
}

/// Why the sweep ended early. What it left is found by the next one.
#[derive(Debug, Error)]
pub enum SweepError {
    /// Objects.
    #[error("objects could not be swept")]
    Objects(#[from] ObjectError),
    /// The store.
    #[error("objects could not be compared with the database")]
    Store(#[from] StoreError),
}

impl Service {
    /// Clears unnamed objects older than a day.
    pub async fn sweep(&self) -> Result<Swept, SweepError> {
        self.objects.clear_unfinished(GRACE).await?;
        self.discard().await?;
        let mut swept = Swept::default();
        for key in self.unnamed("normalised").await? {
            self.objects.delete(&key).await?;
            swept.removed += 1;
        }
        for key in self.unnamed("original").await? {
            match self.objects.rename(&key, &format!("unnamed/{key}")).await {
                Ok(()) => swept.set_aside += 1,
                // Another host was first.
                Err(ObjectError::Missing) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(swept)
    }

    async fn unnamed(&self, prefix: &str) -> Result<Vec<String>, SweepError> {
        let all = self.objects.list(prefix, AT_ONCE).await?;
        let old: Vec<String> = all.into_iter().filter(|o| o.age > GRACE).map(|o| o.key).collect();
        let named = self.recordings.named_objects(old.clone()).await?;
        let named: HashSet<String> = named.into_iter().collect();
        Ok(old.into_iter().filter(|key| !named.contains(key)).collect())
    }
}
