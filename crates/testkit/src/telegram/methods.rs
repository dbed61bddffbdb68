//! What the server does when it is called.

use std::sync::Arc;

use serde_json::{Value, json};
use tokio::time::{Instant, timeout_at};

use super::markup::{Parsed, parse};
use super::server::{Form, Inner};
use super::state::{Sent, State, me};

/// Why a call was refused.
#[derive(Debug)]
pub(super) struct Refused {
    pub(super) code: u16,
    pub(super) description: String,
    pub(super) retry_after: Option<u64>,
}

impl Refused {
    pub(super) fn of(code: u16, description: &str) -> Self {
        Self { code, description: description.to_owned(), retry_after: None }
    }

    fn bad(description: &str) -> Self {
        Self::of(400, &format!("Bad Request: {description}"))
    }
}

type Answer = Result<Value, Refused>;

pub(super) async fn answer(inner: &Arc<Inner>, method: &str, form: Form) -> Answer {
    if method == "getUpdates" {
        return updates(inner, &form).await;
    }
    let mut state = inner.state.lock().unwrap();
    match method {
        "getMe" => Ok(me()),
        "setMyCommands" => {
            let count = form.params.get("commands").and_then(Value::as_array).map_or(0, Vec::len);
            state.commands.insert(form.text("language_code"), count);
            Ok(json!(true))
        }
        "sendMessage" => send(&mut state, &form),
        "sendDocument" => send_document(&mut state, form),
        "editMessageText" => edit(&mut state, &form),
        "editMessageReplyMarkup" => edit_markup(&mut state, &form),
        "deleteMessage" => delete(&mut state, &form),
        "sendChatAction" => here(&state, &form).map(|_| json!(true)),
        "answerCallbackQuery" => {
            let text = form.text("text");
            if text.encode_utf16().count() > 200 {
                return Err(Refused::bad("MESSAGE_TOO_LONG"));
            }
            state.answers.push((form.text("callback_query_id"), text));
            Ok(json!(true))
        }
        "getFile" => get_file(&state, &form),
        _ => Err(Refused::of(404, "Not Found")),
    }
}

/// Waits for what is to be said from a number on; everything before it is confirmed and forgotten.
async fn updates(inner: &Arc<Inner>, form: &Form) -> Answer {
    let offset = form.number("offset").unwrap_or(0);
    let until = Instant::now() + form.seconds("timeout");
    let limit = form.number("limit").and_then(|it| usize::try_from(it).ok()).unwrap_or(100);
    let allowed = form.params.get("allowed_updates").and_then(Value::as_array).cloned();
    let mine = {
        let mut state = inner.state.lock().unwrap();
        state.polling += 1;
        let known = state.updates.back().is_some_and(|(id, _)| *id >= offset - 1);
        if known || state.updates.is_empty() {
            state.updates.retain(|(id, _)| *id >= offset);
        }
        state.polling
    };
    inner.came.notify_waiters();
    loop {
        let came = inner.came.notified();
        {
            let state = inner.state.lock().unwrap();
            if state.rival || state.polling != mine {
                return Err(Refused::of(
                    409,
                    "Conflict: terminated by other getUpdates request; make sure that only one bot \
                     instance is running",
                ));
            }
            let kind = |update: &Value| {
                let object = update.as_object();
                object.and_then(|it| it.keys().find(|key| *key != "update_id").cloned())
            };
            let wanted = |update: &Value| {
                let allowed = allowed.as_ref();
                allowed.is_none_or(|it| kind(update).is_some_and(|kind| it.contains(&json!(kind))))
            };
            let found = state.updates.iter().map(|(_, update)| update).filter(|it| wanted(it));
            let found: Vec<Value> = found.take(limit).cloned().collect();
            if !found.is_empty() {
                return Ok(json!(found));
            }
        }
        if timeout_at(until, came).await.is_err() {
            return Ok(json!([]));
        }
    }
}

/// The chat that is spoken in.
fn here(state: &State, form: &Form) -> Result<i64, Refused> {
    let chat = form.number("chat_id").ok_or_else(|| Refused::bad("chat_id is empty"))?;
    if state.gone.contains(&chat) {
        return Err(Refused::bad("chat not found"));
    }
    if state.blocked.contains(&chat) {
        return Err(Refused::of(403, "Forbidden: bot was blocked by the user"));
    }
    Ok(chat)
}

fn read(form: &Form, too_long: &str) -> Result<Parsed, Refused> {
    let text = form.text("text");
    let parsed = if form.text("parse_mode") == "HTML" {
        parse(&text).map_err(|why| Refused::bad(&format!("can't parse entities: {why}")))?
    } else {
        Parsed { text, entities: Vec::new() }
    };
    if parsed.text.trim().is_empty() {
        return Err(Refused::bad("message text is empty"));
    }
    if parsed.text.encode_utf16().count() > 4096 {
        return Err(Refused::bad(too_long));
    }
    Ok(parsed)
}

/// Buttons, each with what is in it.
fn buttons(keyboard: &Value) -> Result<Vec<(String, String)>, Refused> {
    let mut found = Vec::new();
    let rows = keyboard.get("inline_keyboard").and_then(Value::as_array).into_iter().flatten();
    for button in rows.filter_map(Value::as_array).flatten() {
        let of = |name: &str| button.get(name).and_then(Value::as_str).unwrap_or_default();
        let (text, data, url) = (of("text"), of("callback_data"), of("url"));
        if text.is_empty() || data.is_empty() == url.is_empty() {
            return Err(Refused::bad("Text buttons are unallowed in the inline keyboard"));
        }
        if data.len() > 64 {
            return Err(Refused::bad("BUTTON_DATA_INVALID"));
        }
        let host = url.split("://").nth(1).and_then(|it| it.split(['/', ':']).next());
        if !url.is_empty() && !host.is_some_and(|host| host.contains('.')) {
            let said = format!("inline keyboard button URL '{url}' is invalid: Wrong HTTP URL");
            return Err(Refused::bad(&said));
        }
        found.push((text.to_owned(), if data.is_empty() { url } else { data }.to_owned()));
    }
    Ok(found)
}

fn answered(form: &Form) -> Option<i64> {
    form.params.get("reply_parameters")?.get("message_id")?.as_i64()
}

fn keyboard(form: &Form) -> Value {
    form.params.get("reply_markup").cloned().unwrap_or(Value::Null)
}

fn send(state: &mut State, form: &Form) -> Answer {
    let chat = here(state, form)?;
    let parsed = read(form, "message is too long")?;
    let keyboard = keyboard(form);
    state.next_message += 1;
    let sent = Sent {
        id: state.next_message,
        text: parsed.text,
        buttons: buttons(&keyboard)?,
        answers: answered(form),
        silent: form.params.get("disable_notification") == Some(&json!(true)),
        document: None,
        edited: Vec::new(),
        html: form.text("text"),
        keyboard,
    };
    let message = State::message(chat, &sent, &parsed.entities);
    state.messages.insert((chat, sent.id), sent);
    Ok(message)
}

fn send_document(state: &mut State, form: Form) -> Answer {
    let chat = here(state, &form)?;
    let (answers, keyboard) = (answered(&form), keyboard(&form));
    let document = form.file.ok_or_else(|| Refused::bad("there is no document in the request"))?;
    if document.1.is_empty() {
        return Err(Refused::bad("file must be non-empty"));
    }
    state.next_message += 1;
    let sent = Sent {
        id: state.next_message,
        text: String::new(),
        buttons: Vec::new(),
        answers,
        silent: false,
        document: Some(document),
        edited: Vec::new(),
        html: String::new(),
        keyboard,
    };
    let message = State::message(chat, &sent, &[]);
    state.messages.insert((chat, sent.id), sent);
    Ok(message)
}

fn edit(state: &mut State, form: &Form) -> Answer {
    let chat = here(state, form)?;
    let parsed = read(form, "MESSAGE_TOO_LONG")?;
    let (keyboard, html) = (keyboard(form), form.text("text"));
    let buttons = buttons(&keyboard)?;
    let place = (chat, form.number("message_id").unwrap_or(0));
    let old = state.messages.get_mut(&place);
    let old = old.ok_or_else(|| Refused::bad("message to edit not found"))?;
    if old.html == html && old.keyboard == keyboard {
        return Err(Refused::bad(
            "message is not modified: specified new message content and reply markup are exactly the \
             same as a current content and reply markup of the message",
        ));
    }
    old.edited.push(Instant::now());
    (old.text, old.html, old.keyboard, old.buttons) = (parsed.text, html, keyboard, buttons);
    let sent = old.clone();
    Ok(State::message(chat, &sent, &parsed.entities))
}

fn edit_markup(state: &mut State, form: &Form) -> Answer {
    let chat = here(state, form)?;
    let keyboard = keyboard(form);
    let buttons = buttons(&keyboard)?;
    let place = (chat, form.number("message_id").unwrap_or(0));
    let old = state.messages.get_mut(&place);
    let old = old.ok_or_else(|| Refused::bad("message to edit not found"))?;
    if old.keyboard == keyboard {
        return Err(Refused::bad("message is not modified"));
    }
    (old.keyboard, old.buttons) = (keyboard, buttons);
    let sent = old.clone();
    Ok(State::message(chat, &sent, &[]))
}

fn delete(state: &mut State, form: &Form) -> Answer {
    let chat = here(state, form)?;
    let place = (chat, form.number("message_id").unwrap_or(0));
    if state.messages.remove(&place).is_none() {
        return Err(Refused::bad("message to delete not found"));
    }
    state.deleted.insert(place);
    Ok(json!(true))
}

fn get_file(state: &State, form: &Form) -> Answer {
    let id = form.text("file_id");
    let found = state.files.get(&id);
    let (path, bytes) = found.ok_or_else(|| Refused::bad("invalid file_id"))?;
    let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    if size > state.largest_file {
        return Err(Refused::bad("file is too big"));
    }
    Ok(
        json!({"file_id": id, "file_unique_id": format!("u{id}"), "file_size": size, "file_path": path}),
    )
}
