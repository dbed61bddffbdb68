//! What one reader makes of one name.
//!
//! **Invariant:** episodes grow, and a reading without a number has no empty list of them.

use std::collections::BTreeSet;

use super::text;

/// The latest year a film may have. There is no clock here, and 2049 is part of a title.
const LAST_YEAR: i64 = 2035;
/// The first: that of the first film ever shown.
const FIRST_YEAR: i64 = 1895;
/// More episodes than one file or name holds.
const MOST_EPISODES: usize = 400;

/// Numbers that stand in a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Numbers {
    /// A season and episodes of it.
    Season(u16, Vec<u16>),
    /// Whole seasons.
    Pack(Vec<u16>),
    /// Episodes without a season.
    Absolute(Vec<u16>),
    /// A day: year, month, day.
    Date(u16, u8, u8),
}

impl Numbers {
    /// Season and episodes as parsers give them; years are no season here.
    pub(super) fn of(seasons: &[i64], episodes: &[i64]) -> Option<Self> {
        let seasons = small(seasons);
        let episodes = small(episodes);
        match (seasons.as_slice(), episodes.is_empty()) {
            ([], true) => None,
            ([], false) => Some(Self::Absolute(episodes)),
            ([season], false) => Some(Self::Season(*season, episodes)),
            (_, true) => Some(Self::Pack(seasons)),
            (_, false) => None,
        }
    }

    /// A day, its month and day in either order if only one makes sense.
    pub(super) fn day(year: i64, month: i64, day: i64) -> Option<Self> {
        let (month, day) = if month > 12 { (day, month) } else { (month, day) };
        let fits = (1..=12).contains(&month) && (1..=31).contains(&day);
        let year = self::year(year).filter(|_| fits)?;
        Some(Self::Date(year, u8::try_from(month).ok()?, u8::try_from(day).ok()?))
    }

    /// Whether the others are among these; what one of them leaves open is no difference.
    pub(super) fn holds(&self, others: &Self) -> bool {
        let within = |all: &[u16], some: &[u16]| some.iter().all(|it| all.contains(it));
        match (self, others) {
            (Self::Season(one, all), Self::Season(other, some)) => {
                one == other && within(all, some)
            }
            (Self::Season(_, all) | Self::Absolute(all), Self::Absolute(some))
            | (Self::Absolute(all), Self::Season(_, some))
            | (Self::Pack(all), Self::Pack(some)) => within(all, some),
            (Self::Season(season, _), Self::Pack(seasons))
            | (Self::Pack(seasons), Self::Season(season, _)) => seasons.contains(season),
            (one, other) => one == other,
        }
    }

    /// Whether a file with these is one episode, or several.
    pub(super) fn is_episode(&self) -> bool {
        !matches!(self, Self::Pack(_))
    }
}

fn small(numbers: &[i64]) -> Vec<u16> {
    let numbers: BTreeSet<u16> = numbers.iter().filter_map(|it| u16::try_from(*it).ok()).collect();
    numbers.into_iter().take(MOST_EPISODES).collect()
}

/// A year in which there were films.
pub(super) fn year(number: i64) -> Option<u16> {
    (FIRST_YEAR..=LAST_YEAR).contains(&number).then(|| u16::try_from(number).ok())?
}

/// What a reader makes of a name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Reading {
    /// Title as it is written, if there is one.
    pub(super) title: Option<String>,
    /// Year.
    pub(super) year: Option<u16>,
    /// Numbers.
    pub(super) numbers: Option<Numbers>,
}

impl Reading {
    /// The title in the form in which it is compared.
    pub(super) fn key(&self) -> Option<String> {
        self.title.as_deref().map(text::key)
    }
}

/// A title, if anything of it is left.
pub(super) fn title(text: &str) -> Option<String> {
    let title = text::trim(text);
    (!text::key(&title).is_empty()).then_some(title)
}
