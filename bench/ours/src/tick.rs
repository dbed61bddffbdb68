//! The watch of a client with many torrents, of which nothing is to be written: what a turn costs.
//!
//! The client is asked over HTTP, by the adapter that ships, and tells what changed since the last
//! time, or everything.

use std::sync::Arc;
use std::time::Duration;

use verst_downloads::model::Patience;
use verst_downloads::ports::{Announce, DownloadStore};
use verst_downloads::steps::{Board, Watch};
use verst_kernel::{Clock, Notice, WorkId, widen};
use verst_runtime::{Runtime, Turn};
use verst_service::Product;
use verst_store::Store;

use crate::place::{self, Now};
use crate::qbittorrent::{QBittorrent, QBittorrentConfig};
use crate::{crowd, idle, service};

/// Turns before anything is measured: the first has everything to write.
const BEFORE: u32 = 4;

/// Nobody is told.
struct Nobody;

impl Announce for Nobody {
    fn announce(&self, _: Notice) {}
}

/// The downloads, as they stand when they have been looked at for a while: the measure runs since.
pub async fn fill(place: &str, count: u32) {
    let since_us = crowd::SINCE_S * 1_000_000;
    let mut rows = Vec::new();
    for number in 1..=count {
        let (hash, name) = (crowd::hash(number), crowd::name(number));
        let (size, came) = (crowd::SIZE, crowd::CAME);
        rows.push(format!(
            "INSERT INTO work (line, milestone, created_at, entered_at, ready_at)
             VALUES ('downloads', 'downloading', {since_us}, {since_us}, {since_us});
             INSERT INTO download (id, magnet, torrent, name, size_bytes, measures)
             SELECT max(id), 'magnet:?xt=urn:btih:{hash}', '', '{name}', {size},
                 '{{\"received_bytes\":{came}}}' FROM work;
             INSERT INTO download_hash (hash, download_id) SELECT '{hash}', max(id) FROM work;
             INSERT INTO download_sender (download_id, source) SELECT max(id), 'cli' FROM work;"
        ));
    }
    let rows = format!("BEGIN; {} COMMIT;", rows.concat());
    if place::is_postgres(place) {
        let db = place::connect(place).await;
        db.batch_execute(&rows).await.expect("it is filled");
        db.batch_execute("VACUUM (ANALYZE)").await.expect("as autovacuum will have done");
    } else {
        let rows = rows.replace(", '', '", ", x'', '");
        rusqlite::Connection::open(place).expect("it opens").execute_batch(&rows).expect("filled");
    }
}

struct Looking {
    runtime: Arc<Runtime<Product>>,
    board: Arc<Board>,
    server: Option<u32>,
}

impl Looking {
    async fn at(
        store: &Arc<dyn Store>,
        url: &str,
        full_every: Duration,
        server: Option<u32>,
    ) -> Self {
        let config = QBittorrentConfig { full_every, ..QBittorrentConfig::at(url) };
        let clock: Arc<dyn Clock> = Arc::new(Now);
        let client = Arc::new(QBittorrent::new(config, clock).expect("a client"));
        let board = Arc::new(Board::default());
        let downloads: Arc<dyn DownloadStore> = store.clone();
        let for_ever = Duration::from_hours(1_000_000);
        let watch = Watch {
            store: downloads,
            client,
            announce: Arc::new(Nobody),
            board: board.clone(),
            patience: Patience { magnet_timeout: for_ever, stuck_after: for_ever },
            every: Duration::ZERO,
        };
        let runtime = service::on(store, widen(Arc::new(watch))).await;
        Self { runtime, board, server }
    }

    /// Milliseconds of processor that a turn costs us, and the database's server.
    async fn turn(&self) -> (f64, f64) {
        let before = (idle::own(), self.server.map(idle::of_server));
        let shutdown = tokio_util::sync::CancellationToken::new();
        let turned = self.runtime.turn(&shutdown).await.expect("a turn");
        assert_ne!(turned, Turn::Idle, "the client is to be looked at");
        let ours = idle::own().saturating_sub(before.0);
        let server = self.server.zip(before.1);
        let server = server.map(|(pid, before)| idle::of_server(pid).saturating_sub(before));
        (ours.as_secs_f64() * 1000.0, server.unwrap_or_default().as_secs_f64() * 1000.0)
    }

    async fn turns(&self, count: u32) -> Vec<(f64, f64)> {
        let mut all = Vec::new();
        for _ in 0..count {
            all.push(self.turn().await);
        }
        all
    }
}

pub async fn run(place: &str, count: u32, turns: u32, server: Option<u32>) {
    let store = place::open(place).await;
    fill(place, count).await;
    store.watch("qbittorrent").await.expect("a record");
    let (_client, url) = crowd::start(count).await;
    let hour = Duration::from_hours(1);
    let changes = Looking::at(&store, &url, hour, server).await;
    changes.turns(BEFORE).await;
    let last = WorkId(i64::from(count));
    assert!(changes.board.of(last).is_some(), "all of them are seen");
    let (own, servers): (Vec<f64>, Vec<f64>) = changes.turns(turns).await.into_iter().unzip();
    let everything = Looking::at(&store, &url, Duration::ZERO, server).await;
    everything.turns(1).await;
    let full: Vec<f64> = everything.turns(turns / 3 + 1).await.into_iter().map(|it| it.0).collect();
    let system = if place::is_postgres(place) { "verst-postgres" } else { "verst-sqlite" };
    println!(
        "{{\"system\":\"{system}\",\"mode\":\"tick\",\"torrents\":{count},\"ms\":{own:?},\
         \"server_ms\":{servers:?},\"full_ms\":{full:?}}}"
    );
}
