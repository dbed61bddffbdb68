//! Telling speakers apart, as tickets and parts keep it.
//!
//! A recording is heard in windows, each of which is a part: its turns as segments without text. All
//! windows come before the first slice, so it is known who speaks when words come, and times of words
//! are never kept. A window that could not be heard is a part with one empty segment; the rest is then
//! not tried, and the text comes without speakers.
//!
//! *Invariant*: whatever goes wrong here costs no text.

use verst_engine::protocol::{self, LONGEST_WINDOW_MS};
use verst_engine::{Piece, Plan};
use verst_recordings::ports::Part;
use verst_recordings::speakers::{Spoken, Turn, Window, Word, assign, link};
use verst_recordings::transcript::Segment;

/// What two windows have in common, so that a voice in one is found again in the next.
const SHARED_MS: u64 = 3 * 60 * 1000;

/// The windows of a recording; none where there is nothing to hear, or where it is not believed that
/// anybody speaks.
pub(super) fn windows(plan: &Plan) -> Vec<Piece> {
    let mut windows = Vec::new();
    if plan.slices.is_empty() || plan.whole {
        return windows;
    }
    let mut start_ms = 0;
    loop {
        let end_ms = plan.duration_ms.min(start_ms + LONGEST_WINDOW_MS);
        windows.push(Piece { start_ms, end_ms });
        if end_ms == plan.duration_ms {
            return windows;
        }
        start_ms = end_ms - SHARED_MS;
    }
}

/// A window that was heard.
pub(super) fn heard(index: u32, turns: &[protocol::Turn]) -> Part {
    let segment = |turn: &protocol::Turn| Segment {
        start_ms: turn.start_ms,
        end_ms: turn.end_ms,
        text: String::new(),
        speaker: Some(turn.speaker.to_string()),
    };
    Part { index, segments: turns.iter().map(segment).collect(), language: None }
}

/// A window that could not be heard.
pub(super) fn given_up(index: u32) -> Part {
    let nobody = Segment { start_ms: 0, end_ms: 0, text: String::new(), speaker: None };
    Part { index, segments: vec![nobody], language: None }
}

/// Whether some window could not be heard.
pub(super) fn failed(parts: &[Part]) -> bool {
    parts.iter().flat_map(|part| &part.segments).any(|segment| segment.speaker.is_none())
}

/// Who speaks when in the whole recording, from the parts of all its windows; nothing if one failed.
pub(super) fn turns(windows: &[Piece], parts: &[Part]) -> Vec<Turn> {
    if failed(parts) {
        return Vec::new();
    }
    let turn = |segment: &Segment| {
        let speaker = segment.speaker.as_ref()?.parse().ok()?;
        Some(Turn { start_ms: segment.start_ms, end_ms: segment.end_ms, speaker })
    };
    let window = |(piece, part): (&Piece, &Part)| Window {
        start_ms: piece.start_ms,
        end_ms: piece.end_ms,
        turns: part.segments.iter().filter_map(turn).collect(),
    };
    link(&windows.iter().zip(parts).map(window).collect::<Vec<_>>())
}

/// What was heard in a slice, with its speakers.
pub(super) fn named(segments: Vec<protocol::Segment>, turns: &[Turn]) -> Vec<Segment> {
    let word = |word: protocol::Word| Word {
        start_ms: word.start_ms,
        end_ms: word.end_ms,
        text: word.text,
    };
    let spoken = |segment: protocol::Segment| Spoken {
        start_ms: segment.start_ms,
        end_ms: segment.end_ms,
        text: segment.text,
        words: segment.words.into_iter().map(word).collect(),
    };
    assign(segments.into_iter().map(spoken).collect(), turns)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(duration_ms: u64) -> Plan {
        let slices = vec![verst_engine::Slice { pieces: vec![(0, 1000).into()] }];
        Plan { duration_ms, slices, whole: false, level_dbfs: -20.0 }
    }

    #[test]
    fn windows_overlap_and_cover_the_recording() {
        let minute = 60_000;
        for (duration, expected) in [
            (1000, vec![(0, 1000)]),
            (30 * minute, vec![(0, 30 * minute)]),
            (40 * minute, vec![(0, 30 * minute), (27 * minute, 40 * minute)]),
            (57 * minute, vec![(0, 30 * minute), (27 * minute, 57 * minute)]),
        ] {
            let windows: Vec<(u64, u64)> =
                windows(&plan(duration)).into_iter().map(Into::into).collect();
            assert_eq!(windows, expected, "{duration}");
        }
        assert_eq!(windows(&plan(24 * 60 * minute)).len(), 54);
        let nothing = Plan { slices: Vec::new(), ..plan(1000) };
        let noise = Plan { whole: true, ..plan(1000) };
        assert!(windows(&nothing).is_empty() && windows(&noise).is_empty());
    }

    #[test]
    fn turns_come_back_from_parts_unless_a_window_failed() {
        let windows = windows(&plan(40 * 60_000));
        let turn = |start_ms, end_ms, speaker| protocol::Turn { start_ms, end_ms, speaker };
        let first = heard(0, &[turn(0, 1_000_000, 1), turn(1_630_000, 1_700_000, 2)]);
        let second = heard(1, &[turn(1_630_000, 1_700_000, 1), turn(2_000_000, 2_100_000, 2)]);
        let all = turns(&windows, &[first.clone(), second]);
        let all: Vec<_> = all.iter().map(|t| (t.start_ms, t.end_ms, t.speaker)).collect();
        let expected = [(0, 1_000_000, 1), (1_630_000, 1_700_000, 2), (2_000_000, 2_100_000, 3)];
        assert_eq!(all, expected);
        let broken = [first.clone(), given_up(1)];
        assert!(failed(&broken) && !failed(&[first]));
        assert!(turns(&windows, &broken).is_empty());
        assert!(!failed(&[heard(0, &[])]), "nobody spoke, and that is no failure");
    }
}
