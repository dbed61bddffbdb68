//! Films in several files: `Film.CD1.avi` and `Film.CD2.avi`.
//!
//! **Invariant:** files are parts of one film only if their names are the same but for the number at
//! the end.

use std::collections::{BTreeMap, HashMap};

use super::entry::Entry;
use super::path::Leaf;
use super::patterns::PATTERNS;
use super::vote::Voted;

/// A file whose name has something more than the names of the film.
pub(super) struct Shorter<'a> {
    /// Its name without that.
    pub(super) leaf: Leaf<'a>,
    /// Its number among parts, from 1.
    pub(super) part: Option<u8>,
    /// Whether it can be nothing else: a `part` may be an episode of a short series.
    pub(super) sure: bool,
}

/// The parts among the main videos, by index.
pub(super) fn parts<'a>(mains: &[Entry<'a>]) -> HashMap<u32, Shorter<'a>> {
    let mut groups: BTreeMap<(&str, &str), Vec<(u32, Shorter<'a>)>> = BTreeMap::new();
    for entry in mains {
        let Some(found) = PATTERNS.stack_end.captures(entry.leaf.stem) else { continue };
        let (Some(whole), Ok(number)) = (found.get(0), found[1].parse::<u8>()) else { continue };
        let stem = &entry.leaf.stem[..whole.start()];
        let word = whole.as_str().to_ascii_lowercase();
        let half = word.contains("pt") || word.contains("part");
        let sure = !half || Voted::on(stem).dressed;
        let shorter = Shorter { leaf: Leaf { stem, ..entry.leaf }, part: Some(number), sure };
        groups.entry((entry.leaf.folder, stem)).or_default().push((entry.index, shorter));
    }
    let whole = groups.into_values().filter(|group| {
        let mut numbers: Vec<u8> = group.iter().filter_map(|(_, it)| it.part).collect();
        numbers.sort_unstable();
        numbers.len() > 1 && numbers.iter().zip(1..).all(|(number, wanted)| *number == wanted)
    });
    whole.flatten().collect()
}
