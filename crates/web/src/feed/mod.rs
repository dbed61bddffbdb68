//! What changes on both roads, for those who listen: one poller for all of them, and none while nobody
//! listens.
//!
//! It asks no torrent client: what torrents do is what the watch saw. **Invariant:** it only reads, and
//! however many listen, the database is asked by one.

mod change;
mod item;
mod pace;
mod round;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{broadcast, watch};
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;
use tracing::warn;
use verst_service::{DownloadService, Service, WorkId};

pub(crate) use change::{Change, Told};
pub(crate) use item::{Item, Stands};

use item::Audience;
use round::Known;

/// Those who may listen at a time.
const LISTENERS: usize = 100;
/// Changes that a slow listener may be behind before it misses some.
const BEHIND: usize = 256;
/// Between two looks; longer where a look takes long, so that looking is a small part of the work.
const EVERY: Duration = Duration::from_secs(1);
const SHARE: u32 = 20;

/// The feed. A copy is the same one.
#[derive(Clone)]
pub(crate) struct Feed(Arc<Inner>);

struct Inner {
    service: Arc<Service>,
    downloads: Option<Arc<DownloadService>>,
    ending: CancellationToken,
    said: broadcast::Sender<Arc<Change>>,
    state: Mutex<Polled>,
}

#[derive(Default)]
struct Polled {
    /// Of the poller, if there is one: whether it has looked.
    looked: Option<watch::Receiver<bool>>,
    /// What somebody here just changed, with those who saw it: it may be done and not looked at
    /// otherwise.
    nudged: BTreeMap<WorkId, Audience>,
}

impl Feed {
    pub(crate) fn new(
        service: Arc<Service>,
        downloads: Option<Arc<DownloadService>>,
        ending: CancellationToken,
    ) -> Self {
        let said = broadcast::Sender::new(BEHIND);
        Self(Arc::new(Inner { service, downloads, ending, said, state: Mutex::default() }))
    }

    /// Listens from now on; `None` when too many do. What changes after the answer is heard: a first
    /// look has told by then what there is.
    pub(crate) async fn listen(&self) -> Option<broadcast::Receiver<Arc<Change>>> {
        let (listener, mut looked) = {
            let mut state = self.state();
            if self.0.said.receiver_count() >= LISTENERS {
                return None;
            }
            let listener = self.0.said.subscribe();
            let looked = state.looked.get_or_insert_with(|| {
                let (looked, seen) = watch::channel(false);
                tokio::spawn(self.clone().poll(looked));
                seen
            });
            (listener, looked.clone())
        };
        // Only an end of the service leaves it without one.
        let _ = looked.wait_for(|looked| *looked).await;
        Some(listener)
    }

    /// A person changed something through this face.
    pub(crate) fn nudge(&self, thing: &impl Stands) {
        let mut state = self.state();
        if state.looked.is_some() {
            state.nudged.insert(thing.id(), thing.audience());
        }
    }

    async fn poll(self, looked: watch::Sender<bool>) {
        let mut known = Known::default();
        loop {
            let begun = Instant::now();
            if let Err(error) = self.look(&mut known).await {
                warn!(%error, "the feed could not look");
            }
            looked.send_replace(true);
            let pause = EVERY.max(begun.elapsed() * SHARE);
            tokio::select! {
                () = self.0.ending.cancelled() => {}
                () = sleep(pause) => {}
            }
            let mut state = self.state();
            if self.0.said.receiver_count() == 0 || self.0.ending.is_cancelled() {
                // A listener that comes from now on starts another.
                *state = Polled::default();
                return;
            }
        }
    }

    fn say(&self, change: Change) {
        // That nobody listens any more is no trouble.
        let _ = self.0.said.send(Arc::new(change));
    }

    fn state(&self) -> MutexGuard<'_, Polled> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
