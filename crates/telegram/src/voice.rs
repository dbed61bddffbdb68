//! What the bot says in chats: new messages, changes of those that tell how a thing stands, answers
//! at the end.
//!
//! **Invariant:** a thing has one message in a chat. Whoever changes it holds the chat meanwhile and
//! writes down what it says, so that what came first is never put over what came last.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use tokio::sync::{Mutex as Turn, OwnedMutexGuard};
use tokio::time::Instant;
use verst_service::{ChatId, Chats, StatusMessage, StoreError, Timestamp, WorkId};
use verst_words::{Language, Words};

use crate::api::{Api, ApiError, Outgoing};
use crate::buttons::keyboard;
use crate::config::Config;
use crate::look::Look;
use crate::pace::Pace;
use crate::said::digest;

/// The longest that one message is waited for while Telegram wants to hear less.
const PATIENCE: Duration = Duration::from_secs(40);
/// Pauses before the same call is tried again.
const AGAIN: [Duration; 3] =
    [Duration::from_millis(500), Duration::from_secs(2), Duration::from_secs(5)];
/// Whoever sent something looks at the chat for so long. What changes then needs no sound; what comes
/// later is a new message, because a change makes none.
const LOOKS_ON: Duration = Duration::from_mins(1);
/// Chats whose pace is known.
const CHATS: usize = 10_000;

/// What speaks.
pub struct Voice {
    pub(crate) api: Api,
    pub(crate) config: Config,
    pub(crate) chats: Arc<dyn Chats>,
    english: Words,
    russian: Words,
    begun: Instant,
    known: Mutex<HashMap<i64, Known>>,
}

/// What is known of a chat in this process.
#[derive(Clone, Default)]
struct Known {
    turn: Arc<Turn<()>>,
    pace: Pace,
}

/// Why something was not said.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unsaid {
    #[error(transparent)]
    Api(#[from] ApiError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Voice {
    /// A voice that says nothing yet.
    ///
    /// # Errors
    /// There is no client on this machine.
    pub fn new(config: Config, chats: Arc<dyn Chats>) -> Result<Arc<Self>, reqwest::Error> {
        let api = Api::new(config.api.clone(), config.token.clone())?;
        Ok(Arc::new(Self {
            api,
            config,
            chats,
            english: Words::new(Language::English),
            russian: Words::new(Language::Russian),
            begun: Instant::now(),
            known: Mutex::default(),
        }))
    }

    pub(crate) fn words(&self, tag: Option<&str>) -> &Words {
        match Language::of(tag.unwrap_or_default()) {
            Language::English => &self.english,
            Language::Russian => &self.russian,
        }
    }

    /// The words of a chat.
    pub(crate) async fn words_of(&self, chat: ChatId) -> Result<&Words, StoreError> {
        let known = self.chats.chat(chat).await?;
        Ok(self.words(known.and_then(|chat| chat.language).as_deref()))
    }

    pub(crate) fn panel(&self) -> Option<&str> {
        self.config.panel.as_deref()
    }

    /// Since this voice is there.
    pub(crate) fn now(&self) -> Duration {
        self.begun.elapsed()
    }

    pub(crate) fn pace(&self, chat: i64) -> Pace {
        self.with(chat, |known| known.pace)
    }

    /// The turn to change messages in a chat.
    pub(crate) async fn turn(&self, chat: i64) -> OwnedMutexGuard<()> {
        let turn = self.with(chat, |known| known.turn.clone());
        turn.lock_owned().await
    }

    /// The same, if nobody has it.
    pub(crate) fn free_turn(&self, chat: i64) -> Option<OwnedMutexGuard<()>> {
        self.with(chat, |known| known.turn.clone()).try_lock_owned().ok()
    }

    fn with<T>(&self, chat: i64, f: impl FnOnce(&mut Known) -> T) -> T {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= CHATS && !known.contains_key(&chat) {
            // Those that are in use are held by whoever uses them.
            known.retain(|_, known| Arc::strong_count(&known.turn) > 1);
        }
        f(known.entry(chat).or_default())
    }

    /// Notes what came of a change in a chat.
    pub(crate) fn heard<T>(&self, chat: i64, answer: &Result<T, ApiError>) {
        let now = self.now();
        self.with(chat, |known| match answer {
            Err(ApiError::SlowDown(pause)) => known.pace.silent_until = Some(now + *pause),
            _ => known.pace.last = Some(now),
        });
    }

    /// Says something new, and answers the number of the message.
    pub(crate) async fn say(&self, out: &Outgoing) -> Result<i64, ApiError> {
        self.insist(out.chat, || self.api.send(out)).await
    }

    /// A short answer to a message.
    pub(crate) async fn answer(&self, chat: i64, to: i64, text: &str) -> Result<(), ApiError> {
        let html = crate::text::escape(text);
        let out = Outgoing { chat, answers: Some(to), html, keyboard: None, silent: false };
        self.say(&out).await.map(drop)
    }

    /// Calls until it goes through, for a while.
    async fn insist<T, F: Future<Output = Result<T, ApiError>>>(
        &self,
        chat: i64,
        call: impl Fn() -> F,
    ) -> Result<T, ApiError> {
        let mut spent = Duration::ZERO;
        let mut pauses = AGAIN.into_iter();
        loop {
            let answer = call().await;
            self.heard(chat, &answer);
            let pause = match &answer {
                Err(ApiError::SlowDown(pause)) => *pause,
                Err(error) if error.passes() && *error != ApiError::Unauthorised => {
                    match pauses.next() {
                        Some(pause) => pause,
                        None => return answer,
                    }
                }
                _ => return answer,
            };
            spent += pause;
            if spent > PATIENCE {
                return answer;
            }
            tokio::time::sleep(pause).await;
        }
    }

    /// Tells for the first time in a chat how a thing stands, unless that was done about the same
    /// message already.
    pub(crate) async fn introduce(
        &self,
        work: WorkId,
        chat: i64,
        asked_in: i64,
        look: &Look,
        now: Timestamp,
    ) -> Result<(), Unsaid> {
        let _turn = self.turn(chat).await;
        let known = self.chats.status_message(work, ChatId(chat)).await?;
        if known.is_some_and(|known| known.asked_in == asked_in) {
            return Ok(());
        }
        let out = outgoing(work, chat, asked_in, look, true);
        let message = self.say(&out).await?;
        self.keep(work, chat, asked_in, message, look, now).await
    }

    /// Changes what the message about a thing says. A message that somebody deleted is not sent
    /// again: they did not want it. The chat's turn is held.
    pub(crate) async fn change(&self, status: &StatusMessage, look: &Look) -> Result<(), Unsaid> {
        let out = outgoing(status.work, status.chat.0, status.asked_in, look, true);
        let answer = self.api.edit(status.message, &out).await;
        self.heard(status.chat.0, &answer);
        match answer {
            Err(error) if error.passes() => return Err(error.into()),
            // Whatever else stands in the way will stand there the next time.
            _ => {}
        }
        let said = digest(look, status.work);
        Ok(self.chats.put_status_message(StatusMessage { said, ..status.clone() }).await?)
    }

    /// Tells how a thing ended: in its message while whoever asked looks on, and later in a new one in
    /// its place.
    pub(crate) async fn conclude(
        &self,
        (work, chat, asked_in): (WorkId, i64, i64),
        look: &Look,
        file: Option<&(String, String)>,
        now: Timestamp,
    ) -> Result<(), Unsaid> {
        let _turn = self.turn(chat).await;
        let known = self.chats.status_message(work, ChatId(chat)).await?;
        if known.as_ref().is_some_and(|known| known.asked_in != asked_in) {
            // Sent twice from the same chat: whoever asked last is told.
            return Ok(());
        }
        let mut out = outgoing(work, chat, asked_in, look, false);
        let fresh = known.as_ref().filter(|known| now.since(known.sent_at) < LOOKS_ON);
        let changed = match fresh {
            Some(known) => match self.insist(chat, || self.api.edit(known.message, &out)).await {
                Ok(()) | Err(ApiError::NotModified) => Some(known.message),
                Err(ApiError::MessageGone) => None,
                Err(error) => return Err(error.into()),
            },
            None => None,
        };
        let message = match changed {
            Some(message) => message,
            None => match self.say(&out).await {
                Err(ApiError::Migrated(to)) => {
                    out.chat = to;
                    self.say(&out).await?
                }
                said => said?,
            },
        };
        if let Some((name, text)) = file {
            let bytes = Bytes::from(text.clone());
            let send = || self.api.send_document(out.chat, Some(asked_in), name, bytes.clone());
            self.insist(chat, send).await?;
        }
        if let Some(old) = known.filter(|known| known.message != message) {
            // It stays where it is too old to be deleted; the new one is below it.
            let _ = self.api.delete(chat, old.message).await;
        }
        self.keep(work, chat, asked_in, message, look, now).await
    }

    async fn keep(
        &self,
        work: WorkId,
        chat: i64,
        asked_in: i64,
        message: i64,
        look: &Look,
        sent_at: Timestamp,
    ) -> Result<(), Unsaid> {
        let said = digest(look, work);
        let chat = ChatId(chat);
        let status = StatusMessage { work, chat, asked_in, message, sent_at, said };
        Ok(self.chats.put_status_message(status).await?)
    }
}

/// A message about a thing.
fn outgoing(work: WorkId, chat: i64, answers: i64, look: &Look, silent: bool) -> Outgoing {
    let (html, keyboard) = (look.html.clone(), keyboard(&look.buttons, work));
    Outgoing { chat, answers: Some(answers), html, keyboard, silent }
}
