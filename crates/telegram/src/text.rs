//! Text as Telegram takes it: escaped for its HTML, measured in its units, cut between characters.
//!
//! **Invariant:** what people said and typed stands in a message as it is, and is never markup.

use unicode_segmentation::UnicodeSegmentation;

/// The longest message, in units of UTF-16.
pub(crate) const MESSAGE_UNITS: usize = 4096;
/// The longest name that is shown, in characters.
const NAME_CHARACTERS: usize = 80;

/// Text as it stands in HTML.
pub(crate) fn escape(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            // Telegram drops them, or refuses the message.
            other if other.is_control() && other != '\n' => html.push(' '),
            other => html.push(other),
        }
    }
    html
}

/// How long Telegram takes a text to be.
pub(crate) fn units(text: &str) -> usize {
    text.encode_utf16().count()
}

/// As much of the beginning as fits when it is escaped, up to the end of a word where one is near.
/// The whole text if all of it fits.
pub(crate) fn beginning(text: &str, limit_units: usize) -> &str {
    let mut left = limit_units;
    let mut end = 0;
    for (at, piece) in text.grapheme_indices(true) {
        let takes = units(&escape(piece));
        if takes > left {
            let cut = &text[..end];
            let word = cut.rfind(char::is_whitespace).filter(|word| end - word < 60 && *word > 0);
            return text[..word.unwrap_or(end)].trim_end();
        }
        left -= takes;
        end = at + piece.len();
    }
    text
}

/// A name on one line, without what turns the direction of what stands around it.
pub(crate) fn name(given: &str) -> String {
    let shown = |c: char| match c {
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            None
        }
        c if c.is_control() || c.is_whitespace() => Some(' '),
        c => Some(c),
    };
    let text: String = given.chars().filter_map(shown).collect();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut pieces = text.graphemes(true);
    let short: String = pieces.by_ref().take(NAME_CHARACTERS).collect();
    if pieces.next().is_some() { format!("{short}…") } else { short }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_say_is_no_markup() {
        assert_eq!(escape("a < b & \"c\" > d"), "a &lt; b &amp; &quot;c&quot; &gt; d");
        assert_eq!(escape("a\u{0}b\tc\nd"), "a b c\nd");
    }

    #[test]
    fn length_is_in_units_of_utf_16() {
        assert_eq!([units("a"), units("я"), units("🎙"), units("👩‍🚀")], [1, 1, 2, 5]);
    }

    #[test]
    fn texts_are_cut_between_characters() {
        assert_eq!(beginning("short", 5), "short");
        assert_eq!(beginning("shorter", 5), "short");
        assert_eq!(beginning("two words", 6), "two", "after a word");
        assert_eq!(beginning("два слова", 8), "два");
        assert_eq!(beginning("a👩‍🚀b", 5), "a", "no half of what is shown as one");
        assert_eq!(beginning("a👩‍🚀b", 6), "a👩‍🚀");
        assert_eq!(beginning("<<<<", 9), "<<", "as long as it is when escaped");
        assert_eq!(beginning("e\u{301}e\u{301}", 3), "e\u{301}");
        assert_eq!(beginning("🎙", 1), "");
        let long = "слово ".repeat(2000);
        let cut = beginning(&long, MESSAGE_UNITS);
        assert!(units(cut) <= MESSAGE_UNITS && units(cut) > MESSAGE_UNITS - 60);
        let unbroken = "<".repeat(5000);
        assert_eq!(beginning(&unbroken, MESSAGE_UNITS).len(), 1024, "without any space as well");
    }

    #[test]
    fn a_name_is_one_short_line() {
        assert_eq!(name("a\r\n b\u{202e}c\u{0}"), "a bc");
        assert_eq!(name(&"я".repeat(90)), format!("{}…", "я".repeat(80)));
    }
}
