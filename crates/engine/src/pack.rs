//! Packing regions of speech into slices: the calls of the recogniser.
//!
//! Whisper computes 30 s at a time however little of it is speech, so regions are put together
//! with the silence between them left out, each with a margin of the sound around it; a pause
//! shorter than two margins stays as it is. Slices are cut in pauses, and a region too long for a
//! slice where the detector is least sure of speech. Nothing is heard twice.
//!
//! *Invariant*: no slice has more audio than the limit, and every frame of every region is in
//! exactly one slice.

use std::ops::Range;

use crate::plan::{Piece, Slice};
use crate::regions::Region;

/// Length of a detector's frame.
pub(crate) const FRAME_MS: u64 = 32;

/// Sound kept before and after each region: consonants begin before the detector is sure.
pub(crate) const MARGIN_MS: u64 = 200;

/// A slice is not cut before it has this part of the longest.
const FULL: (u64, u64) = (4, 5);

/// Frames on each side over which the probability is averaged to find where to cut a region.
const AROUND: usize = 3;

/// Slices of at most `longest_ms` of audio, out of the regions of a recording of `duration_ms`.
pub(crate) fn pack(
    regions: &[Region],
    probabilities: &[f32],
    duration_ms: u64,
    longest_ms: u64,
) -> Vec<Slice> {
    let pieces: Vec<Piece> = widen(regions, duration_ms)
        .into_iter()
        .flat_map(|piece| divide(piece, probabilities, longest_ms))
        .collect();
    let mut slices = Vec::new();
    let mut rest = pieces.as_slice();
    while !rest.is_empty() {
        let (slice, later) = rest.split_at(cut(rest, longest_ms));
        slices.push(Slice { pieces: join(slice) });
        rest = later;
    }
    slices
}

/// The whole recording in windows of `longest_ms`.
pub(crate) fn windows(duration_ms: u64, longest_ms: u64) -> Vec<Slice> {
    let mut slices = Vec::new();
    let mut start_ms = 0;
    while start_ms < duration_ms {
        let end_ms = duration_ms.min(start_ms + longest_ms);
        slices.push(Slice { pieces: vec![Piece { start_ms, end_ms }] });
        start_ms = end_ms;
    }
    slices
}

/// Regions with their margins; those that touch become one.
fn widen(regions: &[Region], duration_ms: u64) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for region in regions {
        let start_ms = (frames_ms(region.start)).saturating_sub(MARGIN_MS);
        let end_ms = (frames_ms(region.end) + MARGIN_MS).min(duration_ms);
        match pieces.last_mut() {
            Some(last) if start_ms <= last.end_ms => last.end_ms = last.end_ms.max(end_ms),
            _ if start_ms < end_ms => pieces.push(Piece { start_ms, end_ms }),
            _ => {}
        }
    }
    pieces
}

/// Parts of a piece, none longer than `longest_ms`.
fn divide(piece: Piece, probabilities: &[f32], longest_ms: u64) -> Vec<Piece> {
    let mut parts = Vec::new();
    let mut rest = piece;
    while rest.length_ms() > longest_ms {
        let latest = rest.start_ms + longest_ms;
        let earliest = rest.start_ms + longest_ms / 2;
        let at_ms = least_speech(probabilities, earliest, latest).unwrap_or(latest);
        parts.push(Piece { end_ms: at_ms, ..rest });
        rest.start_ms = at_ms;
    }
    parts.push(rest);
    parts
}

/// The middle of the frame in `[earliest_ms, latest_ms)` around which speech is least probable;
/// the last of equals.
fn least_speech(probabilities: &[f32], earliest_ms: u64, latest_ms: u64) -> Option<u64> {
    let frames = frame_after(earliest_ms)..frame_after(latest_ms).saturating_sub(1);
    let frame = frames.min_by(|&a, &b| {
        around(probabilities, a).total_cmp(&around(probabilities, b)).then(b.cmp(&a))
    })?;
    Some(frames_ms(frame) + FRAME_MS / 2)
}

fn around(probabilities: &[f32], frame: usize) -> f32 {
    let range: Range<usize> = frame.saturating_sub(AROUND)..frame + AROUND + 1;
    probabilities.get(range).map_or(0.0, |around| around.iter().sum())
}

/// How many of the pieces make the next slice: as many as fit, fewer if a longer pause lies not
/// far before, because a recogniser hears sentences better than halves of them.
fn cut(pieces: &[Piece], longest_ms: u64) -> usize {
    let mut length_ms = 0;
    let mut candidates = Vec::new();
    for (count, piece) in pieces.iter().enumerate() {
        if count > 0 && length_ms * FULL.1 >= longest_ms * FULL.0 {
            candidates.push((piece.start_ms - pieces[count - 1].end_ms, count));
        }
        length_ms += piece.length_ms();
        if length_ms > longest_ms {
            return candidates.iter().max().map_or(count.max(1), |&(_, count)| count);
        }
    }
    pieces.len()
}

/// Parts of one region that ended up side by side are one piece again.
fn join(parts: &[Piece]) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for part in parts {
        match pieces.last_mut() {
            Some(last) if last.end_ms == part.start_ms => last.end_ms = part.end_ms,
            _ => pieces.push(*part),
        }
    }
    pieces
}

fn frames_ms(frames: usize) -> u64 {
    FRAME_MS * u64::try_from(frames).unwrap_or(u64::MAX / FRAME_MS)
}

fn frame_after(ms: u64) -> usize {
    usize::try_from(ms.div_ceil(FRAME_MS)).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: usize = 31;

    type Regions<'a> = &'a [(usize, usize)];
    type Pieces<'a> = &'a [(u64, u64)];

    fn packed(regions: Regions<'_>, frames: usize, longest_ms: u64) -> Vec<Vec<(u64, u64)>> {
        let mut probabilities = vec![0.0; frames];
        let regions: Vec<Region> =
            regions.iter().map(|&(start, end)| Region { start, end }).collect();
        for region in &regions {
            probabilities[region.start..region.end].fill(1.0);
        }
        let slices = pack(&regions, &probabilities, frames_ms(frames), longest_ms);
        slices.into_iter().map(|s| s.pieces.into_iter().map(Into::into).collect()).collect()
    }

    #[test]
    fn regions_become_slices() {
        let cases: [(&str, Regions<'_>, usize, &[Pieces<'_>]); 6] = [
            ("none", &[], 100, &[]),
            ("margins", &[(100, 200)], 1000, &[&[(3000, 6600)]]),
            ("margins end with the recording", &[(2, 100)], 101, &[&[(0, 3232)]]),
            ("a short pause stays", &[(10, 20), (30, 40)], 100, &[&[(120, 1480)]]),
            ("a long one is left out", &[(10, 20), (50, 60)], 99, &[&[(120, 840), (1400, 2120)]]),
            (
                "what does not fit begins a slice",
                &[(0, 200), (300, 400)],
                1000,
                &[&[(0, 6600)], &[(9400, 13_000)]],
            ),
        ];
        for (name, regions, frames, expected) in cases {
            assert_eq!(packed(regions, frames, 10_000), expected, "{name}");
        }
    }

    #[test]
    fn the_longest_pause_near_the_end_is_where_a_slice_ends() {
        let seconds = [(0, 4), (5, 9), (12, 13), (14, 17)];
        let regions = seconds.map(|(start, end)| (start * SECOND, end * SECOND));
        let slices = packed(&regions, 30 * SECOND, 10_000);
        assert_eq!(slices[0].len(), 2, "not three, though the third fits: {slices:?}");
        assert_eq!(slices[1].len(), 2);
    }

    #[test]
    fn a_long_region_is_cut_where_speech_is_least_probable() {
        let frames = 40 * SECOND;
        let mut probabilities = vec![1.0; frames];
        probabilities[700..707].fill(0.4);
        let regions = [Region { start: 0, end: frames }];
        let slices = pack(&regions, &probabilities, frames_ms(frames), 29_000);
        assert_eq!(slices.len(), 2);
        assert_eq!(slices[0].pieces, [Piece { start_ms: 0, end_ms: 703 * 32 + 16 }]);
        assert_eq!(slices[1].pieces[0].start_ms, slices[0].pieces[0].end_ms);
    }

    #[test]
    fn windows_cover_everything_once() {
        let lengths = |d| windows(d, 29_000).iter().map(Slice::length_ms).collect::<Vec<_>>();
        assert_eq!(lengths(0), Vec::<u64>::new());
        assert_eq!(lengths(29_000), [29_000]);
        assert_eq!(lengths(60_001), [29_000, 29_000, 2001]);
    }

    proptest::proptest! {
        #[test]
        fn slices_keep_the_limit_and_every_frame_of_speech(
            runs in proptest::collection::vec((1_usize..2000, 1_usize..2000), 0..30),
            longest_ms in 5_000_u64..29_001,
        ) {
            let mut frames = 0;
            let mut regions = Vec::new();
            for (silence, speech) in runs {
                regions.push((frames + silence, frames + silence + speech));
                frames += silence + speech;
            }
            let slices = packed(&regions, frames, longest_ms);
            for slice in &slices {
                assert!(slice.iter().map(|(s, e)| e - s).sum::<u64>() <= longest_ms);
            }
            let pieces: Vec<(u64, u64)> = slices.concat();
            assert!(pieces.iter().all(|(s, e)| s < e));
            assert!(pieces.windows(2).all(|p| p[0].1 <= p[1].0));
            for (start, end) in regions {
                let (start, end) = (frames_ms(start), frames_ms(end));
                let covered: u64 =
                    pieces.iter().map(|&(s, e)| e.min(end).saturating_sub(s.max(start))).sum();
                assert_eq!(covered, end - start);
            }
        }
    }
}
