//! The people who write to the bot.

use serde_json::{Value, json};

use super::BotServer;
use super::state::chat_of;

/// Somebody, in a chat.
#[derive(Clone, Copy, Debug)]
pub struct Person {
    /// Their number.
    pub id: i64,
    /// The chat that they write in: their number where nobody else reads along.
    pub chat: i64,
    /// The language of their telephone.
    pub language: &'static str,
}

impl Person {
    /// Somebody who writes to the bot alone.
    pub fn alone(id: i64, language: &'static str) -> Self {
        Self { id, chat: id, language }
    }

    /// The same in a group.
    #[must_use]
    pub fn within(self, chat: i64) -> Self {
        Self { chat, ..self }
    }

    fn user(&self) -> Value {
        json!({"id": self.id, "is_bot": false, "first_name": "Somebody", "language_code": self.language})
    }
}

impl BotServer {
    /// Says a text. Answers the number of the message.
    pub fn text(&self, person: &Person, text: &str) -> i64 {
        self.write(person, &json!({"text": text}))
    }

    /// Sends a voice message.
    pub fn voice(&self, person: &Person, bytes: &[u8]) -> i64 {
        let mut file = self.file(bytes, "voice/file_1.oga");
        file["duration"] = json!(1);
        self.write(person, &json!({"voice": file}))
    }

    /// Sends a file under a name.
    pub fn document(&self, person: &Person, name: &str, bytes: &[u8]) -> i64 {
        let mut file = self.file(bytes, "documents/file_2");
        file["file_name"] = json!(name);
        self.write(person, &json!({"document": file}))
    }

    /// Sends any message that the wire can have.
    pub fn write(&self, person: &Person, what: &Value) -> i64 {
        let mut state = self.state();
        state.next_message += 1;
        let id = state.next_message;
        let mut message = json!({
            "message_id": id, "date": 1_790_000_000, "from": person.user(),
            "chat": chat_of(person.chat),
        });
        if let (Some(message), Some(what)) = (message.as_object_mut(), what.as_object()) {
            message.extend(what.clone());
        }
        drop(state);
        self.update(json!({"message": message}));
        id
    }

    /// Presses the button of a message that says this.
    pub fn press(&self, person: &Person, message: i64, button: &str) {
        let sent = self.sent(person.chat).into_iter().find(|sent| sent.id == message);
        let buttons = sent.expect("there is such a message").buttons;
        let found = buttons.iter().find(|(text, _)| text.contains(button));
        let data = found.unwrap_or_else(|| panic!("{button} is none of {buttons:?}")).1.clone();
        self.press_data(person, message, &data);
    }

    /// Sends what a button could have sent.
    pub fn press_data(&self, person: &Person, message: i64, data: &str) {
        let chat = chat_of(person.chat);
        self.update(json!({"callback_query": {
            "id": format!("q{message}-{data}"), "from": person.user(), "chat_instance": "1",
            "data": data, "message": {"message_id": message, "date": 0, "chat": chat},
        }}));
    }

    /// A file that people can send, as the wire names it.
    pub fn file(&self, bytes: &[u8], path: &str) -> Value {
        let mut state = self.state();
        let id = format!("F{}", state.files.len() + 1);
        // Each under a path of its own.
        let path = format!("{id}/{path}");
        state.files.insert(id.clone(), (path, bytes.to_vec()));
        json!({"file_id": id, "file_unique_id": format!("u{id}"), "file_size": bytes.len()})
    }
}
