//! One numbering of speakers out of that of each window.
//!
//! Windows overlap. Who speaks at the same time in what two windows share is the same person; who
//! cannot be found again is somebody new, because two people under one name are harder to mend than
//! one under two.

use std::collections::BTreeMap;

use super::Turn;

/// Less in common than this says nothing.
const COMMON_MS: u64 = 1_000;

/// A window and its turns, in the time of the recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    /// Milliseconds from the start of the recording.
    pub start_ms: u64,
    /// Milliseconds from the start of the recording.
    pub end_ms: u64,
    /// Its turns, with speakers of its own.
    pub turns: Vec<Turn>,
}

/// The turns of the whole recording: speakers are numbered in the order in which they first speak.
/// Windows come in order, each overlapping the one before.
pub fn link(windows: &[Window]) -> Vec<Turn> {
    let mut all: Vec<Turn> = Vec::new();
    let mut speakers = 0;
    let mut before: Option<&Window> = None;
    let mut before_turns: Vec<Turn> = Vec::new();
    for window in windows {
        let shared = before.map_or((window.start_ms, window.start_ms), |before| {
            (window.start_ms, before.end_ms.max(window.start_ms))
        });
        let same = matches(&before_turns, &window.turns, shared);
        let mut names: BTreeMap<u32, u32> = same;
        let mut turns = window.turns.clone();
        turns.sort_by_key(|turn| (turn.start_ms, turn.end_ms, turn.speaker));
        for turn in &mut turns {
            turn.speaker = *names.entry(turn.speaker).or_insert_with(|| {
                speakers += 1;
                speakers
            });
        }
        // Each window knows most of what is far from its edges.
        let seam_ms = u64::midpoint(shared.0, shared.1);
        cut_after(&mut all, seam_ms);
        let rest = turns.iter().filter(|turn| turn.end_ms > seam_ms);
        all.extend(rest.map(|turn| Turn { start_ms: turn.start_ms.max(seam_ms), ..*turn }));
        (before, before_turns) = (Some(window), turns);
    }
    tidy(all)
}

/// Which speaker of the later turns is which of the earlier ones.
fn matches(earlier: &[Turn], later: &[Turn], shared: (u64, u64)) -> BTreeMap<u32, u32> {
    let within = |turn: &Turn| (turn.start_ms.max(shared.0), turn.end_ms.min(shared.1));
    let mut common: BTreeMap<(u32, u32), u64> = BTreeMap::new();
    for a in earlier {
        for b in later {
            let ((a0, a1), (b0, b1)) = (within(a), within(b));
            let ms = a1.min(b1).saturating_sub(a0.max(b0));
            *common.entry((a.speaker, b.speaker)).or_default() += ms;
        }
    }
    let mut pairs: Vec<((u32, u32), u64)> =
        common.into_iter().filter(|(_, ms)| *ms >= COMMON_MS).collect();
    // The surest first; those that are as sure in the order of their numbers.
    pairs.sort_by_key(|(pair, ms)| (std::cmp::Reverse(*ms), *pair));
    let mut names = BTreeMap::new();
    for ((earlier, later), _) in pairs {
        if !names.contains_key(&later) && !names.values().any(|name| *name == earlier) {
            names.insert(later, earlier);
        }
    }
    names
}

fn cut_after(turns: &mut Vec<Turn>, seam_ms: u64) {
    turns.retain(|turn| turn.start_ms < seam_ms);
    for turn in turns {
        turn.end_ms = turn.end_ms.min(seam_ms);
    }
}

/// Turns of one speaker that touch become one, and speakers are numbered as they appear.
fn tidy(mut turns: Vec<Turn>) -> Vec<Turn> {
    turns.retain(|turn| turn.start_ms < turn.end_ms);
    turns.sort_by_key(|turn| (turn.start_ms, turn.end_ms, turn.speaker));
    let mut tidied: Vec<Turn> = Vec::new();
    for turn in turns {
        let last = tidied.iter_mut().rfind(|last| last.speaker == turn.speaker);
        match last {
            Some(last) if turn.start_ms <= last.end_ms => {
                last.end_ms = last.end_ms.max(turn.end_ms);
            }
            _ => tidied.push(turn),
        }
    }
    let mut names: BTreeMap<u32, u32> = BTreeMap::new();
    for turn in &mut tidied {
        let next = u32::try_from(names.len()).unwrap_or(u32::MAX).saturating_add(1);
        turn.speaker = *names.entry(turn.speaker).or_insert(next);
    }
    tidied
}
