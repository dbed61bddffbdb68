//! The main videos of a torrent, read together: what one of them leaves open, the others may tell.
//!
//! **Invariant:** reading together never makes a video sure whose numbers only a row shows, unless
//! something says that the row is a series.

use std::collections::HashMap;

use super::entry::Entry;
use super::memory::Memory;
use super::patterns::PATTERNS;
use super::reading::Numbers;
use super::work::{Around, Work};
use super::{list, sequence, stack, text};

/// A main video.
pub(super) struct Video<'a> {
    pub(super) entry: Entry<'a>,
    pub(super) work: Work,
}

/// Main videos in the order of their paths, and the folders around them.
pub(super) struct Pack<'a> {
    pub(super) videos: Vec<Video<'a>>,
    pub(super) around: HashMap<&'a str, Around>,
}

impl<'a> Pack<'a> {
    /// Reads the main videos of a torrent.
    pub(super) fn read(mains: Vec<Entry<'a>>, torrent: &str, memory: &Memory) -> Self {
        let below = below(&mains);
        let alone = |path: &str| below.get(path).is_some_and(|count| *count == 1);
        let mut shorter = stack::parts(&mains);
        shorter.extend(list::items(&mains));
        let mut around = HashMap::new();
        let mut videos = Vec::with_capacity(mains.len());
        for entry in mains {
            let here = around
                .entry(entry.leaf.folder)
                .or_insert_with(|| Around::of(&entry.leaf, torrent, alone));
            let shorter = shorter.get(&entry.index);
            let leaf = shorter.map_or(entry.leaf, |it| it.leaf);
            let mut work = Work::of(&leaf, here);
            if let Some(shorter) = shorter {
                work.voted.part = shorter.part.or(work.voted.part);
                work.sure &= shorter.sure;
            }
            videos.push(Video { entry, work });
        }
        let mut pack = Self { videos, around };
        pack.rows(torrent);
        for video in &mut pack.videos {
            let around = &pack.around[video.entry.leaf.folder];
            video.work.doubt_run(around);
            memory.apply(&mut video.work, around);
        }
        pack
    }

    /// Rows of files without numbers that are written out, folder by folder.
    fn rows(&mut self, torrent: &str) {
        let mut folders: HashMap<&str, Vec<usize>> = HashMap::new();
        for (at, video) in self.videos.iter().enumerate() {
            folders.entry(video.entry.leaf.folder).or_default().push(at);
        }
        for (folder, members) in folders {
            let works = || members.iter().map(|at| &self.videos[*at].work);
            let open = works().all(is_open) && works().any(|it| !it.sure);
            let stems: Vec<&str> =
                members.iter().map(|at| self.videos[*at].entry.leaf.stem).collect();
            if let Some((numbers, before)) = sequence::numbers(&stems).filter(|_| open) {
                let around = &self.around[folder];
                let series = around.season.is_some()
                    || around.special
                    || around.all().any(|it| it.says_series)
                    || PATTERNS.series.is_match(&text::flat(torrent))
                    || stems.iter().all(|it| it.starts_with('['));
                let row = Row { before: &before, series, many: numbers.len() > 2 };
                for (at, number) in members.iter().zip(numbers) {
                    row.set(&mut self.videos[*at].work, number, around);
                }
            }
        }
    }
}

/// How many videos are below each folder.
fn below<'a>(mains: &[Entry<'a>]) -> HashMap<&'a str, usize> {
    let mut below = HashMap::new();
    for entry in mains {
        let mut path = entry.leaf.folder;
        loop {
            *below.entry(path).or_default() += 1;
            if path.is_empty() {
                break;
            }
            path = path.rsplit_once('/').map_or("", |(before, _)| before);
        }
    }
    below
}

/// Whether a video may get its number from a row: its own name neither writes one out nor has a year.
fn is_open(work: &Work) -> bool {
    let own = &work.voted.readings[0];
    let whole = own.numbers.as_ref().is_some_and(Numbers::is_episode);
    own.year.is_none() && !(work.voted.explicit && whole)
}

/// A row of files.
struct Row<'a> {
    /// What stands before the numbers.
    before: &'a str,
    /// Whether something says that it is a series.
    series: bool,
    /// Whether it is longer than what could be two halves.
    many: bool,
}

impl Row<'_> {
    /// Gives a video of the row its number and title.
    fn set(&self, work: &mut Work, number: u16, around: &Around) {
        let voted = &mut work.voted;
        let outer = around.title();
        let before = super::vote::Voted::on(self.before.trim_end_matches(['[', '(', ' ', '-']));
        let own = before.readings[0].title.clone();
        let own_key = own.as_deref().map(text::key).unwrap_or_default();
        let outer_key = outer.map(super::vote::Voted::key).unwrap_or_default();
        if own_key.is_empty() || (!outer_key.is_empty() && outer_key == own_key) {
            voted.title = outer.and_then(|it| it.title.clone()).or(own);
            voted.title_sure = outer.is_some();
            voted.year = outer.and_then(|it| it.year);
            voted.year_first = outer.is_some_and(|it| it.year_first);
        } else {
            voted.title = own;
            voted.title_sure = self.many && before.title_sure && outer.is_none();
            voted.year = before.year;
        }
        if let Some(outer) = outer.filter(|_| voted.title_sure) {
            voted.ids = outer.ids.clone();
        }
        voted.numbers = Some(numbered(number, around));
        voted.numbers_sure = self.series;
        voted.year_sure = true;
        work.sure = self.series && voted.title_sure;
    }
}

/// A number of a row in the season that the folders name: `203` in the second is its third.
fn numbered(number: u16, around: &Around) -> Numbers {
    let (hundreds, rest) = (number / 100, number % 100);
    match around.season.or(around.special.then_some(0)) {
        Some(season) if season > 0 && hundreds == season => Numbers::Season(season, vec![rest]),
        Some(season) => Numbers::Season(season, vec![number]),
        None => Numbers::Absolute(vec![number]),
    }
}
