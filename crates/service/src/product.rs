//! What the steps of any line write besides the move.

use verst_downloads::model::Product as OfDownload;
use verst_kernel::Stage;
use verst_recordings::model::Product as OfRecording;

/// The milestones of all lines: what a store declares.
pub fn stages() -> Vec<Stage> {
    let downloads = [verst_downloads::LINE.stages(), verst_downloads::CLIENT.stages()];
    verst_recordings::LINE.stages().into_iter().chain(downloads.into_iter().flatten()).collect()
}

/// A product of one of the lines.
#[derive(Clone, Debug, PartialEq)]
pub enum Product {
    /// A recording's.
    Recording(OfRecording),
    /// A download's, or its client's.
    Download(OfDownload),
}

impl From<OfRecording> for Product {
    fn from(product: OfRecording) -> Self {
        Self::Recording(product)
    }
}

impl From<OfDownload> for Product {
    fn from(product: OfDownload) -> Self {
        Self::Download(product)
    }
}
