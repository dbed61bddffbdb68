//! Who has which name: two files never get one, and two that a file system might take together do not
//! either.
//!
//! It refuses to drop a file for its name: it counts on, and beyond its limit it gives up.
//!
//! **Invariant:** a name that was given out is not given out again, in any case and any composition of
//! its letters.

use std::collections::{HashMap, HashSet};

use super::segment::fold;
use crate::ports::Placement;

/// How far is counted: what [`BESIDE_BYTES`](super::naming::BESIDE_BYTES) and
/// [`VERSION_BYTES`](super::naming::VERSION_BYTES) have room for.
const LAST: u32 = 9999;

/// Names that were given out.
#[derive(Default)]
pub(super) struct Taken {
    names: HashSet<String>,
    /// The number that is tried next for a name, so that ten thousand alike take ten thousand steps.
    next: HashMap<String, u32>,
}

impl Taken {
    /// The name that `numbered` makes in this directory: without a number if that is free, and else of
    /// the first number from 2 that is. `None` if there are too many of them.
    pub(super) fn take(
        &mut self,
        dir: &[String],
        numbered: impl Fn(Option<u32>) -> String,
    ) -> Option<String> {
        let plain = numbered(None);
        let key = joined(dir, &plain);
        if self.names.insert(key.clone()) {
            return Some(plain);
        }
        let next = self.next.entry(key).or_insert(2);
        while *next <= LAST {
            let name = numbered(Some(*next));
            *next += 1;
            if self.names.insert(joined(dir, &name)) {
                return Some(name);
            }
        }
        None
    }
}

/// The first file of a plan that stands in another's way: at its place, or where it needs a directory.
pub(super) fn clash(plan: &[Placement]) -> Option<u32> {
    let folded: Vec<(u32, Vec<String>)> = plan
        .iter()
        .map(|it| (it.file, it.target.iter().map(|name| fold(name)).collect()))
        .collect();
    let dirs: HashSet<&[String]> = folded
        .iter()
        .flat_map(|(_, target)| (1..target.len()).map(move |depth| &target[..depth]))
        .collect();
    let mut targets: HashSet<&[String]> = HashSet::new();
    let mut clashes = |target| dirs.contains(target) || !targets.insert(target);
    folded.iter().find(|(_, target)| clashes(&**target)).map(|(file, _)| *file)
}

fn joined(dir: &[String], name: &str) -> String {
    let mut key = String::new();
    for part in dir {
        key.push_str(&fold(part));
        key.push('/');
    }
    key.push_str(&fold(name));
    key
}
