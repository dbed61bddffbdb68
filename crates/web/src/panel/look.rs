//! Which language and which theme pages have: kept by the browser, for a year.

use axum::Form;
use axum::extract::State;
use axum::http::header::{LOCATION, SET_COOKIE};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use verst_words::Language;

use super::guest::{THEME, THEMES};
use crate::app::App;
use crate::problem::Answer;
use crate::seat::{local, seated};
use crate::tongue;
use crate::trouble::store;

/// What was chosen.
#[derive(Deserialize)]
pub(super) struct Chosen {
    language: Option<String>,
    theme: Option<String>,
    #[serde(default)]
    next: String,
}

/// Keeps what was chosen, and leads back to where it was chosen. What is no choice changes nothing. The
/// language of somebody who is signed in is kept with the account as well.
pub(super) async fn set(
    State(app): State<App>,
    sent: HeaderMap,
    Form(chosen): Form<Chosen>,
) -> Answer<Response> {
    let mut headers = HeaderMap::new();
    if let Some(cookie) = spoken(chosen.language.as_deref()) {
        headers.append(SET_COOKIE, cookie);
        if let Some(seat) = seated(&app, &sent).await? {
            let accounts = &app.service().accounts;
            accounts.set_language(seat.account.id, chosen.language).await.map_err(store)?;
        }
    }
    let themes = ["auto"].into_iter().chain(THEMES);
    if let Some(theme) = themes.into_iter().find(|it| Some(*it) == chosen.theme.as_deref()) {
        headers.append(SET_COOKIE, kept(THEME, theme));
    }
    let next = HeaderValue::from_str(local(&chosen.next));
    headers.insert(LOCATION, next.unwrap_or(HeaderValue::from_static("/")));
    Ok((StatusCode::SEE_OTHER, headers).into_response())
}

/// Keeps a language, if it is one that is spoken.
pub(super) fn spoken(language: Option<&str>) -> Option<HeaderValue> {
    let mut tags = Language::ALL.into_iter().map(tongue::tag);
    tags.find(|tag| Some(*tag) == language).map(|tag| kept(tongue::COOKIE, tag))
}

/// Nothing secret is in it, so it is the same with and without encryption.
fn kept(name: &str, value: &str) -> HeaderValue {
    let text = format!("{name}={value}; Path=/; Max-Age=31536000; SameSite=Lax; HttpOnly");
    HeaderValue::from_str(&text).unwrap_or(HeaderValue::from_static(""))
}
