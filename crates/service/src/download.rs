//! What faces name of the line of downloads, which they do not see.

pub use verst_downloads::filing::{Ids, Numbering};
pub use verst_downloads::layout::LayoutError;
pub use verst_downloads::model::{Accepted, Download, Sender};
pub use verst_downloads::names::{Candidate, Choice, ChoiceError, Kind, Place};
pub use verst_downloads::ports::{
    ClientError, ClientState, Given, LibraryError, Placement, Snapshot, TorrentFile,
};
pub use verst_downloads::retry::RetryError;
pub use verst_downloads::source::TORRENT_BYTES;
pub use verst_downloads::steps::client_failure;
