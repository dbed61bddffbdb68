//! Discs that are kept as they are: Blu-ray and DVD folders.
//!
//! **Invariant:** a disc is one film; several discs in a torrent, or one of a series, are a question.

use super::entry::{Entry, Sort};
use super::path::Leaf;

/// Folders of a disc.
/// <https://en.wikipedia.org/wiki/Blu-ray#Directory_and_file_structure>
const FOLDERS: [&str; 4] = ["bdmv", "certificate", "video_ts", "audio_ts"];

/// Whether a file is part of one.
pub(super) fn is_part(leaf: &Leaf<'_>) -> bool {
    folder(leaf).is_some() || is_loose(leaf)
}

/// Files of a DVD without their folder.
fn is_loose(leaf: &Leaf<'_>) -> bool {
    let stem = leaf.stem.to_ascii_lowercase();
    let dvd = stem == "video_ts" || (stem.starts_with("vts_") && stem.len() <= 10);
    dvd && matches!(leaf.kind().as_str(), "vob" | "ifo" | "bup")
}

/// Where its first such folder begins.
fn folder(leaf: &Leaf<'_>) -> Option<usize> {
    let mut at = 0;
    for part in leaf.folder.split('/') {
        if FOLDERS.contains(&part.to_ascii_lowercase().as_str()) {
            return Some(at);
        }
        at += part.len() + 1;
    }
    None
}

/// A part of a disc: the folder around the disc, and the path below it.
pub(super) fn split<'a>(entry: &Entry<'a>) -> (&'a str, Vec<String>) {
    let leaf = entry.leaf;
    let name = match leaf.extension {
        "" => leaf.stem.to_owned(),
        extension => format!("{}.{extension}", leaf.stem),
    };
    match folder(&leaf) {
        Some(at) => {
            let below = leaf.folder[at..].split('/').map(str::to_owned);
            (leaf.folder[..at].trim_end_matches('/'), below.chain([name]).collect())
        }
        None => (leaf.folder, vec!["VIDEO_TS".to_owned(), name]),
    }
}

/// The folders around all discs.
pub(super) fn roots<'a>(entries: &[Entry<'a>]) -> Vec<&'a str> {
    let parts = entries.iter().filter(|it| it.sort == Sort::Disc);
    let mut roots: Vec<&str> = parts.map(|it| split(it).0).collect();
    roots.sort_unstable();
    roots.dedup();
    roots
}
