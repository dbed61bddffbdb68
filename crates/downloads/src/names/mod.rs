//! What the files of a torrent are, by their names.
//!
//! It refuses to look at anything but names and sizes, and rather asks than guesses.
//!
//! **Invariant:** for any names at all there is an answer; a file stands in it at most once, and only
//! files that are there.

mod agree;
mod attach;
mod candidates;
mod choice;
#[cfg(test)]
mod choice_tests;
mod clean;
mod decision;
mod disc;
mod double;
mod doubt;
mod entry;
mod files;
mod language;
mod list;
mod marks;
mod memory;
mod pack;
mod path;
mod patterns;
#[cfg(test)]
mod properties_tests;
mod readers;
mod reading;
mod recognise;
mod sequence;
mod stack;
mod text;
#[cfg(test)]
mod trees;
#[cfg(test)]
mod tricky_tests;
mod vote;
mod words;
mod work;

pub use choice::{Choice, ChoiceError, Place, apply, learn};
pub use decision::{Candidate, Decision, Kind};
pub use memory::{Memory, Series, Shift};
pub use recognise::{Recognised, recognise};

use files::Files;

use crate::ports::TorrentFile;

/// Decides what the files of a torrent with that name are. Only wanted ones are looked at.
pub fn decide(name: &str, files: &[TorrentFile], memory: &Memory) -> Decision {
    Files::of(name, files, memory).decide()
}
