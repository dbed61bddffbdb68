//! The second road as the settings describe it.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc::UnboundedReceiver;
use verst_adapters::harbour::{Announcer, NoTorrentClient, RealPauses, Threads};
use verst_adapters::library::Shelves;
use verst_adapters::qbittorrent::{NoClient, QBittorrent, QBittorrentConfig};
use verst_downloads::ports::TorrentClient;
use verst_downloads::steps::{Board, Downloads, Watch};
use verst_kernel::{Clock, Notice, Road, widen};
use verst_runtime::Runtime;
use verst_service::{DownloadService, Product};
use verst_store::Store;

use crate::refusal::Refusal;
use crate::settings::DownloadSettings;

/// From one look at the client to the next.
const LOOK_EVERY: Duration = Duration::from_secs(5);
/// The road, before the shell that walks it is there.
pub(super) struct SecondRoad {
    pub(super) roads: Vec<Arc<dyn Road<Product>>>,
    pub(super) line: Arc<Downloads>,
    pub(super) board: Arc<Board>,
    /// What the watch has to tell.
    pub(super) told: UnboundedReceiver<Notice>,
    /// Whether there is a client.
    pub(super) configured: bool,
}

impl SecondRoad {
    pub(super) fn build(
        settings: DownloadSettings,
        store: &Arc<dyn Store>,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, Refusal> {
        let configured = settings.client.is_some();
        let client: Arc<dyn TorrentClient> = match settings.client.clone() {
            None => Arc::new(NoTorrentClient),
            Some(config) => Arc::new(client(config, clock)?),
        };
        let (announcer, told) = Announcer::new();
        let board = Arc::new(Board::default());
        let line = Arc::new(Downloads {
            store: store.clone(),
            client: client.clone(),
            library: Arc::new(shelves(&settings)),
            places: Arc::new(settings.paths),
            pauses: Arc::new(RealPauses),
            bench: Arc::new(Threads),
            preset: settings.preset,
            roots: settings.roots,
        });
        let watch = Watch {
            store: store.clone(),
            client,
            announce: Arc::new(announcer),
            board: board.clone(),
            patience: settings.patience,
            every: LOOK_EVERY,
        };
        let roads = vec![widen(line.clone()), widen(Arc::new(watch))];
        Ok(Self { roads, line, board, told, configured })
    }
}

/// The client as the settings describe it.
pub(crate) fn client(
    config: QBittorrentConfig,
    clock: Arc<dyn Clock>,
) -> Result<QBittorrent, Refusal> {
    let wrong = |error: NoClient| vec![("cause", error.to_string())];
    QBittorrent::new(config, clock).map_err(|error| Refusal::Setup("cli-no-client", wrong(error)))
}

/// The library as the settings describe it.
pub(crate) fn shelves(settings: &DownloadSettings) -> Shelves {
    Shelves::new(settings.library.clone(), settings.roots.clone(), settings.link)
}

/// Tells what watches have to tell, until the house is gone.
pub(super) async fn tell(runtime: Arc<Runtime<Product>>, mut told: UnboundedReceiver<Notice>) {
    while let Some(notice) = told.recv().await {
        // Whoever could not be told is counted and logged where that is found out.
        let _ = runtime.stopped_by_watch(&notice).await;
    }
}

/// The use cases, where there is a client.
pub(super) type Faced = Option<Arc<DownloadService>>;
