//! What a download comes from: a magnet link, or the bytes of a .torrent file.
//!
//! All of it is a function of what was sent. Nothing here asks anybody, and nothing is opened.
//!
//! **Invariant:** whatever is sent ends in a value or in an error, within limits that stand here.

mod bencode;
mod files;
mod links;
mod magnet;
mod shown;
mod torrent;

pub use files::{FILES, Listed};
pub use links::{Found, find};
pub use magnet::{LINK_BYTES, Magnet, NotAMagnet};
pub use torrent::{TORRENT_BYTES, Torrent, TorrentError};
