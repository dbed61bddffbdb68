//! The road of a thing as a row of posts: what it passed, where it stands, what lies ahead.

use verst_service::{State, WorkView, stages};

use super::speech::Speech;

/// A milestone on a road.
pub(crate) struct Post {
    pub(crate) name: String,
    /// `past`, `here` or `ahead`.
    pub(crate) stand: &'static str,
}

/// A road.
pub(crate) struct Road {
    pub(crate) posts: Vec<Post>,
    /// `moving`, `stopped` or `done`, and `long` where the names stand.
    pub(crate) class: String,
    /// Whether the names stand.
    pub(crate) long: bool,
}

impl Road {
    /// The road of a line. A milestone that this version does not know is the only post of its own.
    pub(crate) fn of(line: &str, work: &WorkView, long: bool, t: Speech<'_>) -> Self {
        let mut names: Vec<&str> =
            stages().iter().filter(|it| it.line == line).map(|it| it.name).collect();
        let here = names.iter().position(|it| *it == work.milestone).unwrap_or_else(|| {
            names.clear();
            names.push(&work.milestone);
            0
        });
        let post = |(at, name): (usize, &&str)| Post {
            name: t.milestone(name),
            stand: match at.cmp(&here) {
                std::cmp::Ordering::Less => "past",
                std::cmp::Ordering::Equal => "here",
                std::cmp::Ordering::Greater => "ahead",
            },
        };
        let state = match work.state() {
            State::Moving => "moving",
            State::Stopped => "stopped",
            State::Done => "done",
        };
        let class = if long { format!("{state} long") } else { state.to_owned() };
        Self { posts: names.iter().enumerate().map(post).collect(), class, long }
    }
}
