//! Reading an answer that is expected to be small.
//!
//! **Invariant:** no more is kept than was asked for, whatever the server says and sends.

use reqwest::Response;
use reqwest::header::CONTENT_TYPE;
use verst_service::{FetchError, Small};

use super::trouble;

/// Of what says that it is larger, so much is read: enough to know what it is.
const HEAD_BYTES: usize = 4096;

/// The bytes up to a limit, or the beginning of more.
pub(super) async fn read(mut response: Response, limit_bytes: usize) -> Result<Small, FetchError> {
    let said = response.content_length().and_then(|length| usize::try_from(length).ok());
    let fits = said.is_none_or(|length| length <= limit_bytes);
    let wanted = if fits { limit_bytes } else { HEAD_BYTES.min(limit_bytes) };
    let kind = kind(&response);
    let mut bytes = Vec::new();
    while bytes.len() <= wanted
        && let Some(piece) = response.chunk().await.map_err(|error| trouble(&error))?
    {
        // One byte past the limit tells that there is more.
        let room = wanted.saturating_sub(bytes.len()).saturating_add(1);
        bytes.extend_from_slice(piece.get(..room).unwrap_or(&piece));
    }
    let whole = fits && bytes.len() <= wanted;
    bytes.truncate(wanted);
    Ok(Small::File { kind, bytes, whole })
}

fn kind(response: &Response) -> Option<String> {
    let said = response.headers().get(CONTENT_TYPE)?.to_str().ok()?;
    let essence = said.split(';').next().unwrap_or_default().trim();
    (!essence.is_empty()).then(|| essence.to_ascii_lowercase())
}
