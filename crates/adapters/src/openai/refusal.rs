//! What an answer without a transcription means. Pure. Decided by status, code and parameter; a
//! message is looked at only for what servers say in no other way, and never kept.
//!
//! **Invariant:** what a server may have done and charged for is [`No::Unknown`]; everything else
//! is a definite no.

use std::time::Duration;

use serde_json::Value;

/// An answer that is no transcription.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Answer<'a> {
    pub(super) status: u16,
    /// Seconds, where the server gives them.
    pub(super) retry_after: Option<Duration>,
    /// Whether it is a page for people.
    pub(super) html: bool,
    pub(super) body: &'a [u8],
}

/// What it means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum No {
    /// The provider as a whole does not serve: why, and when to look again.
    Paused(&'static str, Duration),
    /// The model is not there.
    Model,
    /// The model does not know the language.
    Language,
    /// More than it takes at once.
    TooMuch,
    /// It does not give times.
    Untimed,
    /// It will not take this recording.
    Refused,
    /// It failed this time.
    Failed,
    /// Nobody knows whether it did what was asked.
    Unknown,
}

/// Why a provider is paused; the sentence says what to do.
pub(super) const KEY: &str = "key";
pub(super) const QUOTA: &str = "quota";
pub(super) const RATE: &str = "rate";
pub(super) const MODEL: &str = "model";
pub(super) const ADDRESS: &str = "address";
pub(super) const UNREACHABLE: &str = "unreachable";

/// When to look again whether a person has mended it.
pub(super) const MENDED: Duration = Duration::from_mins(5);
/// When to look again for a server that was not there, or was too busy and did not say how long.
pub(super) const SOON: Duration = Duration::from_secs(30);
/// The longest wait that a server may ask for.
const LONGEST: Duration = Duration::from_hours(1);

pub(super) fn judge(answer: Answer<'_>) -> No {
    let told = Told::read(answer.body);
    match answer.status {
        401 | 403 => No::Paused(KEY, MENDED),
        429 if told.is(&["insufficient_quota", "billing_hard_limit_reached"]) => {
            No::Paused(QUOTA, MENDED)
        }
        402 => No::Paused(QUOTA, MENDED),
        429 => {
            let delay = answer.retry_after.unwrap_or(SOON);
            No::Paused(RATE, delay.clamp(Duration::from_secs(1), LONGEST))
        }
        413 => No::TooMuch,
        400 | 404 | 422 if told.names_model() => No::Model,
        400 | 422 if told.names("response_format") => No::Untimed,
        400 | 422 if told.names("language") => No::Language,
        400 | 422 if told.is_too_long() => No::TooMuch,
        // An address that leads elsewhere: another service, a page, a proxy.
        300..=399 | 404 | 405 => No::Paused(ADDRESS, MENDED),
        // The server itself says that it did not do it: it failed, or the request did not come.
        408 | 409 | 425 | 500 | 501 | 503 | 507 | 529 => No::Failed,
        200..=299 | 400..=499 if answer.html => No::Paused(ADDRESS, MENDED),
        400..=499 => No::Refused,
        // Read and not understood; or said by what stands before the server, which may have gone
        // on and charged for it.
        _ => No::Unknown,
    }
}

/// What an error says of itself: OpenAI's `{"error": {...}}`, or FastAPI's `{"detail": ...}`.
#[derive(Debug, Default)]
struct Told {
    code: String,
    param: String,
    message: String,
}

impl Told {
    fn read(body: &[u8]) -> Self {
        let Ok(value) = serde_json::from_slice::<Value>(body) else { return Self::default() };
        let error = value.get("error").unwrap_or(&value);
        let text = |key: &str| error.get(key).and_then(Value::as_str).unwrap_or_default();
        let code = if text("code").is_empty() { text("type") } else { text("code") };
        let detail = error.get("detail").map(Value::to_string).unwrap_or_default();
        let message = if error.is_string() {
            error.to_string()
        } else {
            format!("{}{detail}", text("message"))
        };
        Self {
            code: code.to_lowercase(),
            param: text("param").to_lowercase(),
            message: message.to_lowercase(),
        }
    }

    fn is(&self, codes: &[&str]) -> bool {
        codes.contains(&self.code.as_str())
    }

    /// Whether it is about this parameter.
    fn names(&self, param: &str) -> bool {
        self.param == param || (self.param.is_empty() && self.message.contains(param))
    }

    fn names_model(&self) -> bool {
        let unknown = ["not found", "does not exist", "invalid model", "not installed", "unknown"];
        self.is(&["model_not_found"])
            || self.param == "model"
            || (self.message.contains("model")
                && unknown.iter().any(|words| self.message.contains(words)))
    }

    fn is_too_long(&self) -> bool {
        let long = ["too long", "longer than", "maximum content size", "too large"];
        long.iter().any(|words| self.message.contains(words))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(status: u16, body: &str, expected: No) {
        let answer = Answer { status, body: body.as_bytes(), ..Answer::default() };
        assert_eq!(judge(answer), expected, "{status} {body}");
    }

    fn openai(code: &str, param: &str, message: &str) -> String {
        let text =
            |value: &str| if value.is_empty() { "null".into() } else { format!("{value:?}") };
        format!(
            r#"{{"error":{{"message":{message:?},"type":"invalid_request_error",
                "param":{},"code":{}}}}}"#,
            text(param),
            text(code)
        )
    }

    #[test]
    fn statuses_codes_and_parameters_decide() {
        let mended = |why| No::Paused(why, MENDED);
        check(401, &openai("invalid_api_key", "", "Incorrect API key"), mended(KEY));
        check(403, "", mended(KEY));
        check(429, &openai("insufficient_quota", "", "You exceeded"), mended(QUOTA));
        check(429, &openai("rate_limit_exceeded", "", "Rate limit"), No::Paused(RATE, SOON));
        check(402, "", mended(QUOTA));
        check(404, &openai("model_not_found", "", "The model `x` does not exist"), No::Model);
        check(400, &openai("", "", "invalid model ID"), No::Model);
        check(404, r#"{"detail":"Model 'x' is not installed locally."}"#, No::Model);
        check(404, r#"{"detail":"Not Found"}"#, mended(ADDRESS));
        check(405, "", mended(ADDRESS));
        check(302, "", mended(ADDRESS));
        check(413, "<html>413 Request Entity Too Large</html>", No::TooMuch);
        let long = "audio duration 1500.0 seconds is longer than 1400 seconds which is the maximum";
        check(400, &openai("invalid_value", "", long), No::TooMuch);
        let format = "response_format 'verbose_json' is not compatible with model";
        check(400, &openai("unsupported_value", "response_format", format), No::Untimed);
        let fastapi = r#"{"detail":[{"type":"enum","loc":["body","response_format"],"msg":"no"}]}"#;
        check(422, fastapi, No::Untimed);
        check(400, &openai("", "language", "Language parameter must be"), No::Language);
        check(400, &openai("", "", "Invalid file format."), No::Refused);
        check(415, "", No::Refused);
        check(408, "", No::Failed);
        for status in [500, 503, 529] {
            check(status, "", No::Failed);
        }
        for status in [200, 204, 502, 504, 524] {
            check(status, "not what was asked for", No::Unknown);
        }
    }

    #[test]
    fn pages_for_people_are_another_address_and_waits_are_bounded() {
        for status in [200, 400, 404] {
            let answer = Answer { status, html: true, body: b"<html>", ..Answer::default() };
            assert_eq!(judge(answer), No::Paused(ADDRESS, MENDED), "{status}");
        }
        for (asked, given) in [(0, 1), (20, 20), (1_000_000, 3600)] {
            let retry_after = Some(Duration::from_secs(asked));
            let answer = Answer { status: 429, retry_after, ..Answer::default() };
            assert_eq!(judge(answer), No::Paused(RATE, Duration::from_secs(given)));
        }
    }
}
