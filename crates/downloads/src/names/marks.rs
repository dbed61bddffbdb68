//! Our own reader: it believes only what is written out, such as `S01E02`, `2x04`, a day, a year
//! before technical words, or a number in the manner of anime.
//!
//! **Invariant:** what this reader calls `explicit` is a number with its word or letter, never a bare
//! one.

use regex::{Captures, Match};

use super::patterns::PATTERNS;
use super::reading::{Numbers, Reading, title, year};
use super::text::flat;
use super::words::WORDS;

/// How far a range of episodes in one name may go.
const LONGEST_RANGE: i64 = 200;
/// Seasons above this are years, and those above the second are no season.
const MOST_SEASONS: i64 = 99;

/// What is written out in a name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each says something of its own")]
pub(super) struct Marks {
    /// As any reader says it.
    pub(super) reading: Reading,
    /// Whether the numbers have words or letters.
    pub(super) explicit: bool,
    /// Whether there is a year or something technical: the name is that of a release.
    pub(super) dressed: bool,
    /// Whether the year stands before the numbers.
    pub(super) year_first: bool,
    /// The number among discs, `CD1`.
    pub(super) part: Option<u8>,
    /// Whether something in it can be read in two ways.
    pub(super) ambiguous: bool,
}

/// Numbers and where they begin.
struct Found {
    numbers: Numbers,
    at: usize,
    explicit: bool,
    ambiguous: bool,
}

impl Marks {
    /// Reads a name that was made ready.
    pub(super) fn of(name: &str) -> Self {
        let flat = flat(name);
        let start = past_group(&flat);
        let technical = technical(&flat, start);
        let found = numbers(&flat);
        let (stack, part) = stack(&flat);
        let behind = found.as_ref().map_or(flat.len(), |it| it.at);
        let year = a_year(&flat, start, technical, behind);
        let day = matches!(found, Some(Found { numbers: Numbers::Date(..), .. }));
        let year = year.filter(|_| !day);
        let end = [technical, behind, stack, year.map_or(flat.len(), |(_, at)| at)]
            .into_iter()
            .filter(|at| *at > start)
            .chain(bracket(&flat, start))
            .min()
            .unwrap_or(flat.len());
        let written = name.get(start.min(end)..end).unwrap_or_default();
        let month = PATTERNS.month_name.is_match(&flat);
        Self {
            dressed: technical < flat.len() || year.is_some(),
            part,
            year_first: year.is_some_and(|(_, at)| at < behind),
            explicit: found.as_ref().is_some_and(|it| it.explicit),
            ambiguous: month || found.as_ref().is_some_and(|it| it.ambiguous),
            reading: Reading {
                title: title(&spaced(written)),
                year: year.map(|(year, _)| year),
                numbers: found.map(|it| it.numbers),
            },
        }
    }
}

/// Dots and underscores as spaces, but for the dots of acronyms.
fn spaced(written: &str) -> String {
    let bytes = written.as_bytes();
    let single = |at: usize| {
        let letter = bytes.get(at).is_some_and(u8::is_ascii_alphabetic);
        letter && (at == 0 || matches!(bytes[at - 1], b'.' | b' ' | b'_'))
    };
    written
        .char_indices()
        .map(|(at, letter)| match letter {
            '.' if at > 0 && single(at - 1) && acronym(bytes, at) => '.',
            '.' | '_' => ' ',
            other => other,
        })
        .collect()
}

/// Whether the dot there is between, or behind, single letters of which there are two in a row.
fn acronym(bytes: &[u8], dot: usize) -> bool {
    let alone = |at: usize| {
        bytes.get(at).is_some_and(u8::is_ascii_uppercase)
            && bytes.get(at + 1).is_none_or(|next| *next == b'.')
    };
    alone(dot + 1) || (dot >= 3 && bytes[dot - 2] == b'.' && alone(dot - 3))
}

/// Where the name of the group at the beginning ends: `[Group] Title`.
fn past_group(flat: &str) -> usize {
    let Some(close) = flat.strip_prefix('[').and_then(|it| it.find(']')) else { return 0 };
    let at = close + 2;
    let rest = flat[at..].trim_start();
    let word = rest.split([' ', '[', '(', ')']).next().unwrap_or_default();
    let lower = word.to_lowercase();
    let title = !word.is_empty()
        && !WORDS.technical.contains(&*lower)
        && (word.len() != 4 || word.parse().ok().and_then(year).is_none());
    if title {
        flat.len() - rest.len()
    } else if rest.starts_with('[') && !WORDS.technical.contains(&*lower) {
        at + (flat[at..].len() - rest.len()) + 1
    } else {
        0
    }
}

/// Where the first technical word is, with the weaker ones before it.
fn technical(flat: &str, start: usize) -> usize {
    let mut at = start;
    let mut weak: Option<usize> = None;
    for word in flat[start..].split([' ', '[', ']', '(', ')', '{', '}', ',']) {
        let lower = word.to_lowercase();
        let head = lower.split_once('-').map_or(&*lower, |(head, _)| head);
        if at > start && (WORDS.technical.contains(&*lower) || WORDS.technical.contains(head)) {
            return weak.unwrap_or(at);
        }
        if at > start && WORDS.weak.contains(&*lower) {
            weak.get_or_insert(at);
        } else if !word.is_empty() {
            weak = None;
        }
        at += word.len() + 1;
    }
    flat.len()
}

/// The year: one in brackets, or the last before technical words and numbers.
fn a_year(flat: &str, start: usize, technical: usize, numbers: usize) -> Option<(u16, usize)> {
    let mut last = None;
    let mut from = start;
    while let Some(found) = PATTERNS.year.captures_at(flat, from).and_then(|it| it.get(1)) {
        from = found.end();
        let Some(year) = found.as_str().parse().ok().and_then(year) else { continue };
        let bracket = flat[..found.start()].ends_with(['(', '[']);
        if bracket && found.start() > start + 1 {
            return Some((year, found.start() - 1));
        }
        if found.start() > start && found.start() <= technical.min(numbers) {
            last = Some((year, found.start()));
        }
    }
    last
}

/// The first bracket behind a title.
fn bracket(flat: &str, start: usize) -> Option<usize> {
    let first = flat[start..].char_indices().find(|(_, it)| !"([{ ".contains(*it))?.0 + start;
    flat[first..].find(['(', '[', '{']).map(|at| at + first).filter(|at| *at > start)
}

fn stack(flat: &str) -> (usize, Option<u8>) {
    let found =
        PATTERNS.stack.captures(flat).filter(|it| it.get(0).is_some_and(|it| it.start() > 0));
    let part = found.as_ref().and_then(|it| it[1].parse().ok()).filter(|it| (1..=20).contains(it));
    let at = found.and_then(|it| it.get(0)).map_or(flat.len(), |it| it.start());
    (if part.is_some() { at } else { flat.len() }, part)
}

fn numbers(flat: &str) -> Option<Found> {
    season_episode(flat)
        .or_else(|| cross(flat))
        .or_else(|| chapter(flat))
        .or_else(|| day(flat))
        .or_else(|| words(flat))
        .or_else(|| bare(flat))
}

fn season_episode(flat: &str) -> Option<Found> {
    let found = PATTERNS.season_episode.captures(flat)?;
    let mut found = of_season(&found, found.get(3))?;
    let rest = &flat[found.1..];
    // `S03E21.22`: another episode, or part of the title.
    let next = rest.split(' ').next().unwrap_or_default();
    found.0.ambiguous |= next.len() == 2 && next.parse::<u16>().is_ok();
    Some(found.0)
}

fn cross(flat: &str) -> Option<Found> {
    let found = PATTERNS.cross.captures(flat)?;
    Some(of_season(&found, found.get(3))?.0)
}

/// A season, an episode, and what more follows; and where that ends.
fn of_season(found: &Captures<'_>, more: Option<Match<'_>>) -> Option<(Found, usize)> {
    let season: i64 = found[1].parse().ok()?;
    let first: i64 = found[2].parse().ok()?;
    if season > MOST_SEASONS && year(season).is_none() {
        return None;
    }
    let more = more.map_or("", |it| it.as_str());
    let (episodes, ambiguous) = list(first, season, more);
    let whole = found.get(0)?;
    let numbers = Numbers::of(&[season], &episodes)?;
    Some((Found { numbers, at: whole.start(), explicit: true, ambiguous }, whole.end()))
}

/// What stands behind the first episode: further ones, or the end of a range. Seasons that are
/// repeated are left out; another season cannot be said here.
fn list(first: i64, season: i64, more: &str) -> (Vec<i64>, bool) {
    let mut episodes = vec![first];
    let mut ambiguous = false;
    let mut dash = false;
    let mut word = String::new();
    let mut kind = 'e';
    let lower = format!("{} ", more.to_lowercase());
    let cross = lower.contains('x');
    for letter in lower.chars() {
        if letter.is_ascii_digit() {
            word.push(letter);
            continue;
        }
        if let Ok(number) = word.parse::<i64>() {
            let last = episodes.last().copied().unwrap_or(first);
            if kind == 's' || (cross && letter == 'x') {
                ambiguous |= number != season;
            } else {
                if dash && number > last && number - last <= LONGEST_RANGE {
                    episodes.extend(last + 1..=number);
                } else {
                    ambiguous |= number <= last;
                    episodes.push(number);
                }
                dash = false;
            }
            word.clear();
        }
        match letter {
            '-' => dash = true,
            's' | 'e' | 'x' => kind = letter,
            _ => {}
        }
    }
    (episodes, ambiguous)
}

fn chapter(flat: &str) -> Option<Found> {
    let found = PATTERNS.chapter.captures(flat)?;
    let season: i64 = found[1].parse().ok()?;
    let first: i64 = found[2].parse().ok()?;
    let last = found.get(3).and_then(|it| it.as_str().parse().ok()).unwrap_or(first);
    let all: Vec<i64> = (first..=last.max(first)).collect();
    let numbers = Numbers::of(&[season], &all)?;
    let at = PATTERNS.season.find(flat).map_or(usize::MAX, |it| it.start());
    Some(Found {
        numbers,
        at: at.min(found.get(0)?.start()),
        explicit: true,
        ambiguous: last < first,
    })
}

fn day(flat: &str) -> Option<Found> {
    let number = |found: &Captures<'_>, group: usize| found[group].parse::<i64>().ok();
    if let Some(found) = PATTERNS.day.captures(flat) {
        let numbers = Numbers::day(number(&found, 1)?, number(&found, 2)?, number(&found, 3)?)?;
        return Some(Found {
            numbers,
            at: found.get(0)?.start(),
            explicit: true,
            ambiguous: false,
        });
    }
    let found = PATTERNS.day_behind.captures(flat)?;
    let (day, month) = (number(&found, 1)?, number(&found, 2)?);
    let numbers = Numbers::day(number(&found, 3)?, month, day)?;
    let ambiguous = month <= 12 && day <= 12 && month != day;
    Some(Found { numbers, at: found.get(0)?.start(), explicit: true, ambiguous })
}

/// A season with its word, and where that begins.
fn season(flat: &str) -> Option<(u16, usize)> {
    let found = PATTERNS.season.captures(flat)?;
    let whole = found.get(0)?;
    // `Studio 60 Season 5`: the number behind the word is the season's.
    let (number, at) = match (found.get(3), found.get(4)) {
        (Some(before), Some(behind)) if !is_episode(flat, behind.start()) => {
            (behind.as_str(), before.end())
        }
        _ => ((1..found.len()).find_map(|it| found.get(it))?.as_str(), whole.start()),
    };
    let number = number.parse().ok().filter(|it| i64::from(*it) <= MOST_SEASONS)?;
    Some((number, at))
}

/// Whether the number there has a word for episodes: `2 season 1 episode`.
fn is_episode(flat: &str, at: usize) -> bool {
    let found = PATTERNS.episode.captures(flat);
    found.is_some_and(|it| {
        (1..it.len()).filter_map(|group| it.get(group)).any(|it| it.start() == at)
    })
}

/// Episodes with their word, or as `1 of 8`, and where that begins.
fn episodes(flat: &str) -> Option<(Vec<u16>, usize)> {
    let (found, range) = match PATTERNS.episode.captures(flat) {
        Some(found) => (found, true),
        None => (PATTERNS.count_of.captures(flat)?, false),
    };
    let mut groups = (1..found.len()).filter_map(|it| found.get(it));
    let first: u16 = groups.next()?.as_str().parse().ok()?;
    let last = groups.next().filter(|_| range).and_then(|it| it.as_str().parse().ok());
    let last: u16 = last.unwrap_or(first);
    let fits = first <= last && i64::from(last - first) <= LONGEST_RANGE;
    fits.then(|| found.get(0)).flatten().map(|it| ((first..=last).collect(), it.start()))
}

/// Seasons and episodes with words.
fn words(flat: &str) -> Option<Found> {
    let pack = PATTERNS.seasons.captures(flat).and_then(|found| pack(&found));
    let season = season(flat);
    let (numbers, at, ambiguous) = match (season, episodes(flat)) {
        (Some((season, at)), Some((list, other))) => {
            (Numbers::Season(season, list), at.min(other), pack.is_some())
        }
        // `Season 2of5`: the word is there, and its number is another's.
        (None, Some((list, at))) => {
            let season = flat.to_ascii_lowercase().contains("season");
            (Numbers::Absolute(list), at, pack.is_some() || season)
        }
        (_, None) if pack.is_some() => return pack,
        (Some((season, at)), None) => match bare(flat).filter(|it| it.at > at) {
            Some(Found { numbers: Numbers::Absolute(list), .. }) => {
                (Numbers::Season(season, list), at, false)
            }
            _ => (Numbers::Pack(vec![season]), at, false),
        },
        (None, None) => return None,
    };
    Some(Found { numbers, at, explicit: true, ambiguous })
}

fn pack(found: &Captures<'_>) -> Option<Found> {
    let mut groups = (1..found.len()).filter_map(|it| found.get(it));
    let first: i64 = groups.next()?.as_str().parse().ok()?;
    let last: i64 = groups.next()?.as_str().parse().ok()?;
    let whole = found.get(0)?.as_str();
    let range = !whole.contains(['&', ',', '+']) && !whole.to_ascii_lowercase().contains("and");
    let between: Vec<i64> = (first..=last.min(first + MOST_SEASONS)).collect();
    let seasons = if range { between } else { vec![first, last] };
    let numbers = Numbers::of(&seasons, &[]).filter(|_| first < last)?;
    Some(Found { numbers, at: found.get(0)?.start(), explicit: true, ambiguous: false })
}

/// Numbers without a word.
fn bare(flat: &str) -> Option<Found> {
    let patterns = [&PATTERNS.dash, &PATTERNS.group_number, &PATTERNS.bracket_number];
    let found = patterns.into_iter().find_map(|it| it.captures(flat))?;
    let at = found.get(1)?;
    let first: i64 = at.as_str().parse().ok().filter(|it| at.len() < 4 || year(*it).is_none())?;
    let last = found.get(2).and_then(|it| it.as_str().parse().ok()).unwrap_or(first);
    let all: Vec<i64> = (first..=last.clamp(first, first + LONGEST_RANGE)).collect();
    let numbers = Numbers::of(&[], &all)?;
    Some(Found { numbers, at: at.start(), explicit: false, ambiguous: last < first })
}
