//! What people look at before they say what a download is.
//!
//! **Invariant:** it only reads, and to those who may not see a download it does not exist.

use verst_downloads::layout;
use verst_downloads::names::Candidate;
use verst_downloads::ports::Placement;
use verst_kernel::{StoreError, WorkId};

use crate::{Caller, DownloadService, DownloadView};

/// What a download may be.
#[derive(Clone, Debug, PartialEq)]
pub struct Suggestion {
    /// That.
    pub candidate: Candidate,
    /// Where its files would go; `None` while the client does not show them whole, or where no names
    /// can be made of it.
    pub plan: Option<Vec<Placement>>,
}

impl DownloadService {
    /// A download, if it exists for the caller.
    pub async fn look(
        &self,
        caller: &Caller,
        id: WorkId,
    ) -> Result<Option<DownloadView>, StoreError> {
        let view = self.views.download_view(id).await?;
        Ok(view.filter(|view| view.is_seen_by(caller)))
    }

    /// What it may be, the likeliest first. The client is asked for its files once for all.
    pub async fn suggestions(&self, view: &DownloadView) -> Vec<Suggestion> {
        let candidates = &view.download.candidates;
        let files = if candidates.is_empty() { None } else { self.files(view.work.id).await.ok() };
        let plan = |candidate: &Candidate| {
            let files = files.as_ref()?;
            layout::plan(&candidate.filing, files, self.line.preset, &self.line.roots).ok()
        };
        let suggest = |it: &Candidate| Suggestion { candidate: it.clone(), plan: plan(it) };
        candidates.iter().map(suggest).collect()
    }
}
