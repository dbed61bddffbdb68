//! The methods that the bot calls.

use std::time::Duration;

use bytes::Bytes;
use frankenstein::methods::{
    AnswerCallbackQueryParams, DeleteMessageParams, EditMessageTextParams, GetUpdatesParams,
    SendMessageParams, SetMyCommandsParams,
};
use frankenstein::types::{
    AllowedUpdate, BotCommand, InlineKeyboardMarkup, LinkPreviewOptions, Message, ReplyMarkup,
    ReplyParameters, User,
};
use frankenstein::{ParseMode, types::ChatId};
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};

use super::{Api, ApiError, PATIENCE};

/// How long Telegram is asked to wait until there is something to say.
const POLL_S: u32 = 25;
/// Updates of one answer; no more are given.
const BATCH: u32 = 100;
/// Messages of the bot have numbers like those of people.
type MessageId = i64;

/// A message on its way out.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Outgoing {
    pub(crate) chat: i64,
    /// The message that it answers, if that is still there.
    pub(crate) answers: Option<MessageId>,
    /// In Telegram's HTML.
    pub(crate) html: String,
    pub(crate) keyboard: Option<InlineKeyboardMarkup>,
    /// Whether it comes without a sound.
    pub(crate) silent: bool,
}

impl Api {
    pub(crate) async fn get_me(&self) -> Result<User, ApiError> {
        self.call("getMe", &json!({}), PATIENCE).await
    }

    /// Updates from this number on. Each is read by itself, so that one of a kind that nobody knows
    /// yet keeps none of the others away.
    pub(crate) async fn get_updates(&self, offset: i64) -> Result<Vec<Value>, ApiError> {
        let params = GetUpdatesParams::builder()
            .offset(offset)
            .limit(BATCH)
            .timeout(POLL_S)
            .allowed_updates(vec![AllowedUpdate::Message, AllowedUpdate::CallbackQuery])
            .build();
        let patience = PATIENCE + Duration::from_secs(u64::from(POLL_S));
        self.call("getUpdates", &params, patience).await
    }

    pub(crate) async fn send(&self, out: &Outgoing) -> Result<MessageId, ApiError> {
        let params = SendMessageParams::builder()
            .chat_id(ChatId::Integer(out.chat))
            .text(out.html.clone())
            .parse_mode(ParseMode::Html)
            .link_preview_options(LinkPreviewOptions::builder().is_disabled(true).build())
            .disable_notification(out.silent)
            .maybe_reply_parameters(answers(out.answers))
            .maybe_reply_markup(out.keyboard.clone().map(ReplyMarkup::InlineKeyboardMarkup))
            .build();
        let sent: Message = self.call("sendMessage", &params, PATIENCE).await?;
        Ok(MessageId::from(sent.message_id))
    }

    /// Changes what a message of ours says, and its buttons.
    pub(crate) async fn edit(&self, message: MessageId, out: &Outgoing) -> Result<(), ApiError> {
        let params = EditMessageTextParams::builder()
            .chat_id(ChatId::Integer(out.chat))
            .message_id(narrow(message)?)
            .text(out.html.clone())
            .parse_mode(ParseMode::Html)
            .link_preview_options(LinkPreviewOptions::builder().is_disabled(true).build())
            .maybe_reply_markup(out.keyboard.clone())
            .build();
        self.call::<_, Message>("editMessageText", &params, PATIENCE).await.map(drop)
    }

    pub(crate) async fn delete(&self, chat: i64, message: MessageId) -> Result<(), ApiError> {
        let params = DeleteMessageParams::builder()
            .chat_id(ChatId::Integer(chat))
            .message_id(narrow(message)?)
            .build();
        self.call::<_, bool>("deleteMessage", &params, PATIENCE).await.map(drop)
    }

    /// Sends a file under a name of ours.
    pub(crate) async fn send_document(
        &self,
        chat: i64,
        answers_to: Option<MessageId>,
        name: &str,
        bytes: Bytes,
    ) -> Result<(), ApiError> {
        let part = Part::stream_with_length(bytes.clone(), bytes.len() as u64);
        let part = part.file_name(name.to_owned());
        let part = part.mime_str("text/plain").map_err(|_| ApiError::Unexpected)?;
        let mut form = Form::new().text("chat_id", chat.to_string()).part("document", part);
        if let Some(reply) = answers(answers_to) {
            let reply = serde_json::to_string(&reply).map_err(|_| ApiError::Unexpected)?;
            form = form.text("reply_parameters", reply);
        }
        self.upload::<Message>("sendDocument", form).await.map(drop)
    }

    /// Ends the wait of a button that was pressed.
    pub(crate) async fn answer(&self, query: &str, text: &str) -> Result<(), ApiError> {
        let params =
            AnswerCallbackQueryParams::builder().callback_query_id(query).text(text).build();
        self.call::<_, bool>("answerCallbackQuery", &params, PATIENCE).await.map(drop)
    }

    /// What is shown where a person begins to type a command.
    pub(crate) async fn set_commands(
        &self,
        language: Option<&str>,
        commands: Vec<BotCommand>,
    ) -> Result<(), ApiError> {
        let params = SetMyCommandsParams::builder()
            .commands(commands)
            .maybe_language_code(language.map(str::to_owned))
            .build();
        self.call::<_, bool>("setMyCommands", &params, PATIENCE).await.map(drop)
    }
}

fn answers(message: Option<MessageId>) -> Option<ReplyParameters> {
    let message = i32::try_from(message?).ok()?;
    let reply = ReplyParameters::builder().message_id(message);
    Some(reply.allow_sending_without_reply(true).build())
}

fn narrow(message: MessageId) -> Result<i32, ApiError> {
    i32::try_from(message).map_err(|_| ApiError::MessageGone)
}
