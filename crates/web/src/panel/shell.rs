//! What stands around every page: where one can go, how it looks, who is signed in.

use super::assets;
use super::guest::Guest;
use crate::seat::Seat;

/// A place of the navigation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Inbox,
    Recordings,
    Downloads,
}

/// A link of the navigation.
pub(crate) struct Link {
    pub(crate) href: &'static str,
    pub(crate) word: &'static str,
    /// The key that follows `g`.
    pub(crate) key: &'static str,
    /// A drawing on twenty by twenty, in strokes.
    pub(crate) icon: &'static str,
    pub(crate) here: bool,
}

const LINKS: [(Place, &str, &str, &str, &str); 3] = [
    (Place::Inbox, "/", "nav-inbox", "i", "M3 11l2.5-7h9L17 11v5H3zM3 11h4l1 2h4l1-2h4"),
    (
        Place::Recordings,
        "/recordings",
        "nav-recordings",
        "r",
        "M3 8v4M6.5 5v10M10 3v14M13.5 6v8M17 8v4",
    ),
    (Place::Downloads, "/downloads", "nav-downloads", "d", "M10 3v9M6 9l4 4 4-4M3 16h14"),
];

/// Keys and the sentence that says what they do.
const KEYS: [(&[&str], &str); 10] = [
    (&["?"], "keys-help"),
    (&["/"], "keys-search"),
    (&["g", "i r d"], "keys-go"),
    (&["Space", "K"], "keys-play"),
    (&["J", "L"], "keys-seek"),
    (&["↑", "↓"], "keys-segment"),
    (&["<", ">"], "keys-speed"),
    (&["F"], "keys-follow"),
    (&["E"], "keys-edit"),
    (&["Esc"], "keys-close"),
];

/// The frame of a page.
pub(crate) struct Shell {
    pub(crate) theme: Option<&'static str>,
    pub(crate) back: String,
    /// Who is signed in.
    pub(crate) seat: Option<Seat>,
    here: Option<Place>,
}

impl Shell {
    /// Around a page for somebody who is signed in.
    pub(crate) fn new(guest: &Guest, seat: &Seat, here: Place) -> Self {
        Self { seat: Some(seat.clone()), here: Some(here), ..Self::alone(guest) }
    }

    /// Around a page for anybody.
    pub(crate) fn alone(guest: &Guest) -> Self {
        Self { theme: guest.theme, back: guest.back.clone(), seat: None, here: None }
    }

    /// The same, for an answer whose own address is none that can be come back to.
    pub(crate) fn leading_to(self, back: &str) -> Self {
        Self { back: back.to_owned(), ..self }
    }

    #[expect(clippy::unused_self, reason = "templates reach it through the shell they have")]
    pub(crate) fn asset(&self, name: &str) -> &'static str {
        assets::address(name)
    }

    pub(crate) fn links(&self) -> impl Iterator<Item = Link> {
        let here = self.here;
        LINKS.into_iter().map(move |(place, href, word, key, icon)| Link {
            href,
            word,
            key,
            icon,
            here: here == Some(place),
        })
    }

    #[expect(clippy::unused_self, reason = "templates reach it through the shell they have")]
    pub(crate) fn keys(&self) -> &'static [(&'static [&'static str], &'static str)] {
        &KEYS
    }
}
