//! A file that was sent: a recording, or a torrent, by its bytes.
//!
//! **Invariant:** what is larger than what is taken in is told so before anything is fetched, and no
//! more of a file is in memory than its beginning, or a torrent.

use futures::StreamExt;
use tracing::warn;
use verst_service::download::TORRENT_BYTES;
use verst_service::{Arrival, Bytestream, ObjectError, Offer, Source, SubmitError, Wish};
use verst_words::Arg;

use super::{ActError, Ask};
use crate::api::{ApiError, FileError, again};
use crate::bot::Bot;
use crate::read::Attached;

/// Enough to see how a torrent begins.
const HEAD_BYTES: usize = 16;

impl Bot {
    pub(super) async fn file(
        &self,
        ask: &Ask<'_>,
        file: &Attached,
        under: &str,
    ) -> Result<(), ActError> {
        if under.contains("magnet:?") {
            self.text(ask, under).await?;
        }
        if let Some(id) = self.house.service.recordings.by_handle(ask.handle.clone()).await? {
            return self.introduce(ask, id).await;
        }
        if file.size_bytes.is_some_and(|size| size > self.voice.config.largest_bytes) {
            return self.too_large(ask).await;
        }
        let files = self.voice.config.files.as_deref();
        let mut bytes = match self.voice.api.file(&file.id, files).await {
            Ok(bytes) => bytes,
            Err(FileError::Api(ApiError::FileTooBig)) => return self.too_large(ask).await,
            Err(FileError::Api(ApiError::Unexpected | ApiError::Refused(_))) => {
                return self.say(ask, "telegram-not-fetched").await;
            }
            Err(FileError::Api(error)) => return Err(error.into()),
            Err(error @ (FileError::Outside | FileError::Unreadable)) => {
                warn!(%error, "a file of the local Bot API server was not taken");
                return self.say(ask, "telegram-file-elsewhere").await;
            }
        };
        if !file.any {
            return self.recording(ask, file.name.clone(), bytes).await;
        }
        let head = read_up_to(&mut bytes, HEAD_BYTES).await?;
        if begins_as_torrent(&head) {
            let mut rest = again(head, bytes);
            // One byte more tells a torrent that is too large from one that just fits.
            let whole = read_up_to(&mut rest, TORRENT_BYTES + 1).await?;
            return self.offer(ask, Offer::Torrent(whole)).await;
        }
        self.recording(ask, file.name.clone(), again(head, bytes)).await
    }

    /// Takes in a recording.
    pub(super) async fn recording(
        &self,
        ask: &Ask<'_>,
        name: Option<String>,
        bytes: Bytestream<'static>,
    ) -> Result<(), ActError> {
        let arrival = Arrival {
            source: Source::Telegram,
            reply_to: Some(ask.reply_to()),
            owner: ask.chat.owner.clone(),
            name,
            wish: Wish::default(),
            handle: Some(ask.handle.clone()),
        };
        match self.house.service.submit(arrival, bytes).await {
            Ok(accepted) => self.introduce(ask, accepted.id).await,
            // It broke off on the way here.
            Err(SubmitError::Objects(ObjectError::Source(_))) => Err(ActError::Later),
            Err(error @ SubmitError::Refused(_)) => {
                self.answer(ask, &ask.words.failure(&error.failure())).await
            }
            Err(error) => {
                let failure = error.failure();
                warn!(%failure, "a recording from the bot could not be kept");
                self.answer(ask, &ask.words.failure(&failure)).await
            }
        }
    }

    pub(super) async fn too_large(&self, ask: &Ask<'_>) -> Result<(), ActError> {
        let limit = self.voice.config.largest_bytes >> 20;
        let limit = Arg::Int(i64::try_from(limit).unwrap_or(i64::MAX));
        match self.voice.config.public_url.as_deref() {
            Some(url) => {
                let args = [("limit_mb", limit), ("url", Arg::Text(url))];
                self.say_with(ask, "telegram-too-large-web", &args).await
            }
            None => self.say_with(ask, "telegram-too-large", &[("limit_mb", limit)]).await,
        }
    }
}

/// A dictionary of bencode whose first key has a length.
fn begins_as_torrent(head: &[u8]) -> bool {
    head.first() == Some(&b'd') && head.get(1).is_some_and(u8::is_ascii_digit)
}

/// Reads until there is so much, or no more. What breaks off on the way is fetched again later.
async fn read_up_to(bytes: &mut Bytestream<'static>, limit: usize) -> Result<Vec<u8>, ActError> {
    let mut read = Vec::new();
    while read.len() < limit {
        match bytes.next().await {
            Some(Ok(piece)) => read.extend_from_slice(&piece),
            Some(Err(_)) => return Err(ActError::Later),
            None => break,
        }
    }
    Ok(read)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_torrent_is_known_by_how_it_begins() {
        for (head, torrent) in [
            (&b"d8:announce"[..], true),
            (b"d4:info", true),
            (b"OggS", false),
            (b"data", false),
            (b"d", false),
            (b"", false),
        ] {
            assert_eq!(begins_as_torrent(head), torrent, "{head:?}");
        }
    }
}
