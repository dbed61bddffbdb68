//! The answer to whoever sent something through the bot.
//!
//! It is given once and at once; what cannot be said now is not said later. **Invariant:** why it was
//! not said is logged without a word of what it was.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use tracing::info;
use verst_service::{
    ChatId, DownloadLedger, Entrance, Ledger, Letter, Product, Queue, SendError, Source,
};

use crate::eyes::Eyes;
use crate::result::{Outcome, of_text};
use crate::voice::{Unsaid, Voice};

/// The worker that tells waits no longer.
const PATIENCE: Duration = Duration::from_mins(1);

/// The bot as an entrance.
pub struct TelegramEntrance {
    voice: Arc<Voice>,
    eyes: Eyes,
    /// Knows what time it is.
    queue: Arc<dyn Queue<Product>>,
}

impl TelegramEntrance {
    /// An entrance that speaks through this voice.
    pub fn new(
        voice: Arc<Voice>,
        ledger: Arc<dyn Ledger>,
        downloads: Arc<dyn DownloadLedger>,
        queue: Arc<dyn Queue<Product>>,
    ) -> Self {
        Self { voice, eyes: Eyes { ledger, downloads, live: None }, queue }
    }

    async fn deliver(&self, (chat, asked_in): (i64, i64), letter: &Letter) -> Result<(), Unsaid> {
        let words = self.voice.words_of(ChatId(chat)).await?;
        let panel = self.voice.panel();
        let outcome = match of_text(letter, words, panel) {
            Some(outcome) => outcome,
            None => match self.eyes.thing(letter.work).await? {
                Some(thing) => Outcome { look: thing.look(words, panel), file: None },
                // It was deleted meanwhile, and nobody waits for it.
                None => return Ok(()),
            },
        };
        let now = self.queue.now().await?;
        let place = (letter.work, chat, asked_in);
        self.voice.conclude(place, &outcome.look, outcome.file.as_ref(), now).await
    }
}

#[async_trait]
impl Entrance for TelegramEntrance {
    fn source(&self) -> Source {
        Source::Telegram
    }

    async fn send(&self, addressee: Option<&str>, letter: &Letter) -> Result<(), SendError> {
        let place = addressee.and_then(place).ok_or(SendError)?;
        let delivered = tokio::time::timeout(PATIENCE, self.deliver(place, letter)).await;
        let reason = match delivered {
            Ok(Ok(())) => return Ok(()),
            Ok(Err(Unsaid::Api(error))) => error.name(),
            Ok(Err(Unsaid::Store(_))) => "store",
            Err(_) => "too_slow",
        };
        info!(work = %letter.work, reason, "an answer was not taken by Telegram");
        Err(SendError)
    }
}

/// A chat and a message in it.
pub(crate) fn reply_to(chat: i64, message: i64) -> String {
    format!("{chat}:{message}")
}

fn place(addressee: &str) -> Option<(i64, i64)> {
    let (chat, message) = addressee.split_once(':')?;
    Some((chat.parse().ok()?, message.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_addressee_reads_back() {
        assert_eq!(place(&reply_to(-100_123, 45)), Some((-100_123, 45)));
        for wrong in ["", "7", "7:", ":7", "a:1", "chat-1", "1:2:3"] {
            assert_eq!(place(wrong), None, "{wrong}");
        }
    }
}
