//! What a person said about a torrent's files.
//!
//! **Invariant:** what a person says wins over what was read; what is not said is read from names.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::decision::{Kind, numbering, role};
use super::memory::Memory;
use super::reading::Numbers;
use super::{Files, text};
use crate::filing::{Episode, Filing, Ids, Movie, Numbering, Role};
use crate::ports::TorrentFile;

/// Longest title, in characters.
const LONGEST_TITLE: usize = 200;

/// A person's answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    /// Which kind.
    pub kind: Kind,
    /// Title of the film or series.
    pub title: String,
    /// Its year.
    #[serde(default)]
    pub year: Option<u16>,
    /// The season of all episodes whose names tell none.
    #[serde(default)]
    pub season: Option<u16>,
    /// What databases know it by.
    #[serde(default)]
    pub ids: Ids,
    /// What single files are, by index, where names tell it wrongly or not at all.
    #[serde(default)]
    pub files: BTreeMap<u32, Place>,
}

/// What a person says about a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// A part of the film, or all of it.
    Film {
        /// Its number among parts.
        part: Option<u8>,
    },
    /// Episodes of the series.
    Episode(Numbering),
    /// Not to be filed.
    Leave,
}

/// Why an answer cannot be followed.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ChoiceError {
    /// The title is empty or too long.
    #[error("the title is empty or longer than 200 characters")]
    Title,
    /// It names a file that is not there, or no video.
    #[error("there is no video with the index {0}")]
    NoVideo(u32),
    /// Episodes have to be named, each once, growing.
    #[error("the episodes of the file {0} are none, or not in their order")]
    Episodes(u32),
    /// No file is left to be filed: no name tells an episode.
    #[error("no video is left to be filed; say which episodes they are")]
    Nothing,
}

/// The filing that a person's answer makes of a torrent's files.
pub fn apply(choice: &Choice, name: &str, files: &[TorrentFile]) -> Result<Filing, ChoiceError> {
    let title = text::trim(&choice.title);
    if title.is_empty() || title.chars().count() > LONGEST_TITLE {
        return Err(ChoiceError::Title);
    }
    let sorted = Files::of(name, files, &Memory::default());
    let videos = &sorted.pack.videos;
    for (index, place) in &choice.files {
        if !videos.iter().any(|it| it.entry.index == *index) {
            return Err(ChoiceError::NoVideo(*index));
        }
        if let Place::Episode(numbers) = place
            && !grows(numbers)
        {
            return Err(ChoiceError::Episodes(*index));
        }
    }
    let single = videos.len() == 1;
    let mut filing = Filing::default();
    for (video, at) in videos.iter().zip(1..) {
        let voted = &video.work.voted;
        let place = choice.files.get(&video.entry.index);
        let part = voted.part.or(if single { None } else { u8::try_from(at).ok() });
        let role = match (place, choice.kind) {
            (Some(Place::Leave), _) => None,
            (Some(Place::Film { part }), _) => {
                Some(choice.film(&title, voted.edition.clone(), *part))
            }
            (Some(Place::Episode(numbers)), _) => Some(choice.episode(&title, numbers.clone())),
            (None, Kind::Movie) => Some(choice.film(&title, voted.edition.clone(), part)),
            (None, Kind::Series) => {
                let numbers = voted.numbers.as_ref().map(|it| choice.seasoned(it));
                let numbers = numbers.as_ref().and_then(numbering);
                numbers.map(|numbers| choice.episode(&title, numbers))
            }
        };
        filing.roles.extend(role.map(|role| (video.entry.index, role)));
    }
    if filing.roles.is_empty() && sorted.discs(Some((&title, choice)), &mut filing).is_none() {
        return Err(ChoiceError::Nothing);
    }
    sorted.beside(&mut filing);
    Ok(filing)
}

/// Learns from an answer, for the next file of the same series.
pub fn learn(memory: &mut Memory, name: &str, files: &[TorrentFile], chosen: &Filing) {
    let sorted = Files::of(name, files, &Memory::default());
    for video in &sorted.pack.videos {
        let Some(Role::Episode(episode)) = chosen.roles.get(&video.entry.index) else { continue };
        let said =
            role(&video.work.voted).is_none_or(|read| read != Role::Episode(episode.clone()));
        if said || !video.work.sure {
            memory.learn(&video.work, episode);
        }
    }
}

impl Choice {
    fn film(&self, title: &str, edition: Option<String>, part: Option<u8>) -> Role {
        Role::Movie(self.movie(title, edition, part))
    }

    /// The film that it names.
    pub(super) fn movie(&self, title: &str, edition: Option<String>, part: Option<u8>) -> Movie {
        let (title, ids) = (title.to_owned(), self.ids.clone());
        Movie { title, year: self.year, edition, part, ids }
    }

    fn episode(&self, series: &str, number: Numbering) -> Role {
        let (series, ids) = (series.to_owned(), self.ids.clone());
        Role::Episode(Episode { series, year: self.year, number, title: None, ids })
    }

    fn seasoned(&self, numbers: &Numbers) -> Numbers {
        match (self.season, numbers) {
            (Some(season), Numbers::Absolute(list)) => Numbers::Season(season, list.clone()),
            _ => numbers.clone(),
        }
    }
}

fn grows(numbers: &Numbering) -> bool {
    match numbers {
        Numbering::Season { episodes, .. } | Numbering::Absolute(episodes) => {
            !episodes.is_empty() && episodes.windows(2).all(|pair| pair[0] < pair[1])
        }
        Numbering::Date { month, day, .. } => (1..=12).contains(month) && (1..=31).contains(day),
    }
}
