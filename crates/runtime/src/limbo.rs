//! A result that cannot be written yet. The disk is full or the database is away: the result is
//! kept and offered again until it is taken, because it may have been paid for.

use std::future::Future;
use std::time::Duration;

use tokio_util::sync::CancellationToken;
use tracing::error;
use verst_kernel::{StoreError, WorkId};

const FIRST_PAUSE: Duration = Duration::from_millis(200);
const LONGEST_PAUSE: Duration = Duration::from_secs(15);

/// Repeats `write` until the store answers. Gives up only when the service stops; the work then
/// comes back by its lease or at the next start.
pub(crate) async fn insist<T, F, W>(
    shutdown: &CancellationToken,
    work: WorkId,
    mut write: W,
) -> Option<T>
where
    F: Future<Output = Result<T, StoreError>>,
    W: FnMut() -> F,
{
    let mut pause = FIRST_PAUSE;
    loop {
        match write().await {
            Ok(answer) => return Some(answer),
            Err(failure) if pause == FIRST_PAUSE => {
                error!(%work, %failure, "a result could not be written; it is kept and offered again");
            }
            Err(_) => {}
        }
        if shutdown.is_cancelled() {
            return None;
        }
        tokio::select! {
            () = shutdown.cancelled() => {}
            () = tokio::time::sleep(pause) => {}
        }
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}
