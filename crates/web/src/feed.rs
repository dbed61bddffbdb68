//! What changes, for those who listen: one poller for all of them, and none while nobody listens.
//!
//! **Invariant:** it only reads, and however many listen, the database is asked by one.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::broadcast;
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;
use tracing::warn;
use verst_service::{Caller, Failure, Filter, Service, State, StoreError, View, WorkId};

/// Those who may listen at a time.
const LISTENERS: usize = 100;
/// Changes that a slow listener may be behind before it misses some.
const BEHIND: usize = 256;
/// Between two looks; longer where a look takes long, so that looking is a small part of the work.
const EVERY: Duration = Duration::from_secs(1);
const SHARE: u32 = 20;
/// Recordings in one read.
const PAGE: u32 = 500;

/// Something that changed.
#[derive(Debug)]
pub(crate) enum Change {
    /// It stands so now.
    Stands(Box<View>),
    /// It is gone.
    Deleted {
        /// Which it was.
        id: WorkId,
        /// Whose it was.
        owner: Option<String>,
    },
}

impl Change {
    pub(crate) fn id(&self) -> WorkId {
        match self {
            Self::Stands(view) => view.work.id,
            Self::Deleted { id, .. } => *id,
        }
    }

    pub(crate) fn concerns(&self, caller: &Caller) -> bool {
        match self {
            Self::Stands(view) => caller.sees(&view.recording),
            Self::Deleted { owner, .. } => caller.owner.is_none() || *owner == caller.owner,
        }
    }
}

/// The part of a view whose change is worth telling.
#[derive(PartialEq)]
struct Seen {
    milestone: String,
    why: Option<Failure>,
    stopped: bool,
    title: Option<String>,
    owner: Option<String>,
}

impl Seen {
    fn of(view: &View) -> Self {
        Self {
            milestone: view.work.milestone.clone(),
            why: view.work.why.clone(),
            stopped: view.work.stop.is_some(),
            title: view.recording.title.clone(),
            owner: view.recording.given.owner.clone(),
        }
    }
}

/// The feed. A copy is the same one.
#[derive(Clone)]
pub(crate) struct Feed(Arc<Inner>);

struct Inner {
    service: Arc<Service>,
    ending: CancellationToken,
    said: broadcast::Sender<Arc<Change>>,
    state: Mutex<Polled>,
}

#[derive(Default)]
struct Polled {
    running: bool,
    /// What somebody here just changed, with its owner: it may be done and not looked at otherwise.
    nudged: BTreeSet<(WorkId, Option<String>)>,
}

impl Feed {
    pub(crate) fn new(service: Arc<Service>, ending: CancellationToken) -> Self {
        let said = broadcast::Sender::new(BEHIND);
        Self(Arc::new(Inner { service, ending, said, state: Mutex::default() }))
    }

    /// Listens from now on; `None` when too many do.
    pub(crate) fn listen(&self) -> Option<broadcast::Receiver<Arc<Change>>> {
        let mut state = self.state();
        if self.0.said.receiver_count() >= LISTENERS {
            return None;
        }
        let listener = self.0.said.subscribe();
        if !std::mem::replace(&mut state.running, true) {
            tokio::spawn(self.clone().poll());
        }
        Some(listener)
    }

    /// A person changed something through this face.
    pub(crate) fn nudge(&self, view: &View) {
        let mut state = self.state();
        if state.running {
            state.nudged.insert((view.work.id, view.recording.given.owner.clone()));
        }
    }

    async fn poll(self) {
        let mut known = None;
        loop {
            let begun = Instant::now();
            if let Err(error) = self.look(&mut known).await {
                warn!(%error, "the feed could not look");
            }
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

    /// Compares what moves with what did, and says what is different.
    async fn look(&self, known: &mut Option<HashMap<WorkId, Seen>>) -> Result<(), StoreError> {
        let nudged = std::mem::take(&mut self.state().nudged);
        let moving = self.moving().await?;
        let mut now = HashMap::new();
        for view in moving {
            let seen = Seen::of(&view);
            // The first look only learns what there is.
            let told = known.as_ref().is_none_or(|known| known.get(&view.work.id) == Some(&seen));
            now.insert(view.work.id, seen);
            if !told {
                self.say(Change::Stands(Box::new(view)));
            }
        }
        let mut left: BTreeSet<_> = nudged;
        for (id, seen) in known.iter().flatten() {
            if !now.contains_key(id) {
                left.insert((*id, seen.owner.clone()));
            }
        }
        left.retain(|(id, _)| !now.contains_key(id));
        for (id, owner) in left {
            match self.0.service.ledger.view(id).await? {
                Some(view) => self.say(Change::Stands(Box::new(view))),
                None => self.say(Change::Deleted { id, owner }),
            }
        }
        *known = Some(now);
        Ok(())
    }

    async fn moving(&self) -> Result<Vec<View>, StoreError> {
        let mut all = Vec::new();
        let mut before = None;
        loop {
            let filter =
                Filter { state: Some(State::Moving), before, limit: PAGE, ..Filter::default() };
            let page = self.0.service.ledger.list(filter).await?;
            let full = page.len() >= usize::try_from(PAGE).unwrap_or(usize::MAX);
            before = page.last().map(|view| view.work.id);
            all.extend(page);
            if !full {
                return Ok(all);
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
