//! What the server remembers.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

use serde_json::{Value, json};
use tokio::time::Instant;

/// A message of the bot, as the people in the chat see it.
#[derive(Clone, Debug)]
pub struct Sent {
    /// Its number.
    pub id: i64,
    /// Its text, without markup.
    pub text: String,
    /// Texts of its buttons, each with what is in it: data or an address.
    pub buttons: Vec<(String, String)>,
    /// The message that it answers.
    pub answers: Option<i64>,
    /// Whether it came without a sound.
    pub silent: bool,
    /// A file: its name and its bytes.
    pub document: Option<(String, Vec<u8>)>,
    /// When it was changed.
    pub edited: Vec<Instant>,
    pub(super) html: String,
    pub(super) keyboard: Value,
}

/// What the server does instead of answering, once.
#[derive(Clone, Debug)]
pub enum Trick {
    /// Says to come later.
    SlowDown(u64),
    /// Answers with this status and words.
    Refuse(u16, &'static str),
    /// A page of a server in front of it.
    BadGateway,
    /// Does what was asked and breaks off before it answers.
    Silence,
}

#[derive(Default)]
pub(super) struct State {
    pub(super) token: String,
    pub(super) updates: VecDeque<(i64, Value)>,
    pub(super) next_update: i64,
    pub(super) next_message: i64,
    pub(super) messages: BTreeMap<(i64, i64), Sent>,
    pub(super) deleted: HashSet<(i64, i64)>,
    pub(super) files: HashMap<String, (String, Vec<u8>)>,
    pub(super) largest_file: u64,
    pub(super) blocked: HashSet<i64>,
    pub(super) gone: HashSet<i64>,
    pub(super) tricks: HashMap<String, VecDeque<Trick>>,
    pub(super) calls: Vec<String>,
    pub(super) fetched: Vec<String>,
    pub(super) answers: Vec<(String, String)>,
    pub(super) commands: HashMap<String, usize>,
    /// Which request for updates is the last: earlier ones are ended.
    pub(super) polling: u64,
    pub(super) rival: bool,
    /// What was answered, for comparing it with the library's types.
    pub(super) said: Vec<(String, Value)>,
}

impl State {
    /// Whether the server does something else this time.
    pub(super) fn trick(&mut self, method: &str) -> Option<Trick> {
        self.tricks.get_mut(method).and_then(VecDeque::pop_front)
    }

    /// A message of the bot as the wire has it.
    pub(super) fn message(chat: i64, sent: &Sent, entities: &[Value]) -> Value {
        let mut message = json!({
            "message_id": sent.id, "date": 1_790_000_000, "from": me(), "chat": chat_of(chat),
        });
        if let Some((name, bytes)) = &sent.document {
            message["document"] = json!({
                "file_id": format!("D{}", sent.id), "file_unique_id": format!("U{}", sent.id),
                "file_name": name, "mime_type": "text/plain", "file_size": bytes.len(),
            });
        } else {
            message["text"] = json!(sent.text);
        }
        if !entities.is_empty() {
            message["entities"] = json!(entities);
        }
        if !sent.keyboard.is_null() {
            message["reply_markup"] = sent.keyboard.clone();
        }
        if !sent.edited.is_empty() {
            message["edit_date"] = json!(1_790_000_001);
        }
        message
    }
}

pub(super) fn me() -> Value {
    json!({"id": 123_456, "is_bot": true, "first_name": "Verst", "username": "verst_test_bot"})
}

pub(super) fn chat_of(chat: i64) -> Value {
    if chat > 0 {
        json!({"id": chat, "type": "private", "first_name": "Somebody"})
    } else {
        json!({"id": chat, "type": "supergroup", "title": "Some people"})
    }
}
