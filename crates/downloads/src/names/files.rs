//! The files of a torrent, sorted and read, and what is decided about them.
//!
//! **Invariant:** a torrent is decided as a whole: one video in doubt makes a question of it.

use super::attach::{self, Videos};
use super::choice::Choice;
use super::decision::{self, Candidate, Decision, Kind};
use super::entry::{self, Beside, Entry, Sort};
use super::memory::Memory;
use super::pack::Pack;
use super::path::Leaf;
use super::reading::Numbers;
use super::work::{Around, Work};
use super::{agree, candidates, disc};
use crate::codes;
use crate::filing::{ExtraKind, Filing, Movie, Role};
use crate::ports::TorrentFile;

/// All that is known of a torrent's files.
pub(super) struct Files<'a> {
    name: String,
    entries: Vec<Entry<'a>>,
    extras: Vec<(u32, ExtraKind)>,
    /// The main videos.
    pub(super) pack: Pack<'a>,
}

impl<'a> Files<'a> {
    /// Sorts and reads them.
    pub(super) fn of(name: &str, files: &'a [TorrentFile], memory: &Memory) -> Self {
        let entries = Entry::all(files);
        let videos = || entries.iter().filter(|it| it.sort == Sort::Video);
        // Beside a packed film there is often a sample of it, and nothing else.
        let packed = entries.iter().any(|it| it.sort == Sort::Archive);
        let videos = || videos().filter(|it| !(packed && entry::is_sample(it)));
        let largest = videos().map(|it| it.size_bytes).max().unwrap_or(0);
        let mut mains = vec![];
        let mut extras = vec![];
        for video in videos() {
            match entry::beside(video, largest) {
                None => mains.push(video.clone()),
                Some(Beside::Extra(kind)) => extras.push((video.index, kind)),
                Some(Beside::Nothing) => {}
            }
        }
        // Nothing is beside what is not there: a torrent of nothing but extras is looked at as such.
        if mains.is_empty() && !extras.is_empty() && disc::roots(&entries).is_empty() {
            extras.clear();
            mains = videos().cloned().collect();
        }
        mains.sort_by(|one, other| {
            (one.leaf.folder, one.leaf.stem).cmp(&(other.leaf.folder, other.leaf.stem))
        });
        let stem = Leaf::of(name).stem.to_owned();
        let mut pack = Pack::read(mains, &stem, memory);
        agree::check(&mut pack.videos);
        // An image of a disc may be that of a game.
        for video in pack.videos.iter_mut().filter(|it| it.entry.leaf.kind() == "iso") {
            video.work.sure = false;
        }
        Self { name: stem, entries, extras, pack }
    }

    /// What is decided about them.
    pub(super) fn decide(&self) -> Decision {
        if self.has(Sort::Danger) {
            return Decision::Refuse(codes::DANGEROUS_FILES);
        }
        if self.pack.videos.is_empty() {
            let mut filing = Filing::default();
            return match self.discs(None, &mut filing) {
                Some(sure) => Self::disc(filing, sure),
                None if self.has(Sort::Archive) => Decision::Refuse(codes::NEEDS_UNPACK),
                None => Decision::Refuse(codes::NOTHING_TO_FILE),
            };
        }
        let mut filing = decision::filing(&self.pack.videos);
        let whole = filing.roles.len() == self.pack.videos.len();
        let sure = self.pack.videos.iter().all(|it| it.work.sure);
        if whole && sure && !self.has(Sort::Disc) {
            self.beside(&mut filing);
            return Decision::Decided(filing);
        }
        Decision::Ask(candidates::of(&self.pack, |filing| self.beside(filing)))
    }

    fn has(&self, sort: Sort) -> bool {
        self.entries.iter().any(|it| it.sort == sort)
    }

    /// Adds what lies beside the main videos.
    pub(super) fn beside(&self, filing: &mut Filing) {
        let videos = Videos::of(&self.pack.videos, filing);
        attach::add(filing, &self.entries, &self.extras, &videos);
    }

    /// Adds the parts of a disc, and says whether its film is sure; `None` if there is no disc.
    pub(super) fn discs(&self, said: Option<(&str, &Choice)>, filing: &mut Filing) -> Option<bool> {
        let roots = disc::roots(&self.entries);
        let root = roots.first()?;
        let leaf = Leaf { folder: root, stem: "", extension: "" };
        let around = Around::of(&leaf, &self.name, |_| true);
        let work = Work::of(&leaf, &around);
        let movie = match said {
            Some((title, choice)) => choice.movie(title, work.voted.edition.clone(), None),
            None => decision::movie(&work.voted, work.voted.title.clone().unwrap_or_default()),
        };
        for entry in self.entries.iter().filter(|it| it.sort == Sort::Disc) {
            let (of, path) = disc::split(entry);
            if of == *root {
                filing.roles.insert(entry.index, Role::Disc { movie: movie.clone(), path });
            }
        }
        let film = !matches!(work.voted.numbers, Some(Numbers::Pack(_) | Numbers::Season(..)));
        Some(roots.len() == 1 && film && work.sure)
    }

    /// The decision about a disc.
    fn disc(filing: Filing, sure: bool) -> Decision {
        let movie = filing.roles.values().find_map(|role| match role {
            Role::Disc { movie, .. } => Some(movie.clone()),
            _ => None,
        });
        let Movie { title, year, .. } = movie.unwrap_or_default();
        if sure {
            return Decision::Decided(filing);
        }
        let candidate = Candidate { kind: Kind::Movie, title, year, filing };
        Decision::Ask(if candidate.title.is_empty() { vec![] } else { vec![candidate] })
    }
}
