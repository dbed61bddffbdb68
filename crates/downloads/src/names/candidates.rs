//! What is offered to a person where nothing is sure.
//!
//! **Invariant:** at most six, each a filing of its own, the likeliest first.

use super::decision::{Candidate, Kind, filing, numbering};
use super::pack::{Pack, Video};
use super::reading::Numbers;
use super::text;
use super::vote::Voted;
use crate::filing::{Episode, Filing, Movie, Role};

/// Candidates at most.
pub(super) const MOST: usize = 6;

/// Candidates for the main videos; what lies beside them is added to each by `beside`.
pub(super) fn of(pack: &Pack<'_>, beside: impl Fn(&mut Filing)) -> Vec<Candidate> {
    let mut found: Vec<Candidate> = vec![];
    let mut offer = |kind: Kind, title: &str, year: Option<u16>, mut filing: Filing| {
        beside(&mut filing);
        let fresh = !filing.roles.is_empty() && !found.iter().any(|it| it.filing == filing);
        if fresh && found.len() < MOST {
            found.push(Candidate { kind, title: title.to_owned(), year, filing });
        }
    };
    let Some(first) = pack.videos.iter().max_by_key(|it| it.entry.size_bytes) else { return found };
    let best = &first.work.voted;
    let title = best.title.as_deref().unwrap_or_default();
    let kind = if best.numbers.is_some() { Kind::Series } else { Kind::Movie };
    offer(kind, title, best.year, filing(&pack.videos));
    let heads = heads(pack, first);
    let numbered = pack.videos.iter().any(|it| weak(&it.work.voted).is_some());
    let single = pack.videos.len() == 1;
    for (title, year) in &heads {
        if numbered {
            offer(Kind::Series, title, *year, series(&pack.videos, title, *year));
        }
        if single {
            offer(Kind::Movie, title, *year, film(&pack.videos, title, *year));
        }
    }
    if !single && let Some((title, year)) = heads.first() {
        offer(Kind::Movie, title, *year, film(&pack.videos, title, *year));
    }
    found
}

/// Titles and years that somebody read, the likeliest first.
fn heads(pack: &Pack<'_>, first: &Video<'_>) -> Vec<(String, Option<u16>)> {
    let voted = &first.work.voted;
    let around = &pack.around[first.entry.leaf.folder];
    let mut heads: Vec<(String, Option<u16>)> = vec![];
    let own = voted.title.iter().cloned().chain(voted.other_title.clone());
    let read = voted.readings.iter().filter_map(|it| Some((it.title.clone()?, it.year)));
    let outer = around.all().flat_map(|it| {
        let titles = it.title.iter().cloned().chain(it.other_title.clone());
        titles.map(|title| (title, it.year)).collect::<Vec<_>>()
    });
    for (title, year) in own.map(|title| (title, voted.year)).chain(outer).chain(read) {
        let key = text::key(&title);
        if !key.is_empty() && !heads.iter().any(|(it, of)| text::key(it) == key && *of == year) {
            heads.push((title, year));
        }
    }
    heads
}

/// Numbers that nobody is sure of, but somebody read.
fn weak(voted: &Voted) -> Option<Numbers> {
    let read = voted.readings.iter().filter_map(|it| it.numbers.clone());
    voted.numbers.clone().into_iter().chain(read).find(Numbers::is_episode)
}

fn series(videos: &[Video<'_>], title: &str, year: Option<u16>) -> Filing {
    let roles = videos.iter().filter_map(|video| {
        let voted = &video.work.voted;
        let number = numbering(&weak(voted)?)?;
        let (series, ids) = (title.to_owned(), voted.ids.clone());
        Some((video.entry.index, Role::Episode(Episode { series, year, number, title: None, ids })))
    });
    Filing { roles: roles.collect() }
}

/// One film; several videos are its parts, in the order of their paths.
fn film(videos: &[Video<'_>], title: &str, year: Option<u16>) -> Filing {
    let single = videos.len() == 1;
    let roles = videos.iter().zip(1..=u8::MAX).map(|(video, part)| {
        let voted = &video.work.voted;
        let movie = Movie {
            title: title.to_owned(),
            year,
            edition: voted.edition.clone(),
            part: if single { voted.part } else { Some(part) },
            ids: voted.ids.clone(),
        };
        (video.entry.index, Role::Movie(movie))
    });
    Filing { roles: roles.collect() }
}
