//! The language of the person at the terminal, and the two streams it is spoken on.

use std::io::{ErrorKind, Write};
use std::sync::Arc;
use std::time::Duration;

use verst_kernel::{Failure, Timestamp};
use verst_recordings::ports::Warning;
use verst_words::{Arg, Language, Words};

use crate::refusal::Refusal;

#[derive(Clone)]
pub(crate) struct Tongue {
    words: Arc<Words>,
}

impl Tongue {
    /// The language asked for, or that of the locale.
    pub(crate) fn new(wanted: Option<&str>) -> Self {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"]
            .into_iter()
            .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()));
        let tag = wanted.map(str::to_owned).or(locale).unwrap_or_default();
        Self { words: Arc::new(Words::new(Language::of(&tag))) }
    }

    pub(crate) fn say(&self, key: &str, args: &[(&str, Arg<'_>)]) -> String {
        self.words.say(key, args)
    }

    pub(crate) fn failure(&self, failure: &Failure) -> String {
        self.words.failure(failure)
    }

    pub(crate) fn milestone(&self, name: &str) -> String {
        let key = format!("milestone-{name}");
        if self.words.knows(&key) { self.say(&key, &[]) } else { name.to_owned() }
    }

    pub(crate) fn warning(&self, warning: &Warning) -> String {
        let data = warning.data();
        self.words.tell("warning", &data).unwrap_or_else(|| data.code.to_string())
    }

    /// `1:02:03`, `2:03`; seconds with tenths below a minute.
    pub(crate) fn length(&self, duration: Duration) -> String {
        let s = duration.as_secs();
        if s >= 3600 {
            return format!("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
        }
        if s >= 60 {
            return format!("{}:{:02}", s / 60, s % 60);
        }
        let seconds = format!("{:.1}", duration.as_secs_f64());
        self.say("unit-seconds", &[("seconds", Arg::Text(&seconds))])
    }

    /// Writes to standard output. A reader that went away is no trouble of ours; a text that
    /// could not be written is.
    pub(crate) fn print(&self, text: &str) -> Result<(), Refusal> {
        self.put(text.as_bytes())
    }

    /// The same with what may be no text.
    #[expect(clippy::unused_self, reason = "the stream belongs to the conversation")]
    pub(crate) fn put(&self, bytes: &[u8]) -> Result<(), Refusal> {
        let mut out = std::io::stdout().lock();
        match out.write_all(bytes).and_then(|()| out.flush()) {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                Err(Refusal::Cannot("cli-stdout-failed", vec![("cause", error.to_string())]))
            }
            _ => Ok(()),
        }
    }

    /// Writes a line to standard error.
    #[expect(clippy::unused_self, reason = "the stream belongs to the conversation")]
    pub(crate) fn err(&self, line: &str) {
        let _ = writeln!(std::io::stderr().lock(), "{line}");
    }
}

/// Local date and time to the second.
pub(crate) fn moment(at: Timestamp) -> String {
    match jiff::Timestamp::from_microsecond(at.0) {
        Ok(instant) => instant
            .to_zoned_datetime(jiff::tz::TimeZone::system())
            .strftime("%Y-%m-%d %H:%M:%S")
            .to_string(),
        Err(_) => at.0.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_failure_code_and_milestone_has_words_in_both_languages() {
        for language in Language::ALL {
            let words = Words::new(language);
            for code in Failure::CODES
                .iter()
                .chain(&verst_recordings::codes::CODES)
                .chain(&verst_downloads::codes::CODES)
            {
                assert!(words.knows(&format!("failure-{}", code.replace('_', "-"))), "{code}");
            }
            for stage in verst_service::stages() {
                assert!(words.knows(&format!("milestone-{}", stage.name)), "{}", stage.name);
            }
        }
    }

    #[test]
    fn sentences_have_all_their_parameters() {
        let told = [
            Failure::new("too_long").int("limit_s", 5),
            Failure::new("no_progress").int("seconds", 21),
            Failure::new("language_unsupported").term("language", "xx"),
            Failure::new("stuck").int("hours", 24),
        ];
        for language in ["en", "ru"] {
            for failure in &told {
                let sentence = Tongue::new(Some(language)).failure(failure);
                assert!(!sentence.contains('{'), "{sentence}");
            }
        }
        let stuck = Tongue::new(Some("ru")).failure(&Failure::new("stuck").int("hours", 21));
        assert!(stuck.contains("21 часа"), "{stuck}");
    }

    #[test]
    fn lengths_read_like_a_player() {
        let tongue = Tongue::new(Some("ru"));
        let of = |ms| tongue.length(Duration::from_millis(ms));
        assert_eq!(of(2_540), "2.5 с");
        assert_eq!(of(123_000), "2:03");
        assert_eq!(of(3_723_900), "1:02:03");
    }
}
