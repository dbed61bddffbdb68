//! From an address to the answer that has the file, over redirections.
//!
//! Servers for models (Hugging Face and its mirrors) answer for a large file with a redirection to
//! where the bytes lie, and name on that first answer the hash and size of what Git LFS holds:
//! `X-Linked-Etag` and `X-Linked-Size`, as huggingface.js reads them. Only the server that was asked
//! is believed; where it leads to is not.

use reqwest::header::{ACCEPT_ENCODING, CONTENT_RANGE, ETAG, HeaderMap, IF_RANGE, LOCATION, RANGE};
use reqwest::{Client, Response, Url};

use super::DownloadError;

/// Redirections that are followed.
const HOPS: usize = 5;

const LINKED_ETAG: &str = "x-linked-etag";
const LINKED_SIZE: &str = "x-linked-size";

/// What is asked for.
#[derive(Debug)]
pub(super) struct Asked {
    /// From this byte on.
    pub(super) from: u64,
    /// If the server still has this version; else all of it.
    pub(super) version: Option<String>,
}

/// What the server says of the file itself.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Linked {
    /// In lower-case hexadecimal.
    pub(super) sha256: Option<String>,
    pub(super) size_bytes: Option<u64>,
}

/// Asks, and follows.
pub(super) async fn open(
    client: &Client,
    address: &str,
    asked: &Asked,
) -> Result<(Response, Linked), DownloadError> {
    let mut url = Url::parse(address).map_err(|_| DownloadError::Address)?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(DownloadError::Address);
    }
    let home = url.host_str().map(str::to_owned);
    let mut linked = Linked::default();
    for _ in 0..=HOPS {
        // Packed on the way, the bytes would not be the file's, and a range of them means nothing.
        let mut request = client.get(url.clone()).header(ACCEPT_ENCODING, "identity");
        if asked.from > 0 {
            request = request.header(RANGE, format!("bytes={}-", asked.from));
            if let Some(version) = &asked.version {
                request = request.header(IF_RANGE, version);
            }
        }
        let response = request
            .send()
            .await
            .map_err(|error| DownloadError::Unreachable(error.without_url()))?;
        if url.host_str() == home.as_deref() {
            let said = self::linked(response.headers());
            linked.sha256 = linked.sha256.or(said.sha256);
            linked.size_bytes = linked.size_bytes.or(said.size_bytes);
        }
        if !response.status().is_redirection() {
            return Ok((response, linked));
        }
        url = next(&url, response.headers())?;
    }
    Err(DownloadError::Redirected)
}

/// Where a redirection leads.
fn next(url: &Url, headers: &HeaderMap) -> Result<Url, DownloadError> {
    let location = headers.get(LOCATION).and_then(|value| value.to_str().ok());
    let next = location.and_then(|location| url.join(location).ok());
    let next = next.ok_or(DownloadError::Redirected)?;
    let weaker = url.scheme() == "https" && next.scheme() != "https";
    if weaker || !matches!(next.scheme(), "http" | "https") {
        return Err(DownloadError::Redirected);
    }
    Ok(next)
}

fn linked(headers: &HeaderMap) -> Linked {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    // Of a file that is not in LFS it is the hash of a Git object, which is shorter.
    let sha256 = text(LINKED_ETAG).map(|tag| tag.trim().trim_matches('"').to_ascii_lowercase());
    let hexadecimal =
        |text: &String| text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    Linked {
        sha256: sha256.filter(hexadecimal),
        size_bytes: text(LINKED_SIZE).and_then(|size| size.trim().parse().ok()),
    }
}

/// The version of what is answered, if it is one that ranges may be asked of: RFC 9110, 13.1.5
/// wants a strong validator.
pub(super) fn version(response: &Response) -> Option<String> {
    let tag = response.headers().get(ETAG)?.to_str().ok()?;
    tag.starts_with('"').then(|| tag.to_owned())
}

/// Where a part of a file begins, and how large the whole is: `bytes 5-9/10`.
pub(super) fn range(response: &Response) -> Option<(u64, Option<u64>)> {
    parse_range(response.headers().get(CONTENT_RANGE)?.to_str().ok()?)
}

fn parse_range(text: &str) -> Option<(u64, Option<u64>)> {
    let (range, size) = text.strip_prefix("bytes ")?.split_once('/')?;
    let (from, _) = range.split_once('-')?;
    Some((from.trim().parse().ok()?, size.trim().parse().ok()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read() {
        for (text, expected) in [
            ("bytes 5-9/10", Some((5, Some(10)))),
            ("bytes 5-9/*", Some((5, None))),
            ("bytes */10", None),
            ("items 5-9/10", None),
            ("", None),
        ] {
            assert_eq!(parse_range(text), expected, "{text}");
        }
    }

    #[test]
    fn only_a_sha256_is_taken_for_one() {
        let hash = "5E4aa295e1c118891fb66f78a8be2da03112c3b028f4a31cefdeef459bec5f5a";
        let quoted = format!("\"{hash}\"");
        let lower = hash.to_ascii_lowercase();
        for (tag, expected) in [
            (quoted.as_str(), Some(lower.clone())),
            (hash, Some(lower)),
            ("\"9a3a45d01531a20e89ac6ae10b0b0beb0492acd7\"", None),
            ("W/\"abc\"", None),
        ] {
            let headers = HeaderMap::from_iter([(
                LINKED_ETAG.parse().unwrap(),
                reqwest::header::HeaderValue::from_str(tag).unwrap(),
            )]);
            assert_eq!(linked(&headers).sha256, expected, "{tag}");
        }
    }

    #[test]
    fn a_redirection_never_leads_away_from_a_protected_connection() {
        let from = |text: &str| Url::parse(text).unwrap();
        let lead = |url: &str, to: &str| {
            let location = to.parse().unwrap();
            next(&from(url), &HeaderMap::from_iter([(LOCATION, location)])).ok()
        };
        assert_eq!(lead("https://a/b", "/c"), Some(from("https://a/c")));
        assert_eq!(lead("http://a/b", "https://c/d"), Some(from("https://c/d")));
        assert_eq!(lead("https://a/b", "http://a/b"), None);
        assert_eq!(lead("https://a/b", "file:///etc/passwd"), None);
        assert!(next(&from("https://a/b"), &HeaderMap::new()).is_err());
    }
}
