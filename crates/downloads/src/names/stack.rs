//! Films in several files: `Film.CD1.avi` and `Film.CD2.avi`.
//!
//! **Invariant:** files are parts of one film only if their names are the same but for the number at
//! the end.

use std::collections::{BTreeMap, HashMap};

use super::entry::Entry;
use super::path::Leaf;
use super::patterns::PATTERNS;
use super::vote::Voted;

/// A file that is a part.
pub(super) struct Part<'a> {
    /// Its name without the number.
    pub(super) leaf: Leaf<'a>,
    /// The number, from 1.
    pub(super) number: u8,
    /// Whether it can be nothing else: a `part` may be an episode of a short series.
    pub(super) sure: bool,
}

/// The parts among the main videos, by index.
pub(super) fn parts<'a>(mains: &[Entry<'a>]) -> HashMap<u32, Part<'a>> {
    let mut groups: BTreeMap<(&str, &str), Vec<(u32, Part<'a>)>> = BTreeMap::new();
    for entry in mains {
        let Some(found) = PATTERNS.stack_end.captures(entry.leaf.stem) else { continue };
        let (Some(whole), Ok(number)) = (found.get(0), found[1].parse()) else { continue };
        let stem = &entry.leaf.stem[..whole.start()];
        let word = whole.as_str().to_ascii_lowercase();
        let part = word.contains("pt") || word.contains("part");
        let sure = !part || Voted::on(stem).dressed;
        let part = Part { leaf: Leaf { stem, ..entry.leaf }, number, sure };
        groups.entry((entry.leaf.folder, stem)).or_default().push((entry.index, part));
    }
    let whole = groups.into_values().filter(|group| {
        let mut numbers: Vec<u8> = group.iter().map(|(_, part)| part.number).collect();
        numbers.sort_unstable();
        numbers.len() > 1 && numbers.iter().zip(1..).all(|(number, wanted)| *number == wanted)
    });
    whole.flatten().collect()
}
