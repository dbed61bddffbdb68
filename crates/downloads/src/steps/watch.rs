//! The watch of a client: looks at all its torrents, and moves the downloads that belong to them.
//!
//! **Invariant:** downloads are read, with their fences, before the client is listed, so whatever
//! happens to one after that makes the write about it come to nothing.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use verst_kernel::{Claim, Failure, Outcome, Road, Stage, StoreError, Timestamp, Visit, WorkId};

use super::Trouble;
use crate::hash::InfoHash;
use crate::model::{Patience, Product};
use crate::ports::{
    Announce, ClientError, Connection, Contact, DownloadStore, Followed, Observed, Sight, Snapshot,
    TorrentClient,
};
use crate::reconcile::{Circumstances, Sighting, decide, wants_files};
use crate::source::TORRENT_BYTES;
use crate::steps::client_failure;
use crate::{CLIENT, codes};

/// What was last seen of the torrents of downloads; shown, never stored.
#[derive(Debug, Default)]
pub struct Board(Mutex<HashMap<WorkId, Arc<Snapshot>>>);

impl Board {
    /// What was last seen of a download's torrent; nothing while the client does not answer.
    pub fn of(&self, id: WorkId) -> Option<Snapshot> {
        let seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        seen.get(&id).map(|torrent| (**torrent).clone())
    }

    fn clear(&self) {
        self.show(HashMap::new());
    }

    fn show(&self, seen: HashMap<WorkId, Arc<Snapshot>>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = seen;
    }
}

/// The watch with its ports.
pub struct Watch {
    /// The line's tables.
    pub store: Arc<dyn DownloadStore>,
    /// The client.
    pub client: Arc<dyn TorrentClient>,
    /// Told of what is to be told.
    pub announce: Arc<dyn Announce>,
    /// Where what was seen is shown.
    pub board: Arc<Board>,
    /// How patient we are.
    pub patience: Patience,
    /// From one look to the next.
    pub every: Duration,
}

/// Why a look was not finished.
enum Cut {
    Client(ClientError),
    Store(StoreError),
    /// Another host looks by now.
    Lost,
}

impl From<StoreError> for Cut {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

#[async_trait]
impl Road<Product> for Watch {
    fn stages(&self) -> Vec<Stage> {
        CLIENT.stages()
    }

    async fn step(&self, visit: Visit<'_>) -> Outcome<Product> {
        match self.look(visit.claim, visit.standing.now).await {
            // What is lost is not settled, whatever is said.
            Ok(()) | Err(Cut::Lost) => {
                let why = Failure::new(codes::WATCHING);
                Outcome::Defer { delay: self.every, why, product: None }
            }
            Err(Cut::Client(error)) => Outcome::Fail(client_failure(&error)),
            Err(Cut::Store(error)) => Trouble::from(error).outcome(),
        }
    }
}

impl Watch {
    async fn look(&self, claim: &Claim, now: Timestamp) -> Result<(), Cut> {
        let followed = self.store.followed().await?;
        let known = self.store.contact(claim.id()).await?;
        let silent = known.and_then(Contact::silent_since).unwrap_or(now);
        let listing = match self.client.list().await {
            Ok(listing) => listing,
            Err(error) => {
                // What it did before says nothing of what it does now.
                self.board.clear();
                self.keep(claim, known, Contact::Silent(silent)).await?;
                return Err(Cut::Client(error));
            }
        };
        let contact = match listing.connection {
            Connection::Up => {
                Contact::Answering(known.and_then(Contact::answering_since).unwrap_or(now))
            }
            Connection::Down => Contact::Silent(silent),
        };
        self.keep(claim, known, contact).await?;
        let since = contact.answering_since();
        let around = Circumstances { patience: &self.patience, since, now };
        let full = listing.full;
        // Shared, and not copied: there are many of them, every few seconds.
        let torrents: Vec<Arc<Snapshot>> = listing.torrents.into_iter().map(Arc::new).collect();
        let torrents = by_hash(&torrents);
        let mut seen = HashMap::new();
        for task in &followed {
            let torrent = task.hashes.iter().find_map(|hash| torrents.get(hash).copied());
            let sight = match torrent {
                Some(torrent) => {
                    seen.insert(task.id, Arc::clone(torrent));
                    self.present(task, torrent, &around).await
                }
                None => decide(task, Sighting::Absent { full }, &around),
            };
            let Some(sight) = sight else { continue };
            match self.store.observe(claim, (task.id, task.fence), sight).await? {
                Observed::Written(Some(notice)) => self.announce.announce(notice),
                Observed::WatchLost => return Err(Cut::Lost),
                // Of a download that somebody else moved, or whose torrent is another's by now, nothing
                // was written: it is looked at again.
                Observed::Written(None)
                | Observed::Lost
                | Observed::Owned(_)
                | Observed::Merged { .. } => {}
            }
        }
        self.board.show(seen);
        self.announce.looked(now);
        Ok(())
    }

    /// Writes how it is with the client, if that is news.
    async fn keep(
        &self,
        claim: &Claim,
        known: Option<Contact>,
        contact: Contact,
    ) -> Result<(), Cut> {
        if known == Some(contact) || self.store.keep_contact(claim, contact).await? {
            Ok(())
        } else {
            Err(Cut::Lost)
        }
    }

    /// What is to be written of a download whose torrent is there.
    async fn present(
        &self,
        task: &Followed,
        torrent: &Snapshot,
        around: &Circumstances<'_>,
    ) -> Option<Sight> {
        let whole = if wants_files(task, torrent) {
            // Without an answer it is not known, and it is looked at again.
            let files = self.client.files(&torrent.key).await.ok();
            files.map(|files| files.iter().all(|file| !file.wanted || file.whole))
        } else {
            None
        };
        let mut sight = decide(task, Sighting::Present { torrent, whole }, around)?;
        if task.bytes_wanted && sight.called.is_some() {
            let bytes = self.client.export(&torrent.key).await.ok().flatten();
            sight.bytes = bytes.filter(|bytes| bytes.len() <= TORRENT_BYTES);
        }
        Some(sight)
    }
}

/// All torrents, by each of their names.
fn by_hash(torrents: &[Arc<Snapshot>]) -> HashMap<&InfoHash, &Arc<Snapshot>> {
    let torrents = torrents.iter();
    torrents.flat_map(|torrent| torrent.hashes.iter().map(move |hash| (hash, torrent))).collect()
}
