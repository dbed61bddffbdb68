//! Where the files of a download go in the library: a plan, made of names alone.
//!
//! It looks at no disk. It refuses to guess: a file whose name cannot be made, or would stand in
//! another's way, fails the whole plan.
//!
//! **Invariant:** no two placements share a target, in any case or composition of letters; every
//! target is inside the library, of names that all usual file systems take.

mod belonging;
mod naming;
#[cfg(test)]
mod property_tests;
mod roots;
mod segment;
mod taken;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap};

use thiserror::Error;

pub use roots::{RootError, Roots};

use self::naming::Naming;
use self::taken::Taken;
use crate::codes;
use crate::filing::{Filing, Role};
use crate::ports::{Placement, Preset, TorrentFile};

/// Files in one plan.
pub const MOST_FILES: usize = 100_000;

/// Why there is no plan. Files are named by their index.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum LayoutError {
    /// Nothing of the download is to go to the library.
    #[error("nothing is to be filed")]
    Nothing,
    /// More files than [`MOST_FILES`].
    #[error("there are too many files")]
    TooMany,
    /// The client does not have it, or not whole.
    #[error("file {0} is not there")]
    Missing(u32),
    /// Its path is none below the download's directory, or its disc has names that a library cannot
    /// have.
    #[error("file {0} has a path that cannot be used")]
    BadPath(u32),
    /// Its title has nothing that a name can be made of, or its numbers are none, or have gaps.
    #[error("file {0} cannot be named")]
    Nameless(u32),
    /// It belongs to a file that is no video.
    #[error("file {0} belongs to nothing")]
    Orphan(u32),
    /// Its name is another's, and cannot be told apart from it.
    #[error("file {0} has the name of another")]
    Clash(u32),
}

impl LayoutError {
    /// The failure code that this is for a download.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Nothing => codes::NOTHING_TO_FILE,
            Self::Missing(_) | Self::BadPath(_) => codes::FILES_MISSING,
            Self::TooMany | Self::Nameless(_) | Self::Orphan(_) | Self::Clash(_) => {
                codes::NEEDS_CHOICE
            }
        }
    }
}

/// The plan for all files that have a role and are wanted, in the order of their indexes. What is
/// named after a video that is not wanted goes nowhere either.
///
/// The same arguments make the same plan, so that it is a preview, the work itself, and what is taken
/// back.
pub fn plan(
    filing: &Filing,
    files: &[TorrentFile],
    preset: Preset,
    roots: &Roots,
) -> Result<Vec<Placement>, LayoutError> {
    if filing.roles.len() > MOST_FILES {
        return Err(LayoutError::TooMany);
    }
    let sources = sources(filing, files)?;
    let mut planner = Planner {
        filing,
        sources,
        naming: Naming::new(preset, filing),
        roots,
        taken: Taken::default(),
        spots: HashMap::new(),
        targets: BTreeMap::new(),
    };
    planner.each(Planner::video)?;
    planner.each(Planner::extra)?;
    planner.each(Planner::sidecar)?;
    planner.discs()?;
    planner.finish()
}

/// Where a video lies: what is named after it lies there too.
#[derive(Clone)]
struct Spot {
    dir: Vec<String>,
    stem: String,
}

/// A file of the download: its path, and its bytes.
struct Source {
    path: Vec<String>,
    size_bytes: u64,
}

impl Source {
    fn name(&self) -> &str {
        self.path.last().map_or("", String::as_str)
    }
}

struct Planner<'a> {
    filing: &'a Filing,
    /// The files that are wanted and have a role.
    sources: BTreeMap<u32, Source>,
    naming: Naming,
    roots: &'a Roots,
    taken: Taken,
    spots: HashMap<u32, Spot>,
    targets: BTreeMap<u32, Vec<String>>,
}

impl<'a> Planner<'a> {
    /// One pass over the files that are placed, by their indexes. What rests on others' names comes
    /// in a later pass than those.
    fn each(
        &mut self,
        pass: impl Fn(&mut Self, u32, &'a Role) -> Result<(), LayoutError>,
    ) -> Result<(), LayoutError> {
        let filing = self.filing;
        for (index, role) in &filing.roles {
            if self.sources.contains_key(index) {
                pass(self, *index, role)?;
            }
        }
        Ok(())
    }

    fn video(&mut self, index: u32, role: &Role) -> Result<(), LayoutError> {
        let (root, dirs, stem) = match role {
            Role::Movie(film) => {
                let names = self.naming.film(film).ok_or(LayoutError::Nameless(index))?;
                (self.roots.movies(), vec![names.dir], names.stem)
            }
            Role::Episode(episode) => {
                let names = self.naming.episode(episode).ok_or(LayoutError::Nameless(index))?;
                (self.roots.shows(), names.dirs, names.stem)
            }
            _ => return Ok(()),
        };
        self.settle(index, [root, &dirs].concat(), &stem)
    }

    /// Gives a video the first free stem there. Stems and not whole names are told apart: what is
    /// named after a video must not be taken for another's.
    fn settle(&mut self, index: u32, dir: Vec<String>, stem: &str) -> Result<(), LayoutError> {
        let numbered = |number: Option<u32>| match number {
            None => stem.to_owned(),
            Some(number) => format!("{stem} - v{number}"),
        };
        let stem = self.taken.take(&dir, numbered).ok_or(LayoutError::Clash(index))?;
        let name = format!("{stem}{}", segment::extension(self.sources[&index].name()));
        self.targets.insert(index, [&*dir, &[name]].concat());
        self.spots.insert(index, Spot { dir, stem });
        Ok(())
    }

    fn finish(mut self) -> Result<Vec<Placement>, LayoutError> {
        let mut plan = Vec::with_capacity(self.targets.len());
        for (file, target) in self.targets {
            if let Some(Source { path, size_bytes }) = self.sources.remove(&file) {
                plan.push(Placement { file, source: path, target, size_bytes });
            }
        }
        match taken::clash(&plan) {
            Some(file) => Err(LayoutError::Clash(file)),
            None if plan.is_empty() => Err(LayoutError::Nothing),
            None => Ok(plan),
        }
    }
}

/// The files that are to be placed.
fn sources(filing: &Filing, files: &[TorrentFile]) -> Result<BTreeMap<u32, Source>, LayoutError> {
    let listed: HashMap<u32, &TorrentFile> = files.iter().map(|file| (file.index, file)).collect();
    let mut sources = BTreeMap::new();
    for index in filing.roles.keys() {
        let file = listed.get(index).ok_or(LayoutError::Missing(*index))?;
        if !file.wanted {
            continue;
        }
        if !file.whole {
            return Err(LayoutError::Missing(*index));
        }
        let path: Vec<String> = file.path.split('/').map(str::to_owned).collect();
        let plain = |name: &String| !matches!(&**name, "" | "." | "..") && !name.contains('\0');
        if !path.iter().all(plain) {
            return Err(LayoutError::BadPath(*index));
        }
        sources.insert(*index, Source { path, size_bytes: file.size_bytes });
    }
    Ok(sources)
}
