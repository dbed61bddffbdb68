//! The use cases of downloads, shared by every face.
//!
//! **Invariant:** data that was downloaded is deleted only where a person said so for this download and
//! in so many words; whatever else is done, it stays.

use std::sync::Arc;

use thiserror::Error;
use verst_downloads::hash::Hashes;
use verst_downloads::layout::{self, LayoutError};
use verst_downloads::model::{Product as OfDownload, Sender};
use verst_downloads::names::{self, Choice, ChoiceError};
use verst_downloads::ports::{
    ClientError, LibraryError, Onward, Placement, Remove, Snapshot, TorrentFile,
};
use verst_downloads::retry::{RetryError, retry};
use verst_downloads::steps::{Board, Downloads, find};
use verst_downloads::{CAUGHT, DOWNLOADING};
use verst_kernel::{Instance, Queue, Stage, StopByPerson, StoreError, WorkId};
use verst_recordings::ports::Media;

use crate::catch::{CatchError, Caught, Offer, catch};
use crate::{Aftermath, DownloadLedger, Fetch, Ledger, Product, StopAnswer};

/// The use cases with their ports.
pub struct DownloadService {
    /// The queue.
    pub queue: Arc<dyn Queue<Product>>,
    /// What people look at.
    pub views: Arc<dyn DownloadLedger>,
    /// Removes work of any line.
    pub ledger: Arc<dyn Ledger>,
    /// The line: its tables, the client, the library.
    pub line: Arc<Downloads>,
    /// What was last seen of torrents.
    pub board: Arc<Board>,
    /// Fetches torrents from addresses.
    pub fetch: Arc<dyn Fetch>,
    /// Tells a recording from a torrent.
    pub media: Arc<dyn Media>,
    /// Does what follows a stop.
    pub aftermath: Arc<dyn Aftermath>,
    /// This installation.
    pub instance: Instance,
}

/// What became of something that was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Taken {
    /// Downloads, each new or there already, in the order in which they were named.
    Downloads {
        /// Each with whether it is a new one.
        accepted: Vec<verst_downloads::model::Accepted>,
        /// How many more links looked like magnets and were none.
        broken: usize,
    },
    /// A recording; whoever asked may offer to take it in as one.
    Recording {
        /// Its address.
        url: String,
    },
}

/// Why something was not taken in.
#[derive(Debug, Error)]
pub enum TakeError {
    /// It is nothing that can be downloaded.
    #[error(transparent)]
    Catch(#[from] CatchError),
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why a person's answer was not followed.
#[derive(Debug, Error)]
pub enum ChooseError {
    /// The answer itself.
    #[error(transparent)]
    Choice(#[from] ChoiceError),
    /// There is no candidate of that number.
    #[error("no such candidate")]
    NoCandidate,
    /// What it is has been decided; whoever wants it otherwise takes it back first.
    #[error("there is nothing to choose")]
    NothingToChoose,
    /// Another download has its torrent.
    #[error("another download, {0}, has its torrent")]
    Owned(WorkId),
    /// No such download.
    #[error("no such download")]
    Missing,
    /// There is no plan for it.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// The client.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why nothing was taken back out of the library.
#[derive(Debug, Error)]
pub enum UnplaceError {
    /// Nothing of it is there.
    #[error("nothing of it is in the library")]
    NotPlaced,
    /// It is being laid out, or goes on as soon as a worker is free.
    #[error("it is on its way")]
    OnItsWay,
    /// What the client calls its directory is nowhere on this machine.
    #[error("the download is nowhere on this machine")]
    Nowhere,
    /// No such download.
    #[error("no such download")]
    Missing,
    /// The library.
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// The client.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What becomes of the torrent when a download is deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Torrent {
    /// It stays in the client.
    Stays,
    /// It leaves the client; its data stays.
    Leaves,
    /// It leaves the client, and its data is deleted.
    WithItsData,
}

impl DownloadService {
    /// Takes in what somebody sends.
    pub async fn take_in(&self, offer: Offer, sender: Sender) -> Result<Taken, TakeError> {
        match catch(&*self.fetch, &*self.media, offer, sender).await? {
            Caught::Recording { url } => Ok(Taken::Recording { url }),
            Caught::Downloads { new, broken } => {
                let mut accepted = Vec::with_capacity(new.len());
                for new in new {
                    accepted.push(self.line.store.catch(new).await?);
                }
                Ok(Taken::Downloads { accepted, broken })
            }
        }
    }

    /// What was last seen of its torrent, by the watch that runs in this process.
    pub fn live(&self, id: WorkId) -> Option<Snapshot> {
        self.board.of(id)
    }

    /// Its files, as the client shows them now.
    pub async fn files(&self, id: WorkId) -> Result<Vec<TorrentFile>, ChooseError> {
        let download = self.line.store.download(id).await?.ok_or(ChooseError::Missing)?;
        let torrent = self.torrent(&download.hashes).await?.ok_or(ClientError::Missing)?;
        Ok(self.line.client.files(&torrent.key).await?)
    }

    /// Puts a stopped download to `downloading` again.
    pub async fn retry(&self, id: WorkId, person: &str) -> Result<(), RetryError> {
        retry(&*self.line.store, self.line.desk(), id, person).await
    }

    /// Lifts a stop. Until its torrent is whole, that is a retry; after that, it goes on where it stood.
    pub async fn lift(&self, id: WorkId, person: &str) -> Result<(), RetryError> {
        let view = self.views.download_view(id).await?.ok_or(RetryError::Missing)?;
        if view.work.milestone == CAUGHT || view.work.milestone == DOWNLOADING {
            return self.retry(id, person).await;
        }
        match self.line.store.go_on(id, person, None).await? {
            Onward::Lifted => Ok(()),
            Onward::NotStopped => Err(RetryError::NotStopped),
            Onward::Owned(other) => Err(RetryError::Owned(other)),
            Onward::Missing => Err(RetryError::Missing),
        }
    }

    /// Stops it in a person's name, and lets its torrent rest. If the client cannot be reached, the stop
    /// holds all the same.
    pub async fn stop(&self, id: WorkId, person: &str) -> Result<StopAnswer, StoreError> {
        let Some(download) = self.line.store.download(id).await? else {
            return Ok(StopAnswer::Missing);
        };
        let notice = match self.queue.stop(&self.instance, id, person).await? {
            StopByPerson::Stopped(notice) => notice,
            StopByPerson::AlreadyStopped => return Ok(StopAnswer::AlreadyStopped),
            StopByPerson::Finished => return Ok(StopAnswer::Finished),
            StopByPerson::Missing => return Ok(StopAnswer::Missing),
        };
        if let Ok(Some(torrent)) = self.torrent(&download.hashes).await {
            let _ = self.line.client.stop(&torrent.key).await;
        }
        Ok(StopAnswer::Stopped(self.aftermath.stopped(&notice).await))
    }

    /// Follows a person's answer to what it is: it goes on from there, and the next file of the same
    /// series is known.
    pub async fn choose(
        &self,
        id: WorkId,
        person: &str,
        choice: &Choice,
    ) -> Result<(), ChooseError> {
        let download = self.line.store.download(id).await?.ok_or(ChooseError::Missing)?;
        let torrent = self.torrent(&download.hashes).await?.ok_or(ClientError::Missing)?;
        let files = self.line.client.files(&torrent.key).await?;
        let mut memory = self.line.store.memory().await?;
        let (choice, preset, roots) = (choice.clone(), self.line.preset, self.line.roots.clone());
        let read = move || {
            let filing = names::apply(&choice, &torrent.name, &files)?;
            // What cannot be laid out is said while there is somebody to hear it.
            layout::plan(&filing, &files, preset, &roots)?;
            names::learn(&mut memory, &torrent.name, &files, &filing);
            Ok::<_, ChooseError>((filing, memory))
        };
        let (filing, memory) = self.line.compute(read).await?;
        self.decided(id, person, OfDownload::Filing(filing)).await?;
        Ok(self.line.store.remember(&memory).await?)
    }

    /// Takes one of the candidates, counted from 1.
    pub async fn choose_candidate(
        &self,
        id: WorkId,
        person: &str,
        number: usize,
    ) -> Result<(), ChooseError> {
        let download = self.line.store.download(id).await?.ok_or(ChooseError::Missing)?;
        let candidate = number.checked_sub(1).and_then(|at| download.candidates.get(at));
        let filing = candidate.ok_or(ChooseError::NoCandidate)?.filing.clone();
        self.decided(id, person, OfDownload::Filing(filing)).await
    }

    async fn decided(&self, id: WorkId, person: &str, said: OfDownload) -> Result<(), ChooseError> {
        match self.line.store.go_on(id, person, Some(said)).await? {
            Onward::Lifted => Ok(()),
            Onward::NotStopped => Err(ChooseError::NothingToChoose),
            Onward::Owned(other) => Err(ChooseError::Owned(other)),
            Onward::Missing => Err(ChooseError::Missing),
        }
    }

    /// Where its files would go if it were this.
    pub async fn preview(
        &self,
        id: WorkId,
        choice: &Choice,
    ) -> Result<Vec<Placement>, ChooseError> {
        let download = self.line.store.download(id).await?.ok_or(ChooseError::Missing)?;
        let torrent = self.torrent(&download.hashes).await?.ok_or(ClientError::Missing)?;
        let files = self.line.client.files(&torrent.key).await?;
        let (choice, preset, roots) = (choice.clone(), self.line.preset, self.line.roots.clone());
        let read = move || {
            let filing = names::apply(&choice, &torrent.name, &files)?;
            Ok(layout::plan(&filing, &files, preset, &roots)?)
        };
        self.line.compute(read).await
    }

    /// Takes a download that is done, or stopped, back out of the library. Answers how many files went.
    pub async fn unplace(&self, id: WorkId) -> Result<u64, UnplaceError> {
        let view = self.views.download_view(id).await?.ok_or(UnplaceError::Missing)?;
        if view.download.placed.is_empty() {
            return Err(UnplaceError::NotPlaced);
        }
        if view.work.stop.is_none() && view.work.milestone != Stage::FINAL {
            return Err(UnplaceError::OnItsWay);
        }
        let torrent = self.torrent(&view.download.hashes).await?.ok_or(ClientError::Missing)?;
        let place = self.line.places.local(&torrent.save_path).ok_or(UnplaceError::Nowhere)?;
        let gone = self.line.library.unplace(place, &view.download.placed).await?;
        self.line.store.unplaced(id).await?;
        Ok(gone)
    }

    /// Lays a download that is done out once more. `false` when it is not done, or not known what it is.
    pub async fn place_again(&self, id: WorkId, person: &str) -> Result<bool, RetryError> {
        match self.line.store.place_again(id, person).await? {
            Onward::Lifted => Ok(true),
            Onward::NotStopped => Ok(false),
            Onward::Owned(other) => Err(RetryError::Owned(other)),
            Onward::Missing => Err(RetryError::Missing),
        }
    }

    /// Deletes a download. What is in the library stays there. `false` when there is none.
    pub async fn delete(&self, id: WorkId, torrent: Torrent) -> Result<bool, DeleteError> {
        let Some(download) = self.line.store.download(id).await? else { return Ok(false) };
        let data = match torrent {
            Torrent::Stays => None,
            Torrent::Leaves => Some(Remove::KeepFiles),
            Torrent::WithItsData => Some(Remove::DeleteFiles),
        };
        if let Some(data) = data
            && let Some(found) = self.torrent(&download.hashes).await?
        {
            self.line.client.remove(&found.key, data).await?;
        }
        let removed = self.ledger.remove(id).await?;
        self.aftermath.superseded(id).await;
        Ok(removed)
    }

    /// The torrent that has one of these hashes, as the client shows it now.
    pub async fn torrent(&self, hashes: &Hashes) -> Result<Option<Snapshot>, ClientError> {
        let listing = self.line.client.list().await?;
        Ok(find(&listing, hashes).cloned())
    }
}

/// Why a download was not deleted.
#[derive(Debug, Error)]
pub enum DeleteError {
    /// The client did not remove its torrent; the download is still there.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
}
