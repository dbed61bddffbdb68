//! The place of the one engine process: who has it, and when it goes for want of work.
//!
//! Taking it never waits. Whoever has it may start the process; a request that fails or is given
//! up takes the process with it, and one that is answered puts it back and starts the clock.
//!
//! *Invariant*: the process in the slot owes no answer.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};

use tokio::sync::{Mutex, OwnedMutexGuard};
use tokio::task::AbortHandle;
use verst_engine::protocol::{Reply, Request};
use verst_kernel::{Failure, Supervisor};

use super::EngineConfig;
use super::process::Process;
use super::reach::Reach;

/// The place of the process.
#[derive(Debug)]
pub(super) struct Slot {
    config: Arc<EngineConfig>,
    held: Arc<Mutex<Held>>,
}

#[derive(Debug, Default)]
struct Held {
    process: Option<Process>,
    /// The large model that the process has loaded, and what that takes.
    loaded: Option<(PathBuf, u64)>,
    /// Ends the process when nobody has come for it.
    timer: Option<AbortHandle>,
}

impl Slot {
    pub(super) fn new(config: EngineConfig) -> Self {
        Self { config: Arc::new(config), held: Arc::default() }
    }

    /// The right to ask, unless somebody else has it. It ends with the value.
    pub(super) fn take(&self) -> Option<Turn> {
        let held = Arc::clone(&self.held).try_lock_owned().ok()?;
        let slot = Arc::downgrade(&self.held);
        Some(Turn { config: Arc::clone(&self.config), slot, held })
    }
}

/// The right to ask the process.
#[derive(Debug)]
pub(super) struct Turn {
    config: Arc<EngineConfig>,
    slot: Weak<Mutex<Held>>,
    held: OwnedMutexGuard<Held>,
}

impl Turn {
    /// Asks, and starts the process if there is none.
    pub(super) async fn ask(
        &mut self,
        request: &Request,
        supervisor: &dyn Supervisor,
    ) -> Result<Reply, Failure> {
        if let Some(timer) = self.held.timer.take() {
            timer.abort();
        }
        let mut process = match self.held.process.take().and_then(Process::running) {
            Some(process) if process.reaches(request) => process,
            former => {
                // It keeps nothing that the next one would miss.
                if let Some(former) = former {
                    former.end().await;
                }
                self.held.loaded = None;
                Process::start(&self.config, Reach::of(&self.config, request)).await?
            }
        };
        // If this future is dropped or fails, the process goes with it.
        let reply = process.ask(request, self.config.answer_timeout, supervisor).await?;
        self.held.process = Some(process);
        self.held.timer = Some(self.timer());
        Ok(reply)
    }

    /// Whether the process has this model loaded already, with all that it needs.
    pub(super) fn has(&self, model: &Path, need_bytes: u64) -> bool {
        self.loaded().is_some_and(|(loaded, bytes)| loaded == model && *bytes >= need_bytes)
    }

    /// What would be given back if the process loaded another model.
    pub(super) fn taken_bytes(&self) -> u64 {
        self.loaded().map_or(0, |(_, bytes)| *bytes)
    }

    /// Notes that the process has loaded a model. A copy that was there stays.
    pub(super) fn loads(&mut self, model: PathBuf, bytes: u64) {
        if !self.has(&model, bytes) {
            self.held.loaded = Some((model, bytes));
        }
    }

    fn loaded(&self) -> Option<&(PathBuf, u64)> {
        self.held.loaded.as_ref().filter(|_| self.held.process.is_some())
    }

    /// The most that the process may use, if that is set.
    pub(super) fn limit_bytes(&self) -> Option<u64> {
        self.config.memory_limit_bytes
    }

    fn timer(&self) -> AbortHandle {
        let (slot, idle) = (Weak::clone(&self.slot), self.config.idle);
        let task = tokio::spawn(async move {
            tokio::time::sleep(idle).await;
            let Some(slot) = slot.upgrade() else { return };
            // Taken means that it is not idle; whoever has it sets a timer of its own.
            let process = slot.try_lock().ok().and_then(|mut held| held.process.take());
            if let Some(process) = process {
                process.end().await;
            }
        });
        task.abort_handle()
    }
}
