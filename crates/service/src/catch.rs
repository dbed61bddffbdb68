//! What people send for downloading, as downloads to take in: a text with magnets, the bytes of a
//! .torrent file, an address.
//!
//! An address is fetched here, once, so that its hashes are known before the torrent client hears of
//! it; the client is never given an address.
//!
//! **Invariant:** what comes is judged by its bytes. A type that a server states only decides where
//! the bytes do not, and the end of a name decides nothing.

use thiserror::Error;
use verst_downloads::codes;
use verst_downloads::model::{NewDownload, Sender};
use verst_downloads::ports::Given;
use verst_downloads::source::{self, FILES, Magnet, TORRENT_BYTES, Torrent, TorrentError};
use verst_kernel::Failure;
use verst_recordings::ports::Media;

use crate::fetch::{Fetch, FetchError, Small};

/// The longest text that is looked through, in bytes.
const TEXT_BYTES: usize = 1 << 20;
/// The most magnets in one text.
const MAGNETS: usize = 50;
/// The beginning by which media are known.
const HEAD_BYTES: usize = 4096;

/// What somebody sends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Offer {
    /// A message: magnets anywhere in it, or nothing but an address.
    Text(String),
    /// The bytes of a .torrent file.
    Torrent(Vec<u8>),
    /// An address of http or https, or a magnet.
    Url(String),
}

/// What it turned out to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Caught {
    /// Downloads.
    Downloads {
        /// Each torrent once, in the order in which they were named; at least one.
        new: Vec<NewDownload>,
        /// How many more links looked like magnets and were none.
        broken: usize,
    },
    /// Audio or video. Whoever asked may offer to take it in as a recording, by the same address.
    Recording {
        /// The address.
        url: String,
    },
}

/// Why nothing was caught. Nothing was kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum CatchError {
    /// Neither a magnet nor a torrent.
    #[error("neither a magnet nor a torrent")]
    NotATorrent,
    /// A larger .torrent file than is read.
    #[error("a larger torrent file than is read")]
    TooLarge,
    /// More files than a torrent may list.
    #[error("a torrent of too many files")]
    TooManyFiles,
    /// More magnets than are taken at once.
    #[error("too many magnets at once")]
    TooManyMagnets,
    /// A longer text than is looked through.
    #[error("a longer text than is looked through")]
    TextTooLarge,
    /// The address gave nothing.
    #[error(transparent)]
    Fetch(#[from] FetchError),
}

impl CatchError {
    /// The failure that people are told.
    pub fn failure(self) -> Failure {
        let limited = |code, name, limit: usize| {
            Failure::new(code).int(name, i64::try_from(limit).unwrap_or(i64::MAX))
        };
        match self {
            Self::NotATorrent => Failure::new(codes::NOT_A_TORRENT),
            Self::TooLarge | Self::Fetch(FetchError::TooLarge { .. }) => {
                limited(codes::TORRENT_TOO_LARGE, "limit_bytes", TORRENT_BYTES)
            }
            Self::TooManyFiles => limited(codes::TOO_MANY_FILES, "limit", FILES),
            Self::TooManyMagnets => limited(codes::TOO_MANY_MAGNETS, "limit", MAGNETS),
            Self::TextTooLarge => limited(codes::TEXT_TOO_LARGE, "limit_bytes", TEXT_BYTES),
            Self::Fetch(FetchError::NotAllowed) => Failure::new(codes::URL_PRIVATE),
            Self::Fetch(FetchError::Scheme) => Failure::new(codes::URL_WRONG),
            Self::Fetch(FetchError::Unreachable) => Failure::new(codes::URL_UNREACHABLE),
            Self::Fetch(FetchError::TooManyRedirects) => Failure::new(codes::URL_REDIRECTS),
            Self::Fetch(FetchError::TimedOut) => Failure::new(codes::URL_SLOW),
            Self::Fetch(FetchError::Status(status)) => {
                Failure::new(codes::URL_REFUSED).int("status", i64::from(status))
            }
        }
    }
}

impl From<TorrentError> for CatchError {
    fn from(error: TorrentError) -> Self {
        match error {
            TorrentError::TooLarge => Self::TooLarge,
            TorrentError::TooManyFiles => Self::TooManyFiles,
            TorrentError::Broken(_) => Self::NotATorrent,
        }
    }
}

/// Finds out what somebody sent. Each download has the same sender.
pub async fn catch(
    fetch: &dyn Fetch,
    media: &dyn Media,
    offer: Offer,
    sender: Sender,
) -> Result<Caught, CatchError> {
    match offer {
        Offer::Torrent(bytes) => {
            let read = Torrent::parse(&bytes)?;
            Ok(only(torrent(read, bytes, sender)))
        }
        Offer::Url(url) => match Magnet::parse(&url) {
            Ok(link) => Ok(only(magnet(&link, sender))),
            Err(_) if has_scheme(&url, &["magnet"]) => Err(CatchError::NotATorrent),
            Err(_) => address(fetch, media, url.trim(), sender).await,
        },
        Offer::Text(text) if text.len() > TEXT_BYTES => Err(CatchError::TextTooLarge),
        Offer::Text(text) => {
            let found = source::find(&text, MAGNETS);
            if found.more {
                return Err(CatchError::TooManyMagnets);
            }
            if found.magnets.is_empty() {
                let url = alone(&text).ok_or(CatchError::NotATorrent)?;
                return address(fetch, media, url, sender).await;
            }
            let new = found.magnets.iter().map(|link| magnet(link, sender.clone())).collect();
            Ok(Caught::Downloads { new, broken: found.broken })
        }
    }
}

/// The address that a text consists of.
fn alone(text: &str) -> Option<&str> {
    let text = text.trim();
    let one = has_scheme(text, &["http", "https"]) && !text.contains(char::is_whitespace);
    one.then_some(text)
}

fn has_scheme(text: &str, schemes: &[&str]) -> bool {
    let said = text.trim_start().split_once(':').map(|(scheme, _)| scheme);
    said.is_some_and(|said| schemes.iter().any(|scheme| scheme.eq_ignore_ascii_case(said)))
}

async fn address(
    fetch: &dyn Fetch,
    media: &dyn Media,
    url: &str,
    sender: Sender,
) -> Result<Caught, CatchError> {
    let (kind, bytes, whole) = match fetch.fetch_small(url, TORRENT_BYTES).await? {
        Small::Magnet(link) => {
            let link = Magnet::parse(&link).map_err(|_| CatchError::NotATorrent)?;
            return Ok(only(magnet(&link, sender)));
        }
        Small::File { kind, bytes, whole } => (kind, bytes, whole),
    };
    let read = whole.then(|| Torrent::parse(&bytes));
    match read {
        Some(Ok(read)) => Ok(only(torrent(read, bytes, sender))),
        Some(Err(error @ (TorrentError::TooLarge | TorrentError::TooManyFiles))) => {
            Err(error.into())
        }
        _ if is_recording(media, kind.as_deref(), &bytes) => {
            Ok(Caught::Recording { url: url.to_owned() })
        }
        // A torrent is a dictionary; what does not begin like one is none at any size.
        None if bytes.starts_with(b"d") => Err(CatchError::TooLarge),
        _ => Err(CatchError::NotATorrent),
    }
}

/// Whether bytes are audio or video, or are said to be and may be.
fn is_recording(media: &dyn Media, kind: Option<&str>, bytes: &[u8]) -> bool {
    let head = bytes.get(..HEAD_BYTES).unwrap_or(bytes);
    let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    let said = kind.is_some_and(|kind| {
        kind.starts_with("audio/") || kind.starts_with("video/") || kind == "application/ogg"
    });
    let may_be = media.refuse(head, size).is_none();
    may_be && (said || infer::is_audio(head) || infer::is_video(head))
}

fn only(new: NewDownload) -> Caught {
    Caught::Downloads { new: vec![new], broken: 0 }
}

fn torrent(read: Torrent, bytes: Vec<u8>, sender: Sender) -> NewDownload {
    NewDownload {
        sender,
        given: Given::Torrent(bytes),
        hashes: read.hashes,
        name: Some(read.name),
        size_bytes: Some(read.size_bytes),
    }
}

fn magnet(link: &Magnet, sender: Sender) -> NewDownload {
    NewDownload {
        sender,
        given: Given::Magnet(link.to_string()),
        hashes: link.hashes(),
        name: link.name().map(str::to_owned),
        size_bytes: link.size_bytes(),
    }
}
