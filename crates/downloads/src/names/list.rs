//! Films that lie in a folder as a list: `1. First (2001)`, `2. Second (2003)`.
//!
//! **Invariant:** a number is one of a list only if all videos of the folder have one and a year of
//! their own.

use std::collections::{BTreeMap, HashMap};

use super::clean::Clean;
use super::entry::Entry;
use super::marks::Marks;
use super::path::Leaf;
use super::patterns::PATTERNS;
use super::sequence;
use super::stack::Shorter;

/// The films of lists by index, without their numbers.
pub(super) fn items<'a>(mains: &[Entry<'a>]) -> HashMap<u32, Shorter<'a>> {
    let mut folders: BTreeMap<&str, Vec<&Entry<'a>>> = BTreeMap::new();
    for entry in mains {
        folders.entry(entry.leaf.folder).or_default().push(entry);
    }
    folders.into_values().filter_map(|it| list(&it)).flatten().collect()
}

fn list<'a>(entries: &[&Entry<'a>]) -> Option<Vec<(u32, Shorter<'a>)>> {
    let stems: Vec<&str> = entries.iter().map(|it| it.leaf.stem).collect();
    sequence::numbers(&stems).filter(|(_, before)| before.trim_matches(['(', ' ']).is_empty())?;
    let item = |entry: &&Entry<'a>| {
        let number = PATTERNS.listed.find(entry.leaf.stem)?;
        let stem = &entry.leaf.stem[number.end()..];
        let reading = Marks::of(&Clean::of(stem).text).reading;
        let film = reading.year.is_some() && reading.title.is_some() && reading.numbers.is_none();
        let leaf = Leaf { stem, ..entry.leaf };
        film.then_some((entry.index, Shorter { leaf, part: None, sure: true }))
    };
    entries.iter().map(item).collect()
}
