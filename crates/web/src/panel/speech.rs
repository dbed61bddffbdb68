//! What a template says, in one language.

use verst_service::{Failure, Timestamp};
use verst_words::{Arg, Language, Words};

use crate::app::App;
use crate::problem::sentence;
use crate::tongue;

/// A language, with its tag for HTML.
#[derive(Clone, Copy)]
pub(crate) struct Speech<'a> {
    pub(crate) words: &'a Words,
    pub(crate) tag: &'static str,
}

/// What a kibibyte and its kin are called.
const UNITS: [&str; 5] = ["unit-bytes", "unit-kib", "unit-mib", "unit-gib", "unit-tib"];

impl<'a> Speech<'a> {
    pub(crate) fn of(app: &'a App, language: Language) -> Self {
        Self { words: app.tongues.words(language), tag: tongue::tag(language) }
    }

    pub(crate) fn say(&self, key: &str) -> String {
        self.words.say(key, &[])
    }

    /// A sentence with a text in it.
    pub(crate) fn with(&self, key: &str, name: &str, text: &str) -> String {
        self.words.say(key, &[(name, Arg::Text(text))])
    }

    /// A sentence with a number in it.
    pub(crate) fn count(&self, key: &str, count: usize) -> String {
        let count = i64::try_from(count).unwrap_or(i64::MAX);
        self.words.say(key, &[("count", Arg::Int(count))])
    }

    /// Why, as every face says it.
    pub(crate) fn why(&self, failure: &Failure) -> String {
        sentence(failure, self.words)
    }

    pub(crate) fn milestone(&self, name: &str) -> String {
        self.say(&format!("milestone-{name}"))
    }

    /// A size, with a digit behind the point where there are few before it.
    pub(crate) fn size(&self, bytes: u64) -> String {
        let mut unit = 0;
        let (mut whole, mut tenths) = (bytes, 0);
        while whole >= 1024 && unit + 1 < UNITS.len() {
            tenths = whole % 1024 * 10 / 1024;
            whole /= 1024;
            unit += 1;
        }
        let point = self.say("unit-point");
        let number = if unit > 0 && whole < 10 {
            format!("{whole}{point}{tenths}")
        } else {
            whole.to_string()
        };
        self.with(UNITS[unit], "number", &number)
    }
}

/// A time for those whose browser runs no script; the others are shown it in their own zone.
pub(crate) fn plain_time(at: Timestamp) -> String {
    let at = jiff::Timestamp::from_microsecond(at.0).unwrap_or_default();
    at.strftime("%Y-%m-%d %H:%M UTC").to_string()
}

/// A length as a player shows it.
pub(crate) fn clock(ms: u64) -> String {
    let seconds = ms / 1000;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{minutes}:{seconds:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_lengths_are_short() {
        let words = Words::new(Language::English);
        let speech = Speech { words: &words, tag: "en" };
        for (bytes, shown) in [
            (0, "0 B"),
            (1023, "1023 B"),
            (1024, "1.0 KiB"),
            (10 * 1024, "10 KiB"),
            (1_600_000, "1.5 MiB"),
            (u64::MAX, "16777215 TiB"),
        ] {
            assert_eq!(speech.size(bytes), shown, "{bytes}");
        }
        for (ms, shown) in [(0, "0:00"), (61_999, "1:01"), (3_600_000, "1:00:00")] {
            assert_eq!(clock(ms), shown, "{ms}");
        }
    }
}
