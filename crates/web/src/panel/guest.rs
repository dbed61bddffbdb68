//! How whoever looks at a page wants it: language, theme, and the address they are at.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::request::Parts;
use verst_words::Language;

use super::speech::Speech;
use crate::app::App;
use crate::tongue;

/// A theme that somebody chose.
pub(super) const THEMES: [&str; 2] = ["light", "dark"];
pub(super) const THEME: &str = "verst-theme";

/// Somebody at a page.
#[derive(Clone)]
pub(crate) struct Guest {
    pub(crate) language: Language,
    pub(crate) theme: Option<&'static str>,
    /// The page they are at, as an address of this site.
    pub(crate) back: String,
    /// Whether a script asks, which wants a piece of a page.
    pub(crate) piece: bool,
}

impl Guest {
    pub(crate) fn of(headers: &HeaderMap, back: &str) -> Self {
        let theme = tongue::cookie(headers, THEME);
        Self {
            language: tongue::asked(headers),
            theme: THEMES.into_iter().find(|it| Some(*it) == theme),
            back: back.to_owned(),
            piece: is_piece(headers),
        }
    }

    pub(crate) fn speech<'a>(&self, app: &'a App) -> Speech<'a> {
        Speech::of(app, self.language)
    }
}

impl FromRequestParts<App> for Guest {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, Infallible> {
        let back = parts.uri.path_and_query().map_or("/", |it| it.as_str());
        Ok(Self::of(&parts.headers, back))
    }
}

/// Whether a script of the panel asks.
pub(crate) fn is_piece(headers: &HeaderMap) -> bool {
    headers.contains_key("hx-request")
}
