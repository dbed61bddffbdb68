//! A name made ready for its readers: what is no part of a title is taken out of it first.
//!
//! **Invariant:** nothing is taken out that would leave no name.

use regex::{Captures, Regex};

use super::patterns::PATTERNS;
use super::words::WORDS;
use super::{double, text};
use crate::filing::Ids;

/// A name without its ids, sites and editions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Clean {
    /// What is left, for readers.
    pub(super) text: String,
    /// The numbers in databases that stood in it.
    pub(super) ids: Ids,
    /// The edition that it names.
    pub(super) edition: Option<String>,
    /// The title in another script that stood beside the one that is left.
    pub(super) other_title: Option<String>,
    /// Whether it is a guess that these are two titles and not one.
    pub(super) doubtful: bool,
}

impl Clean {
    /// Makes a name ready. It has no extension.
    pub(super) fn of(name: &str) -> Self {
        let mut clean = Self { text: text::cut(name), ..Self::default() };
        clean.take_ids();
        clean.take(&PATTERNS.plex_edition, |clean, found| {
            clean.edition = found.get(1).map(|it| it.as_str().trim().to_owned());
        });
        clean.take(&PATTERNS.site_before, |_, _| {});
        clean.take(&PATTERNS.site_behind, |_, _| {});
        clean.text = clean.text.replace('×', "x");
        clean.count_seasons();
        clean.take_edition();
        clean.take_also();
        if let Some(double) = double::split(&clean.text) {
            clean.text = double.text;
            clean.other_title = Some(double.other);
            clean.doubtful = double.doubtful;
        }
        clean
    }

    fn take_ids(&mut self) {
        // Three databases; a name with more than that names one of them twice.
        for _ in 0..4 {
            self.take(&PATTERNS.id, |clean, found| {
                let number = &found[2];
                match found[1].to_lowercase().as_str() {
                    "tmdb" => clean.ids.tmdb = number.parse().ok(),
                    "tvdb" => clean.ids.tvdb = number.parse().ok(),
                    _ => clean.ids.imdb = number.starts_with("tt").then(|| number.to_owned()),
                }
            });
        }
        self.take(&PATTERNS.bare_imdb, |clean, found| {
            clean.ids.imdb = Some(found[1].to_lowercase());
        });
    }

    /// Cuts the first match out, unless nothing would be left.
    fn take(&mut self, pattern: &Regex, keep: impl FnOnce(&mut Self, &Captures<'_>)) {
        let written = self.text.clone();
        let Some(found) = pattern.captures(&written) else { return };
        let Some(span) = found.get(0) else { return };
        let left = format!("{} {}", &written[..span.start()], &written[span.end()..]);
        if !text::key(&left).is_empty() {
            keep(self, &found);
            left.trim().clone_into(&mut self.text);
        }
    }

    /// `Season One` as `Season 1`.
    fn count_seasons(&mut self) {
        for pattern in [&PATTERNS.season_word, &PATTERNS.word_season] {
            let found = pattern.captures(&self.text).and_then(|it| it.get(1));
            let Some(word) = found else { continue };
            if let Some(number) = WORDS.count.get(&*word.as_str().to_lowercase()) {
                let (before, behind) = (&self.text[..word.start()], &self.text[word.end()..]);
                let text = if pattern.as_str() == PATTERNS.season_word.as_str() {
                    format!("{before}{number}{behind}")
                } else {
                    format!("{before}{number} {}", behind.trim_start_matches(['.', '_', '-', ' ']))
                };
                self.text = text;
            }
        }
    }

    /// Takes the second of two titles out: `Title AKA Other Title 1999`.
    fn take_also(&mut self) {
        let Some(found) = PATTERNS.also.find(&self.text).filter(|it| it.start() > 0) else {
            return;
        };
        let behind = &self.text[found.end()..];
        let end = double::zone(behind);
        let other = text::trim(&text::flat(behind[..end].trim_end_matches(['(', '['])));
        if !other.is_empty() {
            let rest = behind[end..].trim_start_matches([')', ']']);
            self.text = format!("{} {rest}", &self.text[..found.start()]);
            self.other_title = Some(other);
        }
    }

    /// Takes an edition out that stands behind a title and not in it.
    fn take_edition(&mut self) {
        let flat = text::lower(&text::flat(&self.text));
        let written = WORDS.edition.iter().map(|it| (it, false));
        let short = WORDS.short_edition.iter().map(|it| (it, true));
        for ((phrase, name), short) in written.chain(short) {
            let places = flat.match_indices(phrase).map(|(at, _)| (at, at + phrase.len()));
            let mut places = places.filter(|(at, end)| {
                *at > 0
                    && !flat[..*at].ends_with(char::is_alphanumeric)
                    && !flat[*end..].starts_with(char::is_alphanumeric)
            });
            let found = places.find(|(at, end)| {
                if short {
                    is_behind_a_year(&flat[..*at])
                } else {
                    ends_a_title(&self.text, *at, *end)
                }
            });
            if let Some((at, end)) = found {
                let left = format!("{} {}", self.text[..at].trim_end(), &self.text[end..]);
                self.edition.get_or_insert_with(|| (*name).to_owned());
                self.text = left.replace("[ ]", " ").replace("( )", " ");
                return;
            }
        }
    }
}

/// Whether what stands there is behind the title: in brackets, after a year, or before one, before
/// something technical, or at the end.
fn ends_a_title(name: &str, at: usize, end: usize) -> bool {
    let flat = text::lower(&text::flat(name));
    if flat[..at].ends_with(['[', '(', '{']) || is_behind_a_year(&flat[..at]) {
        return true;
    }
    let rest = flat[end..].trim_start_matches(|it: char| !it.is_alphanumeric());
    let next = rest.split([' ', '[', ']', '(', ')']).next().unwrap_or_default();
    rest.is_empty()
        || WORDS.technical.contains(next)
        || WORDS.weak.contains(next)
        || (next.len() == 4 && next.parse().ok().and_then(super::reading::year).is_some())
}

/// Whether that, what stands before an edition, is a title with its year.
fn is_behind_a_year(before: &str) -> bool {
    PATTERNS.year.find(before).is_some_and(|it| it.start() > 0)
}
