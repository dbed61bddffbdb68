//! Whether a text may be what somebody said.
//!
//! Asked only of recordings in which no speech was found by other means. Texts that a recogniser
//! invents for music and noise are a word or a symbol over and over, or one short sentence of thanks
//! for half a minute of sound.

/// The fewest letters that are believed.
const LETTERS: usize = 8;

/// The fewest letters in a second of audio. Speech has around twelve, in Chinese writing four.
const LETTERS_PER_S: u64 = 3;

/// Length of the runs of characters that are compared.
const RUN: usize = 4;

/// The least part of all runs that must be different ones. Prose of half a minute has over 0.8.
const DIFFERENT: (usize, usize) = (3, 5);

/// Whether a text has enough letters for `length_ms` of audio and does not repeat itself.
pub(crate) fn plausible(text: &str, length_ms: u64) -> bool {
    let characters: Vec<char> =
        text.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect();
    let letters = characters.iter().filter(|c| c.is_alphabetic()).count();
    let mut runs: Vec<&[char]> = characters.windows(RUN).collect();
    let all = runs.len();
    runs.sort_unstable();
    runs.dedup();
    let dense = u64::try_from(letters).unwrap_or(u64::MAX) >= length_ms * LETTERS_PER_S / 1000;
    letters >= LETTERS && dense && runs.len() * DIFFERENT.1 >= all * DIFFERENT.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_believed_or_not() {
        for (text, expected) in [
            ("", false),
            ("Thanks for watching and see you in the next video!", false),
            ("you", false),
            ("you you you you you you you", false),
            ("♪♪♪ ♪♪♪ ♪♪♪ ♪♪♪", false),
            ("1 2 3 4 5 6 7 8 9 10 11 12 13", false),
            ("la la la la la la la la la la", false),
            ("Спасибо. Спасибо. Спасибо. Спасибо.", false),
            (
                "It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of foolishness",
                true,
            ),
            (
                "Сегодня мы поговорим о том, как скачивать файлы и раздавать их другим людям. Программа работает.",
                true,
            ),
        ] {
            assert_eq!(plausible(text, 20_000), expected, "{text}");
        }
    }
}
