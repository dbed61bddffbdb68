//! Nobody: for what is asked outside any step, which only its own limits end.

use async_trait::async_trait;
use verst_kernel::Supervisor;

/// A supervisor that never interrupts.
pub(crate) struct Unsupervised;

#[async_trait]
impl Supervisor for Unsupervised {
    fn interrupted(&self) -> bool {
        false
    }

    async fn interruption(&self) {
        std::future::pending::<()>().await;
    }

    fn progress(&self, _fraction: f64) {}
}
