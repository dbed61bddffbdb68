//! What keeps the bot from working, as failures that people are told.
//!
//! **Invariant:** each has a sentence in every language; a test compares them.

use verst_service::Failure;

use crate::api::ApiError;

/// Telegram knows no bot with this token.
const UNAUTHORISED: &str = "telegram_unauthorised";
/// Somebody else asks for the same bot's updates, or a webhook is set.
const CONFLICT: &str = "telegram_conflict";
/// Telegram cannot be reached, or is in trouble itself.
const UNREACHABLE: &str = "telegram_unreachable";
/// Telegram answered with something that is not understood.
const UNEXPECTED: &str = "telegram_unexpected";

/// Every code, for the test.
#[cfg(test)]
pub(crate) const ALL: [&str; 4] = [UNAUTHORISED, CONFLICT, UNREACHABLE, UNEXPECTED];

/// What an error of asking for updates means to whoever runs the service.
pub(crate) fn trouble(error: &ApiError) -> Failure {
    Failure::new(match error {
        ApiError::Unauthorised => UNAUTHORISED,
        ApiError::Conflict => CONFLICT,
        ApiError::Unreachable | ApiError::Server(_) | ApiError::SlowDown(_) => UNREACHABLE,
        ApiError::Blocked
        | ApiError::ChatGone
        | ApiError::Migrated(_)
        | ApiError::NotModified
        | ApiError::MessageGone
        | ApiError::FileTooBig
        | ApiError::Refused(_)
        | ApiError::Unexpected => UNEXPECTED,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use verst_words::{Language, Words};

    #[test]
    fn every_trouble_has_a_sentence() {
        for language in Language::ALL {
            let words = Words::new(language);
            for code in ALL {
                assert!(words.knows(&format!("failure-{}", code.replace('_', "-"))), "{code}");
            }
        }
    }
}
