//! What downloads need around them, for those who see to it: the watch of the client, the library.
//!
//! **Invariant:** whoever asks learns codes and never what something is called on a disk.

use verst_downloads::codes;
use verst_downloads::ports::{About, Library, Places};
use verst_downloads::steps::library_failure;
use verst_kernel::{Failure, StoreError, Timestamp};

use crate::DownloadService;

/// What the one client is called, whichever it is.
pub const TORRENT_CLIENT: &str = "qbittorrent";

/// Whether a file that this client downloads could be brought into the library: one of our own is, and
/// is taken back.
pub async fn try_library(
    about: &About,
    places: &dyn Places,
    library: &dyn Library,
) -> Result<(), Failure> {
    let place = places.local(&about.save_path);
    let place = place.ok_or_else(|| Failure::new(codes::PLACE_UNKNOWN))?;
    library.probe(place).await.map_err(|error| library_failure(&error))
}

impl DownloadService {
    /// What is wrong with the watch of the client, judged by a process that has worked since then.
    pub async fn watch_trouble(
        &self,
        started_at: Timestamp,
    ) -> Result<Option<Failure>, StoreError> {
        let now = self.queue.now().await?;
        let view = self.views.watch_view(TORRENT_CLIENT).await?;
        Ok(view.and_then(|view| view.trouble(now, started_at)))
    }
}
