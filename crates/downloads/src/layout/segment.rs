//! Single names of files and directories: what may stand in them, and how long they may be.
//!
//! The strictest of the usual file systems decides, because libraries are shared with machines that
//! run others. The rules of Windows:
//! <https://learn.microsoft.com/en-us/windows/win32/fileio/naming-a-file>
//!
//! **Invariant:** what [`seal`] answers is empty or a name that every one of them takes, unless it is
//! too long.

use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

/// Bytes in a name, extension included: what ext4, btrfs, XFS and ZFS take.
pub(super) const SEGMENT_BYTES: usize = 255;

/// Bytes in an extension.
const EXTENSION_BYTES: usize = 8;

/// A text without what names cannot hold, in NFC, with single spaces between its words.
pub(super) fn clean(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            ':' if rest.peek().is_some_and(|next| next.is_whitespace()) => kept.push_str(" -"),
            ':' | '/' | '\\' | '|' => kept.push('-'),
            '"' => kept.push('\''),
            '<' | '>' | '?' | '*' => {}
            c if c.is_whitespace() => kept.push(' '),
            c if c.is_control() || is_hidden(c) => {}
            c => kept.push(c),
        }
    }
    // Last, because what was taken out may have kept two characters from becoming one.
    let composed: String = kept.nfc().collect();
    composed.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A cleaned text as a whole name: no dots and spaces at its ends, and no device of Windows.
pub(super) fn seal(text: &str) -> String {
    let name = text.trim_matches(['.', ' ']);
    let stem = name.split('.').next().unwrap_or_default();
    if is_device(stem.trim_end()) {
        return format!("{}_{}", stem.trim_end(), &name[stem.len()..]);
    }
    name.to_owned()
}

/// As much of the beginning as fits, cut between what a reader takes for characters.
pub(super) fn cut(text: &str, most_bytes: usize) -> &str {
    if text.len() <= most_bytes {
        return text;
    }
    let ends = text.grapheme_indices(true).map(|(at, it)| at + it.len());
    let end = ends.take_while(|end| *end <= most_bytes).last();
    // A single character may have marks without end.
    text[..end.unwrap_or_else(|| text.floor_char_boundary(most_bytes))].trim_end()
}

/// Whether a name of somebody else's making can be kept as it is.
pub(super) fn is_fit(name: &str) -> bool {
    !name.is_empty() && name.len() <= SEGMENT_BYTES && seal(&clean(name)) == name
}

/// The extension of a file with its dot, in small letters; empty if it has none worth the name.
pub(super) fn extension(name: &str) -> String {
    match name.rsplit_once('.') {
        Some((stem, end))
            if !stem.is_empty()
                && (1..=EXTENSION_BYTES).contains(&end.len())
                && end.bytes().all(|byte| byte.is_ascii_alphanumeric()) =>
        {
            format!(".{}", end.to_ascii_lowercase())
        }
        _ => String::new(),
    }
}

/// What two names have in common if any usual file system takes them for the same one. It may take
/// more together than any of them does.
pub(super) fn fold(name: &str) -> String {
    if name.is_ascii() {
        return name.to_ascii_lowercase();
    }
    let shown = name.nfkd().filter(|c| !is_ignored(*c));
    // First up, then down: some letters have two small forms.
    shown.flat_map(char::to_uppercase).flat_map(char::to_lowercase).nfkd().collect()
}

/// Turns the direction of writing or cannot be seen, so that a name looks like another.
fn is_hidden(c: char) -> bool {
    matches!(c, '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{61c}' | '\u{feff}')
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
}

/// What file systems that do not tell case apart do not see: the property `Default_Ignorable`.
/// <https://www.unicode.org/Public/UCD/latest/ucd/DerivedCoreProperties.txt>
fn is_ignored(c: char) -> bool {
    is_hidden(c)
        || matches!(c, '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}')
        || matches!(c, '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{200c}' | '\u{200d}')
        || matches!(c, '\u{fe00}'..='\u{fe0f}' | '\u{fff0}'..='\u{fff8}')
        || matches!(c, '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}')
        || matches!(c, '\u{e0000}'..='\u{e0fff}')
}

fn is_device(stem: &str) -> bool {
    let stem = stem.to_ascii_lowercase();
    let numbered = |word: &str| {
        stem.strip_prefix(word).is_some_and(|number| {
            let mut digits = number.chars();
            matches!(digits.next(), Some('0'..='9' | '¹' | '²' | '³')) && digits.next().is_none()
        })
    };
    matches!(&*stem, "con" | "prn" | "aux" | "nul" | "conin$" | "conout$" | "clock$")
        || numbered("com")
        || numbered("lpt")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_made_safe() {
        let check =
            |text: &str, expected: &str| assert_eq!(seal(&clean(text)), expected, "{text:?}");
        check("Alien: Romulus", "Alien - Romulus");
        check("9:1:1", "9-1-1");
        check("Face/Off", "Face-Off");
        check("What's \"Up\", Doc?", "What's 'Up', Doc");
        check("...And Justice for All.", "And Justice for All");
        check(" a\t\u{0}b \u{202e}c ", "a b c");
        check("Con", "Con_");
        check("NUL .2010", "NUL_.2010");
        check("com¹", "com¹_");
        check("Confetti", "Confetti");
        check("Йо\u{301}и\u{306}", "Йо\u{301}й");
        check("e<\u{301}", "é");
        check("../../etc", "-..-etc");
        check("???", "");
    }

    #[test]
    fn a_cut_leaves_characters_whole() {
        let check =
            |text, most, expected| assert_eq!(cut(text, most), expected, "{text} to {most}");
        check("Дюна", 8, "Дюна");
        check("Дюна", 7, "Дюн");
        check("Дю на", 5, "Дю");
        check("e\u{301}e\u{301}", 5, "e\u{301}");
        check("e\u{301}\u{301}\u{301}", 4, "e\u{301}");
    }

    #[test]
    fn extensions_are_short_words() {
        let check = |name, expected| assert_eq!(extension(name), expected, "{name}");
        check("a.MKV", ".mkv");
        check("a.b.ru.srt", ".srt");
        check(".mkv", "");
        check("Mr. Robot", "");
        check("a.abcdefghi", "");
        check("a.фильм", "");
    }

    #[test]
    fn names_that_a_file_system_takes_together_fold_alike() {
        let check = |a, b| assert_eq!(fold(a), fold(b), "{a} and {b}");
        check("ДЮНА", "дюна");
        check("Йод", "и\u{306}од");
        check("Straße", "STRASSE");
        check("ὈΔΥΣΣΕΎΣ", "ὀδυσσεύς");
        check("a\u{200d}b", "ab");
        assert_ne!(fold("ёлка"), fold("елка"));
    }
}
