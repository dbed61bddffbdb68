//! Who said what: the turns of speakers laid over what was heard. Pure.
//!
//! A diarising model hears a recording in windows and numbers the speakers of each anew; [`link`]
//! makes one numbering of it. [`assign`] gives each segment the speaker who has most of it, and
//! divides a segment where the speaker changes, if it is known when each word was said.
//!
//! **Invariant:** no word is lost, added or moved, whatever the turns are.

mod link;

pub use link::{Window, link};

use crate::transcript::Segment;

/// Speech that no turn covers belongs to a turn that is no farther away than this.
const NEAR_MS: u64 = 500;

/// A change of speaker for less than this, back to the one before, is taken for an error.
const FLICKER_MS: u64 = 400;

/// A stretch in which one speaker speaks. Others may speak at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Milliseconds from the start of the recording.
    pub start_ms: u64,
    /// Milliseconds from the start of the recording.
    pub end_ms: u64,
    /// Which speaker, from 1.
    pub speaker: u32,
}

/// A word with its time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// Milliseconds from the start of the recording.
    pub start_ms: u64,
    /// Milliseconds from the start of the recording.
    pub end_ms: u64,
    /// The word.
    pub text: String,
}

/// What was heard, without a speaker yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spoken {
    /// Milliseconds from the start of the recording.
    pub start_ms: u64,
    /// Milliseconds from the start of the recording.
    pub end_ms: u64,
    /// What was said.
    pub text: String,
    /// Its words in order; none if their times are not known.
    pub words: Vec<Word>,
}

/// Segments with their speakers, in order. Without turns nobody is named.
pub fn assign(spoken: Vec<Spoken>, turns: &[Turn]) -> Vec<Segment> {
    let mut turns = turns.to_vec();
    turns.retain(|turn| turn.start_ms < turn.end_ms);
    turns.sort_by_key(|turn| (turn.start_ms, turn.end_ms, turn.speaker));
    spoken.into_iter().flat_map(|spoken| divide(spoken, &turns)).collect()
}

/// A segment, or its parts.
fn divide(spoken: Spoken, turns: &[Turn]) -> Vec<Segment> {
    let Spoken { start_ms, end_ms, text, words } = spoken;
    let mut runs = runs(words, turns);
    if runs.len() < 2 {
        let speaker = speaker(start_ms, end_ms, turns).map(|speaker| speaker.to_string());
        return vec![Segment { start_ms, end_ms, text, speaker }];
    }
    // The ends of the segment stay where they are: they may be known better than those of words.
    let last = runs.len() - 1;
    runs[0].start_ms = start_ms;
    runs[last].end_ms = end_ms;
    let mut earliest_ms = start_ms;
    let segment = |run: Run| {
        let start_ms = run.start_ms.clamp(earliest_ms, end_ms);
        earliest_ms = start_ms;
        let text = run.texts.join(" ");
        let speaker = run.speaker.map(|speaker| speaker.to_string());
        Segment { start_ms, end_ms: run.end_ms.clamp(start_ms, end_ms), text, speaker }
    };
    runs.into_iter().map(segment).collect()
}

/// Words one after the other that one speaker says.
#[derive(Debug)]
struct Run {
    start_ms: u64,
    end_ms: u64,
    texts: Vec<String>,
    speaker: Option<u32>,
}

impl Run {
    fn take(&mut self, later: Self) {
        self.end_ms = self.end_ms.max(later.end_ms);
        self.texts.extend(later.texts);
        self.speaker = self.speaker.or(later.speaker);
    }
}

fn runs(words: Vec<Word>, turns: &[Turn]) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for word in words {
        let Word { start_ms, end_ms, text } = word;
        let speaker = speaker(start_ms, end_ms, turns);
        let run = Run { start_ms, end_ms, texts: vec![text], speaker };
        match runs.last_mut() {
            // A word that nobody can be found for is the one's who speaks.
            Some(last)
                if speaker.is_none_or(|speaker| last.speaker.is_none_or(|s| s == speaker)) =>
            {
                last.take(run);
            }
            _ => runs.push(run),
        }
    }
    let mut steady: Vec<Run> = Vec::new();
    for run in runs {
        if let [.., before, flicker] = steady.as_mut_slice()
            && before.speaker == run.speaker
            && flicker.end_ms.saturating_sub(flicker.start_ms) < FLICKER_MS
        {
            let flicker =
                Run { texts: std::mem::take(&mut flicker.texts), speaker: None, ..*flicker };
            before.take(flicker);
            before.take(run);
            steady.pop();
        } else {
            steady.push(run);
        }
    }
    steady
}

/// Who has most of a stretch, else who is nearest to it; of several the first.
fn speaker(start_ms: u64, end_ms: u64, turns: &[Turn]) -> Option<u32> {
    let end_ms = end_ms.max(start_ms + 1);
    let mut shares: Vec<(u32, u64)> = Vec::new();
    let mut nearest: Option<(u64, u32)> = None;
    // In order of their starts, so that those that begin too late need no look.
    for turn in turns.iter().take_while(|turn| turn.start_ms <= end_ms + NEAR_MS) {
        let shared_ms = turn.end_ms.min(end_ms).saturating_sub(turn.start_ms.max(start_ms));
        if shared_ms > 0 {
            match shares.iter_mut().find(|(speaker, _)| *speaker == turn.speaker) {
                Some((_, ms)) => *ms += shared_ms,
                None => shares.push((turn.speaker, shared_ms)),
            }
        }
        let away_ms =
            turn.start_ms.saturating_sub(end_ms).max(start_ms.saturating_sub(turn.end_ms));
        if away_ms <= NEAR_MS && nearest.is_none_or(|(ms, _)| away_ms < ms) {
            nearest = Some((away_ms, turn.speaker));
        }
    }
    let most = shares.iter().max_by_key(|(speaker, ms)| (*ms, std::cmp::Reverse(*speaker)));
    most.map(|(speaker, _)| *speaker).or(nearest.map(|(_, speaker)| speaker))
}

#[cfg(test)]
mod tests;
