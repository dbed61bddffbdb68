//! What the files of a download are: the answer of identify, and the question to layout.
//!
//! Files are named by their index in the client's list, which stays when they are renamed.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What each file of a download is. Files that stand nowhere here are left where they are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Filing {
    /// By index in the client's list.
    pub roles: BTreeMap<u32, Role>,
}

/// What a file is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// A film, or a part of one.
    Movie(Movie),
    /// One or several episodes in one file.
    Episode(Episode),
    /// Subtitles of a video.
    Subtitle {
        /// The video's index.
        of: u32,
        /// A BCP 47 tag such as `ru` or `pt-BR`, if it is known.
        language: Option<String>,
        /// Only what is foreign in the film is translated.
        forced: bool,
        /// For those who do not hear.
        hearing_impaired: bool,
    },
    /// Sound of its own for a video, such as another translation.
    Audio {
        /// The video's index.
        of: u32,
        /// A BCP 47 tag, if it is known.
        language: Option<String>,
    },
    /// Something beside a film or series.
    Extra {
        /// What it belongs to: any of its videos.
        of: u32,
        /// Which kind.
        kind: ExtraKind,
        /// What it is called.
        title: String,
    },
    /// One file of a disc that is kept as it is: `BDMV`, `VIDEO_TS`.
    Disc {
        /// The film on it.
        movie: Movie,
        /// Path below the disc's own folder, that folder included, as in `BDMV/STREAM/00001.m2ts`.
        path: Vec<String>,
    },
}

/// A film.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Movie {
    /// Its title.
    pub title: String,
    /// The year of its release.
    pub year: Option<u16>,
    /// As in `Director's Cut`.
    pub edition: Option<String>,
    /// Its number, from 1, among parts that are one film.
    pub part: Option<u8>,
    /// What databases know it by.
    pub ids: Ids,
}

/// Episodes in one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Episode {
    /// The series.
    pub series: String,
    /// The year in which it began, where that is known.
    pub year: Option<u16>,
    /// Which.
    pub number: Numbering,
    /// The episode's own title.
    pub title: Option<String>,
    /// What databases know the series by.
    pub ids: Ids,
}

/// How episodes are numbered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Numbering {
    /// In a season; 0 is that of specials. At least one episode, growing.
    Season {
        /// Which season.
        season: u16,
        /// Which episodes.
        episodes: Vec<u16>,
    },
    /// From the first episode of all on. At least one, growing.
    Absolute(Vec<u16>),
    /// By the day it was sent.
    Date {
        /// Year.
        year: u16,
        /// Month, from 1.
        month: u8,
        /// Day, from 1.
        day: u8,
    },
}

/// Numbers in databases.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ids {
    /// The Movie Database.
    pub tmdb: Option<u32>,
    /// The TVDB.
    pub tvdb: Option<u32>,
    /// The Internet Movie Database, `tt` included.
    pub imdb: Option<String>,
}

/// Kinds of what lies beside a film, in the words of Jellyfin and Plex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExtraKind {
    /// A trailer.
    Trailer,
    /// How it was made.
    BehindTheScenes,
    /// Scenes that were left out.
    Deleted,
    /// Interviews.
    Interview,
    /// Single scenes.
    Scene,
    /// Short films.
    Short,
    /// Featurettes.
    Featurette,
    /// Whatever else; openings and endings without credits, too.
    Other,
}
