//! Subtitles, sound and extras, tied to their videos.
//!
//! **Invariant:** what cannot be tied to one video for sure is left where it is, unless there is only
//! one.

use std::collections::HashMap;

use super::entry::{Entry, Sort};
use super::language::Tags;
use super::pack::Video;
use super::reading::Numbers;
use super::text;
use super::vote::Voted;
use super::words::WORDS;
use crate::filing::{ExtraKind, Filing, Role};

/// Videos by what their companions may have in common with them.
pub(super) struct Videos<'a> {
    stems: HashMap<String, Vec<(u32, &'a str)>>,
    numbers: HashMap<String, Vec<u32>>,
    all: Vec<(u32, &'a str)>,
}

impl<'a> Videos<'a> {
    /// Of those that are filed.
    pub(super) fn of(videos: &[Video<'a>], filing: &Filing) -> Self {
        let mut found = Self { stems: HashMap::new(), numbers: HashMap::new(), all: vec![] };
        for video in videos.iter().filter(|it| filing.roles.contains_key(&it.entry.index)) {
            let (index, leaf) = (video.entry.index, video.entry.leaf);
            found.stems.entry(leaf.stem.to_lowercase()).or_default().push((index, leaf.folder));
            if let Some(numbers) = &video.work.voted.numbers {
                found.numbers.entry(episodes(numbers)).or_default().push(index);
            }
            found.all.push((index, leaf.folder));
        }
        found
    }

    /// The video of a companion, and what of its name stands behind the video's.
    fn find<'b>(&self, entry: &Entry<'b>) -> Option<(u32, Option<&'b str>)> {
        let leaf = entry.leaf;
        if let Some((index, rest)) = self.by_stem(leaf.stem, leaf.folder) {
            return Some((index, Some(rest)));
        }
        let folder = leaf.folders().find_map(|it| self.by_stem(it, leaf.folder));
        if let Some((index, _)) = folder.filter(|(_, rest)| rest.is_empty()) {
            return Some((index, Some(leaf.stem)));
        }
        let numbers = self.by_numbers(leaf.stem);
        Some((numbers.or_else(|| self.only(leaf.stem, leaf.folder))?, None))
    }

    /// The only video of all, or of the nearest folder around that has any: there, unless the name
    /// has numbers of its own, which would be another's.
    fn only(&self, stem: &str, folder: &str) -> Option<u32> {
        if let [(index, _)] = self.all.as_slice() {
            return Some(*index);
        }
        let mut path = folder;
        while !path.is_empty() {
            let mut below = self.all.iter().filter(|(_, of)| related(of, path));
            match (below.next(), below.next()) {
                (Some((index, _)), None) => {
                    let numbers = Voted::on(stem).readings.swap_remove(0).numbers;
                    return numbers.is_none().then_some(*index);
                }
                (Some(_), Some(_)) => return None,
                _ => path = path.rsplit_once('/').map_or("", |(before, _)| before),
            }
        }
        None
    }

    /// By the longest of its beginnings that is a video's name.
    fn by_stem<'b>(&self, stem: &'b str, folder: &str) -> Option<(u32, &'b str)> {
        let mut end = stem.len();
        loop {
            if let Some(found) = self.stems.get(&stem[..end].to_lowercase()) {
                let near = found.iter().find(|(_, of)| related(folder, of));
                return near.or(found.first()).map(|(index, _)| (*index, &stem[end..]));
            }
            end = stem[..end].rfind(|it: char| !it.is_alphanumeric())?;
        }
    }

    /// By the numbers that are written out in its name, if one video has them.
    fn by_numbers(&self, stem: &str) -> Option<u32> {
        if self.numbers.is_empty() {
            return None;
        }
        let numbers = Voted::on(stem).readings.swap_remove(0).numbers?;
        let found = self.numbers.get(&episodes(&numbers))?;
        (found.len() == 1).then(|| found[0])
    }

    /// Any video near a folder: what an extra belongs to.
    fn near(&self, folder: &str) -> Option<u32> {
        let mut path = folder;
        loop {
            let found = self.all.iter().find(|(_, of)| related(of, path));
            match (found, path) {
                (Some((index, _)), _) => return Some(*index),
                (None, "") => return None,
                _ => path = path.rsplit_once('/').map_or("", |(before, _)| before),
            }
        }
    }
}

/// Numbers as a key; a season that one side does not name is not compared.
fn episodes(numbers: &Numbers) -> String {
    format!("{numbers:?}")
}

/// Whether a folder is another, or below it.
fn related(folder: &str, of: &str) -> bool {
    folder
        .strip_prefix(of)
        .is_some_and(|rest| of.is_empty() || rest.is_empty() || rest.starts_with('/'))
}

/// Adds the roles of what lies beside the videos.
pub(super) fn add(
    filing: &mut Filing,
    entries: &[Entry<'_>],
    extras: &[(u32, ExtraKind)],
    videos: &Videos<'_>,
) {
    for entry in entries {
        let role = match entry.sort {
            Sort::Subtitle => subtitle(entry, videos),
            Sort::Audio => audio(entry, videos),
            _ => None,
        };
        if let Some(role) = role {
            filing.roles.insert(entry.index, role);
        }
    }
    let kinds: HashMap<u32, ExtraKind> = extras.iter().copied().collect();
    for entry in entries {
        if let Some(kind) = kinds.get(&entry.index)
            && let Some(of) = videos.near(entry.leaf.folder)
        {
            let title = text::trim(&text::flat(&text::cut(entry.leaf.stem)));
            filing.roles.insert(entry.index, Role::Extra { of, kind: *kind, title });
        }
    }
}

fn subtitle(entry: &Entry<'_>, videos: &Videos<'_>) -> Option<Role> {
    let (of, rest) = videos.find(entry)?;
    let Tags { language, forced, hearing_impaired } = tags(entry, rest);
    Some(Role::Subtitle { of, language, forced, hearing_impaired })
}

/// Sound beside a video has its name, or its numbers, or lies in a folder for it.
fn audio(entry: &Entry<'_>, videos: &Videos<'_>) -> Option<Role> {
    let (of, rest) = videos.find(entry)?;
    let folder = entry.leaf.folders().any(|it| WORDS.audio_folder.contains(&*it.to_lowercase()));
    let named = rest.is_some() || folder || entry.leaf.kind() == "mka";
    let language = tags(entry, rest).language;
    named.then_some(Role::Audio { of, language })
}

fn tags(entry: &Entry<'_>, rest: Option<&str>) -> Tags {
    let mut tags = Tags::of(rest.unwrap_or(entry.leaf.stem), rest.is_some());
    // In a folder for subtitles, a name without a video's is one of a language.
    let folder = entry.leaf.folders().next().unwrap_or_default().to_lowercase();
    if tags.language.is_none() && rest.is_none() && WORDS.subtitle_folder.contains(&*folder) {
        tags = Tags::of(entry.leaf.stem, true);
    }
    tags.folders(entry.leaf.folders().take(2));
    tags
}
