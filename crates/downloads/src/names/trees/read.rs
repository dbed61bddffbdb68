//! Reads the compact form of trees.

use std::collections::BTreeMap;

use crate::filing::{Episode, ExtraKind, Filing, Ids, Movie, Numbering, Role};
use crate::names::words::WORDS;
use crate::ports::TorrentFile;

/// A torrent and the right answer.
pub(super) struct Tree {
    pub(super) name: String,
    pub(super) files: Vec<TorrentFile>,
    pub(super) answer: Answer,
}

/// The right answer.
#[derive(Debug)]
pub(super) enum Answer {
    /// Filed so, or so: more than one where a person would take any of them.
    Filed(Vec<Filing>),
    Refused(String),
    Question,
}

/// All trees of a text.
pub(super) fn trees(text: &str) -> Vec<Tree> {
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    let paragraphs = lines.split(|line| line.trim().is_empty()).filter(|it| !it.is_empty());
    paragraphs.map(tree).collect()
}

fn tree(lines: &[&str]) -> Tree {
    let mut files = vec![];
    let mut answers = vec![];
    let mut whole = None;
    let mut firsts: BTreeMap<u32, (u32, usize)> = BTreeMap::new();
    for (line, number) in lines[1..].iter().zip(1..) {
        let (written, answer) = line.split_once(" => ").unwrap_or((line, "-"));
        let (path, size) = size(written);
        let first = u32::try_from(files.len()).unwrap();
        let all = expand(path);
        firsts.insert(number, (first, all.len()));
        for ((path, digits), at) in all.iter().zip(0..) {
            files.push(file(first + at, path, size));
            match answer.split_at_checked(1).unwrap() {
                ("!", code) => whole = Some(Answer::Refused(code.trim().to_owned())),
                ("?", _) => whole = Some(Answer::Question),
                _ => answers.push((first + at, at, digits.clone(), answer)),
            }
        }
    }
    let ways = || {
        let most = answers.iter().map(|it| it.3.split(" | ").count()).max().unwrap_or(1);
        (0..most).map(|which| filing(&answers, &firsts, which)).collect()
    };
    Tree {
        name: lines[0].to_owned(),
        files,
        answer: whole.unwrap_or_else(|| Answer::Filed(ways())),
    }
}

/// One of the ways that are right: the answer at that place, or the last where there are fewer.
fn filing(
    answers: &[(u32, u32, String, &str)],
    firsts: &BTreeMap<u32, (u32, usize)>,
    which: usize,
) -> Filing {
    let mut filing = Filing::default();
    for (index, at, digits, answer) in answers {
        let of = |line: &str| {
            let (first, count) = firsts[&line.parse::<u32>().unwrap()];
            if count > 1 { first + at } else { first }
        };
        let ways: Vec<&str> = answer.split(" | ").collect();
        let (kind, rest) = ways[which.min(ways.len() - 1)].split_at_checked(1).unwrap();
        if kind != "-" {
            let number = digits.trim_start_matches('0');
            let number = if number.is_empty() { "0" } else { number };
            let rest = rest.trim().replace("{}", number);
            filing.roles.insert(*index, role(kind, &rest, of));
        }
    }
    filing
}

fn file(index: u32, path: &str, megabytes: Option<u64>) -> TorrentFile {
    let extension = path.rsplit('.').next().unwrap_or_default().to_lowercase();
    let default = if WORDS.video.contains(&*extension) { 1400 } else { 1 };
    let size_bytes = megabytes.unwrap_or(default) * 1_000_000;
    TorrentFile {
        index,
        path: path.to_owned(),
        size_bytes,
        wanted: true,
        whole: true,
        progress: 1.0,
    }
}

fn size(written: &str) -> (&str, Option<u64>) {
    let sized = written.rsplit_once(" :").and_then(|(path, it)| Some((path, it.parse().ok()?)));
    sized.map_or((written, None), |(path, megabytes)| (path, Some(megabytes)))
}

/// A path with each of its numbers in the place of `{01..10}`.
fn expand(path: &str) -> Vec<(String, String)> {
    let Some(open) = path.find('{').filter(|_| path.contains("..")) else {
        return vec![(path.to_owned(), String::new())];
    };
    let range = path[open + 1..].find('}').map(|end| &path[open + 1..open + 1 + end]).unwrap();
    let Some((first, last)) = range.split_once("..") else {
        return vec![(path.to_owned(), String::new())];
    };
    let numbers = first.parse::<u32>().unwrap()..=last.parse().unwrap();
    let written = format!("{{{range}}}");
    numbers
        .map(|it| format!("{it:0width$}", width = first.len()))
        .map(|it| (path.replace(&written, &it), it))
        .collect()
}

fn role(kind: &str, rest: &str, of: impl Fn(&str) -> u32) -> Role {
    let words: Vec<&str> = rest.split(' ').collect();
    let tag = |at: usize| words.get(at).filter(|it| **it != "-").map(|it| (*it).to_owned());
    let flags = words.get(2).copied().unwrap_or_default();
    match kind {
        "m" => Role::Movie(movie(rest)),
        "d" => Role::Disc { movie: movie(rest), path: vec![] },
        "e" => Role::Episode(episode(rest)),
        "s" => Role::Subtitle {
            of: of(words[0]),
            language: tag(1),
            forced: flags.contains('f'),
            hearing_impaired: flags.contains('h'),
        },
        "a" => Role::Audio { of: of(words[0]), language: tag(1) },
        "x" => Role::Extra { of: of(words[0]), kind: extra(words[1]), title: String::new() },
        other => panic!("{other} is no answer"),
    }
}

fn extra(word: &str) -> ExtraKind {
    serde_json::from_str(&format!("\"{word}\"")).unwrap()
}

/// A title, its year, and what is written as `key=value` behind it.
fn head(rest: &str) -> (String, Option<u16>, BTreeMap<String, String>) {
    let mut keys = BTreeMap::new();
    let mut title: Vec<&str> = vec![];
    let mut year = None;
    for word in rest.split(' ') {
        let inner = word.strip_prefix('(').and_then(|it| it.strip_suffix(')'));
        match (word.split_once('='), inner.and_then(|it| it.parse().ok())) {
            (Some((key, value)), _) => drop(keys.insert(key.to_owned(), value.replace('_', " "))),
            (None, Some(number)) => year = Some(number),
            (None, None) => title.push(word),
        }
    }
    (title.join(" "), year, keys)
}

fn ids(keys: &BTreeMap<String, String>) -> Ids {
    let number = |key: &str| keys.get(key).map(|it| it.parse().unwrap());
    Ids { tmdb: number("tmdb"), tvdb: number("tvdb"), imdb: keys.get("imdb").cloned() }
}

fn movie(rest: &str) -> Movie {
    let (title, year, keys) = head(rest);
    let part = keys.get("part").map(|it| it.parse().unwrap());
    Movie { title, year, edition: keys.get("ed").cloned(), part, ids: ids(&keys) }
}

fn episode(rest: &str) -> Episode {
    let (words, year, keys) = head(rest);
    let (series, number) = words.rsplit_once(' ').unwrap();
    let list = |text: &str| text.split('+').map(|it| it.parse().unwrap()).collect();
    let number = match number.split_at(1) {
        ("A", rest) => Numbering::Absolute(list(rest)),
        ("D", rest) => {
            let parts: Vec<u16> = rest.split('-').map(|it| it.parse().unwrap()).collect();
            let (month, day) = (u8::try_from(parts[1]).unwrap(), u8::try_from(parts[2]).unwrap());
            Numbering::Date { year: parts[0], month, day }
        }
        (_, rest) => {
            let (season, episodes) = rest.split_once('E').unwrap();
            Numbering::Season { season: season.parse().unwrap(), episodes: list(episodes) }
        }
    };
    Episode { series: series.to_owned(), year, number, title: None, ids: ids(&keys) }
}
