//! What films, series and their extras are called, in the words of each media server.
//!
//! Jellyfin: <https://jellyfin.org/docs/general/server/media/movies> and `/shows`. Plex:
//! <https://support.plex.tv/articles/naming-and-organizing-your-movie-media-files/>,
//! `/naming-and-organizing-your-tv-show-files/` and `/multiple-editions/`.
//!
//! **Invariant:** titles are cut, and never years, ids, numbers and labels: a server finds a film with
//! half of its title and does not find one with half of its number.

use super::segment::{SEGMENT_BYTES, clean, cut, extension, seal};
use crate::filing::{Episode, ExtraKind, Filing, Ids, Movie, Numbering, Role};
use crate::ports::Preset;

/// Bytes kept free behind the stem of a video, for its own extension and for whatever is named after
/// it: `.9999.zh-Hant-HK.forced.sdh.srt`, with room for an extension of eight.
pub(super) const BESIDE_BYTES: usize = 37;
/// Bytes kept free for what tells apart two files of the same name: ` - v9999`.
pub(super) const VERSION_BYTES: usize = 8;
/// Bytes in a stem.
const STEM_BYTES: usize = SEGMENT_BYTES - BESIDE_BYTES - VERSION_BYTES;
/// Bytes in ` - S65535E65535-E65535`.
const NUMBER_BYTES: usize = 22;
/// What an edition may be called: Plex reads 32 characters.
const LABEL_CHARS: usize = 32;
const LABEL_BYTES: usize = 64;

/// The names of one preset.
pub(super) struct Naming {
    preset: Preset,
    /// Bytes that the longest edition and part of this filing take. All films keep that many free, so
    /// that the parts and editions of one have the same beginning, wherever it was cut.
    tail_bytes: usize,
}

/// A film's directory, and the stem of a file in it.
pub(super) struct FilmNames {
    pub(super) dir: String,
    pub(super) stem: String,
}

/// A series' directories, that of a season last, and the stem of a file in it.
pub(super) struct EpisodeNames {
    pub(super) dirs: Vec<String>,
    pub(super) stem: String,
}

impl Naming {
    pub(super) fn new(preset: Preset, filing: &Filing) -> Self {
        let mut naming = Self { preset, tail_bytes: 0 };
        let films = filing.roles.values().filter_map(|role| match role {
            Role::Movie(movie) | Role::Disc { movie, .. } => Some(movie),
            _ => None,
        });
        let tails = films.map(|film| naming.edition(film).len() + naming.part(film).len());
        naming.tail_bytes = tails.max().unwrap_or(0);
        naming
    }

    /// `None` if nothing of its title can stand in a name.
    pub(super) fn film(&self, film: &Movie) -> Option<FilmNames> {
        let tail = format!("{}{}", year(film.year), self.id(first_of_film(&film.ids)));
        let base = titled(&film.title, &tail, STEM_BYTES - self.tail_bytes)?;
        let (edition, part) = (self.edition(film), self.part(film));
        Some(match self.preset {
            // Versions have to begin with the directory's whole name.
            Preset::Jellyfin => FilmNames { stem: format!("{base}{edition}{part}"), dir: base },
            Preset::Plex => {
                let dir = format!("{base}{edition}");
                FilmNames { stem: format!("{dir}{part}"), dir }
            }
        })
    }

    /// The directory of a whole series; `None` as for a film.
    pub(super) fn series(&self, episode: &Episode) -> Option<String> {
        let id = self.id(first_of_series(&episode.ids));
        Some(format!("{}{id}", series_title(episode)?))
    }

    /// `None` if its series has no name, or its numbers cannot be those of a file.
    pub(super) fn episode(&self, episode: &Episode) -> Option<EpisodeNames> {
        let (season, number) = numbered(&episode.number)?;
        let series = series_title(episode)?;
        let mut stem = format!("{series} - {number}");
        let title = clean(episode.title.as_deref().unwrap_or_default());
        let title = title.trim_start_matches(['.', ' ']);
        let room = STEM_BYTES.saturating_sub(stem.len() + 3);
        let title = cut(title, room).trim_end_matches(['.', ' ']);
        if !title.is_empty() {
            stem = format!("{stem} - {title}");
        }
        let id = self.id(first_of_series(&episode.ids));
        Some(EpisodeNames { dirs: vec![format!("{series}{id}"), season], stem })
    }

    /// The directory of extras of a kind.
    pub(super) fn extras(&self, kind: ExtraKind) -> &'static str {
        let (jellyfin, plex) = match kind {
            ExtraKind::Trailer => ("trailers", "Trailers"),
            ExtraKind::BehindTheScenes => ("behind the scenes", "Behind The Scenes"),
            ExtraKind::Deleted => ("deleted scenes", "Deleted Scenes"),
            ExtraKind::Interview => ("interviews", "Interviews"),
            ExtraKind::Scene => ("scenes", "Scenes"),
            ExtraKind::Short => ("shorts", "Shorts"),
            ExtraKind::Featurette => ("featurettes", "Featurettes"),
            ExtraKind::Other => ("extras", "Other"),
        };
        match self.preset {
            Preset::Jellyfin => jellyfin,
            Preset::Plex => plex,
        }
    }

    fn id(&self, id: Option<(&str, String)>) -> String {
        id.map_or_else(String::new, |(base, number)| match self.preset {
            Preset::Jellyfin => format!(" [{base}id-{number}]"),
            Preset::Plex => format!(" {{{base}-{number}}}"),
        })
    }

    fn edition(&self, film: &Movie) -> String {
        let label = clean(film.edition.as_deref().unwrap_or_default());
        let label: String = label.chars().filter(|c| !"{}[]".contains(*c)).collect();
        let end = label.char_indices().nth(LABEL_CHARS).map_or(label.len(), |(at, _)| at);
        let label = seal(cut(&clean(&label), end.min(LABEL_BYTES)));
        match self.preset {
            _ if label.is_empty() => label,
            Preset::Jellyfin => format!(" - {label}"),
            Preset::Plex => format!(" {{edition-{label}}}"),
        }
    }

    fn part(&self, film: &Movie) -> String {
        film.part.map_or_else(String::new, |part| match self.preset {
            Preset::Jellyfin => format!("-part{part}"),
            Preset::Plex => format!(" - pt{part}"),
        })
    }
}

/// The name of an extra, of a title or, without one, of the file that it came as.
pub(super) fn extra(title: &str, source: &str) -> Option<String> {
    let own = &source[..source.len() - extension(source).len()];
    [title, own].into_iter().find_map(|text| titled(text, "", STEM_BYTES))
}

fn year(year: Option<u16>) -> String {
    year.map_or_else(String::new, |year| format!(" ({year:04})"))
}

/// A title and what follows it, the title cut so that both fit. `None` if nothing is left of it.
fn titled(title: &str, tail: &str, most_bytes: usize) -> Option<String> {
    let title = clean(title);
    let title = title.trim_start_matches(['.', ' ']);
    // One byte for the mark of a device.
    let title = cut(title, most_bytes.saturating_sub(tail.len() + 1));
    (!title.trim_end_matches(['.', ' ']).is_empty()).then(|| seal(&format!("{title}{tail}")))
}

fn series_title(episode: &Episode) -> Option<String> {
    titled(&episode.series, &year(episode.year), STEM_BYTES - NUMBER_BYTES)
}

fn first_of_film(ids: &Ids) -> Option<(&'static str, String)> {
    tmdb(ids).or_else(|| imdb(ids)).or_else(|| tvdb(ids))
}

fn first_of_series(ids: &Ids) -> Option<(&'static str, String)> {
    tvdb(ids).or_else(|| tmdb(ids)).or_else(|| imdb(ids))
}

fn tmdb(ids: &Ids) -> Option<(&'static str, String)> {
    ids.tmdb.map(|id| ("tmdb", id.to_string()))
}

fn tvdb(ids: &Ids) -> Option<(&'static str, String)> {
    ids.tvdb.map(|id| ("tvdb", id.to_string()))
}

/// One that is written as they are; it is the only id that comes as a text.
fn imdb(ids: &Ids) -> Option<(&'static str, String)> {
    let id = ids.imdb.as_deref()?;
    let digits = id.strip_prefix("tt")?;
    let fit = (5..=12).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    fit.then(|| ("imdb", id.to_owned()))
}

/// The directory of a season, and the number of a file in it.
///
/// Absolute numbers are those of a first season: both servers keep absolute order as one, and read a
/// bare number of four digits as a season and an episode.
fn numbered(number: &Numbering) -> Option<(String, String)> {
    match number {
        Numbering::Season { season, episodes } => {
            let (first, last) = run(episodes)?;
            let more = last.map_or_else(String::new, |last| format!("-E{last:02}"));
            Some((format!("Season {season:02}"), format!("S{season:02}E{first:02}{more}")))
        }
        Numbering::Absolute(episodes) => {
            let (first, last) = run(episodes)?;
            let more = last.map_or_else(String::new, |last| format!("-E{last:03}"));
            Some(("Season 01".to_owned(), format!("S01E{first:03}{more}")))
        }
        Numbering::Date { year, month, day } => {
            let real = (1..=12).contains(month) && (1..=31).contains(day);
            real.then(|| (format!("Season {year:04}"), format!("{year:04}-{month:02}-{day:02}")))
        }
    }
}

/// The first of some episodes and, if they are several, the last. Servers read two numbers as all
/// between them, so that a gap has no name.
fn run(episodes: &[u16]) -> Option<(u16, Option<u16>)> {
    let (first, last) = (*episodes.first()?, *episodes.last()?);
    let whole = episodes.windows(2).all(|pair| pair[0].checked_add(1) == Some(pair[1]));
    whole.then_some((first, (episodes.len() > 1).then_some(last)))
}
