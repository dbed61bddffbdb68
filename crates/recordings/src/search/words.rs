//! From text to what search compares: the words of a text and their stems.
//!
//! A word is cut where Unicode cuts it (UAX #29), once more at whatever is neither letter nor digit,
//! and where one alphabet ends and another begins; each piece is stemmed by the rules of its
//! alphabet, Russian or English (<https://snowballstem.org>). It refuses to know which language a
//! text is in: people mix them in one sentence.
//!
//! **Invariant:** a stem has letters, digits and the marks of other scripts only, and the same word
//! gives the same stem in a text and in a query. Whoever changes what comes out raises
//! [`RULES`](super::RULES).

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use frostem::{Algorithm, Stemmer};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use unicode_segmentation::UnicodeSegmentation;

use super::russian;

/// The longest word, in characters; what comes after them is not looked at.
const LONGEST: usize = 40;

static ENGLISH: LazyLock<Stemmer> = LazyLock::new(|| Stemmer::new(Algorithm::English));

/// What a character belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Latin,
    Cyrillic,
    /// Letters of other scripts.
    Other,
    /// Digits and marks, which go with whatever they stand beside.
    Either,
    /// Between two letters: don't, O'Brien.
    Apostrophe,
    /// No part of a word.
    Gap,
}

fn kind(c: char) -> Kind {
    match c {
        'a'..='z' | 'A'..='Z' => Kind::Latin,
        '0'..='9' => Kind::Either,
        '\'' | '’' | 'ʼ' | '`' => Kind::Apostrophe,
        '\u{400}'..='\u{482}' | '\u{48a}'..='\u{52f}' => Kind::Cyrillic,
        // Latin-1, its extensions, the additional ones, full width.
        '\u{aa}'
        | '\u{ba}'
        | '\u{c0}'..='\u{24f}'
        | '\u{1e00}'..='\u{1eff}'
        | '\u{fb00}'..='\u{fb06}'
        | '\u{ff21}'..='\u{ff3a}'
        | '\u{ff41}'..='\u{ff5a}'
            if c.is_alphabetic() =>
        {
            Kind::Latin
        }
        _ if is_combining_mark(c) || c.is_numeric() => Kind::Either,
        _ if c.is_alphanumeric() => Kind::Other,
        _ => Kind::Gap,
    }
}

/// A word of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word<'a> {
    /// Where it stands, in bytes.
    pub(super) at: Range<usize>,
    text: &'a str,
    alphabet: Kind,
}

/// The words of a text, in order.
pub(super) fn words(text: &str) -> impl Iterator<Item = Word<'_>> {
    text.unicode_word_indices().flat_map(|(start, word)| Pieces { rest: word, start })
}

/// The pieces of one word that have one alphabet each.
struct Pieces<'a> {
    rest: &'a str,
    start: usize,
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Word<'a>;

    fn next(&mut self) -> Option<Word<'a>> {
        loop {
            let skipped = self.rest.find(|c| !matches!(kind(c), Kind::Gap | Kind::Apostrophe))?;
            self.start += skipped;
            self.rest = &self.rest[skipped..];
            let (end, alphabet) = piece(self.rest);
            let (text, rest) = self.rest.split_at(end);
            let text = text.char_indices().nth(LONGEST).map_or(text, |(end, _)| &text[..end]);
            let at = self.start..self.start + text.len();
            (self.start, self.rest) = (self.start + end, rest);
            // Marks alone are nothing that anybody says.
            if text.chars().any(char::is_alphanumeric) {
                return Some(Word { at, text, alphabet });
            }
        }
    }
}

/// How far the first piece reaches, and its alphabet.
fn piece(text: &str) -> (usize, Kind) {
    let mut alphabet = Kind::Either;
    let mut end = 0;
    for (at, c) in text.char_indices() {
        match kind(c) {
            Kind::Gap => return (end, alphabet),
            // Only if more of the same follows.
            Kind::Apostrophe => continue,
            Kind::Either => {}
            letter if alphabet == Kind::Either || letter == alphabet => alphabet = letter,
            _ => return (end, alphabet),
        }
        end = at + c.len_utf8();
    }
    (end, alphabet)
}

impl Word<'_> {
    /// As it is compared before it is stemmed: in lower case, without accents, ё as е.
    pub(super) fn plain(&self) -> String {
        let lower = self.text.chars().flat_map(char::to_lowercase);
        let mut plain = String::with_capacity(self.text.len());
        let push = |c: char| push(self.alphabet, c, &mut plain);
        match self.alphabet {
            // Nothing to take apart in most words.
            Kind::Latin if self.text.is_ascii() => lower.for_each(push),
            Kind::Latin => lower.nfkd().for_each(push),
            _ => lower.nfkc().for_each(push),
        }
        // One character may have stood for many.
        if let Some((end, _)) = plain.char_indices().nth(LONGEST) {
            plain.truncate(end);
        }
        plain
    }

    /// The first character of [`plain`](Self::plain), and so of the stem.
    pub(super) fn initial(&self) -> Option<char> {
        let first = self.text.chars().next()?;
        match first {
            'a'..='z' | '0'..='9' | 'а'..='я' => Some(first),
            'A'..='Z' => Some(first.to_ascii_lowercase()),
            'А'..='Я' => first.to_lowercase().next(),
            _ => self.plain().chars().next(),
        }
    }

    /// What stands in the index.
    pub(super) fn stem(&self) -> String {
        let plain = self.plain();
        let mut stem = match self.alphabet {
            Kind::Latin => ENGLISH.stem(&plain).into_owned(),
            Kind::Cyrillic => russian::stem(&plain),
            _ => plain,
        };
        stem.retain(|c| c != '\'');
        stem
    }
}

/// Adds a character as it is compared, if it counts.
fn push(alphabet: Kind, c: char, plain: &mut String) {
    let folded = match (alphabet, c) {
        (_, '’' | 'ʼ' | '`') => "'",
        (Kind::Latin, 'ß') => "ss",
        (Kind::Latin, 'æ') => "ae",
        (Kind::Latin, 'œ') => "oe",
        (Kind::Latin, 'ø') => "o",
        (Kind::Latin, 'ł') => "l",
        (Kind::Latin, 'đ' | 'ð') => "d",
        (Kind::Latin, 'þ') => "th",
        (Kind::Latin, 'ı') => "i",
        (Kind::Cyrillic, 'ё' | 'ѐ') => return plain.push('е'),
        (Kind::Cyrillic, 'ѝ') => return plain.push('и'),
        // Over a vowel of Cyrillic it tells where the stress is; elsewhere it tells words apart.
        (Kind::Latin | Kind::Cyrillic | Kind::Either, _) if is_combining_mark(c) => return,
        _ if c == '\'' || c.is_alphanumeric() || is_combining_mark(c) => return plain.push(c),
        _ => return,
    };
    plain.push_str(folded);
}

/// Stems, each computed once for all its occurrences in a text.
#[derive(Default)]
pub(super) struct Stems<'a>(HashMap<&'a str, String>);

impl<'a> Stems<'a> {
    pub(super) fn of(&mut self, word: &Word<'a>) -> &str {
        self.0.entry(word.text).or_insert_with(|| word.stem())
    }
}

#[cfg(test)]
mod tests;
