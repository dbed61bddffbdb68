//! The line with its ports, and its steps.

mod add;
mod ensure;
mod identify;
mod place;
mod watch;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use verst_kernel::{Failure, Outcome, Road, Stage, StoreError, Visit};

pub use ensure::{Desk, Ensured, find};
pub use place::library_failure;
pub use watch::{Board, Watch};

use crate::codes;
use crate::hash::Hashes;
use crate::layout::Roots;
use crate::model::{Download, Product};
use crate::ports::{
    Bench, ClientError, DownloadStore, Library, Pauses, Places, Preset, Snapshot, TorrentClient,
    TorrentFile,
};
use crate::{LINE, Step};

/// When to ask a client again that does not answer.
const CLIENT: Duration = Duration::from_secs(30);

/// The line with its ports.
pub struct Downloads {
    /// Its tables.
    pub store: Arc<dyn DownloadStore>,
    /// The torrent client.
    pub client: Arc<dyn TorrentClient>,
    /// The media library.
    pub library: Arc<dyn Library>,
    /// Where the client's directories lie here.
    pub places: Arc<dyn Places>,
    /// What passes between two looks.
    pub pauses: Arc<dyn Pauses>,
    /// Where names are read.
    pub bench: Arc<dyn Bench>,
    /// How names are made.
    pub preset: Preset,
    /// The directories below the library.
    pub roots: Roots,
}

impl Downloads {
    /// The client, as a retry needs it.
    pub fn desk(&self) -> Desk<'_> {
        Desk { client: &*self.client, pauses: &*self.pauses }
    }

    /// Reads names, or lays out what was read, on the bench: of ten thousand files that takes seconds.
    pub async fn compute<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> T {
        let done = Arc::new(Mutex::new(None));
        let made = done.clone();
        let work = move || {
            let value = work();
            *made.lock().unwrap_or_else(PoisonError::into_inner) = Some(value);
        };
        self.bench.work(Box::new(work)).await;
        let value = done.lock().unwrap_or_else(PoisonError::into_inner).take();
        match value {
            Some(value) => value,
            // Only where the process ends is it not done to its end, and then nobody waits for it.
            None => std::future::pending().await,
        }
    }

    async fn download(&self, visit: &Visit<'_>) -> Result<Download, Trouble> {
        let found = self.store.download(visit.claim.id()).await?;
        Ok(found.ok_or(StoreError::Damaged { what: "download" })?)
    }

    /// A torrent with its files, as the client shows them now.
    async fn whole(&self, hashes: &Hashes) -> Result<(Snapshot, Vec<TorrentFile>), ClientError> {
        let listing = self.client.list().await?;
        let torrent = find(&listing, hashes).cloned().ok_or(ClientError::Missing)?;
        let files = self.client.files(&torrent.key).await?;
        Ok((torrent, files))
    }
}

#[async_trait]
impl Road<Product> for Downloads {
    fn stages(&self) -> Vec<Stage> {
        LINE.stages()
    }

    async fn step(&self, visit: Visit<'_>) -> Outcome<Product> {
        let Some(leave) = LINE.leave(&visit.standing.milestone) else {
            return Outcome::Verdict(Failure::new(Failure::UNKNOWN_MILESTONE));
        };
        let ended = match leave.step {
            Step::Add => add::add(self, &visit).await,
            Step::Identify => identify::identify(self, &visit).await,
            Step::Place => place::place(self, &visit).await,
        };
        ended.unwrap_or_else(Trouble::outcome)
    }
}

/// Trouble that any step may meet.
#[derive(Debug)]
pub(crate) enum Trouble {
    Store(StoreError),
    Client(ClientError),
}

impl Trouble {
    fn outcome(self) -> Outcome<Product> {
        match self {
            Self::Store(StoreError::Full) => Outcome::Fail(Failure::new(Failure::DISK_FULL)),
            Self::Store(_) => Outcome::Fail(Failure::new(Failure::STORE_FAILED)),
            Self::Client(error) => client_trouble(&error),
        }
    }
}

impl From<StoreError> for Trouble {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<ClientError> for Trouble {
    fn from(error: ClientError) -> Self {
        Self::Client(error)
    }
}

/// What a client's trouble is called.
pub fn client_failure(error: &ClientError) -> Failure {
    Failure::new(match error {
        ClientError::Unreachable => codes::CLIENT_UNREACHABLE,
        ClientError::Refuses { .. } => codes::CLIENT_REFUSES,
        ClientError::Missing => codes::TORRENT_GONE,
        ClientError::Unexpected(_) => codes::CLIENT_UNEXPECTED,
    })
}

/// A client that is away is nobody's failure; one that has lost the torrent is a person's matter.
fn client_trouble(error: &ClientError) -> Outcome<Product> {
    let why = client_failure(error);
    match error {
        ClientError::Unreachable => Outcome::Busy { delay: CLIENT, why, trouble: true },
        ClientError::Refuses { again_in } => {
            Outcome::Busy { delay: (*again_in).max(CLIENT), why, trouble: true }
        }
        ClientError::Missing => Outcome::Verdict(why),
        ClientError::Unexpected(_) => Outcome::Fail(why),
    }
}
