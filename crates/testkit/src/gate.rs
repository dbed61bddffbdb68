//! A gate at a known place of a run: whoever comes to it waits until the test opens it.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::time::timeout;

/// Longer than anything a test waits for takes on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);

/// A gate. Lets one through for each time it is opened.
#[derive(Clone, Debug)]
pub struct Gate {
    arrived: Arc<Semaphore>,
    opened: Arc<Semaphore>,
}

impl Default for Gate {
    fn default() -> Self {
        Self { arrived: Arc::new(Semaphore::new(0)), opened: Arc::new(Semaphore::new(0)) }
    }
}

impl Gate {
    /// Says that somebody has come, and goes on.
    pub fn announce(&self) {
        self.arrived.add_permits(1);
    }

    /// Comes to the gate and waits.
    pub async fn hold(&self) {
        self.announce();
        self.opened.acquire().await.unwrap().forget();
    }

    /// Returns when somebody has come; fails if nobody does.
    pub async fn arrival(&self) {
        timeout(PATIENCE, self.arrived.acquire()).await.expect("somebody comes").unwrap().forget();
    }

    /// Lets one through.
    pub fn open(&self) {
        self.opened.add_permits(1);
    }
}
