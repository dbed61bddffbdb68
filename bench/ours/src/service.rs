//! The service's own runtime around a store, on a road whose steps do nothing unless another is given.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use verst_kernel::{
    Depth, Herald, Instance, Limits, Notice, Outcome, Road, Stage, Undelivered, Visit,
};
use verst_recordings::LINE;
use verst_recordings::model::Product as OfRecording;
use verst_runtime::{Ailing, Alarm, Meter, Pulse, Running, Runtime};
use verst_service::Product;
use verst_store::Store;

pub fn instance() -> Instance {
    Instance("bench".to_owned())
}

/// What the last step of a recording writes.
pub const PRODUCT: Product = Product::Recording(OfRecording::Finished { original_deleted: false });

struct Nothing;

#[async_trait]
impl Road<Product> for Nothing {
    fn stages(&self) -> Vec<Stage> {
        LINE.stages()
    }

    async fn step(&self, _: Visit<'_>) -> Outcome<Product> {
        Outcome::Advance(PRODUCT)
    }
}

#[async_trait]
impl Herald for Nothing {
    async fn tell(&self, _: &Notice) -> Result<(), Undelivered> {
        Ok(())
    }
}

impl Meter for Nothing {
    fn step(&self, _: &str, _: &str, _: &'static str, _: Duration) {}
    fn claim(&self, _: &str, _: &str) {}
    fn undelivered(&self, _: Undelivered) {}
    fn depth(&self, _: &Depth, _: Option<Duration>) {}
}

pub async fn runtime(store: &Arc<dyn Store>) -> Arc<Runtime<Product>> {
    on(store, Arc::new(Nothing)).await
}

/// The same on another road.
pub async fn on(store: &Arc<dyn Store>, road: Arc<dyn Road<Product>>) -> Arc<Runtime<Product>> {
    // A filled row has been waiting for an hour, as long as a step of ours may.
    let patient = Duration::from_hours(1_000);
    Arc::new(Runtime {
        queue: store.clone(),
        roads: vec![road],
        herald: Arc::new(Nothing),
        meter: Arc::new(Nothing),
        limits: Limits { own_patience: patient, foreign_patience: patient, ..Limits::default() },
        instance: instance(),
        pulse: Pulse::starting(store.now().await.expect("a time")),
        grace: Duration::ZERO,
        running: Running::default(),
        alarm: Alarm::default(),
        ailing: Ailing::default(),
    })
}
