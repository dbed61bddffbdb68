//! Carries a plan out, all of it or nothing.
//!
//! A link is made by `linkat` under its own name at once: that is a single step which replaces nothing
//! and leaves nothing half done, so that a detour over a temporary name would only add one more state
//! to clean up. Besides, `rename` of one link over another to the same file does nothing and leaves
//! both.
//!
//! A process that is killed leaves a beginning of the plan, and the next run finds it: a target that
//! is the very file already counts as done.
//!
//! **Invariant:** what a failing run removes is what it made, recognised by what it is and not by its
//! name.

use std::collections::BTreeSet;
use std::os::fd::BorrowedFd;
use std::path::Path;

use rustix::fs::{AtFlags, Mode, OFlags, fstat, fsync, linkat, openat, syncfs, unlinkat};
use rustix::io::Errno;
use verst_downloads::ports::{Filed, LibraryError, Link, Placement};

use super::beneath::{Beneath, Identity, is_plain, look, split};
use super::copy::{How, copy};
use super::order::{directories, open_library, ordered};
use super::run::Run;
use super::same::{Plain, is_same};
use super::trouble::{cannot_link, source_trouble, trouble, way_trouble};

/// Directories that are synced one by one. Each of them has the disk empty its cache, so that with more
/// it is less to sync the whole file system once.
const MOST_SYNCS: usize = 32;

/// What a run made.
enum Made<'a> {
    Directory(Vec<String>),
    File(&'a [String], Identity),
}

/// How a file came to its place.
enum Came {
    Linked,
    Copied,
    Already,
}

struct Work<'a> {
    source: Beneath,
    library: Beneath,
    link: Link,
    made: Vec<Made<'a>>,
    run: &'a Run,
}

/// Carries it out, in the order of the targets, so that every directory is entered once.
pub(super) fn place<'a>(
    library: &Path,
    downloaded: &Path,
    link: Link,
    plan: &'a [Placement],
    run: &'a Run,
) -> Result<Filed, LibraryError> {
    let Some(first) = plan.first() else { return Ok(Filed::default()) };
    let library = open_library(library)?;
    let source = Beneath::open(downloaded).map_err(|error| source_trouble(error, first.file))?;
    let mut work = Work { source, library, link, made: Vec::new(), run };
    let order = ordered(plan)?;
    let filed = work.all(&order).and_then(|filed| {
        sync(&mut work.library, &order).map_err(trouble)?;
        Ok(filed)
    });
    if filed.is_err() {
        work.take_back();
    }
    filed
}

impl<'a> Work<'a> {
    fn all(&mut self, order: &[&'a Placement]) -> Result<Filed, LibraryError> {
        let mut filed = Filed::default();
        for (done, placement) in (0_u32..).zip(order) {
            self.run.go_on()?;
            let told = |part| self.run.tell(f64::from(done) + part, order.len());
            told(0.0);
            let came = one(
                (&mut self.source, &mut self.library),
                (self.link, self.run, &told),
                &mut self.made,
                placement,
            )?;
            match came {
                Came::Linked => filed.linked += 1,
                Came::Copied => filed.copied += 1,
                Came::Already => filed.already += 1,
            }
        }
        Ok(filed)
    }

    /// Takes back what was made, the last first. What cannot be taken back is counted: it is a part of
    /// the plan, and the next run finds it as such.
    fn take_back(&mut self) {
        let mut left = 0_u64;
        while let Some(made) = self.made.pop() {
            let removed = match &made {
                Made::Directory(path) => self.remove(path, None),
                Made::File(path, identity) => self.remove(path, Some(*identity)),
            };
            left += u64::from(removed.is_err());
        }
        if left > 0 {
            tracing::warn!(left, "not all that was placed could be taken back");
        }
    }

    /// Removes a file that is this one still, or a directory that is empty.
    fn remove(&mut self, path: &[String], identity: Option<Identity>) -> Result<(), Errno> {
        let (dir, name) = split(path).ok_or(Errno::INVAL)?;
        let dir = self.library.enter(dir)?;
        match identity {
            None => unlinkat(dir, name, AtFlags::REMOVEDIR),
            Some(identity) if Identity::of(&look(dir, name)?) == identity => {
                unlinkat(dir, name, AtFlags::empty())
            }
            Some(_) => Ok(()),
        }
    }
}

fn one<'a>(
    (sources, library): (&mut Beneath, &mut Beneath),
    (link, run, told): (Link, &Run, &dyn Fn(f64)),
    made: &mut Vec<Made<'a>>,
    placement: &'a Placement,
) -> Result<Came, LibraryError> {
    let file = placement.file;
    let missing = || LibraryError::SourceMissing { file };
    let (dir, name) = split(&placement.source).ok_or_else(missing)?;
    let dir = sources.enter(dir).map_err(|error| source_trouble(error, file))?;
    let stat = look(dir, name).map_err(|error| source_trouble(error, file))?;
    if !is_plain(&stat, placement.size_bytes) {
        return Err(missing());
    }
    let identity = Identity::of(&stat);
    let source = Plain { dir, name, size_bytes: placement.size_bytes, identity };

    let (dir, name) = split(&placement.target).ok_or_else(|| trouble(Errno::INVAL))?;
    let dir = library
        .enter_or_make(dir, |path| made.push(Made::Directory(path.to_vec())))
        .map_err(|error| way_trouble(error, file))?;
    match linkat(source.dir, source.name, dir, name, AtFlags::empty()) {
        Ok(()) => linked(source, (dir, name), file)?,
        Err(Errno::EXIST) if is_same(source, (dir, name), link, run)? => {
            return Ok(Came::Already);
        }
        Err(Errno::EXIST) => return Err(LibraryError::Taken { file }),
        // Either of the two: a directory of the library may go as well, when another plan that shared it
        // is taken back.
        Err(Errno::NOENT) if look(source.dir, source.name).is_err() => return Err(missing()),
        Err(error) if cannot_link(error) => {
            let how = match link {
                Link::Copy => How::Bytes,
                Link::Reflink => How::SharedBlocks,
                Link::Fail if error == Errno::XDEV => return Err(LibraryError::CrossDevice),
                Link::Fail => return Err(trouble(error)),
            };
            let copied = copy(source, (dir, name), file, how, run, told)?;
            made.push(Made::File(&placement.target, copied));
            return Ok(Came::Copied);
        }
        Err(error) => return Err(trouble(error)),
    }
    made.push(Made::File(&placement.target, identity));
    Ok(Came::Linked)
}

/// Looks at a link that was made: between the look at the source and the link, the source's name may
/// have gone to something else, even to a symbolic link.
fn linked(
    source: Plain<'_>,
    (dir, name): (BorrowedFd<'_>, &str),
    file: u32,
) -> Result<(), LibraryError> {
    if look(dir, name).is_ok_and(|stat| Identity::of(&stat) == source.identity) {
        return Ok(());
    }
    unlinkat(dir, name, AtFlags::empty()).map_err(trouble)?;
    Err(LibraryError::SourceMissing { file })
}

/// Brings names to the disk. Those that were there already as well: whoever made them may have been
/// killed before this.
fn sync(library: &mut Beneath, plan: &[&Placement]) -> Result<(), Errno> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let root: &[String] = &[];
    let dirs: Vec<_> = std::iter::once(root).chain(directories(plan)).collect();
    let one_by_one = dirs.len() <= MOST_SYNCS;
    let mut devices = BTreeSet::new();
    for dir in dirs {
        let entered = library.enter(dir)?;
        // Below the library there may be other disks.
        let news = one_by_one || devices.insert(Identity::of(&fstat(entered)?).device);
        if !news {
            continue;
        }
        let opened = openat(entered, ".", flags, Mode::empty())?;
        match if one_by_one { fsync(opened) } else { syncfs(opened) } {
            // There are file systems that do not sync directories.
            Ok(()) | Err(Errno::INVAL | Errno::OPNOTSUPP) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
