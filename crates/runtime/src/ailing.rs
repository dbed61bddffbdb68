//! Whether the store ails, and for how long: for a face that has nothing else to go by, because what
//! ails can store no reason.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;
use verst_kernel::{Failure, StoreError};

/// The store's present trouble.
#[derive(Debug, Default)]
pub struct Ailing {
    since: Mutex<Option<(Instant, &'static str)>>,
}

impl Ailing {
    /// A call failed.
    pub(crate) fn failed(&self, error: &StoreError) {
        let code = match error {
            StoreError::Full => Failure::DISK_FULL,
            StoreError::Database(_)
            | StoreError::Closed
            | StoreError::Refused(_)
            | StoreError::Damaged { .. } => Failure::STORE_FAILED,
        };
        let mut since = self.since.lock().unwrap_or_else(PoisonError::into_inner);
        let began = since.map_or_else(Instant::now, |(began, _)| began);
        *since = Some((began, code));
    }

    /// A call that writes went well.
    pub(crate) fn well(&self) {
        *self.since.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// The trouble, once it has lasted this long.
    pub fn lasting(&self, at_least: Duration) -> Option<Failure> {
        let since = *self.since.lock().unwrap_or_else(PoisonError::into_inner);
        let (began, code) = since?;
        (began.elapsed() >= at_least).then(|| Failure::new(code))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn trouble_is_told_once_it_lasts_and_ends_with_a_write() {
        let ailing = Ailing::default();
        assert_eq!(ailing.lasting(Duration::ZERO), None);
        ailing.failed(&StoreError::Closed);
        tokio::time::advance(Duration::from_secs(9)).await;
        ailing.failed(&StoreError::Full);
        assert_eq!(ailing.lasting(Duration::from_secs(10)), None);
        tokio::time::advance(Duration::from_secs(1)).await;
        assert_eq!(ailing.lasting(Duration::from_secs(10)), Some(Failure::new("disk_full")));
        ailing.well();
        assert_eq!(ailing.lasting(Duration::ZERO), None);
    }
}
