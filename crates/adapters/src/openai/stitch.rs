//! Joins what was heard in several calls. Pure.
//!
//! Where two calls meet in a pause, one follows the other. Where they overlap, the words that both
//! heard stand once: the longest run of words that ends the one and begins the other is looked for,
//! and what each of them heard beyond it, at its torn edge, is the other's. Where no run is long
//! enough to be sure, both stay: a phrase that stands twice is better than one that is lost.

use verst_recordings::ports::{Call, Part};
use verst_recordings::transcript::Segment;

/// How far times given for one word may lie apart in two hearings.
const SLACK_MS: u64 = 1500;
/// Words of either side that are compared.
const COMPARED: usize = 80;
/// So many words in a row are no accident.
const SURE: usize = 3;

/// All segments in order.
pub(super) fn join(parts: &[Part], calls: &[Call]) -> Vec<Segment> {
    let mut joined: Vec<Segment> = Vec::new();
    let mut before: Option<Call> = None;
    // Where the segments of the part before begin.
    let mut mark = 0;
    for part in parts {
        let call = calls.iter().find(|call| call.index == part.index).copied();
        let mut segments = part.segments.clone();
        if let (Some(before), Some(call)) = (before, call)
            && call.from_ms < before.until_ms
        {
            let (former, latter) = (&mut joined[mark..], &mut segments[..]);
            without_repeats(former, latter, call.from_ms, before.until_ms);
            joined.retain(|segment| !segment.text.is_empty());
            segments.retain(|segment| !segment.text.is_empty());
        }
        mark = joined.len();
        let heard_ms = joined.last().map_or(0, |last| last.start_ms);
        joined.extend(segments.into_iter().map(|segment| {
            let start_ms = segment.start_ms.max(heard_ms);
            Segment { start_ms, end_ms: segment.end_ms.max(start_ms), ..segment }
        }));
        before = call.or(before);
    }
    joined
}

/// A word, as it is compared, and where it stands.
struct Word {
    segment: usize,
    place: usize,
    text: String,
}

fn without_repeats(former: &mut [Segment], latter: &mut [Segment], from_ms: u64, until_ms: u64) {
    let ends = |segment: &Segment| segment.end_ms + SLACK_MS >= from_ms;
    let begins = |segment: &Segment| segment.start_ms <= until_ms + SLACK_MS;
    let (tail, head) = (words(former, ends), words(latter, begins));
    let tail = &tail[tail.len().saturating_sub(COMPARED)..];
    let head = &head[..head.len().min(COMPARED)];
    let Some((at_tail, at_head, length)) = longest_run(tail, head) else { return };
    if length < SURE && length < tail.len() && length < head.len() {
        return;
    }
    if let Some(torn) = tail.get(at_tail + length) {
        keep_until(former, torn);
    }
    let last = &head[at_head + length - 1];
    keep_after(latter, last);
}

fn words(segments: &[Segment], which: impl Fn(&Segment) -> bool) -> Vec<Word> {
    let of = |(segment, it): (usize, &Segment)| {
        let words = it.text.split_whitespace().enumerate();
        words.map(|(place, word)| Word { segment, place, text: plain(word) }).collect::<Vec<_>>()
    };
    segments.iter().enumerate().filter(|(_, it)| which(it)).flat_map(of).collect()
}

/// A word without its case and punctuation, which depend on what surrounds it.
fn plain(word: &str) -> String {
    let letters: String = word.chars().filter(|c| c.is_alphanumeric()).collect();
    if letters.is_empty() { word.to_owned() } else { letters.to_lowercase() }
}

/// The longest run of equal words: where it begins in either, and its length.
fn longest_run(tail: &[Word], head: &[Word]) -> Option<(usize, usize, usize)> {
    let mut best: Option<(usize, usize, usize)> = None;
    let mut above = vec![0; head.len()];
    for (i, left) in tail.iter().enumerate() {
        let mut row = vec![0; head.len()];
        for (j, right) in head.iter().enumerate() {
            if left.text != right.text {
                continue;
            }
            row[j] = 1 + if j > 0 { above[j - 1] } else { 0 };
            if best.is_none_or(|(_, _, length)| row[j] > length) {
                best = Some((i + 1 - row[j], j + 1 - row[j], row[j]));
            }
        }
        above = row;
    }
    best
}

/// Removes this word and everything after it.
fn keep_until(segments: &mut [Segment], word: &Word) {
    let cut = &mut segments[word.segment];
    cut.text = pick(&cut.text, |place| place < word.place);
    for segment in &mut segments[word.segment + 1..] {
        segment.text.clear();
    }
}

/// Removes this word and everything before it.
fn keep_after(segments: &mut [Segment], word: &Word) {
    let cut = &mut segments[word.segment];
    cut.text = pick(&cut.text, |place| place > word.place);
    for segment in &mut segments[..word.segment] {
        segment.text.clear();
    }
}

fn pick(text: &str, which: impl Fn(usize) -> bool) -> String {
    let kept: Vec<&str> = text
        .split_whitespace()
        .enumerate()
        .filter_map(|(place, word)| which(place).then_some(word))
        .collect();
    kept.join(" ")
}

#[cfg(test)]
mod tests {
    use super::super::stretch::{self, Sound, tests::sounds};
    use super::*;
    use proptest::prelude::*;

    fn segment(start_ms: u64, end_ms: u64, text: &str) -> Segment {
        Segment { start_ms, end_ms, text: text.to_owned(), speaker: None }
    }

    fn part(index: u32, segments: &[(u64, u64, &str)]) -> Part {
        let segments = segments.iter().map(|&(from, to, text)| segment(from, to, text)).collect();
        Part { index, segments, language: None }
    }

    fn check(former: &[(u64, u64, &str)], latter: &[(u64, u64, &str)], expected: &str) {
        let calls = [
            Call { index: 0, from_ms: 0, until_ms: 60_000 },
            Call { index: 1, from_ms: 50_000, until_ms: 90_000 },
        ];
        let joined = join(&[part(0, former), part(1, latter)], &calls);
        let texts: Vec<&str> = joined.iter().map(|segment| segment.text.as_str()).collect();
        assert_eq!(texts.join(" | "), expected);
        assert!(joined.is_sorted_by_key(|segment| segment.start_ms));
    }

    #[test]
    fn what_both_heard_stands_once() {
        let first = (40_000, 48_000, "Long before.");
        check(
            &[first, (50_000, 60_000, "It was the best of times, it was the wor")],
            &[(50_500, 66_000, "the best of times it was the worst of times.")],
            "Long before. | It was the best of times, it was the | worst of times.",
        );
        // Without times, a whole part is one stretch.
        check(
            &[(0, 60_000, "one two three four five six sev")],
            &[(50_000, 90_000, "r five, six, seven eight")],
            "one two three four five six sev | r five, six, seven eight",
        );
        check(
            &[(0, 60_000, "one two three four five six sev")],
            &[(50_000, 90_000, "r Four, five, six, seven eight")],
            "one two three four five six | seven eight",
        );
        check(
            &[first, (52_000, 55_000, "yes")],
            &[(52_100, 55_100, "Yes."), (62_000, 63_000, "no")],
            "Long before. | yes | no",
        );
    }

    #[test]
    fn what_only_one_heard_is_kept() {
        check(&[(52_000, 58_000, "a b")], &[(51_000, 59_000, "c d")], "a b | c d");
        check(&[], &[(51_000, 59_000, "c d")], "c d");
        check(&[(52_000, 58_000, "a b")], &[], "a b");
        // The same words long before the overlap are another matter.
        check(
            &[(0, 5000, "over and over again"), (30_000, 40_000, "the end")],
            &[(61_000, 65_000, "over and over again")],
            "over and over again | the end | over and over again",
        );
    }

    #[test]
    fn parts_that_meet_in_a_pause_follow_one_another() {
        let calls = [
            Call { index: 0, from_ms: 0, until_ms: 60_000 },
            Call { index: 1, from_ms: 60_000, until_ms: 90_000 },
        ];
        let parts = [
            part(0, &[(58_000, 59_900, "again and again and")]),
            part(1, &[(60_100, 62_000, "again and again and")]),
        ];
        assert_eq!(join(&parts, &calls).len(), 2);
    }

    /// A word in every sounding half second, named by its place.
    fn utterances(sound: &Sound) -> Vec<(u64, u64, String)> {
        let quiet = |from: u64, to: u64| {
            sound.pauses.iter().any(|pause| pause.start_ms < to && from < pause.end_ms)
        };
        let all = (0..sound.duration_ms / 500).map(|n| (n * 500, n * 500 + 450, format!("w{n}")));
        all.filter(|(from, to, _)| !quiet(*from, *to)).collect()
    }

    /// What a recogniser hears of a stretch: the words that are whole, in segments of a few; and
    /// something else for what is torn at the edges.
    fn hear(said: &[(u64, u64, String)], index: u32, from: u64, until: u64, few: usize) -> Part {
        let inside = said.iter().filter(|(start, end, _)| from < *end && *start < until);
        let heard: Vec<(u64, u64, String)> = inside
            .map(|(start, end, word)| {
                let torn = *start < from || *end > until;
                let word = if torn { "uh".to_owned() } else { word.clone() };
                ((*start).max(from), (*end).min(until), word)
            })
            .collect();
        let segments = heard.chunks(few.max(1)).map(|words| {
            let texts: Vec<&str> = words.iter().map(|(_, _, word)| word.as_str()).collect();
            segment(words[0].0, words[words.len() - 1].1, &texts.join(" "))
        });
        Part { index, segments: segments.collect(), language: None }
    }

    proptest! {
        #[test]
        fn no_word_is_lost_or_doubled_at_a_seam(
            (sound, limit) in sounds(),
            few in 1_usize..30,
        ) {
            // Seams that overlap by less than a few words are not sure to be found.
            let limit = limit.max(20_000);
            let said = utterances(&sound);
            let (mut parts, mut calls) = (Vec::new(), Vec::new());
            let mut heard = None;
            while let Some((from_ms, until_ms)) = stretch::next(&sound, heard, limit) {
                let index = u32::try_from(calls.len()).unwrap();
                parts.push(hear(&said, index, from_ms, until_ms, few));
                calls.push(Call { index, from_ms, until_ms });
                heard = Some(until_ms);
            }
            let joined = join(&parts, &calls);
            prop_assert!(joined.is_sorted_by_key(|segment| segment.start_ms));
            let words = joined.iter().flat_map(|segment| segment.text.split_whitespace());
            let words: Vec<&str> = words.filter(|word| *word != "uh").collect();
            let expected: Vec<&str> = said.iter().map(|(_, _, word)| word.as_str()).collect();
            prop_assert_eq!(words, expected);
        }
    }
}
