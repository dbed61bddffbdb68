//! Times inside a packed slice, back to times of the recording.
//!
//! A recogniser reports times in the audio it was given, where pieces of the recording follow one
//! another without the silence between them. A segment may reach over a seam. If it does so by
//! less than the recogniser's own inaccuracy, it is taken to begin or end at the seam: otherwise
//! a sentence would seem to last through the minutes that were left out. And what is said to begin
//! in the margin before a region of speech begins with the region: recognisers like to begin with
//! the sound they are given.
//!
//! *Invariant*: a mapped segment lies within pieces, and its end is not before its start.

use crate::pack::MARGIN_MS;
use crate::plan::{Piece, Slice};
use crate::protocol::Word;

/// How far Whisper's times are off at a seam.
const INACCURACY_MS: u64 = 400;

/// Maps times of one slice.
#[derive(Debug)]
pub(crate) struct Timeline<'a> {
    slice: &'a Slice,
}

/// A piece as far as a segment lies in it, in the time of the recording.
#[derive(Clone, Copy)]
struct Share {
    heard: Piece,
    piece: Piece,
}

impl<'a> Timeline<'a> {
    pub(crate) fn new(slice: &'a Slice) -> Self {
        Self { slice }
    }

    /// A segment in milliseconds of the slice, in those of the recording. Times beyond the slice
    /// are taken for its end.
    pub(crate) fn map(&self, start_ms: u64, end_ms: u64) -> Piece {
        let end_ms = end_ms.min(self.slice.length_ms());
        let shares = self.shares(start_ms, end_ms);
        let longest = shares.iter().map(|share| share.heard.length_ms()).max().unwrap_or(0);
        // A share counts unless it is within the inaccuracy, is not all of its piece (a short
        // word between two pauses) and is less than another.
        let counts = |share: &&Share| {
            let length_ms = share.heard.length_ms();
            length_ms >= INACCURACY_MS.min(longest) || length_ms * 2 > share.piece.length_ms()
        };
        let first = shares.iter().find(counts);
        let last = shares.iter().rfind(counts);
        match (first, last) {
            (Some(first), Some(last)) => {
                let start_ms = first.heard.start_ms.max(spoken_from(first.piece));
                // A piece may be shorter than the margin: it begins in it all the same.
                let start_ms = start_ms.min(first.heard.end_ms);
                Piece { start_ms, end_ms: last.heard.end_ms }
            }
            _ => self.instant(end_ms),
        }
    }

    /// The words of a segment, each within it and none before the one before.
    pub(crate) fn words(&self, words: Vec<Word>, start_ms: u64, end_ms: u64) -> Vec<Word> {
        let mut earliest_ms = start_ms;
        let place = |word: Word| {
            let mapped = self.map(word.start_ms, word.end_ms);
            let start_ms = mapped.start_ms.clamp(earliest_ms, end_ms);
            earliest_ms = start_ms;
            Word { start_ms, end_ms: mapped.end_ms.clamp(start_ms, end_ms), ..word }
        };
        words.into_iter().map(place).collect()
    }

    /// What the segment has of each piece; nothing for an empty one.
    fn shares(&self, start_ms: u64, end_ms: u64) -> Vec<Share> {
        let mut before_ms = 0;
        let mut shares = Vec::new();
        for &piece in &self.slice.pieces {
            let after_ms = before_ms + piece.length_ms();
            let (from, to) = (start_ms.max(before_ms), end_ms.min(after_ms));
            if from < to {
                let heard = Piece {
                    start_ms: piece.start_ms + from - before_ms,
                    end_ms: piece.start_ms + to - before_ms,
                };
                shares.push(Share { heard, piece });
            }
            before_ms = after_ms;
        }
        shares
    }

    fn instant(&self, at_ms: u64) -> Piece {
        let mut before_ms = 0;
        let mut at = 0;
        for piece in &self.slice.pieces {
            at = piece.start_ms + at_ms.saturating_sub(before_ms).min(piece.length_ms());
            before_ms += piece.length_ms();
            if at_ms < before_ms {
                break;
            }
        }
        Piece { start_ms: at, end_ms: at }
    }
}

/// Where the speech of a piece begins. At the beginning of a recording the margin may be shorter, so
/// that none is taken for given.
fn spoken_from(piece: Piece) -> u64 {
    if piece.start_ms == 0 { 0 } else { piece.start_ms + MARGIN_MS }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slice(pieces: &[(u64, u64)]) -> Slice {
        Slice { pieces: pieces.iter().map(|&p| p.into()).collect() }
    }

    #[test]
    fn segments_are_mapped_back() {
        let pieces = slice(&[(1000, 3000), (10_000, 10_300), (60_000, 65_000)]);
        let cases = [
            ("in the first piece", (0, 1500), (1200, 2500)),
            ("in the first piece, later", (300, 1500), (1300, 2500)),
            ("all of it in the margin", (0, 100), (1100, 1100)),
            ("all of a short piece", (2000, 2300), (10_200, 10_300)),
            ("in the last piece", (2300, 7300), (60_200, 65_000)),
            ("over seams", (1000, 4300), (2000, 62_000)),
            ("begins just before a seam", (1800, 2300), (10_200, 10_300)),
            ("ends just after a seam", (2000, 2450), (10_200, 10_300)),
            ("begins just before the last", (2250, 7000), (60_200, 64_700)),
            ("a short word is not lost", (500, 2250), (1500, 10_250)),
            ("beyond the end", (7000, 30_000), (64_700, 65_000)),
            ("all beyond the end", (8000, 9000), (65_000, 65_000)),
            ("empty", (500, 500), (1500, 1500)),
            ("empty at a seam", (2000, 2000), (10_000, 10_000)),
            ("reversed", (900, 500), (1500, 1500)),
        ];
        for (name, (start, end), expected) in cases {
            let mapped: (u64, u64) = Timeline::new(&pieces).map(start, end).into();
            assert_eq!(mapped, expected, "{name}");
        }
        assert_eq!(Timeline::new(&slice(&[])).map(5, 9), (0, 0).into(), "an empty slice");
    }

    #[test]
    fn what_begins_in_a_piece_shorter_than_the_margin_begins_there() {
        let pieces = slice(&[(16_563, 18_569), (18_569, 18_692), (18_770, 18_771)]);
        let mapped: (u64, u64) = Timeline::new(&pieces).map(2006 - 122, 2006 + 124).into();
        assert_eq!(mapped, (18_692, 18_771));
    }

    #[test]
    fn words_lie_in_their_segment_one_after_the_other() {
        let pieces = slice(&[(1000, 3000), (9000, 12_000)]);
        let word = |start_ms, end_ms| Word { start_ms, end_ms, text: "w".to_owned() };
        let words = vec![word(0, 500), word(1800, 2600), word(1500, 1900), word(4000, 90_000)];
        let placed = Timeline::new(&pieces).words(words, 1200, 11_500);
        let placed: Vec<_> = placed.iter().map(|word| (word.start_ms, word.end_ms)).collect();
        assert_eq!(placed, [(1200, 1500), (9200, 9600), (9200, 9200), (11_000, 11_500)]);
    }

    proptest::proptest! {
        #[test]
        fn mapped_segments_lie_in_pieces(
            runs in proptest::collection::vec((0_u64..60_000, 1_u64..9_000), 1..8),
            start in 0_u64..40_000,
            length in 0_u64..40_000,
        ) {
            let mut at = 0;
            let mut pieces = Vec::new();
            for (gap, piece) in runs {
                pieces.push((at + gap, at + gap + piece));
                at += gap + piece;
            }
            let mapped = Timeline::new(&slice(&pieces)).map(start, start + length);
            assert!(mapped.start_ms <= mapped.end_ms);
            for ms in [mapped.start_ms, mapped.end_ms] {
                assert!(pieces.iter().any(|&(s, e)| s <= ms && ms <= e), "{ms} of {pieces:?}");
            }
        }
    }
}
