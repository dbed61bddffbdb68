//! What is held against the whole: two files that would be the same, a series under two names.
//!
//! **Invariant:** this makes videos doubtful and never sure.

use std::collections::{BTreeMap, HashMap};

use super::pack::Video;
use super::patterns::PATTERNS;
use super::reading::Numbers;
use super::text;

/// The first number of a season's files that still counts from its beginning.
const LATEST_FIRST: u16 = 3;

/// Compares all main videos with each other.
pub(super) fn check(videos: &mut [Video<'_>]) {
    years(videos);
    twins(videos);
    names(videos);
    halves(videos);
    counted_on(videos);
}

/// Numbers without a season of their own, in the folder of a later one, that do not begin anew may
/// count all episodes.
fn counted_on(videos: &mut [Video<'_>]) {
    let mut least: HashMap<&str, u16> = HashMap::new();
    let later = |video: &Video<'_>| match &video.work.voted.numbers {
        Some(Numbers::Season(season, list)) if *season > 1 => {
            let lent = video.work.lent_season || !video.work.voted.explicit;
            list.first().copied().filter(|_| lent)
        }
        _ => None,
    };
    for video in videos.iter() {
        if let Some(number) = later(video) {
            let least = least.entry(video.entry.leaf.folder).or_insert(number);
            *least = number.min(*least);
        }
    }
    for video in videos.iter_mut() {
        let on = least.get(video.entry.leaf.folder).is_some_and(|it| *it > LATEST_FIRST);
        video.work.sure &= !(on && later(video).is_some());
    }
}

/// Two files counted 1 and 2 without a season may be the halves of a film, as `1 серия` is of films
/// that were shown in two parts.
fn halves(videos: &mut [Video<'_>]) {
    let numbers: Vec<_> = videos.iter().map(|it| it.work.voted.numbers.clone()).collect();
    let halves = [1, 2].map(|it| Some(Numbers::Absolute(vec![it])));
    if halves.iter().all(|half| numbers.contains(half)) && numbers.len() == 2 {
        let of_more =
            videos.iter().any(|it| PATTERNS.count_of.is_match(&text::flat(it.entry.leaf.stem)));
        for video in videos.iter_mut().filter(|_| !of_more) {
            video.work.sure = false;
        }
    }
}

/// A series has one year: the one that is told, if only one is.
fn years(videos: &mut [Video<'_>]) {
    let mut told: HashMap<String, Vec<u16>> = HashMap::new();
    for video in videos.iter().filter(|it| it.work.voted.numbers.is_some()) {
        let voted = &video.work.voted;
        if let Some(year) = voted.year.filter(|_| voted.year_first) {
            told.entry(voted.key()).or_default().push(year);
        }
    }
    for video in videos.iter_mut().filter(|it| it.work.voted.numbers.is_some()) {
        let voted = &mut video.work.voted;
        let years = told.get(&voted.key());
        let one = years.filter(|it| it.iter().all(|year| *year == it[0])).map(|it| it[0]);
        voted.year = one;
        voted.year_first = one.is_some();
    }
}

/// Two files that would be one film or episode are two versions, or were read wrongly.
fn twins(videos: &mut [Video<'_>]) {
    let mut seen: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, video) in videos.iter().enumerate() {
        let voted = &video.work.voted;
        let (year, part, edition) = (voted.year, voted.part, &voted.edition);
        let same = match &voted.numbers {
            Some(numbers) => format!("{} {numbers:?}", voted.key()),
            None => format!("{} {year:?} {part:?} {edition:?}", voted.key()),
        };
        seen.entry(same).or_default().push(at);
    }
    for twins in seen.into_values().filter(|it| it.len() > 1) {
        for at in twins {
            videos[at].work.sure = false;
        }
    }
}

/// Episodes in one folder under several titles: one of them is wrong, unless the titles are those of
/// the folder.
fn names(videos: &mut [Video<'_>]) {
    let mut titles: HashMap<String, Vec<String>> = HashMap::new();
    for video in videos.iter() {
        if matches!(video.work.voted.numbers, Some(Numbers::Season(..) | Numbers::Absolute(_))) {
            let title = video.work.voted.title.as_deref().map(text::key).unwrap_or_default();
            titles.entry(video.entry.leaf.folder.to_owned()).or_default().push(title);
        }
    }
    titles.retain(|_, all| all.iter().any(|it| *it != all[0]));
    for video in videos.iter_mut() {
        let numbered = video.work.voted.numbers.is_some();
        if numbered && !video.work.confirmed && titles.contains_key(video.entry.leaf.folder) {
            video.work.sure = false;
        }
    }
}
