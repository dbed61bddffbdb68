//! Keeping messages up to date about what moves.
//!
//! **Invariant:** a message is changed by whoever holds its chat, after another look: what has ended
//! meanwhile is told by the entrance, and is not written over.

use std::time::Duration;

use tracing::debug;
use verst_service::{ChatId, State, StatusMessage, StoreError, WorkId};

use crate::api::ApiError;
use crate::bot::Bot;
use crate::look::{Look, Thing};
use crate::pace::{Edit, decide};
use crate::said::digest;
use crate::voice::Unsaid;

/// Between two looks.
const EVERY: Duration = Duration::from_secs(1);
/// Messages that are kept up to date at the same time: about the newest things.
const MESSAGES: u32 = 200;

impl Bot {
    /// Looks and changes, for ever.
    pub(crate) async fn board(&self) {
        loop {
            // Trouble of the store is told by those whom it keeps from working.
            let moving = self.voice.chats.moving_messages(MESSAGES).await.unwrap_or_default();
            for status in moving {
                if let Err(error) = self.renew(&status).await {
                    debug!(work = %status.work, %error, "a message was left as it was");
                }
            }
            tokio::time::sleep(EVERY).await;
        }
    }

    async fn renew(&self, status: &StatusMessage) -> Result<(), Unsaid> {
        let chat = status.chat.0;
        // Whether anything could be changed at all, before anything is read.
        let pace = self.voice.pace(chat);
        if decide("", "-", pace, self.voice.now()) != Edit::Now {
            return Ok(());
        }
        let Some(look) = self.moving(status.work, status.chat).await? else { return Ok(()) };
        if decide(&status.said, &digest(&look, status.work), pace, self.voice.now()) != Edit::Now {
            return Ok(());
        }
        // Who has it says something newer, or waits for Telegram; others need not.
        let Some(_turn) = self.voice.free_turn(chat) else { return Ok(()) };
        let Some(look) = self.moving(status.work, status.chat).await? else { return Ok(()) };
        let current = self.voice.chats.status_message(status.work, status.chat).await?;
        let Some(current) = current else { return Ok(()) };
        match self.voice.change(&current, &look).await {
            Err(Unsaid::Api(ApiError::SlowDown(_))) => Ok(()),
            changed => changed,
        }
    }

    /// How a thing looks while it moves.
    async fn moving(&self, work: WorkId, chat: ChatId) -> Result<Option<Look>, StoreError> {
        let Some(thing) = self.eyes.thing(work).await? else { return Ok(None) };
        if thing.work().state() != State::Moving {
            return Ok(None);
        }
        let words = self.voice.words_of(chat).await?;
        Ok(Some(thing.look(words, self.voice.panel())))
    }

    /// Changes the message about a thing at once, whatever the pace: a person pressed a button.
    pub(crate) async fn show(&self, look: &Look, thing: &Thing, chat: i64) -> Result<(), Unsaid> {
        let _turn = self.voice.turn(chat).await;
        let status = self.voice.chats.status_message(thing.id(), ChatId(chat)).await?;
        match status {
            Some(status) if status.said != digest(look, thing.id()) => {
                self.voice.change(&status, look).await
            }
            _ => Ok(()),
        }
    }
}
