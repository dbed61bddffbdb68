//! What an account is called.
//!
//! **Invariant:** two names that a person would take for one are one: they are compared composed
//! (NFC) and without regard to case.

use thiserror::Error;
use unicode_normalization::UnicodeNormalization;

/// The longest name, in characters.
pub const NAME_CHARACTERS: usize = 64;

/// A name that an account may have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    shown: String,
    folded: String,
}

/// Why a name will not do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NameError {
    /// There is nothing in it.
    #[error("an empty name")]
    Empty,
    /// It is longer than [`NAME_CHARACTERS`].
    #[error("a name of too many characters")]
    TooLong,
    /// A character in it cannot be seen.
    #[error("a name with a character that cannot be seen")]
    Unseen,
}

impl Name {
    /// Reads what was typed.
    pub fn new(typed: &str) -> Result<Self, NameError> {
        // What is far too long is not looked at closely.
        if typed.len() > NAME_CHARACTERS * 16 {
            return Err(NameError::TooLong);
        }
        let shown: String = typed.trim().nfc().collect();
        if shown.is_empty() {
            return Err(NameError::Empty);
        }
        if shown.chars().count() > NAME_CHARACTERS {
            return Err(NameError::TooLong);
        }
        if shown.chars().any(is_unseen) {
            return Err(NameError::Unseen);
        }
        Ok(Self { folded: fold(&shown), shown })
    }

    /// As it is shown, and written on what belongs to the account.
    pub fn shown(&self) -> &str {
        &self.shown
    }

    /// As it is compared.
    pub fn folded(&self) -> &str {
        &self.folded
    }
}

/// First up and then down: some letters have two small forms.
fn fold(name: &str) -> String {
    name.chars().flat_map(char::to_uppercase).flat_map(char::to_lowercase).nfc().collect()
}

/// Controls, spaces other than the usual one, and what joins, turns or hides text.
fn is_unseen(c: char) -> bool {
    c.is_control()
        || (c.is_whitespace() && c != ' ')
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_look_alike_are_one() {
        for (one, other) in [
            ("Анна", " анна "),
            ("Ёлка", "е\u{308}лка"),
            ("STRASSE", "straße"),
            ("ΟΔΟΣ", "οδος"),
            ("οδος", "οδοσ"),
        ] {
            let folded = |typed| Name::new(typed).unwrap().folded;
            assert_eq!(folded(one), folded(other), "{one} {other}");
        }
        assert_ne!(Name::new("анна").unwrap().folded, Name::new("анне").unwrap().folded);
        assert_eq!(Name::new(" Анна К. ").unwrap().shown(), "Анна К.");
    }

    #[test]
    fn what_cannot_be_read_is_no_name() {
        assert_eq!(Name::new(" \t"), Err(NameError::Empty));
        assert!(Name::new(&"ы".repeat(NAME_CHARACTERS)).is_ok());
        for long in ["ы".repeat(NAME_CHARACTERS + 1), "x".repeat(100_000)] {
            assert_eq!(Name::new(&long), Err(NameError::TooLong));
        }
        for odd in ["a\nb", "a\0b", "a\u{202e}b", "a\u{200b}b", "a\u{a0}b", "\u{feff}a"] {
            assert_eq!(Name::new(odd), Err(NameError::Unseen), "{odd:?}");
        }
    }
}
