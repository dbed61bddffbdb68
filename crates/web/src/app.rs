//! What every handler has at hand.

use std::sync::Arc;

use metrics_exporter_prometheus::PrometheusHandle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use verst_service::{DownloadService, Fetch, Health, Models, Service};

use crate::config::Config;
use crate::feed::Feed;
use crate::health::Examined;
use crate::throttle::Throttle;
use crate::tongue::Tongues;

/// What this face is given.
pub struct House {
    /// The use cases.
    pub service: Arc<Service>,
    /// Those of downloads, if there is a torrent client.
    pub downloads: Option<Arc<DownloadService>>,
    /// Which models are installed.
    pub models: Arc<dyn Models>,
    /// Whether everything works that is needed.
    pub health: Arc<dyn Health>,
    /// Brings recordings from addresses.
    pub fetch: Arc<dyn Fetch>,
    /// What is counted.
    pub metrics: PrometheusHandle,
}

/// Shared by all requests.
pub(crate) struct Inner {
    pub(crate) house: House,
    pub(crate) config: Config,
    pub(crate) tongues: Tongues,
    pub(crate) throttle: Throttle,
    pub(crate) feed: Feed,
    pub(crate) examined: Examined,
    /// What goes on although its caller may leave: uploads, which clean up after themselves.
    pub(crate) tasks: TaskTracker,
    /// Nothing new begins, and what never ends by itself ends.
    pub(crate) ending: CancellationToken,
    /// Uploads that still run are cut off.
    pub(crate) cut: CancellationToken,
}

/// A reference to it.
pub(crate) type App = Arc<Inner>;

impl Inner {
    pub(crate) fn new(house: House, config: Config, ending: CancellationToken) -> App {
        let (service, downloads) = (house.service.clone(), house.downloads.clone());
        let feed = Feed::new(service, downloads, ending.clone());
        Arc::new(Self {
            house,
            config,
            feed,
            tongues: Tongues::default(),
            throttle: Throttle::default(),
            examined: Examined::default(),
            tasks: TaskTracker::new(),
            ending,
            cut: CancellationToken::new(),
        })
    }

    pub(crate) fn service(&self) -> &Service {
        &self.house.service
    }
}
