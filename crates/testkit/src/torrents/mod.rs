//! The torrent world for tests: torrents that are made here, a qBittorrent that follows a script,
//! and a real swarm on this machine.

mod bencode;
mod made;
mod scripted;
mod swarm;

pub use bencode::Bencode;
pub use made::{Torrent, TorrentEntry};
pub use scripted::{Deed, Dialect, Held, HeldFile, ScriptedQBittorrent, Trick};
pub use swarm::{RealQBittorrent, Swarm};
