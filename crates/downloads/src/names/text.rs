//! How names are compared and cut.
//!
//! **Invariant:** every function here is total over Unicode, and [`flat`] keeps byte offsets.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The longest name that is looked into, in bytes. Longer ones are cut: file systems allow 255 for
/// one part, and what comes after that is no title.
const LONGEST_BYTES: usize = 500;

/// A title in the form in which two are the same: letters and digits, lower case, no accents.
pub(super) fn key(title: &str) -> String {
    title
        .nfkd()
        .filter(|letter| !is_combining_mark(*letter))
        .flat_map(char::to_lowercase)
        .map(|letter| if letter == 'ё' { 'е' } else { letter })
        .filter(|letter| letter.is_alphanumeric())
        .collect()
}

/// Dots and underscores as spaces; every byte stays where it was.
pub(super) fn flat(name: &str) -> String {
    name.replace(['.', '_', '\t'], " ")
}

/// Lower case where that takes as many bytes; every byte stays where it was.
pub(super) fn lower(text: &str) -> String {
    let small = |letter: char| {
        let mut all = letter.to_lowercase();
        let first = all.next().filter(|it| it.len_utf8() == letter.len_utf8());
        first.filter(|_| all.next().is_none()).unwrap_or(letter)
    };
    text.chars().map(small).collect()
}

/// The name, or as much of it as is looked at, composed.
pub(super) fn cut(name: &str) -> String {
    let mut end = name.len().min(LONGEST_BYTES);
    while !name.is_char_boundary(end) {
        end -= 1;
    }
    name[..end].nfc().filter(|letter| !letter.is_control()).collect()
}

/// A title without what stands around it, its spaces single.
pub(super) fn trim(title: &str) -> String {
    let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    let title = title.trim_matches(|letter: char| " -–—_,;~|=".contains(letter));
    let title = title.trim_end_matches(['[', '(', '{', '/', '+']);
    title.trim().trim_end_matches([' ', '-']).to_owned()
}

/// Whether there is a letter of another script than Latin in it; what stands before Greek is Latin.
pub(super) fn has_foreign(text: &str) -> bool {
    text.chars().any(|letter| letter.is_alphabetic() && letter >= '\u{370}')
}

/// The same for Latin.
pub(super) fn has_latin(text: &str) -> bool {
    text.chars().any(|letter| letter.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_the_same_whatever_stands_between_their_letters() {
        assert_eq!(key("La Science des Rêves"), key("la.science.des.reves"));
        assert_eq!(key("Ёлки 2"), key("елки_2"));
        assert_ne!(key("Alien"), key("Aliens"));
    }

    #[test]
    fn small_letters_stand_where_the_great_ones_did() {
        assert_eq!(lower("ЁЛКИ Abc"), "ёлки abc");
        assert_eq!(lower("İ…").len(), "İ…".len());
    }

    #[test]
    fn names_are_cut_between_letters() {
        let long = "ж".repeat(1000);
        assert_eq!(cut(&long).len(), LONGEST_BYTES);
        assert_eq!(cut("a\u{0}b\n"), "ab");
    }
}
