//! The answer, and how filings are made of what was read.

use super::pack::Video;
use super::reading::Numbers;
use super::vote::Voted;
use crate::filing::{Episode, Filing, Movie, Numbering, Role};

/// What is to become of a torrent's files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// They are this.
    Decided(Filing),
    /// They may be one of these; a person says. The likeliest first; none if there is not even a
    /// guess.
    Ask(Vec<Candidate>),
    /// They are nothing for the library: a code of [`crate::codes`].
    Refuse(&'static str),
}

/// Kinds of works.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Films.
    Movie,
    /// Episodes.
    Series,
}

/// What it may be.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Candidate {
    /// Which kind.
    pub kind: Kind,
    /// The title of the film or the series; of the first of several films.
    pub title: String,
    /// Its year, if it is known.
    pub year: Option<u16>,
    /// All files, if it is this.
    pub filing: Filing,
}

/// A video by what was voted: nothing for whole seasons, which one video is not.
pub(super) fn role(voted: &Voted) -> Option<Role> {
    let title = voted.title.clone()?;
    let number = match &voted.numbers {
        None => return Some(Role::Movie(movie(voted, title))),
        Some(numbers) => numbering(numbers)?,
    };
    let year = voted.year.filter(|_| voted.year_first);
    let title = match &voted.country {
        Some(country) => format!("{title} ({country})"),
        None => title,
    };
    Some(Role::Episode(Episode {
        series: title,
        year,
        number,
        title: None,
        ids: voted.ids.clone(),
    }))
}

pub(super) fn movie(voted: &Voted, title: String) -> Movie {
    Movie {
        title,
        year: voted.year,
        edition: voted.edition.clone(),
        part: voted.part,
        ids: voted.ids.clone(),
    }
}

/// Numbers as a filing has them.
pub(super) fn numbering(numbers: &Numbers) -> Option<Numbering> {
    match numbers {
        Numbers::Season(season, episodes) => {
            Some(Numbering::Season { season: *season, episodes: episodes.clone() })
        }
        Numbers::Absolute(episodes) => Some(Numbering::Absolute(episodes.clone())),
        Numbers::Date(year, month, day) => {
            Some(Numbering::Date { year: *year, month: *month, day: *day })
        }
        Numbers::Pack(_) => None,
    }
}

/// The main videos by what was voted on each.
pub(super) fn filing(videos: &[Video<'_>]) -> Filing {
    let roles = videos.iter().filter_map(|it| Some((it.entry.index, role(&it.work.voted)?)));
    Filing { roles: roles.collect() }
}
