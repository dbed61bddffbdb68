//! Names with a title in Latin letters and one in another script: the Latin one is what databases and
//! other releases use, the other is kept beside it.
//!
//! **Invariant:** only a name with exactly one run of each script is taken apart, and where nothing
//! stands between the two it is said that this is a guess.

use super::patterns::PATTERNS;
use super::text::{flat, has_foreign, has_latin, trim};
use super::words::WORDS;

/// A name taken apart.
pub(super) struct Double {
    /// The name without the other title.
    pub(super) text: String,
    /// The title in the other script.
    pub(super) other: String,
    /// Whether nothing stood between them.
    pub(super) doubtful: bool,
}

/// Takes a name with two titles apart.
pub(super) fn split(name: &str) -> Option<Double> {
    let zone_end = zone(name);
    let zone = &name[..zone_end];
    if !has_foreign(zone) || !has_latin(zone) {
        return None;
    }
    let (start, end) = run(zone)?;
    let other = trim(&flat(&zone[start..end]));
    let before = zone[..start].trim_end_matches([' ', '.', '_']);
    let after = zone[end..].trim_start_matches([' ', '.', '_']);
    let parted = |letter: char| "/|-–—([".contains(letter);
    let doubtful = !(before.ends_with(parted) || after.starts_with(parted));
    let before = before.trim_end_matches(|it: char| "/|-–—([ ._".contains(it));
    let after = after.trim_start_matches(|it: char| "/|-–—)] ._".contains(it));
    let after = if before.is_empty() { after.trim_start_matches(['(', '[']) } else { after };
    let rest = name[zone_end..].trim_start_matches(|it: char| ")]".contains(it));
    let left = format!("{before} {after}");
    let left = left.trim().trim_end_matches([')', ']']);
    let wide = left.chars().filter(|it| it.is_alphabetic()).count() > 2;
    let text = format!("{} {}", left.trim(), rest.trim_start());
    (wide && !other.is_empty()).then_some(Double { text, other, doubtful })
}

/// Where the titles end: at a year, a number with a word, or something technical.
pub(super) fn zone(name: &str) -> usize {
    let flat = flat(name);
    let marks = [
        &PATTERNS.season_episode,
        &PATTERNS.cross,
        &PATTERNS.seasons,
        &PATTERNS.season,
        &PATTERNS.episode,
        &PATTERNS.year,
    ];
    let marks = marks.into_iter().filter_map(|it| it.find(&flat).map(|found| found.start()));
    let mut at = 0;
    let mut technical = name.len();
    for word in flat.split([' ', '[', ']', '(', ')', ',']) {
        let lower = word.to_lowercase();
        if at > 0 && (WORDS.technical.contains(&*lower) || WORDS.weak.contains(&*lower)) {
            technical = at;
            break;
        }
        at += word.len() + 1;
    }
    marks.filter(|it| *it > 0).chain([technical.min(name.len())]).min().unwrap_or(name.len())
}

/// The one run of words of the other script in it, if the Latin ones are on one side of it.
fn run(zone: &str) -> Option<(usize, usize)> {
    let flat = flat(zone);
    let mut foreign: Option<(usize, usize)> = None;
    let mut latin: Option<(usize, usize)> = None;
    let mut at = 0;
    for word in flat.split(' ') {
        let here = (at, at + word.len());
        at = here.1 + 1;
        let (side, other) = match (has_foreign(word), has_latin(word)) {
            (true, true) => return None,
            (true, false) => (&mut foreign, &latin),
            (false, true) => (&mut latin, &foreign),
            (false, false) => continue,
        };
        match side {
            // A run goes on only while the other script has not begun after it.
            Some(run) if other.is_none_or(|other| other.0 < run.0) => run.1 = here.1,
            Some(_) => return None,
            None => *side = Some(here),
        }
    }
    let (mut start, end) = foreign?;
    let (other, _) = latin?;
    // Numbers before the first word belong to it.
    if start < other {
        start = 0;
    }
    let end = if start < other { end.max(parting(&flat, end, other)) } else { end };
    Some((start, end))
}

/// Numbers between two titles belong to the first: `2` of `Брат 2 / Brother 2`.
fn parting(flat: &str, end: usize, next: usize) -> usize {
    let between = &flat[end..next];
    let numbers =
        between.len() - between.trim_start_matches(|it: char| it == ' ' || it.is_numeric()).len();
    let written = between[..numbers].trim_end().len();
    end + written
}
