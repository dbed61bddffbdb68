//! Which stretch of a recording the next call hears. Pure.
//!
//! A stretch ends in the latest pause that the limit allows. Where speech goes on without a pause
//! it ends at the limit, and the next one begins a little earlier, so that a word which is cut is
//! heard whole by one of the two. Stretches without any sound are not sent: a recogniser invents
//! text for them, and asks money for it.
//!
//! **Invariant:** what lies between two stretches, before the first and after the last is silence.

use serde::{Deserialize, Serialize};

use crate::ffmpeg::Span;

/// How much is heard twice where there is no pause.
const OVERLAP_MS: u64 = 10_000;
/// Silence that is left at the edge of a stretch.
const MARGIN_MS: u64 = 300;
/// Silence that is worth another call instead of being sent.
const LONG_VOID_MS: u64 = 30_000;
/// Shorter sound than this is no word, and refused by providers.
const SHORTEST_MS: u64 = 100;

/// What is known of how a recording sounds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Sound {
    pub(super) duration_ms: u64,
    /// Where it may be cut, in order.
    pub(super) pauses: Vec<Span>,
    /// Where there is nothing to hear, in order.
    pub(super) voids: Vec<Span>,
}

/// The stretch after the one that ended at `heard_ms`, no longer than `limit_ms`, from and until.
/// `None` when there is nothing more to hear.
pub(super) fn next(sound: &Sound, heard_ms: Option<u64>, limit_ms: u64) -> Option<(u64, u64)> {
    let limit_ms = limit_ms.max(4 * SHORTEST_MS);
    let from = begin(sound, heard_ms, limit_ms)?;
    let end = end(sound, from);
    if end < from.saturating_add(SHORTEST_MS) {
        return None;
    }
    let latest = from.saturating_add(limit_ms);
    Some((from, if end <= latest { end } else { cut(sound, from + limit_ms / 2, latest) }))
}

fn begin(sound: &Sound, heard_ms: Option<u64>, limit_ms: u64) -> Option<u64> {
    let from = match heard_ms {
        None => 0,
        Some(at) if at >= sound.duration_ms => return None,
        Some(at) if is_quiet(sound, at) => at,
        Some(at) => at.saturating_sub(OVERLAP_MS.min(limit_ms / 4)),
    };
    let void = sound.voids.iter().find(|void| void.start_ms <= from && from < void.end_ms);
    match void {
        Some(void) if void.end_ms >= sound.duration_ms => None,
        Some(void) => Some(from.max(void.end_ms.saturating_sub(MARGIN_MS))),
        None => Some(from),
    }
}

/// Where the sound ends that begins at `from`: at a long silence, or with the recording.
fn end(sound: &Sound, from: u64) -> u64 {
    let ends = |void: &&Span| {
        let long = void.end_ms.saturating_sub(void.start_ms) >= LONG_VOID_MS;
        void.start_ms > from && (long || void.end_ms >= sound.duration_ms)
    };
    let end = sound.voids.iter().find(ends);
    end.map_or(sound.duration_ms, |void| (void.start_ms + MARGIN_MS).min(sound.duration_ms))
}

/// The latest place for a cut that the limit allows.
fn cut(sound: &Sound, earliest: u64, latest: u64) -> u64 {
    let reachable = |pause: &&Span| pause.start_ms < latest && pause.end_ms > earliest;
    match sound.pauses.iter().rev().find(reachable) {
        Some(pause) => {
            let (first, last) = (pause.start_ms.max(earliest), pause.end_ms.min(latest));
            u64::midpoint(pause.start_ms, pause.end_ms).clamp(first, last)
        }
        None => latest,
    }
}

fn is_quiet(sound: &Sound, at: u64) -> bool {
    let mut quiet = sound.pauses.iter().chain(&sound.voids);
    quiet.any(|span| span.start_ms <= at && at <= span.end_ms)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use proptest::prelude::*;

    fn spans(spans: &[(u64, u64)]) -> Vec<Span> {
        spans.iter().map(|&span| span.into()).collect()
    }

    fn all(sound: &Sound, limit_ms: u64) -> Vec<(u64, u64)> {
        let mut stretches = Vec::new();
        while let Some(stretch) = next(sound, stretches.last().map(|(_, until)| *until), limit_ms) {
            stretches.push(stretch);
        }
        stretches
    }

    fn check(pauses: &[(u64, u64)], voids: &[(u64, u64)], limit_ms: u64, is: &[(u64, u64)]) {
        let (pauses, voids) = (spans(pauses), spans(voids));
        assert_eq!(all(&Sound { duration_ms: 100_000, pauses, voids }, limit_ms), is);
    }

    #[test]
    fn cuts_are_in_pauses_and_silence_is_left_out() {
        let whole = [(0, 100_000)];
        check(&[], &[], 100_000, &whole);
        check(&[(50_000, 50_400)], &[], 200_000, &whole);
        let pauses = [(30_000, 30_400), (50_000, 50_400), (61_000, 61_400)];
        check(&pauses, &[], 60_000, &[(0, 50_200), (50_200, 100_000)]);
        // The limit falls into a pause.
        check(&[(59_900, 61_000)], &[], 60_000, &[(0, 60_000), (60_000, 100_000)]);
        // No pause in the second half of what the limit allows.
        check(&[(10_000, 10_400)], &[], 60_000, &[(0, 60_000), (50_000, 100_000)]);
        check(&[], &[(0, 100_000)], 60_000, &[]);
        check(&[], &[(0, 20_000), (90_000, 100_000)], 90_000, &[(19_700, 90_300)]);
        // A short silence inside is sent, a long one is not.
        check(&[], &[(30_000, 50_000)], 200_000, &whole);
        check(&[], &[(30_000, 70_000)], 200_000, &[(0, 30_300), (69_700, 100_000)]);
        check(&[], &[(50, 100_000)], 200_000, &[(0, 350)]);
    }

    /// Recordings with pauses and silences at any place, and a limit.
    pub(in super::super) fn sounds() -> impl Strategy<Value = (Sound, u64)> {
        let gaps = prop::collection::vec((1_u64..60_000, 300_u64..45_000, any::<bool>()), 0..40);
        (gaps, 0_u64..60_000, 2_000_u64..200_000).prop_map(|(gaps, tail, limit)| {
            let (mut at, mut pauses, mut voids) = (0, Vec::new(), Vec::new());
            for (speech, silence, void) in gaps {
                at += speech;
                // What is a void is a pause as well.
                let span = Span { start_ms: at, end_ms: at + silence };
                pauses.push(span);
                if void && silence >= 3000 {
                    voids.push(span);
                }
                at += silence;
            }
            (Sound { duration_ms: (at + tail).max(1), pauses, voids }, limit)
        })
    }

    proptest! {
        #[test]
        fn stretches_cover_every_sound_and_keep_the_limit((sound, limit) in sounds()) {
            let stretches = all(&sound, limit);
            let mut heard = 0;
            for (from, until) in &stretches {
                prop_assert!(from < until && until - from <= limit, "{from}..{until}");
                prop_assert!(*until <= sound.duration_ms && *until > heard);
                if *from < heard {
                    prop_assert!(!is_quiet(&sound, heard), "heard twice at a pause");
                    prop_assert!(heard - from <= OVERLAP_MS);
                } else {
                    prop_assert!(is_silent(&sound, heard, *from), "{heard}..{from} is skipped");
                }
                heard = *until;
            }
            prop_assert!(is_silent(&sound, heard, sound.duration_ms), "the end is missing");
        }
    }

    /// Whether nothing but silence, or less sound than any word, lies there.
    fn is_silent(sound: &Sound, from: u64, until: u64) -> bool {
        from + SHORTEST_MS >= until
            || sound
                .voids
                .iter()
                .any(|void| void.start_ms <= from && until <= void.end_ms + SHORTEST_MS)
    }
}
