//! The runs under way in this process: how to end one from outside, and how far it is.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use tokio_util::sync::CancellationToken;
use verst_kernel::{Claim, Fence, Supervisor, WorkId};

struct Run {
    fence: Fence,
    cancel: CancellationToken,
    /// Set by the step, read by faces.
    fraction: f64,
}

/// The runs of one process.
#[derive(Clone, Default)]
pub struct Running {
    /// Keyed by work. A zombie and its successor can both run here for a moment: the later one is
    /// the one that a person sees and ends, and only it removes its entry.
    runs: Arc<Mutex<HashMap<WorkId, Run>>>,
}

impl Running {
    /// Asks the run on this work to end.
    pub fn cancel(&self, id: WorkId) {
        if let Some(run) = self.lock().get(&id) {
            run.cancel.cancel();
        }
    }

    /// How much of the run on this work is done, if there is one.
    pub fn fraction(&self, id: WorkId) -> Option<f64> {
        self.lock().get(&id).map(|run| run.fraction)
    }

    pub(crate) fn enter(&self, claim: &Claim, shutdown: &CancellationToken) -> Link {
        let (id, fence) = (claim.id(), claim.fence());
        let cancel = shutdown.child_token();
        self.lock().insert(id, Run { fence, cancel: cancel.clone(), fraction: 0.0 });
        Link { id, fence, cancel, running: self.clone() }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<WorkId, Run>> {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A step's link to the shell, for one run.
pub(crate) struct Link {
    id: WorkId,
    fence: Fence,
    cancel: CancellationToken,
    running: Running,
}

impl Link {
    /// Asks this run to end.
    pub(crate) fn cancel(&self) {
        self.cancel.cancel();
    }
}

#[async_trait]
impl Supervisor for Link {
    fn interrupted(&self) -> bool {
        self.cancel.is_cancelled()
    }

    async fn interruption(&self) {
        self.cancel.cancelled().await;
    }

    fn progress(&self, fraction: f64) {
        if let Some(run) = self.running.lock().get_mut(&self.id) {
            run.fraction = fraction;
        }
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        let mut runs = self.running.lock();
        if runs.get(&self.id).is_some_and(|run| run.fence == self.fence) {
            runs.remove(&self.id);
        }
    }
}
