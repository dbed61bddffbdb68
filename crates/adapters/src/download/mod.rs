//! Fetching one large file over HTTP, so that an interruption costs nothing and a wrong byte is seen.
//!
//! What has come lies beside the target as `….part` and is gone on with: by `Range`, and by
//! `If-Range` where the server names its version. Broken connections are tried again a bounded
//! number of times. It is made for files of a hash that is known or that the server itself gives, and
//! refuses any other.
//!
//! *Invariant*: the target is there only if its bytes have the expected hash.

mod hop;
mod part;
mod trouble;

use std::path::PathBuf;
use std::time::Duration;

use reqwest::{Client, Response, StatusCode};

pub use trouble::DownloadError;

use hop::{Asked, Linked};
use part::{Note, Part, hash};

/// Between two bytes of an answer.
const SILENT: Duration = Duration::from_mins(1);
const CONNECT: Duration = Duration::from_secs(30);

/// Tries one after the other that bring not a single byte.
const FRUITLESS: u32 = 4;

/// Tries in all: a line that breaks every few megabytes still ends some day.
const TRIES: u32 = 200;

/// The first pause after a broken connection; it doubles with each that brought nothing.
const PAUSE: Duration = Duration::from_millis(500);

/// The largest file that is taken.
const LARGEST_BYTES: u64 = 64 << 30;

/// Room that is left on the disk.
const SPARE_BYTES: u64 = 64 << 20;

/// What to fetch, and to where.
#[derive(Clone, Debug)]
pub struct Order {
    /// Where it is.
    pub url: String,
    /// Where it goes; its directory is there.
    pub target: PathBuf,
    /// What its SHA-256 must be, in hexadecimal; `None` to take the hash that the server gives.
    pub sha256: Option<String>,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fetched {
    /// Its SHA-256, as expected.
    pub sha256: String,
    /// Its size.
    pub size_bytes: u64,
    /// How much of it lay there from an earlier time.
    pub resumed_bytes: u64,
}

/// Told how many bytes are there, of how many if that is known.
pub type Progress<'a> = &'a (dyn Fn(u64, Option<u64>) + Send + Sync);

/// Fetches files. Proxies are those of the environment (`HTTPS_PROXY`, `NO_PROXY` and so on).
#[derive(Clone, Debug)]
pub struct Downloader {
    client: Client,
    pause: Duration,
}

impl Downloader {
    /// Asks nothing yet.
    pub fn new() -> Result<Self, DownloadError> {
        // Only one provider of cryptography is linked; whoever was first has chosen the same.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder()
            // Each step is looked at, for what it says of the file.
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(CONNECT)
            .read_timeout(SILENT)
            .user_agent(concat!("verst/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(DownloadError::Unreachable)?;
        Ok(Self { client, pause: PAUSE })
    }

    /// Fetches a file, or the rest of it. What has come stays, whatever happens, unless it turned
    /// out to be something else.
    pub async fn fetch(
        &self,
        order: &Order,
        progress: Progress<'_>,
    ) -> Result<Fetched, DownloadError> {
        let mut part = Part::lock(&order.target)?;
        let (mut fruitless, mut again) = (0, true);
        let mut resumed_bytes = None;
        for _ in 0..TRIES {
            let before = part.bytes();
            let tried = self.attempt(order, &mut part, progress, &mut resumed_bytes).await;
            let error = match tried {
                Ok(()) => match finish(&mut part).await {
                    Ok(sha256) => {
                        let size_bytes = part.bytes();
                        let resumed_bytes = resumed_bytes.unwrap_or(0);
                        return Ok(Fetched { sha256, size_bytes, resumed_bytes });
                    }
                    // What lay there from an earlier time may be of another version.
                    Err(DownloadError::WrongHash { .. }) if before > 0 && again => {
                        again = false;
                        resumed_bytes = None;
                        continue;
                    }
                    Err(error) => return Err(error),
                },
                Err(error) => error,
            };
            if !error.passes() {
                return Err(error);
            }
            fruitless = if part.bytes() > before { 0 } else { fruitless + 1 };
            if fruitless >= FRUITLESS {
                return Err(error);
            }
            tokio::time::sleep(self.pause * 2_u32.pow(fruitless)).await;
        }
        Err(DownloadError::Unsteady)
    }

    /// One connection: as much as comes.
    async fn attempt(
        &self,
        order: &Order,
        part: &mut Part,
        progress: Progress<'_>,
        resumed_bytes: &mut Option<u64>,
    ) -> Result<(), DownloadError> {
        if let (Some(wanted), Some(note)) = (&order.sha256, part.note())
            && !note.sha256.eq_ignore_ascii_case(wanted)
        {
            part.clear().await?;
        }
        let asked = Asked { from: part.bytes(), version: part.note().and_then(|n| n.version) };
        let (mut response, linked) = hop::open(&self.client, &order.url, &asked).await?;
        let status = response.status();
        if status == StatusCode::RANGE_NOT_SATISFIABLE && asked.from > 0 {
            // All of it may be there, or what is there is longer than what is offered now.
            return match part.note() {
                Some(note) if note.size_bytes == Some(part.bytes()) => Ok(()),
                _ => {
                    part.clear().await?;
                    Err(DownloadError::Changed)
                }
            };
        }
        if !status.is_success() {
            return Err(DownloadError::of_status(status));
        }
        let sha256 = expected(order, &linked)?;
        let goes_on = status == StatusCode::PARTIAL_CONTENT
            && hop::range(&response).is_some_and(|(from, _)| from == asked.from)
            && part.note().is_some_and(|note| note.sha256.eq_ignore_ascii_case(&sha256));
        if status == StatusCode::PARTIAL_CONTENT && !goes_on {
            part.clear().await?;
            return Err(DownloadError::Changed);
        }
        if !goes_on {
            part.clear().await?;
        }
        resumed_bytes.get_or_insert(part.bytes());
        let size_bytes = size(&response, &linked, goes_on);
        check_room(size_bytes, part.bytes(), part.free_bytes())?;
        let note = Note { sha256, size_bytes, version: hop::version(&response) };
        part.begin(note).await?;
        receive(&mut response, part, size_bytes, progress).await
    }
}

/// The hash that the file must have.
fn expected(order: &Order, linked: &Linked) -> Result<String, DownloadError> {
    match (&order.sha256, &linked.sha256) {
        // Better said now than after a gigabyte.
        (Some(wanted), Some(offered)) if !wanted.eq_ignore_ascii_case(offered) => {
            Err(DownloadError::WrongHash { expected: wanted.clone(), found: offered.clone() })
        }
        (Some(wanted), _) => Ok(wanted.to_ascii_lowercase()),
        (None, Some(offered)) => Ok(offered.clone()),
        (None, None) => Err(DownloadError::NoHash),
    }
}

/// The size of the whole file, if the answer tells.
fn size(response: &Response, linked: &Linked, goes_on: bool) -> Option<u64> {
    let told = if goes_on {
        hop::range(response).and_then(|(_, size)| size)
    } else {
        response.content_length()
    };
    told.or(linked.size_bytes)
}

/// Whether a file of this size may come to where so many bytes of it are and so many are free.
fn check_room(
    size_bytes: Option<u64>,
    there_bytes: u64,
    free_bytes: u64,
) -> Result<(), DownloadError> {
    let Some(size_bytes) = size_bytes else { return Ok(()) };
    if size_bytes > LARGEST_BYTES {
        return Err(DownloadError::TooLarge { limit_bytes: LARGEST_BYTES });
    }
    let needed_bytes = size_bytes.saturating_sub(there_bytes).saturating_add(SPARE_BYTES);
    if needed_bytes > free_bytes {
        return Err(DownloadError::NoRoom { needed_bytes, free_bytes });
    }
    Ok(())
}

async fn receive(
    response: &mut Response,
    part: &mut Part,
    size_bytes: Option<u64>,
    progress: Progress<'_>,
) -> Result<(), DownloadError> {
    let most = size_bytes.unwrap_or(LARGEST_BYTES);
    progress(part.bytes(), size_bytes);
    let received = loop {
        match response.chunk().await {
            Ok(Some(bytes)) => {
                if part.bytes() + u64::try_from(bytes.len()).unwrap_or(u64::MAX) > most {
                    break Err(DownloadError::TooLarge { limit_bytes: most });
                }
                part.append(&bytes).await?;
                progress(part.bytes(), size_bytes);
            }
            Ok(None) => break Ok(()),
            Err(error) => break Err(DownloadError::Broken(error.without_url())),
        }
    };
    part.flush().await?;
    received?;
    match size_bytes {
        Some(size) if part.bytes() < size => Err(DownloadError::Short),
        _ => Ok(()),
    }
}

/// Puts what has come in the target's place if it is what was expected.
async fn finish(part: &mut Part) -> Result<String, DownloadError> {
    let expected = part.note().map(|note| note.sha256).unwrap_or_default();
    let found = hash(part.path().to_owned()).await?;
    if !found.eq_ignore_ascii_case(&expected) {
        part.clear().await?;
        return Err(DownloadError::WrongHash { expected, found });
    }
    part.finish().await?;
    Ok(found)
}

#[cfg(test)]
mod tests;
