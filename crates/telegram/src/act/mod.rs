//! What the bot does about an update. Each deed may be begun again after it was interrupted, and then
//! finds what it did.
//!
//! **Invariant:** a recording that comes in is known by the number of its update, so that it comes in
//! once; and everything else that is done twice is as if it was done once.

mod address;
mod command;
mod file;
mod press;
mod tell;
mod text;

use thiserror::Error;
use verst_service::{Caller, Chat, ChatId, StoreError};
use verst_words::Words;

use crate::allow::admits;
use crate::api::ApiError;
use crate::bot::{Bot, Me};
use crate::read::{Incoming, What};
use crate::voice::Unsaid;

/// Why an update was not acted on.
#[derive(Debug, Error)]
pub(crate) enum ActError {
    #[error(transparent)]
    Api(#[from] ApiError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("it did not come whole; it is fetched again")]
    Later,
}

impl From<Unsaid> for ActError {
    fn from(unsaid: Unsaid) -> Self {
        match unsaid {
            Unsaid::Api(error) => Self::Api(error),
            Unsaid::Store(error) => Self::Store(error),
        }
    }
}

/// An update with all that is known of who sent it.
pub(crate) struct Ask<'a> {
    pub(crate) incoming: &'a Incoming,
    pub(crate) chat: Chat,
    pub(crate) words: &'a Words,
    /// By which a recording from this update is known.
    pub(crate) handle: String,
    /// As whom they look at what did not come from this chat; `None`: at nothing.
    pub(crate) caller: Option<Caller>,
}

impl Bot {
    /// Acts on an update.
    pub(crate) async fn act(
        &self,
        me: &Me,
        update: i64,
        incoming: &Incoming,
    ) -> Result<(), ActError> {
        // The list may have become shorter since it came.
        if !admits(&self.voice.config, incoming) {
            return Ok(());
        }
        let language = incoming.language.clone();
        let chat = self.voice.chats.meet(ChatId(incoming.chat), language).await?;
        let words = self.voice.words(incoming.language.as_deref().or(chat.language.as_deref()));
        let handle = format!("telegram:{}:{update}", me.id.0);
        let caller = self.caller(incoming, &chat).await?;
        let ask = Ask { incoming, chat, words, handle, caller };
        match &incoming.what {
            What::Command(command, rest) => self.command(&ask, *command, rest).await,
            What::File(file, under) => self.file(&ask, file, under).await,
            What::Text(text) => self.text(&ask, text).await,
            What::Press { query, data } => self.press(&ask, query, data).await,
            What::Other => self.say(&ask, "telegram-other").await,
            What::Nothing => Ok(()),
        }
    }
}
