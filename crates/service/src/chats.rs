//! What a bot has to remember: which updates it got and has still to act on, whose a chat is, and
//! which of its messages tells how a thing stands.
//!
//! It knows no messenger: an update is a number and a text that only the face reads.
//!
//! **Invariant:** an update is kept and the next one is asked for in one transaction, and one that
//! was acted on is known by its number for longer than any server offers it again. So whatever comes
//! twice, or is interrupted, is acted on once.

use std::time::Duration;

use async_trait::async_trait;
use sha2::{Digest, Sha256};
use verst_kernel::{Instance, StoreError, Timestamp, WorkId};

use crate::Random;

/// How long a code that links a chat can be used.
pub const LINK_CODE_LIVES: Duration = Duration::from_mins(10);
/// Characters that nobody mistakes for one another. Five bits each.
const CODE_LETTERS: &[u8; 32] = b"23456789abcdefghijkmnpqrstuvwxyz";
/// Letters of a code: 60 bits, of which ten minutes give nobody enough tries.
const CODE_LENGTH: usize = 12;

/// A bot, by the number that its messenger gave it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BotId(pub i64);

/// A chat, by the number that its messenger gave it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ChatId(pub i64);

/// An update, as it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inbound {
    /// Its number; the same one means the same update.
    pub id: i64,
    /// What the face reads it from.
    pub body: String,
}

/// An update that has still to be acted on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pending {
    /// The update.
    pub update: Inbound,
    /// How often it was begun before.
    pub tries: u32,
}

/// A chat as it is remembered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chat {
    /// Which.
    pub id: ChatId,
    /// The account that it is linked to.
    pub owner: Option<String>,
    /// The language last heard there.
    pub language: Option<String>,
}

/// A message that tells how a thing stands: one for each thing and chat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatusMessage {
    /// About what.
    pub work: WorkId,
    /// Where it is.
    pub chat: ChatId,
    /// The message that the thing came in; answers refer to it.
    pub asked_in: i64,
    /// The message.
    pub message: i64,
    /// When it was sent.
    pub sent_at: Timestamp,
    /// A digest of what it says.
    pub said: String,
}

/// What came and has to be acted on.
#[async_trait]
pub trait Inbox: Send + Sync {
    /// Takes or keeps the right to ask for a bot's updates, for so long. Answers the number of the
    /// next update, 0 at first; `None` while another instance has the right.
    async fn hold_bot(
        &self,
        bot: BotId,
        instance: &Instance,
        lease: Duration,
    ) -> Result<Option<i64>, StoreError>;
    /// Gives that right back, if this instance has it.
    async fn release_bot(&self, bot: BotId, instance: &Instance) -> Result<(), StoreError>;
    /// Keeps those updates that never came before, and which number is asked for next.
    async fn receive(&self, bot: BotId, updates: Vec<Inbound>, next: i64)
    -> Result<(), StoreError>;
    /// The oldest updates that have still to be acted on, at most so many.
    async fn pending(&self, bot: BotId, limit: u32) -> Result<Vec<Pending>, StoreError>;
    /// Counts a try, before it is made.
    async fn begin_update(&self, bot: BotId, id: i64) -> Result<(), StoreError>;
    /// It was acted on, or never will be: what it said is forgotten, its number is not.
    async fn finish_update(&self, bot: BotId, id: i64) -> Result<(), StoreError>;
}

/// What is known of chats.
#[async_trait]
pub trait Chats: Send + Sync {
    /// A chat that wrote, with the language it was written in. It is remembered from now on.
    async fn meet(&self, chat: ChatId, language: Option<String>) -> Result<Chat, StoreError>;
    /// A chat, if it is remembered.
    async fn chat(&self, chat: ChatId) -> Result<Option<Chat>, StoreError>;
    /// The chats that are linked to an account; `None`: to any. At most a thousand.
    async fn linked_chats(&self, owner: Option<String>) -> Result<Vec<Chat>, StoreError>;
    /// Keeps the hash of a code that links a chat to this account. What has run out is forgotten.
    async fn offer_link(
        &self,
        hash: String,
        owner: String,
        expires_at: Timestamp,
    ) -> Result<(), StoreError>;
    /// Links a chat by a code, which then links no other. What came from the chat and belongs to
    /// nobody belongs to the account from now on. `None` when there is no such code.
    async fn take_link(&self, hash: &str, chat: ChatId) -> Result<Option<String>, StoreError>;
    /// Takes the link off. `false` when there was none. What came meanwhile stays the account's.
    async fn unlink(&self, chat: ChatId) -> Result<bool, StoreError>;
    /// The message about a thing in a chat.
    async fn status_message(
        &self,
        work: WorkId,
        chat: ChatId,
    ) -> Result<Option<StatusMessage>, StoreError>;
    /// Writes which message it is and what it says. Nothing is written about work that is gone.
    async fn put_status_message(&self, status: StatusMessage) -> Result<(), StoreError>;
    /// Messages about what is neither done nor stopped, the newest things first.
    async fn moving_messages(&self, limit: u32) -> Result<Vec<StatusMessage>, StoreError>;
    /// What was told of in a chat, newest first, from below this one on.
    async fn told_in(
        &self,
        chat: ChatId,
        before: Option<WorkId>,
        limit: u32,
    ) -> Result<Vec<WorkId>, StoreError>;
}

/// Makes a code by which one chat can be linked to this account, within [`LINK_CODE_LIVES`]. It is in
/// the answer and nowhere else.
pub async fn link_code(
    chats: &dyn Chats,
    random: &dyn Random,
    owner: &str,
    now: Timestamp,
) -> Result<String, StoreError> {
    let code = code_of(&random.secret());
    let expires_at = now.after(LINK_CODE_LIVES);
    chats.offer_link(code_hash(&code), owner.to_owned(), expires_at).await?;
    Ok(code)
}

/// Links a chat by what was typed after the command.
pub async fn link_chat(
    chats: &dyn Chats,
    typed: &str,
    chat: ChatId,
) -> Result<Option<String>, StoreError> {
    let code = typed.trim().to_ascii_lowercase();
    if code.len() != CODE_LENGTH {
        return Ok(None);
    }
    chats.take_link(&code_hash(&code), chat).await
}

/// Letters that can be typed on a telephone, from a secret.
fn code_of(secret: &str) -> String {
    let digest = Sha256::digest(secret.as_bytes());
    let letter = |byte: &u8| char::from(CODE_LETTERS[usize::from(byte % 32)]);
    digest.iter().take(CODE_LENGTH).map(letter).collect()
}

fn code_hash(code: &str) -> String {
    base16ct::lower::encode_string(&Sha256::digest(code.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_can_be_typed_and_differs_with_the_secret() {
        let (one, other) = (code_of("a"), code_of("b"));
        assert_ne!(one, other);
        assert_eq!(one.len(), CODE_LENGTH);
        assert!(one.bytes().all(|letter| CODE_LETTERS.contains(&letter)), "{one}");
        assert_ne!(code_hash(&one), one);
    }
}
