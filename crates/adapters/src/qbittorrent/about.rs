//! What the client says of itself.
//!
//! It refuses to take a page of something else for an answer. **Invariant:** what is shown to people has
//! a length, and nothing in it that steers a terminal.

use serde_json::{Map, Value};
use verst_downloads::ports::ClientError;

use super::done;
use super::session::Answer;

/// The longest version that is shown.
const VERSION_CHARS: usize = 40;
/// The longest path that a host has.
const PATH_BYTES: usize = 4096;

pub(super) fn version(answer: &Answer) -> Result<String, ClientError> {
    if answer.status == 404 {
        return Err(ClientError::Unexpected("no qBittorrent"));
    }
    done(answer)?;
    let said = String::from_utf8_lossy(&answer.body);
    let said = said.trim().trim_start_matches('v').chars().filter(|it| !it.is_control());
    Ok(said.take(VERSION_CHARS).collect())
}

pub(super) fn save_path(answer: &Answer) -> Result<String, ClientError> {
    done(answer)?;
    let path = String::from_utf8_lossy(&answer.body).trim().to_owned();
    let whole = !path.is_empty() && path.len() <= PATH_BYTES && !path.contains(char::is_control);
    if whole { Ok(path) } else { Err(ClientError::Unexpected("a directory that is none")) }
}

pub(super) fn categories(answer: &Answer) -> Result<Vec<String>, ClientError> {
    done(answer)?;
    let unreadable = |_| ClientError::Unexpected("a list of categories that is none");
    let all: Map<String, Value> = serde_json::from_slice(&answer.body).map_err(unreadable)?;
    Ok(all.into_iter().map(|(name, _)| name).collect())
}
