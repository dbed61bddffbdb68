use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

fn turn((start_ms, end_ms, speaker): (u64, u64, u32)) -> Turn {
    Turn { start_ms, end_ms, speaker }
}

fn turns(turns: &[(u64, u64, u32)]) -> Vec<Turn> {
    turns.iter().copied().map(turn).collect()
}

fn spoken(start_ms: u64, end_ms: u64, words: &[(u64, u64, &str)]) -> Spoken {
    let word =
        |&(start_ms, end_ms, text): &(u64, u64, &str)| Word { start_ms, end_ms, text: text.into() };
    let texts: Vec<&str> = words.iter().map(|word| word.2).collect();
    Spoken { start_ms, end_ms, text: texts.join(" "), words: words.iter().map(word).collect() }
}

fn named(spoken: Vec<Spoken>, told: &[(u64, u64, u32)]) -> Vec<(u64, u64, String, Option<String>)> {
    let segments = assign(spoken, &turns(told));
    segments.into_iter().map(|s| (s.start_ms, s.end_ms, s.text, s.speaker)).collect()
}

fn whole(start_ms: u64, end_ms: u64) -> Spoken {
    Spoken { start_ms, end_ms, text: "text".into(), words: Vec::new() }
}

#[test]
fn a_segment_is_the_ones_who_has_most_of_it() {
    let told = [(0, 1000, 1), (900, 3000, 2), (5000, 6000, 1), (5000, 6000, 2)];
    for (start, end, expected) in [
        (0, 1000, Some("1")),
        (500, 1600, Some("2")),
        (950, 960, Some("1")),
        (5000, 6000, Some("1")),
        (3300, 3400, Some("2")),
        (3600, 4400, None),
        (4600, 4600, Some("1")),
    ] {
        let segment = &named(vec![whole(start, end)], &told)[0];
        assert_eq!(segment.3.as_deref(), expected, "{start} {end}");
    }
    assert_eq!(named(vec![whole(0, 9)], &[])[0].3, None);
}

#[test]
fn a_segment_is_divided_where_the_speaker_changes() {
    let segment = || {
        spoken(
            100,
            5000,
            &[(200, 700, "Are"), (700, 1500, "you?"), (1800, 2600, "Yes,"), (2600, 4800, "I am.")],
        )
    };
    let told = [(0, 1600, 1), (1700, 5000, 2)];
    let expected = [
        (100, 1500, "Are you?".to_owned(), Some("1".to_owned())),
        (1800, 5000, "Yes, I am.".to_owned(), Some("2".to_owned())),
    ];
    assert_eq!(named(vec![segment()], &told), expected);
    let alone = [(100, 5000, "Are you? Yes, I am.".to_owned(), Some("1".to_owned()))];
    assert_eq!(named(vec![segment()], &[(0, 5000, 1)]), alone);
    let nobody = [(100, 5000, "Are you? Yes, I am.".to_owned(), None)];
    assert_eq!(named(vec![segment()], &[]), nobody);
}

#[test]
fn a_flicker_is_no_change_of_speaker() {
    let segment = spoken(0, 3000, &[(0, 1000, "a"), (1000, 1300, "b"), (1300, 3000, "c")]);
    let told = [(0, 1000, 1), (1000, 1300, 2), (1300, 3000, 1)];
    let expected = [(0, 3000, "a b c".to_owned(), Some("1".to_owned()))];
    assert_eq!(named(vec![segment], &told), expected);
}

#[test]
fn windows_are_linked_by_who_speaks_in_both() {
    let first = Window {
        start_ms: 0,
        end_ms: 100_000,
        turns: turns(&[(0, 50_000, 2), (50_000, 95_000, 1)]),
    };
    let second = Window {
        start_ms: 80_000,
        end_ms: 150_000,
        turns: turns(&[(80_500, 95_500, 1), (96_000, 120_000, 2), (120_000, 150_000, 1)]),
    };
    let linked: Vec<_> =
        link(&[first, second]).iter().map(|t| (t.start_ms, t.end_ms, t.speaker)).collect();
    // Speaker 2 of the second window was never heard in what both share: somebody new.
    let expected =
        [(0, 50_000, 1), (50_000, 95_500, 2), (96_000, 120_000, 3), (120_000, 150_000, 2)];
    assert_eq!(linked, expected);
    assert!(link(&[]).is_empty());
}

prop_compose! {
    fn any_turns()(told in vec((0_u64..60_000, 0_u64..9_000, 1_u32..5), 0..30)) -> Vec<Turn> {
        told.into_iter().map(|(start, length, speaker)| turn((start, start + length, speaker))).collect()
    }
}

prop_compose! {
    fn any_spoken()(timed in any::<bool>(), words in vec((0_u64..2_000, 0_u64..900), 1..12), at in 0_u64..50_000) -> Spoken {
        let mut words_ms = at;
        let mut placed = Vec::new();
        for (n, (gap, length)) in words.into_iter().enumerate() {
            let start_ms = words_ms + gap;
            words_ms = start_ms + length;
            placed.push(Word { start_ms, end_ms: words_ms, text: format!("w{n}") });
        }
        let texts: Vec<&str> = placed.iter().map(|word| word.text.as_str()).collect();
        let text = texts.join(" ");
        Spoken { start_ms: at, end_ms: words_ms + 50, text, words: if timed { placed } else { Vec::new() } }
    }
}

proptest! {
    #[test]
    fn no_word_is_lost_and_times_stay_in_order(told in any_turns(), said in any_spoken()) {
        let segments = assign(vec![said.clone()], &told);
        let texts: Vec<&str> = segments.iter().map(|segment| segment.text.as_str()).collect();
        prop_assert_eq!(texts.join(" "), said.text);
        prop_assert_eq!(segments[0].start_ms, said.start_ms);
        prop_assert_eq!(segments.last().map(|segment| segment.end_ms), Some(said.end_ms));
        for segment in &segments {
            prop_assert!(segment.start_ms <= segment.end_ms && !segment.text.is_empty());
            let known = |speaker: &String| told.iter().any(|turn| turn.speaker.to_string() == *speaker);
            prop_assert!(segment.speaker.as_ref().is_none_or(known));
        }
        prop_assert!(segments.windows(2).all(|two| two[0].start_ms <= two[1].start_ms));
        prop_assert!(segments.windows(2).all(|two| two[0].speaker != two[1].speaker));
        if said.words.is_empty() || told.is_empty() {
            prop_assert_eq!(segments.len(), 1);
        }
    }

    #[test]
    fn what_one_speaker_covers_is_theirs(said in any_spoken(), speaker in 1_u32..5) {
        let told = [turn((0, 200_000, speaker))];
        let segments = assign(vec![said], &told);
        prop_assert_eq!(segments.len(), 1);
        prop_assert_eq!(segments[0].speaker.clone(), Some(speaker.to_string()));
    }

    #[test]
    fn linking_finds_the_truth_that_was_cut_into_windows(
        speakers in 1_u32..5,
        lengths in vec(2_000_u64..4_000, 30..60),
        shifts in vec(0_u32..4, 8),
    ) {
        // Everybody has a turn every few seconds, so everybody is heard in each overlap.
        let mut at = 0;
        let mut truth = Vec::new();
        for (n, length) in lengths.into_iter().enumerate() {
            let speaker = u32::try_from(n).unwrap() % speakers + 1;
            truth.push(turn((at, at + length, speaker)));
            at += length;
        }
        let mut windows = Vec::new();
        let mut start_ms = 0;
        for shift in shifts.iter().cycle() {
            let end_ms = at.min(start_ms + 50_000);
            let inside = truth.iter().filter(|t| t.start_ms < end_ms && t.end_ms > start_ms);
            let renamed = inside.map(|t| Turn {
                start_ms: t.start_ms.max(start_ms),
                end_ms: t.end_ms.min(end_ms),
                speaker: (t.speaker + shift) % speakers + 1,
            });
            windows.push(Window { start_ms, end_ms, turns: renamed.collect() });
            if end_ms == at {
                break;
            }
            start_ms = end_ms - 25_000;
        }
        let merged = link(&[Window { start_ms: 0, end_ms: at, turns: truth }]);
        prop_assert_eq!(link(&windows), merged);
    }
}
