//! What Telegram's refusals mean. It tells many of them apart only by an English sentence.

use std::time::Duration;

use frankenstein::response::ErrorResponse;
use thiserror::Error;

/// Why a call came to nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(crate) enum ApiError {
    #[error("telegram knows no such bot")]
    Unauthorised,
    #[error("somebody else asks for the same updates")]
    Conflict,
    #[error("too many requests; again in {0:?}")]
    SlowDown(Duration),
    #[error("the person has blocked the bot, or it was thrown out of the chat")]
    Blocked,
    #[error("there is no such chat any more")]
    ChatGone,
    #[error("the chat has another number by now")]
    Migrated(i64),
    #[error("the message says that already")]
    NotModified,
    #[error("there is no such message any more")]
    MessageGone,
    #[error("the file is larger than what is handed out")]
    FileTooBig,
    #[error("telegram answers with {0}")]
    Server(u16),
    #[error("telegram cannot be reached")]
    Unreachable,
    #[error("telegram refuses with {0}")]
    Refused(u16),
    #[error("telegram's answer is not understood")]
    Unexpected,
}

impl ApiError {
    pub(crate) fn of(error: &ErrorResponse) -> Self {
        let code = u16::try_from(error.error_code).unwrap_or(0);
        let said = error.description.to_ascii_lowercase();
        let has = |part: &str| said.contains(part);
        if let Some(seconds) = error.parameters.and_then(|it| it.retry_after) {
            return Self::SlowDown(Duration::from_secs(u64::from(seconds)));
        }
        if let Some(chat) = error.parameters.and_then(|it| it.migrate_to_chat_id) {
            return Self::Migrated(chat);
        }
        match code {
            401 | 404 => Self::Unauthorised,
            403 => Self::Blocked,
            409 => Self::Conflict,
            429 => Self::SlowDown(Duration::from_secs(5)),
            400 if has("message is not modified") => Self::NotModified,
            400 if has("message to edit not found")
                || has("message to delete not found")
                || has("message can't be edited")
                || has("message can't be deleted")
                || has("message_id_invalid") =>
            {
                Self::MessageGone
            }
            400 if has("chat not found")
                || has("peer_id_invalid")
                || has("group chat was deactivated")
                || has("have no rights to send") =>
            {
                Self::ChatGone
            }
            400 if has("file is too big") => Self::FileTooBig,
            500.. => Self::Server(code),
            code => Self::Refused(code),
        }
    }

    /// Label in metrics and logs.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Unauthorised => "unauthorised",
            Self::Conflict => "conflict",
            Self::SlowDown(_) => "slow_down",
            Self::Blocked => "blocked",
            Self::ChatGone => "chat_gone",
            Self::Migrated(_) => "migrated",
            Self::NotModified => "not_modified",
            Self::MessageGone => "message_gone",
            Self::FileTooBig => "file_too_big",
            Self::Server(_) => "server",
            Self::Unreachable => "unreachable",
            Self::Refused(_) => "refused",
            Self::Unexpected => "unexpected",
        }
    }

    /// Whether the same call may go through a little later.
    pub(crate) fn passes(&self) -> bool {
        matches!(self, Self::SlowDown(_) | Self::Server(_) | Self::Unreachable | Self::Unauthorised)
    }
}
