//! Words to phrases, for models that give times to words and the text in one piece.
//!
//! A phrase ends with a sentence, at a pause, or where it would grow too long to be read as a
//! subtitle. *Invariant*: every word is in exactly one phrase, in order.

use crate::protocol::Word;

/// A pause between two words that ends a phrase.
const PAUSE_MS: u64 = 1_000;

/// From this length on a phrase ends at a comma, and twice as long at any word.
const LONG_MS: u64 = 7_000;

/// Some words that are read together, in the time of the slice.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Phrase {
    pub(crate) start_ms: u64,
    pub(crate) end_ms: u64,
    pub(crate) text: String,
    pub(crate) words: Vec<Word>,
}

/// Divides words.
pub(crate) fn phrases(words: Vec<Word>) -> Vec<Phrase> {
    let mut phrases = Vec::new();
    let mut open: Vec<Word> = Vec::new();
    for word in words {
        if let (Some(first), Some(last)) = (open.first(), open.last())
            && ends(last, last.end_ms.saturating_sub(first.start_ms), &word)
        {
            phrases.push(closed(std::mem::take(&mut open)));
        }
        open.push(word);
    }
    if !open.is_empty() {
        phrases.push(closed(open));
    }
    phrases
}

/// Whether a phrase of this length ends with `last`, when `next` comes after it.
fn ends(last: &Word, length_ms: u64, next: &Word) -> bool {
    let ends_with = |marks: &[char]| last.text.trim_end_matches(['"', '»', ')']).ends_with(marks);
    ends_with(&['.', '!', '?', '…'])
        || next.start_ms.saturating_sub(last.end_ms) >= PAUSE_MS
        || (length_ms >= LONG_MS && ends_with(&[',', ';', ':', '—']))
        || length_ms >= 2 * LONG_MS
}

fn closed(words: Vec<Word>) -> Phrase {
    let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    let text = texts.join(" ");
    let start_ms = words.first().map_or(0, |word| word.start_ms);
    let end_ms = words.iter().map(|word| word.end_ms).max().unwrap_or(start_ms);
    Phrase { start_ms, end_ms, text, words }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn divided(words: &[(u64, u64, &str)]) -> Vec<String> {
        let word = |&(start_ms, end_ms, text): &(u64, u64, &str)| Word {
            start_ms,
            end_ms,
            text: text.into(),
        };
        phrases(words.iter().map(word).collect()).into_iter().map(|phrase| phrase.text).collect()
    }

    #[test]
    fn phrases_end_with_sentences_and_pauses_and_before_they_are_too_long() {
        assert!(divided(&[]).is_empty());
        assert_eq!(
            divided(&[(0, 1, "Да."), (2, 3, "Нет,"), (4, 5, "«нет!»"), (6, 7, "А")]),
            ["Да.", "Нет, «нет!»", "А"]
        );
        assert_eq!(
            divided(&[(0, 500, "раз"), (1499, 1600, "два"), (2600, 2700, "три")]),
            ["раз два", "три"]
        );
        assert_eq!(divided(&[(0, 7000, "long,"), (7001, 7002, "x")]), ["long,", "x"]);
        assert_eq!(divided(&[(0, 6999, "short,"), (7001, 7002, "x")]), ["short, x"]);
        assert_eq!(divided(&[(0, 14_000, "endless"), (14_001, 14_002, "x")]), ["endless", "x"]);
    }

    proptest::proptest! {
        #[test]
        fn every_word_is_in_one_phrase(lengths in proptest::collection::vec((0_u64..3000, 0_u64..4000, 0_usize..4), 0..40)) {
            let mut at = 0;
            let mut all = Vec::new();
            for (gap, length, mark) in lengths {
                let text = format!("w{}", ["", ",", ".", "?"][mark]);
                all.push(Word { start_ms: at + gap, end_ms: at + gap + length, text });
                at += gap + length;
            }
            let divided = phrases(all.clone());
            let words: Vec<Word> = divided.iter().flat_map(|phrase| phrase.words.clone()).collect();
            assert_eq!(words, all);
            assert!(divided.iter().all(|phrase| !phrase.words.is_empty() && phrase.start_ms <= phrase.end_ms));
            assert!(divided.windows(2).all(|two| two[0].end_ms <= two[1].start_ms));
        }
    }
}
