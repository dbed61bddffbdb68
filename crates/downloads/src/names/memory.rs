//! What people said about series before, for the next file of them.
//!
//! It is a plain value: whoever keeps it, stores it and hands it in.
//!
//! **Invariant:** it only knows what a person chose; what was decided without one is not learned.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::reading::Numbers;
use super::text;
use super::work::{Around, Work};
use crate::filing::{Episode, Ids, Numbering};

/// Series that are remembered at most; then no more are learned.
const MOST_SERIES: usize = 10_000;
/// Changes of numbers that are remembered of one.
const MOST_SHIFTS: usize = 50;

/// What is remembered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Memory {
    /// By the title as names have it, letters and digits only.
    pub series: BTreeMap<String, Series>,
}

/// A series as a person named it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Series {
    /// Its title.
    pub title: String,
    /// The year in which it began.
    pub year: Option<u16>,
    /// What databases know it by.
    pub ids: Ids,
    /// From which number of all on which season begins, for names that count through.
    pub shifts: BTreeMap<u16, Shift>,
}

/// Where a season begins in a count through all episodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shift {
    /// The season.
    pub season: u16,
    /// What is taken from the number to have that in the season.
    pub less: u16,
}

impl Memory {
    /// Whether a name's series is known, and what it is.
    fn find(&self, work: &Work, around: &Around) -> Option<&Series> {
        let own = work.voted.readings.iter().filter_map(super::reading::Reading::key);
        let outer = around.title().map(super::vote::Voted::key);
        own.chain(outer).find_map(|key| self.series.get(&key))
    }

    /// Puts what is remembered in the place of what was read.
    pub(super) fn apply(&self, work: &mut Work, around: &Around) {
        if self.series.is_empty() {
            return;
        }
        let bare = work.voted.numbers.is_none().then(|| bare_number(&work.voted.key())).flatten();
        let series = self.find(work, around);
        let counted = bare.as_ref().and_then(|(key, _)| self.series.get(key));
        let Some(series) = series.or(counted) else { return };
        let voted = &mut work.voted;
        if let (None, Some((_, number)), Some(_)) = (&voted.numbers, bare, counted) {
            voted.numbers = Some(Numbers::Absolute(vec![number]));
            voted.numbers_sure = true;
        }
        voted.title = Some(series.title.clone());
        voted.country = None;
        voted.year = series.year;
        voted.year_first = true;
        voted.ids = series.ids.clone();
        if let Some(Numbers::Absolute(list)) = &voted.numbers
            && let Some(shifted) = series.shifted(list)
        {
            voted.numbers = Some(shifted);
            voted.explicit = true;
        }
        let whole = voted.numbers.as_ref().is_some_and(Numbers::is_episode);
        work.sure = whole && voted.numbers_sure;
    }

    /// Learns what a person chose for a file that was read so.
    pub(super) fn learn(&mut self, work: &Work, chosen: &Episode) {
        let read = match (&work.voted.numbers, &chosen.number) {
            (None, _) => bare_number(&work.voted.key()),
            (Some(Numbers::Absolute(list)), _) => list.first().map(|it| (work.voted.key(), *it)),
            _ => None,
        };
        let key = read.as_ref().map_or_else(|| work.voted.key(), |(key, _)| key.clone());
        let room = self.series.len() < MOST_SERIES || self.series.contains_key(&key);
        if key.is_empty() || !room {
            return;
        }
        let series = self.series.entry(key).or_default();
        series.title.clone_from(&chosen.series);
        series.year = chosen.year;
        series.ids = chosen.ids.clone();
        if let (Some((_, number)), Numbering::Season { season, episodes }) = (read, &chosen.number)
            && let Some(less) = episodes.first().and_then(|first| number.checked_sub(*first))
        {
            series.shift(less + 1, Shift { season: *season, less });
        }
    }
}

impl Series {
    fn shift(&mut self, from: u16, shift: Shift) {
        if self.shifts.len() < MOST_SHIFTS {
            self.shifts.insert(from, shift);
        }
    }

    /// Numbers through all episodes as those of a season.
    fn shifted(&self, list: &[u16]) -> Option<Numbers> {
        let first = list.first()?;
        let (_, shift) = self.shifts.range(..=*first).next_back()?;
        let episodes: Option<Vec<u16>> = list.iter().map(|it| it.checked_sub(shift.less)).collect();
        Some(Numbers::Season(shift.season, episodes?))
    }
}

/// A title that ends in a number of at most three digits, without and with it.
fn bare_number(key: &str) -> Option<(String, u16)> {
    let title = key.trim_end_matches(|it: char| it.is_ascii_digit());
    let digits = &key[title.len()..];
    let fits = (1..=3).contains(&digits.len()) && !title.is_empty();
    fits.then(|| digits.parse().ok().map(|number| (text::key(title), number)))?
}
