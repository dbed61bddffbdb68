//! Who speaks when, in one window of a recording.
//!
//! The native library hears the whole window at once and carries the speakers on inside it, so the
//! same window always has the same turns; speakers of different windows are only numbers, and telling
//! which are the same is left to the client.
//!
//! *Invariant*: turns are in order of their starts, lie in the window and are not empty.

use std::path::Path;

use transcribe_cpp::{
    DiarizeExtension, DiarizeOptions, DiarizeSessionOptions, Model, SortformerDiarizeOptions,
    SortformerPreset, SpeakerSegment,
};

use crate::audio::{Pcm, SAMPLES_PER_MS};
use crate::plan::Piece;
use crate::protocol::{LONGEST_WINDOW_MS, Turn};
use crate::trouble::Trouble;

/// Less than this says nothing of anybody.
const SHORTEST_MS: u64 = 500;

/// The turns of a window.
pub(crate) fn diarise(
    audio: &Path,
    model: &Model,
    window: Piece,
    threads: u16,
) -> Result<Vec<Turn>, Trouble> {
    if window.length_ms() > LONGEST_WINDOW_MS {
        return Err(Trouble::BAD_REQUEST);
    }
    let mut samples = Vec::new();
    let mut pcm = Pcm::open(audio)?;
    let start = window.start_ms.saturating_mul(SAMPLES_PER_MS);
    pcm.read(start, window.length_ms() * SAMPLES_PER_MS, &mut samples)?;
    if u64::try_from(samples.len()).unwrap_or(u64::MAX) < SHORTEST_MS * SAMPLES_PER_MS {
        return Ok(Vec::new());
    }
    let native = |error: transcribe_cpp::Error| Trouble::native(&error);
    let options = DiarizeSessionOptions { n_threads: threads.into() };
    let mut session = model.diarize_session_with(&options).map_err(native)?;
    // The one its published error rate was measured with, for recordings that are there as a whole.
    let preset = Some(SortformerPreset::VeryHighLatency);
    let family = DiarizeExtension::Sortformer(SortformerDiarizeOptions { preset });
    let family = (model.arch() == "sortformer").then_some(family);
    let heard = session.run(&samples, &DiarizeOptions { family }).map_err(native)?;
    Ok(turns(&heard, window))
}

/// The turns in the time of the recording.
fn turns(heard: &[SpeakerSegment], window: Piece) -> Vec<Turn> {
    let place = |ms: i64| {
        let ms = u64::try_from(ms).unwrap_or(0).min(window.length_ms());
        window.start_ms + ms
    };
    let mut turns: Vec<Turn> = heard
        .iter()
        .filter_map(|segment| {
            let speaker = u32::try_from(segment.speaker_id).ok().filter(|&speaker| speaker > 0)?;
            let (start_ms, end_ms) = (place(segment.t0_ms), place(segment.t1_ms));
            (start_ms < end_ms).then_some(Turn { start_ms, end_ms, speaker })
        })
        .collect();
    turns.sort_by_key(|turn| (turn.start_ms, turn.end_ms, turn.speaker));
    turns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_placed_cut_and_sorted() {
        let segment =
            |t0_ms, t1_ms, speaker_id| SpeakerSegment { t0_ms, t1_ms, speaker_id, p: f32::NAN };
        let heard = [
            segment(0, 400, 1),
            segment(3000, 9000, 1),
            segment(300, 900, 2),
            segment(-50, 100, 3),
            segment(700, 700, 2),
            segment(0, 0, 4),
            segment(100, 200, 0),
        ];
        let turns = turns(&heard, (10_000, 15_000).into());
        let turns: Vec<_> = turns.iter().map(|t| (t.start_ms, t.end_ms, t.speaker)).collect();
        let expected =
            [(10_000, 10_100, 3), (10_000, 10_400, 1), (10_300, 10_900, 2), (13_000, 15_000, 1)];
        assert_eq!(turns, expected);
    }
}
