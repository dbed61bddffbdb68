//! Sending a small message and reading the answer's beginning.

use std::time::Duration;

use reqwest::header::{HeaderMap, RETRY_AFTER};
use verst_service::FetchError;

use super::{Outward, trouble};

/// How much of an answer's body is read.
const BEGINNING_BYTES: usize = 1024;

/// What a server answers with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// When it wants to be asked again, in its own words.
    pub retry_after: Option<String>,
    /// The beginning of the body, for a person to read.
    pub beginning: String,
}

impl Outward {
    /// Sends a message. A redirect is an answer like any other and is not followed: the message
    /// was meant for this address.
    pub async fn post(
        &self,
        url: &str,
        headers: HeaderMap,
        body: Vec<u8>,
        within: Duration,
    ) -> Result<Answer, FetchError> {
        let url = self.admissible(url)?;
        let request = self.client()?.post(url).headers(headers).body(body).timeout(within);
        let mut response = request.send().await.map_err(|error| trouble(&error))?;
        let status = response.status().as_u16();
        let retry_after = response.headers().get(RETRY_AFTER);
        let retry_after = retry_after.and_then(|at| at.to_str().ok()).map(str::to_owned);
        let mut beginning = Vec::new();
        // The answer counts with its status; a body that breaks off takes nothing from it.
        while let Ok(Some(piece)) = response.chunk().await {
            let room = BEGINNING_BYTES.saturating_sub(beginning.len());
            beginning.extend_from_slice(&piece[..piece.len().min(room)]);
            if beginning.len() >= BEGINNING_BYTES {
                break;
            }
        }
        let beginning = String::from_utf8_lossy(&beginning).into_owned();
        Ok(Answer { status, retry_after, beginning })
    }
}
