//! The words of a transcript with their times in the slice, from a model that gives times to words or
//! to tokens.
//!
//! Tokens are the pieces of SentencePiece, where a word begins with a mark for the space before it.

use transcribe_cpp::Transcript;

use crate::protocol::Word;

/// The mark for a space, U+2581, as models have it that do not decode their tokens.
const SPACE: char = '\u{2581}';

/// The words in order; none where the model gives no times.
pub(crate) fn words(transcript: &Transcript) -> Vec<Word> {
    let timed = transcript.words.iter().any(|word| word.t1_ms > word.t0_ms);
    let mut words: Vec<Word> = if timed {
        transcript.words.iter().map(|word| placed(word.t0_ms, word.t1_ms, &word.text)).collect()
    } else {
        of_tokens(transcript)
    };
    words.retain(|word| !word.text.is_empty());
    words
}

fn of_tokens(transcript: &Transcript) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    if !transcript.tokens.iter().any(|token| token.t1_ms > token.t0_ms) {
        return words;
    }
    for token in &transcript.tokens {
        let begins = token.text.starts_with([SPACE, ' ']);
        let piece = placed(token.t0_ms, token.t1_ms, &token.text);
        match words.last_mut() {
            Some(word) if !begins => {
                word.text.push_str(&piece.text);
                word.end_ms = piece.end_ms.max(word.end_ms);
            }
            _ => words.push(piece),
        }
    }
    words
}

fn placed(start_ms: i64, end_ms: i64, text: &str) -> Word {
    let start_ms = u64::try_from(start_ms).unwrap_or(0);
    let end_ms = u64::try_from(end_ms).unwrap_or(0).max(start_ms);
    Word { start_ms, end_ms, text: text.replace(SPACE, " ").trim().to_owned() }
}

#[cfg(test)]
mod tests {
    use transcribe_cpp::{Token, Word as NativeWord};

    use super::*;

    fn said(transcript: &Transcript) -> Vec<(u64, u64, String)> {
        words(transcript).into_iter().map(|w| (w.start_ms, w.end_ms, w.text)).collect()
    }

    fn token(t0_ms: i64, t1_ms: i64, text: &str) -> Token {
        Token { t0_ms, t1_ms, text: text.to_owned(), ..Token::default() }
    }

    #[test]
    fn tokens_are_put_together() {
        let pieces = [
            (0, 40, "▁При"),
            (80, 120, "вет"),
            (120, 160, ","),
            (400, 440, "▁мир"),
            (500, 540, "▁"),
        ];
        let tokens = pieces.map(|(from, to, text)| token(from, to, text)).to_vec();
        let transcript = Transcript { tokens, ..Transcript::default() };
        let expected = [(0, 160, "Привет,".to_owned()), (400, 440, "мир".to_owned())];
        assert_eq!(said(&transcript), expected);
    }

    #[test]
    fn words_are_taken_where_they_have_times() {
        let word = |t0_ms, t1_ms, text: &str| NativeWord {
            t0_ms,
            t1_ms,
            text: text.to_owned(),
            ..NativeWord::default()
        };
        let tokens = vec![token(0, 40, "▁un"), token(40, 80, "used")];
        let words = vec![word(-5, 300, " one"), word(300, 100, "two")];
        let transcript = Transcript { words, tokens, ..Transcript::default() };
        assert_eq!(said(&transcript), [(0, 300, "one".to_owned()), (300, 300, "two".to_owned())]);
        let untimed = Transcript { tokens: vec![token(0, 0, "▁a")], ..Transcript::default() };
        assert!(said(&untimed).is_empty());
    }
}
