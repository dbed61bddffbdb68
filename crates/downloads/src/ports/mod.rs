//! What the line needs of the world.

mod around;
mod client;
mod library;
mod store;

pub use around::{Announce, Bench, Pauses, Places};
pub use client::{
    About, Added, ClientError, ClientState, Connection, Given, Listing, Remove, Snapshot,
    TorrentClient, TorrentFile,
};
pub use library::{Filed, Library, LibraryError, Link, Placement, Preset};
pub use store::{
    Contact, DownloadStore, Followed, Observed, Onward, Retried, RetryBegun, Sight, Turn,
};
