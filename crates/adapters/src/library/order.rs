//! What a plan is for a file system: directories to enter, in an order in which each is entered once.
//!
//! **Invariant:** the library's own directory is never among those that are made or removed.

use std::collections::BTreeSet;
use std::path::Path;

use rustix::io::Errno;
use verst_downloads::layout::MOST_FILES;
use verst_downloads::ports::{LibraryError, Placement};

use super::beneath::Beneath;
use super::trouble::trouble;

/// The placements in the order of their targets.
pub(super) fn ordered(plan: &[Placement]) -> Result<Vec<&Placement>, LibraryError> {
    if plan.len() > MOST_FILES {
        return Err(trouble(Errno::TOOBIG));
    }
    let mut order: Vec<&Placement> = plan.iter().collect();
    order.sort_unstable_by(|one, other| one.target.cmp(&other.target));
    Ok(order)
}

/// The library's own directory, which is never made: it may be a disk that is not there now.
pub(super) fn open_library(root: &Path) -> Result<Beneath, LibraryError> {
    Beneath::open(root).map_err(|error| match error {
        Errno::NOENT | Errno::NOTDIR => LibraryError::NoLibrary,
        error => trouble(error),
    })
}

/// All directories that a plan's targets are in, those above them included and the root not.
pub(super) fn directories<'a>(plan: &[&'a Placement]) -> BTreeSet<&'a [String]> {
    let mut all = BTreeSet::new();
    let mut last: &[String] = &[];
    for placement in plan {
        let dir = placement.target.split_last().map_or(last, |(_, dir)| dir);
        if dir != last {
            all.extend((1..=dir.len()).map(|depth| &dir[..depth]));
            last = dir;
        }
    }
    all
}
