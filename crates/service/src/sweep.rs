//! Removes objects that no row names: what a crash between bytes and row leaves behind.

use std::collections::HashSet;
use std::time::Duration;

use thiserror::Error;
use verst_kernel::StoreError;
use verst_recordings::ports::ObjectError;

use crate::Service;

/// Younger objects may belong to an intake or a run that is still under way.
const GRACE: Duration = Duration::from_hours(24);
/// Objects looked at in one sweep.
const AT_ONCE: usize = 10_000;

/// How many objects were removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Swept(pub u64);

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
    /// Removes unnamed objects older than a day.
    pub async fn sweep(&self) -> Result<Swept, SweepError> {
        let mut removed = 0;
        for prefix in ["original", "normalised"] {
            let old = self.objects.list(prefix, AT_ONCE).await?;
            let keys: Vec<String> =
                old.into_iter().filter(|o| o.age > GRACE).map(|o| o.key).collect();
            let named = self.recordings.named_objects(keys.clone()).await?;
            let named: HashSet<String> = named.into_iter().collect();
            for key in keys.iter().filter(|key| !named.contains(*key)) {
                self.objects.delete(key).await?;
                removed += 1;
            }
        }
        Ok(Swept(removed))
    }
}
