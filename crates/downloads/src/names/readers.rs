//! The two libraries as readers.
//!
//! [hunch](https://docs.rs/hunch) looks at a whole path, with the folders as context;
//! [parse-torrent-title](https://docs.rs/parse-torrent-title) at one name.
//!
//! **Invariant:** what they say is taken over as it is; only years and numbers that cannot be are
//! left out.

use std::sync::LazyLock;

use hunch::{Pipeline, Property};

use super::reading::{Numbers, Reading, title, year};

static PIPELINE: LazyLock<Pipeline> = LazyLock::new(Pipeline::new);

/// What hunch makes of it.
pub(super) fn hunch(name: &str) -> Reading {
    let found = PIPELINE.run(name);
    let all = |what: Property| -> Vec<i64> {
        found.all(what).iter().filter_map(|it| it.parse().ok()).collect()
    };
    let date = found.date().and_then(date);
    let numbers = Numbers::of(&all(Property::Season), &all(Property::Episode));
    Reading {
        title: found.title().and_then(title),
        year: found.year().and_then(|it| year(i64::from(it))).filter(|_| date.is_none()),
        numbers: date.or(numbers),
    }
}

/// What parse-torrent-title makes of it.
pub(super) fn torrent_title(name: &str) -> Reading {
    let found = parse_torrent_title::parse(name);
    let date = found.date().and_then(date);
    let numbers =
        Numbers::of(found.seasons().unwrap_or_default(), found.episodes().unwrap_or_default());
    Reading {
        title: title(found.title()),
        year: found.year().and_then(parse_torrent_title::Value::as_int).and_then(year),
        numbers: date.or(numbers),
    }
}

/// `2023-03-15`, which both of them write so.
fn date(text: &str) -> Option<Numbers> {
    let mut parts = text.split('-').map(|it| it.parse::<i64>().ok());
    Numbers::day(parts.next()??, parts.next()??, parts.next()??)
}
