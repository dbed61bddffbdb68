//! What the line needs of the store, besides the queue.

use async_trait::async_trait;
use verst_kernel::{Claim, Fence, Notes, Notice, Stop, StoreError, Timestamp, WorkId};

use super::Given;
use crate::hash::Hashes;
use crate::model::{Accepted, Download, Measures, NewDownload, Product};
use crate::names::Memory;

/// A download that is looked at: one that is in the client, or was stopped by our impatience, or by a
/// person while its torrent is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Followed {
    /// Which.
    pub id: WorkId,
    /// Its fence as it was read: what is written rests on it.
    pub fence: Fence,
    /// When it was taken in.
    pub created_at: Timestamp,
    /// The mark, if it is stopped, and since when.
    pub stop: Option<(Timestamp, Stop)>,
    /// All that it is called.
    pub hashes: Hashes,
    /// What is remembered of it.
    pub measures: Measures,
    /// Whether its torrent is in the client, as far as is known.
    pub in_client: bool,
    /// Its name and the bytes of its wanted files, as far as they are known.
    pub called: (Option<String>, Option<u64>),
    /// Whether it came as a magnet whose bytes are not kept yet.
    pub bytes_wanted: bool,
}

/// How a download moves after a look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Turn {
    /// Not at all.
    Stay,
    /// Its torrent is whole.
    Complete,
    /// It is stopped.
    Stop(Stop),
    /// Its stop is lifted, because its source came alive.
    Revive {
        /// Whether it is whole already.
        complete: bool,
    },
}

/// What is written after a look.
#[derive(Clone, Debug, PartialEq)]
pub struct Sight {
    /// How it moves.
    pub turn: Turn,
    /// What is remembered from now on.
    pub measures: Measures,
    /// Names of it that were not known.
    pub learned: Hashes,
    /// Its name and its bytes, if they are news.
    pub called: Option<(String, u64)>,
    /// Whether its torrent is in the client.
    pub in_client: bool,
    /// The bytes of its torrent, if they were wanted and are there.
    pub bytes: Option<Vec<u8>>,
}

/// What became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Observed {
    /// Written; what is to be told.
    Written(Option<Notice>),
    /// The watch's claim went to another: nothing more is to be written by it.
    WatchLost,
    /// Somebody else wrote to the download since it was read; nothing was written.
    Lost,
    /// Another active download has one of its hashes, so it was not revived; nothing was written.
    Owned(WorkId),
    /// Another active download turned out to be the same, and one of them ended in the other.
    Merged {
        /// The one that goes on.
        into: WorkId,
        /// The one that ended.
        from: WorkId,
    },
}

/// What a person's wish to retry found.
#[derive(Clone, Debug, PartialEq)]
pub enum RetryBegun {
    /// The retry has the fence; the mark is still there.
    Begun {
        /// For [`DownloadStore::finish_retry`].
        fence: Fence,
        /// All that it is called.
        hashes: Hashes,
        /// What it is added by.
        given: Given,
    },
    /// Another active download has one of its hashes.
    Owned(WorkId),
    /// It is not stopped.
    NotStopped,
    /// No such download.
    Missing,
}

/// What became of a retry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retried {
    /// It is `downloading`.
    Done,
    /// Somebody else moved it meanwhile.
    Lost,
    /// Another active download has one of its hashes.
    Owned(WorkId),
}

/// What became of lifting a stop where the download stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Onward {
    /// It goes on.
    Lifted,
    /// It is not stopped.
    NotStopped,
    /// Another active download has one of its hashes.
    Owned(WorkId),
    /// No such download.
    Missing,
}

/// How it is with a client, and since when without a break.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contact {
    /// It answers, and reaches others; no measure counts from earlier.
    Answering(Timestamp),
    /// It does not.
    Silent(Timestamp),
}

impl Contact {
    /// Since when it answers.
    pub fn answering_since(self) -> Option<Timestamp> {
        match self {
            Self::Answering(since) => Some(since),
            Self::Silent(_) => None,
        }
    }

    /// Since when it does not.
    pub fn silent_since(self) -> Option<Timestamp> {
        match self {
            Self::Silent(since) => Some(since),
            Self::Answering(_) => None,
        }
    }

    /// From the two, as they are stored.
    pub fn read(answering: Option<Timestamp>, silent: Option<Timestamp>) -> Option<Self> {
        answering.map(Self::Answering).or(silent.map(Self::Silent))
    }
}

/// The line's own tables.
///
/// **Invariant:** at most one active download has a hash. Active is what is neither final nor stopped,
/// and what is stopped by a person while its torrent is kept, or for a person's choice. Every verb that
/// makes one active locks its hashes, in their order, before it looks.
#[async_trait]
pub trait DownloadStore: Notes<Product> {
    /// Takes a download in, or adds its sender to the active one that has one of its hashes.
    async fn catch(&self, new: NewDownload) -> Result<Accepted, StoreError>;

    /// Reads a download.
    async fn download(&self, id: WorkId) -> Result<Option<Download>, StoreError>;

    /// The number of the record by which this client is watched, which is made if it is not there.
    async fn watch(&self, client: &str) -> Result<WorkId, StoreError>;

    /// How it is with the client, as it was last written; `None` before the first look.
    async fn contact(&self, watch: WorkId) -> Result<Option<Contact>, StoreError>;

    /// Writes that under the watch's fence. `false` when the claim is lost.
    async fn keep_contact(&self, watch: &Claim, contact: Contact) -> Result<bool, StoreError>;

    /// All downloads that are looked at, with their fences, in the order of their numbers.
    async fn followed(&self) -> Result<Vec<Followed>, StoreError>;

    /// Writes what a look at one of them found, if the watch and the download still have these
    /// fences.
    async fn observe(
        &self,
        watch: &Claim,
        task: (WorkId, Fence),
        sight: Sight,
    ) -> Result<Observed, StoreError>;

    /// The first half of a retry: takes the fence and keeps the mark.
    async fn begin_retry(&self, id: WorkId) -> Result<RetryBegun, StoreError>;

    /// The second half, once its torrent was seen in the client: lifts the mark, in a person's name,
    /// and puts it to `downloading`.
    async fn finish_retry(
        &self,
        id: WorkId,
        fence: Fence,
        person: &str,
    ) -> Result<Retried, StoreError>;

    /// Lays a download that is done out once more, in a person's name: it stands at `identified` then.
    /// `NotStopped` if it is not done, or nobody knows what it is.
    async fn place_again(&self, id: WorkId, person: &str) -> Result<Onward, StoreError>;

    /// Writes that nothing of it is in the library any more.
    async fn unplaced(&self, id: WorkId) -> Result<(), StoreError>;

    /// What people said of series before.
    async fn memory(&self) -> Result<Memory, StoreError>;

    /// Keeps what a person said of a series. Of two at once, the later one is kept.
    async fn remember(&self, memory: &Memory) -> Result<(), StoreError>;

    /// Lifts a stop in a person's name and keeps the milestone; what the person said is written with
    /// it.
    async fn go_on(
        &self,
        id: WorkId,
        person: &str,
        said: Option<Product>,
    ) -> Result<Onward, StoreError>;
}
