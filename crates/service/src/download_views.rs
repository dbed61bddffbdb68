//! What people look at of downloads, and the port that reads it.

use async_trait::async_trait;
use verst_downloads::codes::STALLED;
use verst_downloads::model::Download;
use verst_kernel::{StoreError, WorkId};

use crate::{Caller, State, WatchView, WorkView};

/// A download with its work.
#[derive(Clone, Debug, PartialEq)]
pub struct DownloadView {
    /// Where it is on its road.
    pub work: WorkView,
    /// What it is.
    pub download: Download,
}

impl DownloadView {
    /// How it stands, in the words of the specification: its milestone, or `stuck` or `failed` where it
    /// is stopped.
    pub fn state(&self) -> &str {
        match &self.work.stop {
            None => &self.work.milestone,
            Some(stop) if stop.failure.code == STALLED => "stuck",
            Some(_) => "failed",
        }
    }

    /// Whether this caller may see it: everybody who sent it may.
    pub fn is_seen_by(&self, caller: &Caller) -> bool {
        caller.sees_of(self.download.senders.iter().map(|sender| sender.owner.as_deref()))
    }
}

/// Which downloads to list. The default lists none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DownloadFilter {
    /// Only those that stand so.
    pub state: Option<State>,
    /// Only those that this owner sent.
    pub owner: Option<String>,
    /// Only those older than this one; `None` starts with the newest.
    pub before: Option<WorkId>,
    /// At most so many.
    pub limit: u32,
}

/// Reads downloads for people.
#[async_trait]
pub trait DownloadLedger: Send + Sync {
    /// Downloads, newest first.
    async fn downloads(&self, filter: DownloadFilter) -> Result<Vec<DownloadView>, StoreError>;
    /// One download.
    async fn download_view(&self, id: WorkId) -> Result<Option<DownloadView>, StoreError>;
    /// The watch of this client, by its name; `None` before the first start with it.
    async fn watch_view(&self, client: &str) -> Result<Option<WatchView>, StoreError>;
}
