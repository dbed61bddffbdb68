//! What follows when a person changes where work stands, done by the runtime of this process.

use std::sync::Arc;

use async_trait::async_trait;
use verst_kernel::{Notice, Undelivered, WorkId};
use verst_runtime::Runtime;
use verst_service::Aftermath;

/// The runtime as the service sees it.
pub struct RuntimeAftermath<P>(pub Arc<Runtime<P>>);

#[async_trait]
impl<P: Clone + Send + Sync + 'static> Aftermath for RuntimeAftermath<P> {
    async fn stopped(&self, notice: &Notice) -> Result<(), Undelivered> {
        self.0.stopped_by_person(notice).await
    }

    async fn superseded(&self, id: WorkId) {
        self.0.running.cancel(id);
    }
}
