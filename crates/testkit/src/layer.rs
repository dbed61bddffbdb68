//! A layer between a worker and its store. It explains every trouble in its own words, and has
//! switches that make the store fail.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use async_trait::async_trait;
use verst_kernel::{
    Change, Claim, Depth, Instance, Lift, Lifted, Notice, NoticeId, PauseOf, Queue, Reclaimed,
    Settled, Standing, StopByPerson, StoreError, Timestamp, WorkId,
};
use verst_service::Product;

use verst_store::Store;

/// The layer's own words around a trouble of the store.
#[derive(Debug, thiserror::Error)]
#[error("the layer in between could not reach the queue")]
struct Explained(#[source] StoreError);

/// The layer.
pub struct Layer {
    store: Arc<dyn Store>,
    claims_to_fail: AtomicU32,
    settles_to_fail: AtomicU32,
    takes_to_fail: AtomicU32,
}

impl Layer {
    /// A layer over `store` through which everything passes.
    pub fn new(store: Arc<dyn Store>) -> Self {
        let never = || AtomicU32::new(0);
        Self { store, claims_to_fail: never(), settles_to_fail: never(), takes_to_fail: never() }
    }

    /// The next `count` claims meet a store that does not answer.
    pub fn fail_claims(&self, count: u32) {
        self.claims_to_fail.store(count, Ordering::SeqCst);
    }

    /// The next `count` settles meet a full disk.
    pub fn fail_settles(&self, count: u32) {
        self.settles_to_fail.store(count, Ordering::SeqCst);
    }

    /// The next `count` notices cannot be taken, as if the process died before it came to it.
    pub fn fail_takes(&self, count: u32) {
        self.takes_to_fail.store(count, Ordering::SeqCst);
    }

    /// How many settles are still to fail.
    pub fn settles_to_fail(&self) -> u32 {
        self.settles_to_fail.load(Ordering::SeqCst)
    }
}

fn spend(switch: &AtomicU32) -> bool {
    switch.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |n| n.checked_sub(1)).is_ok()
}

fn explain<T>(answer: Result<T, StoreError>) -> Result<T, StoreError> {
    answer.map_err(|error| StoreError::database(Explained(error)))
}

#[async_trait]
impl Queue<Product> for Layer {
    async fn now(&self) -> Result<Timestamp, StoreError> {
        explain(self.store.now().await)
    }

    async fn claim(&self, holder: &Instance) -> Result<Option<Claim>, StoreError> {
        if spend(&self.claims_to_fail) {
            return explain(Err(StoreError::Closed));
        }
        explain(self.store.claim(holder).await)
    }

    async fn standing(&self, claim: &Claim) -> Result<Option<Standing>, StoreError> {
        explain(self.store.standing(claim).await)
    }

    async fn settle(&self, claim: &Claim, change: &Change<Product>) -> Result<Settled, StoreError> {
        if spend(&self.settles_to_fail) {
            return Err(StoreError::Full);
        }
        explain(self.store.settle(claim, change).await)
    }

    async fn reclaim(&self, holder: &Instance, pause: PauseOf) -> Result<Reclaimed, StoreError> {
        explain(self.store.reclaim(holder, pause).await)
    }

    async fn stop(
        &self,
        by: &Instance,
        id: WorkId,
        person: &str,
    ) -> Result<StopByPerson, StoreError> {
        explain(self.store.stop(by, id, person).await)
    }

    async fn lift(
        &self,
        id: WorkId,
        person: &str,
        lift: Lift<Product>,
    ) -> Result<Lifted, StoreError> {
        explain(self.store.lift(id, person, lift).await)
    }

    async fn restart(
        &self,
        id: WorkId,
        person: &str,
        lift: Lift<Product>,
    ) -> Result<bool, StoreError> {
        explain(self.store.restart(id, person, lift).await)
    }

    async fn take_notice(&self, id: NoticeId) -> Result<bool, StoreError> {
        if spend(&self.takes_to_fail) {
            return explain(Err(StoreError::Closed));
        }
        explain(self.store.take_notice(id).await)
    }

    async fn leftover_notices(&self, holder: &Instance) -> Result<Vec<Notice>, StoreError> {
        explain(self.store.leftover_notices(holder).await)
    }

    async fn depth(&self) -> Result<Vec<Depth>, StoreError> {
        explain(self.store.depth().await)
    }

    async fn work_arrived(&self) {
        self.store.work_arrived().await;
    }
}
