//! A .torrent file: v1 (<https://www.bittorrent.org/beps/bep_0003.html>), v2
//! (<https://www.bittorrent.org/beps/bep_0052.html>), or both in one.
//!
//! It is judged as far as its identity and its files go; whether pieces and sizes agree is the client's
//! to say. Where a torrent says something twice, what libtorrent takes is taken.
//!
//! **Invariant:** hashes are of the bytes of `info` as they stand in the file, by nobody's account but
//! our own.

use std::collections::BTreeSet;

use sha1::Sha1;
use sha2::{Digest, Sha256};
use thiserror::Error;

use super::bencode::{Document, Node};
use super::files::{self, FILES, Listed};
use super::shown::{self, NAME_BYTES};
use crate::hash::{Hashes, InfoHash};

/// The largest .torrent file, in bytes.
pub const TORRENT_BYTES: usize = 10 << 20;
/// Bytes of a piece's hash in v1.
const SHA1_BYTES: usize = 20;

/// Why bytes are not taken as a torrent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum TorrentError {
    /// Larger than [`TORRENT_BYTES`].
    #[error("larger than {TORRENT_BYTES} bytes")]
    TooLarge,
    /// More files than [`FILES`].
    #[error("more than {FILES} files")]
    TooManyFiles,
    /// It is no torrent, or a broken one.
    #[error("not a torrent: {0}")]
    Broken(&'static str),
}

/// What a .torrent file says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Torrent {
    /// All that it is called.
    pub hashes: Hashes,
    /// Its name, to be shown.
    pub name: String,
    /// Bytes of all its files.
    pub size_bytes: u64,
    /// Its files in order, without padding: at least one. Clients count them in the same way.
    pub files: Vec<Listed>,
    /// Whether peers are to be found through its trackers only.
    pub private: bool,
    /// How many trackers it names.
    pub trackers: usize,
}

impl Torrent {
    /// Reads the bytes of a .torrent file.
    pub fn parse(bytes: &[u8]) -> Result<Self, TorrentError> {
        if bytes.len() > TORRENT_BYTES {
            return Err(TorrentError::TooLarge);
        }
        let read = Document::read(bytes).map_err(|_| TorrentError::Broken("no bencode"))?;
        let (document, rest) = read;
        // Some files went through an editor; anything else behind the end is not ours to guess.
        if !rest.trim_ascii().is_empty() {
            return Err(TorrentError::Broken("something comes after it"));
        }
        let root = document.root();
        let info = root.get(b"info").filter(|info| info.entries().is_some());
        let info = info.ok_or(TorrentError::Broken("no info"))?;
        let piece_length = info.get(b"piece length").and_then(Node::integer);
        if piece_length.is_none_or(|length| length <= 0) {
            return Err(TorrentError::Broken("no length of pieces"));
        }
        let name = info.get(b"name.utf-8").or_else(|| info.get(b"name"));
        let name = name.and_then(Node::string).ok_or(TorrentError::Broken("no name"))?;

        let hashes = hashes(info)?;
        let files = match tree(info) {
            Some(tree) => files::of_tree(tree, name)?,
            None => files::of_list(info, name)?,
        };
        let mut sizes = files.iter().map(|file| file.size_bytes);
        let size_bytes = sizes.try_fold(0_u64, u64::checked_add);
        let called = hashes.iter().next().map(InfoHash::to_string).unwrap_or_default();
        Ok(Self {
            name: shown::name(&String::from_utf8_lossy(name), NAME_BYTES).unwrap_or(called),
            size_bytes: size_bytes.ok_or(TorrentError::Broken("too many bytes"))?,
            files,
            private: info.get(b"private").and_then(Node::integer).unwrap_or(0) != 0,
            trackers: trackers(root),
            hashes,
        })
    }
}

/// The file tree of v2, if it is one.
fn tree(info: Node<'_>) -> Option<Node<'_>> {
    let version = info.get(b"meta version").and_then(Node::integer);
    info.get(b"file tree").filter(|_| version == Some(2))
}

fn hashes(info: Node<'_>) -> Result<Hashes, TorrentError> {
    if info.get(b"meta version").is_some_and(|version| !matches!(version.integer(), Some(1 | 2))) {
        return Err(TorrentError::Broken("a version that is not known"));
    }
    let mut hashes = Hashes::default();
    if let Some(pieces) = info.get(b"pieces").and_then(Node::string) {
        if pieces.len() % SHA1_BYTES != 0 {
            return Err(TorrentError::Broken("pieces without a whole hash"));
        }
        hashes.insert(InfoHash::v1(Sha1::digest(info.raw()).into()));
    }
    if tree(info).is_some() {
        hashes.insert(InfoHash::v2(Sha256::digest(info.raw()).into()));
    }
    if hashes.is_empty() { Err(TorrentError::Broken("no pieces")) } else { Ok(hashes) }
}

/// How many different trackers there are, also in the tiers of
/// <https://www.bittorrent.org/beps/bep_0012.html>.
fn trackers(root: Node<'_>) -> usize {
    let tiers = root.get(b"announce-list").and_then(Node::items).into_iter().flatten();
    let listed = tiers.filter_map(Node::items).flatten();
    let all = root.get(b"announce").into_iter().chain(listed).filter_map(Node::string);
    all.filter(|tracker| !tracker.is_empty()).collect::<BTreeSet<_>>().len()
}

#[cfg(test)]
#[path = "torrent_tests.rs"]
mod tests;
