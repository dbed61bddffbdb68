//! An answer of the store that has to be had. The disk is full or the database is away: a result
//! is kept and offered again until it is taken, because it may have been paid for.

use std::future::Future;
use std::time::Duration;

use tokio_util::sync::CancellationToken;
use tracing::error;
use verst_kernel::{StoreError, WorkId};

use crate::Ailing;

const FIRST_PAUSE: Duration = Duration::from_millis(200);
const LONGEST_PAUSE: Duration = Duration::from_secs(15);

/// Repeats `call` until the store answers it or refuses it for good. When the service stops, one
/// last try decides; the work then comes back by its lease or at the next start.
pub(crate) async fn insist<T, F, C>(
    ailing: &Ailing,
    shutdown: &CancellationToken,
    work: WorkId,
    mut call: C,
) -> Result<T, StoreError>
where
    F: Future<Output = Result<T, StoreError>>,
    C: FnMut() -> F,
{
    let mut pause = FIRST_PAUSE;
    loop {
        let last = shutdown.is_cancelled();
        let failure = match call().await {
            Ok(answer) => {
                ailing.well();
                return Ok(answer);
            }
            Err(failure) if last || !failure.may_pass() => return Err(failure),
            Err(failure) => failure,
        };
        ailing.failed(&failure);
        if pause == FIRST_PAUSE {
            error!(%work, %failure, "the store does not answer; what is to be written is kept");
        }
        tokio::select! {
            () = shutdown.cancelled() => {}
            () = tokio::time::sleep(pause) => {}
        }
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}
