//! Three readers vote on one name: the two libraries, and [`Marks`].
//!
//! **Invariant:** what is `sure` was said by at least two of them, and nothing that is written out
//! contradicts it.

use super::clean::Clean;
use super::marks::Marks;
use super::patterns::PATTERNS;
use super::reading::{Numbers, Reading};
use super::{doubt, readers, text};
use crate::filing::Ids;

/// What the vote made of a name.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a doubt or its absence, of its own")]
pub(super) struct Voted {
    /// Title, or the best guess at it; of a series, without its country.
    pub(super) title: Option<String>,
    /// Whether it is sure.
    pub(super) title_sure: bool,
    /// Year.
    pub(super) year: Option<u16>,
    /// Whether it is sure, absence included.
    pub(super) year_sure: bool,
    /// Whether it stands before the numbers: of a series, the year in which it began.
    pub(super) year_first: bool,
    /// Numbers.
    pub(super) numbers: Option<Numbers>,
    /// Whether they are sure, absence included.
    pub(super) numbers_sure: bool,
    /// Whether they have words or letters.
    pub(super) explicit: bool,
    /// Whether it is named as a release.
    pub(super) dressed: bool,
    /// Whether a word says that this is a series.
    pub(super) says_series: bool,
    /// Whether a number stands before it that may be its place in a list.
    pub(super) listed: bool,
    /// Whether there is a number in it with zeros before it, as those of episodes have.
    pub(super) padded: bool,
    /// Whether it says that this is a later run of a series, `TV-2`.
    pub(super) later_run: bool,
    /// Whether it says that this is no film but something beside one.
    pub(super) trailer: bool,
    /// Country of a series, `US`.
    pub(super) country: Option<String>,
    /// Number among discs.
    pub(super) part: Option<u8>,
    /// Ids.
    pub(super) ids: Ids,
    /// Edition.
    pub(super) edition: Option<String>,
    /// The title in the other script.
    pub(super) other_title: Option<String>,
    /// All three, for candidates: ours first.
    pub(super) readings: Vec<Reading>,
}

impl Voted {
    /// Has the readers vote on a name without an extension.
    pub(super) fn on(name: &str) -> Self {
        let clean = Clean::of(name);
        let marks = Marks::of(&clean.text);
        let mut readings = vec![
            marks.reading.clone(),
            readers::hunch(&clean.text),
            readers::torrent_title(&clean.text),
        ];
        for reading in &mut readings {
            reading.title = reading.title.take().filter(|it| !doubt::is_no_title(it));
        }
        let (title, title_sure) = titles(&readings);
        let (numbers, agreed) = numbers(&readings, marks.explicit);
        let numbers_sure = agreed
            && !PATTERNS.half.is_match(&clean.text)
            && !PATTERNS.beside.is_match(&text::flat(&clean.text))
            && !marks.ambiguous
            && (!marks.explicit || numbers == marks.reading.numbers);
        let day = matches!(marks.reading.numbers, Some(Numbers::Date(..)));
        let year = majority(&readings, |it| it.year.filter(|_| !day));
        let listed = PATTERNS.listed.is_match(&clean.text);
        let (title, country) = country(title, &clean.text, numbers.is_some());
        Self {
            title,
            listed,
            padded: PATTERNS.padded.is_match(&text::flat(&clean.text)),
            later_run: PATTERNS.later_run.is_match(&text::flat(&clean.text)),
            trailer: PATTERNS.trailer.is_match(&text::flat(&clean.text)),
            country,
            title_sure: title_sure && !clean.doubtful,
            year_sure: year.is_some(),
            year: year.unwrap_or(marks.reading.year),
            numbers: if numbers_sure { numbers } else { marks.reading.numbers.clone() },
            numbers_sure,
            year_first: marks.year_first,
            explicit: marks.explicit,
            dressed: marks.dressed,
            says_series: PATTERNS.series.is_match(&text::flat(&clean.text)),
            part: marks.part,
            ids: clean.ids,
            edition: clean.edition,
            other_title: clean.other_title,
            readings,
        }
    }

    /// Whether a database knows it by a number that stands there.
    pub(super) fn has_ids(&self) -> bool {
        self.ids != Ids::default()
    }

    /// The title in the form in which it is compared; empty without one.
    pub(super) fn key(&self) -> String {
        self.title.as_deref().map(text::key).unwrap_or_default()
    }
}

/// The title that at least two say, as the one of them writes it who keeps most of its marks.
fn titles(readings: &[Reading]) -> (Option<String>, bool) {
    let sure = majority(readings, Reading::key);
    let wanted = sure.clone().flatten();
    let mut written = readings.iter().filter(|it| wanted.is_none() || it.key() == wanted);
    let title = written.find_map(|it| it.title.clone());
    (title, sure.flatten().is_some())
}

/// The country behind the title of a series, and the title without it.
fn country(title: Option<String>, name: &str, series: bool) -> (Option<String>, Option<String>) {
    let Some(written) = title.as_deref().filter(|_| series) else {
        return (title, None);
    };
    if let Some(found) = PATTERNS.country.captures(written) {
        return (Some(found[1].to_owned()), Some(found[2].to_owned()));
    }
    let flat = text::flat(name);
    let behind = flat.find(written).and_then(|at| flat.get(at + written.len()..));
    let country = behind.and_then(|it| PATTERNS.country_behind.captures(it));
    let country = country.map(|found| found[1].to_owned());
    (title, country)
}

/// The numbers that two have, or those that are written out if nobody says something else; and whether
/// that is so.
fn numbers(readings: &[Reading], explicit: bool) -> (Option<Numbers>, bool) {
    let voted = majority(readings, |it| it.numbers.clone());
    let own = readings.first().and_then(|it| it.numbers.as_ref()).filter(|_| explicit);
    match (own, voted) {
        (Some(own), voted) if voted.as_ref().is_none_or(|it| it.as_ref() != Some(own)) => {
            let mut others = readings.iter().skip(1).filter_map(|it| it.numbers.as_ref());
            let alone = others.all(|it| own.holds(it));
            (Some(own.clone()).filter(|_| alone), alone)
        }
        (_, Some(voted)) => (voted, true),
        (_, None) => (None, false),
    }
}

/// What at least two of the readings have.
fn majority<T: PartialEq>(readings: &[Reading], part: impl Fn(&Reading) -> T) -> Option<T> {
    let mut all: Vec<T> = readings.iter().map(part).collect();
    while let Some(one) = all.pop() {
        if all.contains(&one) {
            return Some(one);
        }
    }
    None
}
