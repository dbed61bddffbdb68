//! Takes a plan back: removes what still is what was placed, and the directories that are empty then.
//!
//! It refuses to remove what it cannot compare with the download: when that is gone, what is in the
//! library is all there is.
//!
//! **Invariant:** the library's root and the directories that media servers are pointed at stay, empty
//! or not: a server or a container that holds one would not see it come back.

use std::path::Path;

use rustix::fs::{AtFlags, unlinkat};
use rustix::io::Errno;
use verst_downloads::layout::Roots;
use verst_downloads::ports::{LibraryError, Link, Placement};

use super::beneath::{Beneath, Identity, is_plain, look, split};
use super::order::{directories, open_library, ordered};
use super::part;
use super::run::Run;
use super::same::{Plain, is_same};
use super::trouble::{source_trouble, trouble};

/// Answers how many files were removed. A second time it goes on where the first one ended.
pub(super) fn unplace(
    library: &Path,
    downloaded: &Path,
    roots: &Roots,
    link: Link,
    plan: &[Placement],
    run: &Run,
) -> Result<u64, LibraryError> {
    let mut library = open_library(library)?;
    let mut source = match Beneath::open(downloaded) {
        Err(Errno::NOENT | Errno::NOTDIR) => return Ok(0),
        source => source.map_err(trouble)?,
    };
    let order = ordered(plan)?;
    let mut removed = 0;
    for placement in &order {
        run.go_on()?;
        removed += u64::from(one(&mut source, &mut library, link, placement, run)?);
    }
    for dir in directories(&order).into_iter().rev().filter(|dir| !roots.hold(dir)) {
        empty(&mut library, dir)?;
    }
    Ok(removed)
}

fn one(
    source: &mut Beneath,
    library: &mut Beneath,
    link: Link,
    placement: &Placement,
    run: &Run,
) -> Result<bool, LibraryError> {
    let (Some((from, original)), Some((to, name))) =
        (split(&placement.source), split(&placement.target))
    else {
        return Ok(false);
    };
    let to = match library.enter(to) {
        Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => return Ok(false),
        to => to.map_err(trouble)?,
    };
    part::clear(to, name)?;
    let found = source.enter(from).and_then(|dir| Ok((dir, look(dir, original)?)));
    let (dir, stat) = match found.map_err(|error| source_trouble(error, placement.file)) {
        Ok((dir, stat)) if is_plain(&stat, placement.size_bytes) => (dir, stat),
        Ok(_) | Err(LibraryError::SourceMissing { .. }) => return Ok(false),
        Err(error) => return Err(error),
    };
    let identity = Identity::of(&stat);
    let original = Plain { dir, name: original, size_bytes: placement.size_bytes, identity };
    if !is_same(original, (to, name), link, run)? {
        return Ok(false);
    }
    unlinkat(to, name, AtFlags::empty()).map_err(trouble)?;
    Ok(true)
}

/// Removes a directory if nothing is in it.
fn empty(library: &mut Beneath, path: &[String]) -> Result<(), LibraryError> {
    let Some((dir, name)) = split(path) else { return Ok(()) };
    match library.enter(dir).and_then(|dir| unlinkat(dir, name, AtFlags::REMOVEDIR)) {
        Ok(())
        | Err(
            Errno::NOTEMPTY
            | Errno::EXIST
            | Errno::NOENT
            | Errno::NOTDIR
            | Errno::LOOP
            | Errno::BUSY,
        ) => Ok(()),
        Err(error) => Err(trouble(error)),
    }
}
