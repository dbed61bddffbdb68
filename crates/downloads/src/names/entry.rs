//! The files of a torrent by what they are at first sight.
//!
//! **Invariant:** what is not wanted is no entry; sizes and names alone decide.

use super::path::Leaf;
use super::patterns::PATTERNS;
use super::text;
use super::words::WORDS;
use crate::filing::ExtraKind;
use crate::ports::TorrentFile;

/// A video below this share of the largest one, in percent, may be a sample or an extra by its name.
const SMALL_PERCENT: u64 = 45;
/// A video below this is no film: an advertisement.
const TINY_BYTES: u64 = 60_000_000;
/// It is one only beside videos this many times as large.
const TINY_TIMES: u64 = 20;

/// What a file is, by its extension and folders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Video,
    Subtitle,
    Audio,
    Archive,
    Danger,
    Disc,
    Other,
}

/// A wanted file.
#[derive(Clone, Debug)]
pub(super) struct Entry<'a> {
    pub(super) index: u32,
    pub(super) leaf: Leaf<'a>,
    pub(super) size_bytes: u64,
    pub(super) sort: Sort,
}

impl<'a> Entry<'a> {
    /// The wanted files.
    pub(super) fn all(files: &'a [TorrentFile]) -> Vec<Self> {
        files.iter().filter(|file| file.wanted).map(Self::of).collect()
    }

    fn of(file: &'a TorrentFile) -> Self {
        let leaf = Leaf::of(&file.path);
        let kind = leaf.kind();
        let kind = kind.as_str();
        let sort = if WORDS.danger.contains(kind) {
            Sort::Danger
        } else if super::disc::is_part(&leaf) {
            Sort::Disc
        } else if WORDS.video.contains(kind) {
            Sort::Video
        } else if WORDS.subtitle.contains(kind) {
            Sort::Subtitle
        } else if WORDS.audio.contains(kind) {
            Sort::Audio
        } else if is_archive(&leaf, kind) {
            Sort::Archive
        } else {
            Sort::Other
        };
        Self { index: file.index, leaf, size_bytes: file.size_bytes, sort }
    }
}

fn is_archive(leaf: &Leaf<'_>, kind: &str) -> bool {
    let volume = |it: &str| it.len() == 3 && it.bytes().all(|byte| byte.is_ascii_digit());
    let numbered = leaf.stem.rsplit('.').next().is_some_and(|it| volume(it) || volume(kind));
    let old = kind.len() == 3 && kind.starts_with('r') && kind[1..].parse::<u8>().is_ok();
    WORDS.archive.contains(kind) || old || (kind.is_empty() && numbered && leaf.stem.contains('.'))
}

/// Why a video is none of those that are filed as films or episodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beside {
    /// A sample, or an advertisement.
    Nothing,
    /// Something beside the film.
    Extra(ExtraKind),
}

/// Whether a video is beside the main ones, of which the largest has so many bytes.
pub(super) fn beside(entry: &Entry<'_>, largest_bytes: u64) -> Option<Beside> {
    let stem = text::flat(&text::cut(entry.leaf.stem)).to_lowercase();
    let small = entry.size_bytes.saturating_mul(100) < largest_bytes.saturating_mul(SMALL_PERCENT);
    let mut folders =
        entry.leaf.folders().map(|it| text::flat(&text::cut(it)).trim().to_lowercase());
    if small && is_sample(entry) {
        return Some(Beside::Nothing);
    }
    if let Some(kind) = folders.find_map(|it| WORDS.extra_folder.get(&*it).copied()) {
        // A folder for anything says less than the name of what is in it.
        let own = says_extra(&stem).filter(|_| kind == ExtraKind::Other);
        return Some(Beside::Extra(own.unwrap_or(kind)));
    }
    let tiny = entry.size_bytes < TINY_BYTES
        && entry.size_bytes.saturating_mul(TINY_TIMES) < largest_bytes;
    if small {
        if let Some(kind) = says_extra(&stem) {
            return Some(Beside::Extra(kind));
        }
        if PATTERNS.creditless.is_match(&stem) {
            return Some(Beside::Extra(ExtraKind::Other));
        }
    }
    let numbered = PATTERNS.season_episode.is_match(&stem) || PATTERNS.cross.is_match(&stem);
    (tiny && !numbered).then_some(Beside::Nothing)
}

/// Whether a video is named as a sample, or lies where samples do.
pub(super) fn is_sample(entry: &Entry<'_>) -> bool {
    let says = |name: &str| {
        let lower = name.to_lowercase();
        lower.split(|it: char| !it.is_alphanumeric()).any(|word| WORDS.sample.contains(word))
    };
    let folder = entry.leaf.folders().any(|it| WORDS.sample.contains(&*it.to_lowercase()));
    folder || says(entry.leaf.stem)
}

/// A word for an extra at the beginning or the end of a name.
fn says_extra(stem: &str) -> Option<ExtraKind> {
    let words = WORDS.extra_word.iter().filter(|(phrase, _)| {
        let at_end =
            stem.strip_suffix(**phrase).is_some_and(|it| !it.ends_with(char::is_alphanumeric));
        let at_start =
            stem.strip_prefix(**phrase).is_some_and(|it| !it.starts_with(char::is_alphanumeric));
        at_end || at_start
    });
    words.max_by_key(|(phrase, _)| phrase.len()).map(|(_, kind)| *kind)
}
