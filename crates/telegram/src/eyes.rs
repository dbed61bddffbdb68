//! How things stand, for whoever shows them.

use std::sync::Arc;

use verst_service::{DownloadLedger, DownloadService, Ledger, StoreError, WorkId};

use crate::look::Thing;

/// What reads.
#[derive(Clone)]
pub(crate) struct Eyes {
    pub(crate) ledger: Arc<dyn Ledger>,
    pub(crate) downloads: Arc<dyn DownloadLedger>,
    /// Knows how far torrents are, where there is a client.
    pub(crate) live: Option<Arc<DownloadService>>,
}

impl Eyes {
    /// The thing of this number, if there is one.
    pub(crate) async fn thing(&self, id: WorkId) -> Result<Option<Thing>, StoreError> {
        if let Some(view) = self.ledger.view(id).await? {
            return Ok(Some(Thing::Recording(Box::new(view))));
        }
        let Some(view) = self.downloads.download_view(id).await? else { return Ok(None) };
        let live = self.live.as_ref().and_then(|live| live.live(id)).map(Box::new);
        Ok(Some(Thing::Download(Box::new(view), live)))
    }
}
