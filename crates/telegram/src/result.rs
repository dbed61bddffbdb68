//! The answer at the end: the text of a recording, what became of a download, or why it stopped. Pure.
//!
//! **Invariant:** a long text never keeps anybody from getting it: what does not fit into a message
//! is whole in a file beside its beginning.

use verst_service::{Format, Letter, NoticeKind, Sheet, Transcript, WorkId, export};
use verst_words::Words;

use crate::look::{Look, called, open};
use crate::text::{MESSAGE_UNITS, beginning, escape, units};

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) look: Look,
    /// The whole text, and what the file is called.
    pub(crate) file: Option<(String, String)>,
}

/// The text of a recording that is done.
pub(crate) fn of_text(letter: &Letter, words: &Words, panel: Option<&str>) -> Option<Outcome> {
    let transcript = letter.transcript.as_ref().filter(|_| letter.kind == NoticeKind::Done)?;
    let mut head = String::new();
    if letter.name.is_some() {
        let name = called(letter.name.as_deref(), "telegram-unnamed-recording", letter.work, words);
        head = format!("<b>{}</b>\n", escape(&name));
    }
    for warning in &letter.warnings {
        let told = words.tell("warning", &warning.data());
        head += &told.map(|told| format!("{}\n", escape(&told))).unwrap_or_default();
    }
    let buttons = panel.map(|panel| open(words, panel, "recordings", letter.work));
    let buttons: Vec<_> = buttons.into_iter().collect();
    let text = spoken(transcript);
    if text.is_empty() {
        let html = head + &escape(&words.say("telegram-no-speech", &[]));
        return Some(Outcome { look: Look { html, buttons }, file: None });
    }
    let whole = format!("{head}{}", escape(&text));
    if units(&whole) <= MESSAGE_UNITS {
        return Some(Outcome { look: Look { html: whole, buttons }, file: None });
    }
    let rest = escape(&words.say("telegram-rest-in-file", &[]));
    let around = units(&head) + units(&rest) + "…\n\n".len();
    let shown = beginning(&text, MESSAGE_UNITS.saturating_sub(around));
    let html = format!("{head}{}…\n\n{rest}", escape(shown));
    let file = Some((file_name(letter.work), written(transcript)));
    Some(Outcome { look: Look { html, buttons }, file })
}

/// No name that anybody gave is a file's.
fn file_name(work: WorkId) -> String {
    format!("verst-{work}.txt")
}

fn written(transcript: &Transcript) -> String {
    String::from_utf8(export(&Sheet::bare(transcript), Format::Txt)).unwrap_or_default()
}

/// In a chat a text is read at once; who speaks begins a line.
fn spoken(transcript: &Transcript) -> String {
    let told_apart = transcript.segments.iter().any(|segment| segment.speaker.is_some());
    let text = if told_apart { written(transcript) } else { transcript.text() };
    text.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::escape;
    use verst_words::Language;

    fn letter(text: &str, name: Option<&str>) -> Letter {
        let json = serde_json::json!({
            "language": null, "model": "m",
            "segments": [{"start_ms": 0, "end_ms": 1, "text": text}],
        });
        Letter {
            work: WorkId(12),
            name: name.map(str::to_owned),
            kind: NoticeKind::Done,
            transcript: serde_json::from_value(json).ok(),
            warnings: Vec::new(),
        }
    }

    fn of(text: &str, name: Option<&str>) -> Outcome {
        of_text(&letter(text, name), &Words::new(Language::Russian), None).unwrap()
    }

    #[test]
    fn a_text_that_fits_is_the_message() {
        let outcome = of("a < b & c", Some("<name>"));
        assert_eq!(outcome.look.html, "<b>&lt;name&gt;</b>\na &lt; b &amp; c");
        assert_eq!(outcome.file, None);
        let exactly = "я".repeat(MESSAGE_UNITS);
        assert_eq!(of(&exactly, None).look.html, exactly);
    }

    #[test]
    fn a_longer_one_is_whole_in_a_file() {
        for text in ["🎙".repeat(2049), "<".repeat(1025), "слово ".repeat(9000)] {
            let outcome = of(&text, Some("talk"));
            assert!(units(&outcome.look.html) <= MESSAGE_UNITS);
            assert!(units(&outcome.look.html) > MESSAGE_UNITS - 80, "and no room is given away");
            let (name, whole) = outcome.file.expect("a file");
            assert_eq!((name.as_str(), whole.trim()), ("verst-12.txt", text.trim()));
            let shown = outcome.look.html.lines().nth(1).unwrap().trim_end_matches('…').to_owned();
            assert!(escape(&text).starts_with(&shown));
        }
    }

    #[test]
    fn silence_is_said() {
        let outcome = of("", None);
        let said = Words::new(Language::Russian).say("telegram-no-speech", &[]);
        assert_eq!((outcome.look.html, outcome.file), (said, None));
    }

    #[test]
    fn what_stopped_has_no_text() {
        let mut letter = letter("a", None);
        letter.kind = NoticeKind::Stopped(verst_service::Failure::new("damaged_file"));
        assert_eq!(of_text(&letter, &Words::new(Language::English), None), None);
    }
}
