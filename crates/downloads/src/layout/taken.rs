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
    folded: Folded,
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
        let key = self.folded.path(dir, &plain);
        if self.names.insert(key.clone()) {
            return Some(plain);
        }
        let next = self.next.entry(key).or_insert(2);
        while *next <= LAST {
            let name = numbered(Some(*next));
            *next += 1;
            if self.names.insert(self.folded.path(dir, &name)) {
                return Some(name);
            }
        }
        None
    }
}

/// Folded paths. Neighbours share a directory, and folding is what a plan spends its time with.
#[derive(Default)]
struct Folded {
    dir: Vec<String>,
    key: String,
}

impl Folded {
    fn dir(&mut self, dir: &[String]) -> &str {
        if self.dir != dir {
            dir.clone_into(&mut self.dir);
            self.key = dir.iter().flat_map(|name| [fold(name), "/".to_owned()]).collect();
        }
        &self.key
    }

    fn path(&mut self, dir: &[String], name: &str) -> String {
        format!("{}{}", self.dir(dir), fold(name))
    }
}

/// The first file of a plan that stands in another's way: at its place, or where it needs a directory.
pub(super) fn clash(plan: &[Placement]) -> Option<u32> {
    let mut folded = Folded::default();
    let mut dirs: HashSet<String> = HashSet::new();
    let mut paths = Vec::with_capacity(plan.len());
    for Placement { file, target, .. } in plan {
        let (name, dir) = target.split_last()?;
        if !dirs.contains(folded.dir(dir)) {
            dirs.extend(
                (1..=dir.len()).map(|depth| Folded::default().dir(&dir[..depth]).to_owned()),
            );
        }
        paths.push((*file, folded.path(dir, name)));
    }
    let mut targets: HashSet<&str> = HashSet::with_capacity(paths.len());
    for (file, path) in &paths {
        if dirs.contains(&format!("{path}/")) || !targets.insert(path) {
            return Some(*file);
        }
    }
    None
}
