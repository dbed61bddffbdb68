//! Taking in a recording: the bytes first, then the row.

use std::io;

use bytes::Bytes;
use futures::{Stream, StreamExt, stream};
use thiserror::Error;
use verst_kernel::{Failure, StoreError};
use verst_recordings::codes;
use verst_recordings::model::{Accepted, NewRecording, Source};
use verst_recordings::ports::{Bytestream, ObjectError, Wish};

use crate::Service;

/// How much of the beginning is looked at.
const HEAD_BYTES: usize = 4096;
/// Names longer than this, in bytes, are cut: they are shown, never used as paths.
const NAME_BYTES: usize = 1024;

/// Why a recording was not taken in. Nothing of it was kept.
#[derive(Debug, Error)]
pub enum SubmitError {
    /// It can be known already that nothing will come of it.
    #[error("refused: {0}")]
    Refused(Failure),
    /// The bytes could not be kept.
    #[error("the bytes could not be stored")]
    Objects(#[source] ObjectError),
    /// The row could not be written.
    #[error("the recording could not be entered")]
    Store(#[source] StoreError),
}

impl SubmitError {
    /// The failure that people are told.
    pub fn failure(&self) -> Failure {
        match self {
            Self::Refused(failure) => failure.clone(),
            Self::Objects(ObjectError::Full) | Self::Store(StoreError::Full) => {
                Failure::new(codes::DISK_FULL)
            }
            Self::Objects(ObjectError::Unreachable(_)) => Failure::new(codes::OBJECTS_UNREACHABLE),
            Self::Objects(_) => Failure::new(codes::OBJECTS_FAILED),
            Self::Store(_) => Failure::new(codes::STORE_FAILED),
        }
    }
}

/// What is known of a recording besides its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// The entrance.
    pub source: Source,
    /// Where the answer goes.
    pub reply_to: Option<String>,
    /// Whose it is.
    pub owner: Option<String>,
    /// The name its sender gave it.
    pub name: Option<String>,
    /// What the sender wants.
    pub wish: Wish,
    /// How its entrance recognises it; a second one with the same is the same recording.
    pub handle: Option<String>,
}

/// Bytes that are durable and that no row names yet. Whoever has one enters it or turns it away.
#[derive(Debug)]
#[must_use = "what is neither entered nor turned away lies about until the sweep"]
pub struct Received {
    key: String,
    size_bytes: u64,
}

impl Service {
    /// Takes in a recording, or answers the one that has its handle. When this returns an id, the
    /// bytes and the row are durable.
    pub async fn submit(
        &self,
        arrival: Arrival,
        bytes: Bytestream<'_>,
    ) -> Result<Accepted, SubmitError> {
        let received = self.receive(bytes).await?;
        self.enter(received, arrival).await
    }

    /// The first half, for an entrance that learns the rest only after the bytes: stores them, or
    /// refuses them and keeps nothing.
    pub async fn receive(&self, bytes: Bytestream<'_>) -> Result<Received, SubmitError> {
        // What ends within the head is asked once more all the same.
        let mut bytes = bytes.fuse();
        let head = read_head(&mut bytes)
            .await
            .map_err(|error| SubmitError::Objects(ObjectError::Source(error)))?;
        // The size is not known yet; only what the beginning tells can refuse here.
        let seen = u64::try_from(head.len()).unwrap_or(u64::MAX);
        if let Some(failure) = self.media.refuse(&head, seen) {
            return Err(SubmitError::Refused(failure));
        }
        let key = format!("original/{}", self.random.key());
        let whole = stream::iter([Ok(Bytes::from(head))]).chain(bytes).boxed();
        match self.objects.put(&key, whole, self.largest_bytes).await {
            Ok(size_bytes) => Ok(Received { key, size_bytes }),
            Err(ObjectError::TooLarge { limit_bytes }) => {
                let limit = i64::try_from(limit_bytes).unwrap_or(i64::MAX);
                let failure = Failure::new(codes::TOO_LARGE).int("limit_bytes", limit);
                Err(SubmitError::Refused(failure))
            }
            Err(error) => Err(SubmitError::Objects(error)),
        }
    }

    /// The second half: the row.
    pub async fn enter(
        &self,
        received: Received,
        arrival: Arrival,
    ) -> Result<Accepted, SubmitError> {
        let Received { key, size_bytes } = received;
        let Arrival { source, reply_to, owner, name, wish, handle } = arrival;
        let new = NewRecording {
            source,
            reply_to,
            owner,
            original: key.clone(),
            handle,
            name: name.map(|n| cut(n, NAME_BYTES)),
            size_bytes,
            wish,
        };
        let accepted = match self.recordings.accept(new).await {
            Ok(accepted) => accepted,
            Err(error) => {
                self.after_refusal(&error, Received { key, size_bytes }).await;
                return Err(SubmitError::Store(error));
            }
        };
        if !accepted.fresh {
            // Handed in twice at once, and the other was first.
            self.turn_away(Received { key, size_bytes }).await;
        }
        Ok(accepted)
    }

    /// A database without space answered, so the row is there or not, and the bytes, which take what
    /// it needs, go at once. After another error it may still come; the sweep decides by looking at
    /// the rows later.
    async fn after_refusal(&self, error: &StoreError, received: Received) {
        if matches!(error, StoreError::Full) {
            let named = self.recordings.named_objects(vec![received.key.clone()]).await;
            if named.is_ok_and(|named| named.is_empty()) {
                self.turn_away(received).await;
            }
        }
    }

    /// Or not: the bytes go. What stays behind, the sweep finds.
    pub async fn turn_away(&self, received: Received) {
        let _ = self.objects.delete(&received.key).await;
    }
}

impl Service {
    /// Stores the bytes of a recording whose original is gone once more, under the key that its
    /// row names.
    pub async fn bring_back(&self, key: &str, bytes: Bytestream<'_>) -> Result<(), SubmitError> {
        let stored = self.objects.put(key, bytes, self.largest_bytes).await;
        stored.map(drop).map_err(SubmitError::Objects)
    }
}

async fn read_head(
    bytes: &mut (impl Stream<Item = io::Result<Bytes>> + Unpin),
) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    while head.len() < HEAD_BYTES {
        match bytes.next().await {
            Some(chunk) => head.extend_from_slice(&chunk?),
            None => break,
        }
    }
    Ok(head)
}

/// Cuts at a character's boundary.
pub(crate) fn cut(mut name: String, bytes: usize) -> String {
    if name.len() > bytes {
        let end = (0..=bytes).rev().find(|i| name.is_char_boundary(*i)).unwrap_or(0);
        name.truncate(end);
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cut_between_characters() {
        assert_eq!(cut("имя".into(), 5), "им");
        assert_eq!(cut("имя".into(), 6), "имя");
        assert_eq!(cut("имя".into(), 1), "");
    }
}
