//! Fetching a file: redirects one by one, then the bytes under their limits.

use std::io;

use async_trait::async_trait;
use bytes::Bytes;
use futures::{Stream, StreamExt, stream};
use reqwest::header::{CONTENT_DISPOSITION, LOCATION};
use reqwest::{Response, StatusCode, Url};
use verst_recordings::ports::Bytestream;
use verst_service::{Fetch, FetchError, Fetched, Small};

use super::{Outward, name, small, trouble};

/// How often an address may lead on.
const REDIRECTS: usize = 5;

#[async_trait]
impl Fetch for Outward {
    async fn fetch(&self, url: &str) -> Result<Fetched, FetchError> {
        let found = tokio::time::timeout(self.limits.head, self.find(url)).await;
        let Goal::File(at, response) = found.map_err(|_| FetchError::TimedOut)?? else {
            return Err(FetchError::Scheme);
        };
        let limit_bytes = self.limits.largest_bytes;
        let length = response.content_length();
        if length.is_some_and(|length| length > limit_bytes) {
            return Err(FetchError::TooLarge { limit_bytes });
        }
        let said = response.headers().get(CONTENT_DISPOSITION);
        let name = said.and_then(|said| name::said(said.as_bytes())).or_else(|| name::of(&at));
        Ok(Fetched { name, length, bytes: limited(response.bytes_stream(), limit_bytes) })
    }

    async fn fetch_small(&self, url: &str, limit_bytes: usize) -> Result<Small, FetchError> {
        let brought = async {
            match self.find(url).await? {
                Goal::Magnet(link) => Ok(Small::Magnet(link)),
                Goal::File(_, response) => small::read(response, limit_bytes).await,
            }
        };
        // What is small is there as soon as a large one has to begin.
        let brought = tokio::time::timeout(self.limits.head, brought).await;
        brought.map_err(|_| FetchError::TimedOut)?
    }
}

/// Where an address leads in the end.
enum Goal {
    File(Url, Response),
    /// To a link that nobody can be asked for.
    Magnet(String),
}

impl Outward {
    /// Follows an address to where the file is.
    async fn find(&self, url: &str) -> Result<Goal, FetchError> {
        let mut at = self.admissible(url)?;
        for _ in 0..=REDIRECTS {
            let request = self.client()?.get(at.clone()).timeout(self.limits.total);
            let response = request.send().await.map_err(|error| trouble(&error))?;
            let status = response.status();
            if status.is_success() {
                return Ok(Goal::File(at, response));
            }
            match leads_to(&response, &at) {
                Some(next) if is_magnet(&next) => return Ok(Goal::Magnet(next)),
                Some(next) => at = self.admissible(&next)?,
                None => return Err(FetchError::Status(status.as_u16())),
            }
        }
        Err(FetchError::TooManyRedirects)
    }
}

/// Where a redirect leads.
fn leads_to(response: &Response, at: &Url) -> Option<String> {
    let redirects = [
        StatusCode::MOVED_PERMANENTLY,
        StatusCode::FOUND,
        StatusCode::SEE_OTHER,
        StatusCode::TEMPORARY_REDIRECT,
        StatusCode::PERMANENT_REDIRECT,
    ];
    let to = response.headers().get(LOCATION).filter(|_| redirects.contains(&response.status()))?;
    let to = String::from_utf8_lossy(to.as_bytes()).into_owned();
    // What cannot be joined is no address, and is refused as such.
    Some(at.join(&to).map_or(to, String::from))
}

fn is_magnet(address: &str) -> bool {
    address.split_once(':').is_some_and(|(scheme, _)| scheme.eq_ignore_ascii_case("magnet"))
}

/// The bytes, up to a limit. The piece that goes past it is still handed on, so that a taker with
/// the same limit says in its own words that the file is too large; then comes an error.
fn limited(
    bytes: impl Stream<Item = reqwest::Result<Bytes>> + Send + 'static,
    limit_bytes: u64,
) -> Bytestream<'static> {
    let rest = Some((bytes.boxed(), 0_u64));
    let pieces = stream::unfold(rest, move |rest| async move {
        let (mut bytes, taken) = rest?;
        if taken > limit_bytes {
            let large = FetchError::TooLarge { limit_bytes };
            return Some((Err(io::Error::new(io::ErrorKind::FileTooLarge, large)), None));
        }
        match bytes.next().await? {
            Ok(piece) => {
                let taken = taken.saturating_add(u64::try_from(piece.len()).unwrap_or(u64::MAX));
                Some((Ok(piece), Some((bytes, taken))))
            }
            Err(error) => Some((Err(broken(&error)), None)),
        }
    });
    pieces.boxed()
}

fn broken(error: &reqwest::Error) -> io::Error {
    let trouble = trouble(error);
    let kind = match trouble {
        FetchError::TimedOut => io::ErrorKind::TimedOut,
        _ => io::ErrorKind::ConnectionAborted,
    };
    io::Error::new(kind, trouble)
}
