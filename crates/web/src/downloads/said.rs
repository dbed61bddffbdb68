//! What a person says a download is, as it is written in JSON.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;
use verst_service::download::{Choice, Ids, Kind, Numbering, Place};

use crate::input::wrong;
use crate::kinds;
use crate::problem::{Answer, Problem};

/// Files that single words may be said about.
const FILES: usize = 10_000;
/// Episodes in one file.
const EPISODES: usize = 1000;

/// Kinds of works.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Kind)]
pub(crate) enum Sort {
    /// Films.
    Movie,
    /// Episodes.
    Series,
}

impl From<Kind> for Sort {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Movie => Self::Movie,
            Kind::Series => Self::Series,
        }
    }
}

/// What it is, in one's own words.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = DownloadIs)]
pub(crate) struct Said {
    kind: Sort,
    /// Title of the film or series.
    #[schema(max_length = 200)]
    title: String,
    /// Its year.
    #[serde(default)]
    year: Option<u16>,
    /// The season of all episodes whose names tell none.
    #[serde(default)]
    season: Option<u16>,
    #[serde(default)]
    ids: Option<Known>,
    /// What single files are, by their indexes, where names tell it wrongly or not at all.
    #[serde(default)]
    #[schema(value_type = BTreeMap<String, Part>)]
    files: BTreeMap<u32, Part>,
}

/// What databases know it by.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Ids)]
struct Known {
    /// The Movie Database.
    #[serde(default)]
    tmdb: Option<u32>,
    /// The TVDB.
    #[serde(default)]
    tvdb: Option<u32>,
    /// The Internet Movie Database, as in `tt0111161`.
    #[serde(default)]
    imdb: Option<String>,
}

/// What a file is.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = FileIs)]
enum Part {
    /// A part of the film by its number, or all of it: `{"film": {"part": 1}}`, `{"film": {}}`.
    Film(FilmPart),
    /// Episodes of a season, growing: `{"season": {"season": 1, "episodes": [3, 4]}}`.
    Season(Episodes),
    /// Episodes counted from the first of all on, growing: `{"absolute": [133]}`.
    Absolute(Vec<u16>),
    /// An episode by its day: `{"date": {"year": 2024, "month": 5, "day": 1}}`.
    Date(Day),
    /// Not to go to the library: `"leave"`.
    Leave,
}

/// A part of a film.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct FilmPart {
    /// Its number, from 1.
    #[serde(default)]
    part: Option<u8>,
}

/// Episodes of a season.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Episodes {
    /// Which season; 0 is that of specials.
    season: u16,
    /// Which episodes.
    episodes: Vec<u16>,
}

/// A day.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_field_names, reason = "a day of a month of a year")]
struct Day {
    year: u16,
    month: u8,
    day: u8,
}

impl Said {
    /// The same for the service.
    pub(crate) fn choice(self) -> Answer<Choice> {
        if self.files.len() > FILES {
            let limit = i64::try_from(FILES).unwrap_or(i64::MAX);
            let many = Problem::from(kinds::TOO_MANY_ENTRIES);
            return Err(many.term("parameter", "files").int("limit", limit));
        }
        let place = |(index, part): (u32, Part)| Ok((index, part.place()?));
        let ids = self.ids.map(Known::ids).transpose()?.unwrap_or_default();
        Ok(Choice {
            kind: match self.kind {
                Sort::Movie => Kind::Movie,
                Sort::Series => Kind::Series,
            },
            title: self.title,
            year: self.year,
            season: self.season,
            ids,
            files: self.files.into_iter().map(place).collect::<Answer<_>>()?,
        })
    }
}

impl Known {
    fn ids(self) -> Answer<Ids> {
        let good = |imdb: &String| {
            let digits = imdb.strip_prefix("tt").unwrap_or_default();
            (1..=12).contains(&digits.len()) && digits.bytes().all(|it| it.is_ascii_digit())
        };
        if self.imdb.as_ref().is_some_and(|imdb| !good(imdb)) {
            return Err(wrong("imdb"));
        }
        Ok(Ids { tmdb: self.tmdb, tvdb: self.tvdb, imdb: self.imdb })
    }
}

impl Part {
    fn place(self) -> Answer<Place> {
        let few = |list: Vec<u16>| match list.len() {
            0..=EPISODES => Ok(list),
            _ => Err(wrong("episodes")),
        };
        Ok(match self {
            Self::Film(FilmPart { part: Some(0) }) => return Err(wrong("part")),
            Self::Film(FilmPart { part }) => Place::Film { part },
            Self::Season(Episodes { season, episodes }) => {
                Place::Episode(Numbering::Season { season, episodes: few(episodes)? })
            }
            Self::Absolute(episodes) => Place::Episode(Numbering::Absolute(few(episodes)?)),
            Self::Date(Day { year, month, day }) => {
                Place::Episode(Numbering::Date { year, month, day })
            }
            Self::Leave => Place::Leave,
        })
    }
}

/// What it is: a candidate, or one's own words.
#[derive(Deserialize, ToSchema)]
#[serde(untagged, try_from = "Map<String, Value>")]
#[schema(as = DownloadChoice)]
pub(crate) enum Chosen {
    /// One of the candidates.
    Candidate(Numbered),
    /// Something else.
    Said(Said),
}

/// A candidate.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ChosenCandidate)]
pub(crate) struct Numbered {
    /// Its number, from 1.
    #[schema(minimum = 1)]
    pub(crate) candidate: usize,
}

/// By the field that only one of the two has: trying one after the other would read the indexes of
/// files as texts.
impl TryFrom<Map<String, Value>> for Chosen {
    type Error = serde_json::Error;

    fn try_from(fields: Map<String, Value>) -> Result<Self, Self::Error> {
        let numbered = fields.contains_key("candidate");
        let fields = Value::Object(fields);
        if numbered {
            serde_json::from_value(fields).map(Self::Candidate)
        } else {
            serde_json::from_value(fields).map(Self::Said)
        }
    }
}
