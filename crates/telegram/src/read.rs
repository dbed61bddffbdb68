//! What somebody wants who sends an update. Pure.
//!
//! A file is known by what kind of message it came in and by nothing in its name: what it is, its
//! bytes say later.
//!
//! **Invariant:** whatever an update has in it, reading it gives something or nothing, and never an
//! error.

use frankenstein::types::{CallbackQuery, ChatType, MaybeInaccessibleMessage, Message};
use frankenstein::updates::{Update, UpdateContent};
use serde_json::Value;

/// An update as the bot understands it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Incoming {
    pub(crate) chat: i64,
    /// Whether only this person and the bot are there.
    pub(crate) private: bool,
    pub(crate) user: Option<i64>,
    pub(crate) language: Option<String>,
    /// The message; for a button, the one that it stands under.
    pub(crate) message: i64,
    pub(crate) what: What,
}

/// What it wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// A command, and what was typed after it.
    Command(Command, String),
    /// A file, and what was typed under it.
    File(Attached, String),
    /// A text.
    Text(String),
    /// A button was pressed.
    Press {
        /// By which the press is answered.
        query: String,
        data: String,
    },
    /// Something that the bot cannot take: a picture, a sticker, a place.
    Other,
    /// Nothing that anybody waits for an answer to.
    Nothing,
}

/// The commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    Start,
    Help,
    List,
    Find,
    Text,
    Link,
    Unlink,
    /// One that there is not.
    Unknown,
}

/// A file that was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Attached {
    pub(crate) id: String,
    pub(crate) name: Option<String>,
    pub(crate) size_bytes: Option<u64>,
    /// Whether it was sent as a file of any kind, and may be a torrent.
    pub(crate) any: bool,
}

/// Reads an update that was sent to the bot of this name.
pub(crate) fn read(update: &Value, bot: &str) -> Option<Incoming> {
    let update: Update = serde_json::from_value(update.clone()).ok()?;
    match update.content {
        UpdateContent::Message(message) => Some(of_message(&message, bot)),
        UpdateContent::CallbackQuery(query) => of_press(&query),
        _ => None,
    }
}

fn of_press(query: &CallbackQuery) -> Option<Incoming> {
    let (chat, message) = match query.message.as_ref()? {
        MaybeInaccessibleMessage::Message(message) => (&*message.chat, message.message_id),
        MaybeInaccessibleMessage::InaccessibleMessage(gone) => (&gone.chat, gone.message_id),
    };
    Some(Incoming {
        chat: chat.id,
        private: chat.type_field == ChatType::Private,
        user: i64::try_from(query.from.id).ok(),
        language: query.from.language_code.clone(),
        message: i64::from(message),
        what: What::Press { query: query.id.clone(), data: query.data.clone().unwrap_or_default() },
    })
}

fn of_message(message: &Message, bot: &str) -> Incoming {
    let from = message.from.as_deref().filter(|user| !user.is_bot);
    let private = message.chat.type_field == ChatType::Private;
    Incoming {
        chat: message.chat.id,
        private,
        user: from.and_then(|user| i64::try_from(user.id).ok()),
        language: from.and_then(|user| user.language_code.clone()),
        message: i64::from(message.message_id),
        what: wanted(message, private, bot),
    }
}

fn wanted(message: &Message, private: bool, bot: &str) -> What {
    if let Some(file) = attached(message) {
        return What::File(file, message.caption.clone().unwrap_or_default());
    }
    if let Some(text) = &message.text {
        return match command(text, bot) {
            Some(Addressed::Us(command, rest)) => What::Command(command, rest),
            Some(Addressed::Others) => What::Nothing,
            None => What::Text(text.clone()),
        };
    }
    let sent = message.photo.is_some()
        || message.sticker.is_some()
        || message.location.is_some()
        || message.contact.is_some()
        || message.poll.is_some();
    if sent && private { What::Other } else { What::Nothing }
}

fn attached(message: &Message) -> Option<Attached> {
    let file = |id: &str, name: Option<&String>, size_bytes, any| {
        Some(Attached { id: id.to_owned(), name: name.cloned(), size_bytes, any })
    };
    if let Some(it) = &message.voice {
        return file(&it.file_id, None, it.file_size, false);
    }
    if let Some(it) = &message.audio {
        let name = it.title.as_ref().or(it.file_name.as_ref());
        return file(&it.file_id, name, it.file_size, false);
    }
    if let Some(it) = &message.video_note {
        return file(&it.file_id, None, it.file_size, false);
    }
    if let Some(it) = &message.video {
        return file(&it.file_id, it.file_name.as_ref(), it.file_size, false);
    }
    let it = message.document.as_ref()?;
    file(&it.file_id, it.file_name.as_ref(), it.file_size, true)
}

enum Addressed {
    Us(Command, String),
    Others,
}

/// `/list`, or `/list@bot` where several bots hear it.
fn command(text: &str, bot: &str) -> Option<Addressed> {
    let typed = text.strip_prefix('/')?;
    let (word, rest) = typed.split_once(char::is_whitespace).unwrap_or((typed, ""));
    let (name, to) = word.split_once('@').unwrap_or((word, bot));
    if !to.eq_ignore_ascii_case(bot) {
        return Some(Addressed::Others);
    }
    let command = match name.to_ascii_lowercase().as_str() {
        "start" => Command::Start,
        "help" => Command::Help,
        "list" => Command::List,
        "find" => Command::Find,
        "text" => Command::Text,
        "link" => Command::Link,
        "unlink" => Command::Unlink,
        _ => Command::Unknown,
    };
    Some(Addressed::Us(command, rest.trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn of(part: &Value) -> Option<Incoming> {
        let mut message = json!({
            "message_id": 5, "date": 1, "chat": {"id": 7, "type": "private", "first_name": "A"},
            "from": {"id": 7, "is_bot": false, "first_name": "A", "language_code": "ru"},
        });
        let parts = part.as_object().unwrap().clone();
        message.as_object_mut().unwrap().extend(parts);
        read(&json!({"update_id": 1, "message": message}), "verst_bot")
    }

    fn what(part: &Value) -> What {
        of(part).unwrap().what
    }

    #[test]
    fn files_are_known_by_what_they_came_in() {
        let file = |name: &str, extra: &Value| {
            let mut file = json!({"file_id": "F", "file_unique_id": "U", "file_size": 9});
            file.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
            match what(&json!({name: file, "caption": "under it"})) {
                What::File(file, under) => {
                    assert_eq!((file.id.as_str(), file.size_bytes), ("F", Some(9)));
                    assert_eq!(under, "under it");
                    (file.name, file.any)
                }
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(file("voice", &json!({"duration": 1})), (None, false));
        let song = json!({"duration": 1, "file_name": "a.oga", "title": "Song"});
        assert_eq!(file("audio", &song), (Some("Song".to_owned()), false));
        assert_eq!(file("video_note", &json!({"duration": 1, "length": 9})), (None, false));
        let movie = json!({"duration": 1, "width": 1, "height": 1, "file_name": "f.mp4"});
        assert_eq!(file("video", &movie), (Some("f.mp4".to_owned()), false));
        let any = json!({"file_name": "x.pdf"});
        assert_eq!(file("document", &any), (Some("x.pdf".to_owned()), true));
    }

    #[test]
    fn what_is_forwarded_is_read_like_what_is_said() {
        let origin = json!({"type": "hidden_user", "date": 1, "sender_user_name": "B"});
        let voice = json!({"file_id": "F", "file_unique_id": "U", "duration": 1});
        let read = what(&json!({"forward_origin": origin, "voice": voice}));
        assert!(matches!(read, What::File(..)), "{read:?}");
    }

    #[test]
    fn commands_are_ours_or_somebody_elses() {
        let of = |text: &str| what(&json!({"text": text}));
        let ours = |command, rest: &str| What::Command(command, rest.to_owned());
        assert_eq!(of("/start"), ours(Command::Start, ""));
        assert_eq!(of("/FIND  two  words "), ours(Command::Find, "two  words"));
        assert_eq!(of("/list@Verst_Bot"), ours(Command::List, ""));
        assert_eq!(of("/list@other_bot"), What::Nothing);
        assert_eq!(of("/link\nabc"), ours(Command::Link, "abc"));
        assert_eq!(of("/dance"), ours(Command::Unknown, ""));
        assert_eq!(of("a /list"), What::Text("a /list".to_owned()));
    }

    #[test]
    fn who_and_where_are_known() {
        let read = of(&json!({"text": "a"})).unwrap();
        assert_eq!((read.chat, read.user, read.private, read.message), (7, Some(7), true, 5));
        assert_eq!(read.language.as_deref(), Some("ru"));
        let group = json!({"id": -100, "type": "supergroup", "title": "G"});
        let read = of(&json!({"text": "a", "chat": group})).unwrap();
        assert!(!read.private);
        let press = json!({"update_id": 1, "callback_query": {
            "id": "q", "chat_instance": "c", "data": "s:1",
            "from": {"id": 8, "is_bot": false, "first_name": "B"},
            "message": {"message_id": 6, "date": 0, "chat": {"id": -100, "type": "group"}},
        }});
        let read = read_any(&press).unwrap();
        assert_eq!((read.chat, read.user, read.message), (-100, Some(8), 6));
    }

    fn read_any(update: &Value) -> Option<Incoming> {
        read(update, "verst_bot")
    }

    #[test]
    fn what_nobody_knows_is_nothing() {
        assert_eq!(read_any(&json!({})), None);
        assert_eq!(read_any(&json!({"update_id": 1, "from_the_future": {}})), None);
        assert_eq!(what(&json!({})), What::Nothing);
        assert_eq!(what(&json!({"photo": []})), What::Other);
    }
}
