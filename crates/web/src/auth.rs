//! Who asks: a bearer token as RFC 6750 has it, looked up by its hash, or the session of a browser.
//!
//! **Invariant:** a handler that takes a [`Who`] runs for nobody without either, and by a session
//! alone nothing is changed: the request has to vouch for itself.

use axum::extract::FromRequestParts;
use axum::http::header::{AUTHORIZATION, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue};
use verst_service::Caller;

use crate::app::App;
use crate::kinds::{self, Kind};
use crate::problem::{Answer, Problem};
use crate::seat::{self, Seat};
use crate::trouble::store;
use crate::visit::{Visit, neighbourhood};

/// Longer than any token.
const LONGEST: usize = 256;

/// Whoever carries a token that opens something, or is signed in.
pub(crate) struct Who(pub(crate) Caller);

impl FromRequestParts<App> for Who {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Answer<Self> {
        asking(app, parts).await.map(|it| Self(it.caller))
    }
}

/// One who sees everything.
pub(crate) struct Admin;

impl FromRequestParts<App> for Admin {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Answer<Self> {
        let caller = asking(app, parts).await?.caller;
        if caller.is_admin() { Ok(Self) } else { Err(kinds::ADMIN_ONLY.into()) }
    }
}

/// Whoever is signed in; a token is not enough.
pub(crate) struct Signed(pub(crate) Seat);

impl FromRequestParts<App> for Signed {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Answer<Self> {
        Ok(Self(asking(app, parts).await?.seat.ok_or(kinds::SIGN_IN_FOR_THIS)?))
    }
}

/// Whoever asks, and where they sit if they are signed in.
pub(crate) struct Asking {
    pub(crate) caller: Caller,
    pub(crate) seat: Option<Seat>,
}

impl FromRequestParts<App> for Asking {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Answer<Self> {
        asking(app, parts).await
    }
}

async fn asking(app: &App, parts: &Parts) -> Answer<Asking> {
    if !parts.headers.contains_key(AUTHORIZATION)
        && let Some(seated) = seat::vouched(app, parts).await?
    {
        return Ok(Asking { caller: seated.caller.clone(), seat: Some(seated.into()) });
    }
    Ok(Asking { caller: carrier(app, parts).await?, seat: None })
}

async fn carrier(app: &App, parts: &Parts) -> Answer<Caller> {
    let secret = bearer(&parts.headers).ok_or_else(|| {
        let ask = HeaderValue::from_static("Bearer realm=\"verst\"");
        Problem::from(kinds::TOKEN_MISSING).header(WWW_AUTHENTICATE, ask)
    })?;
    let from = parts.extensions.get::<Visit>().map(|visit| neighbourhood(visit.address));
    let from = from.ok_or(kinds::INTERNAL)?;
    if let Some(wait) = app.throttle.wait(from, secret) {
        return Err(too_often(wait, kinds::TOO_MANY_ATTEMPTS));
    }
    if let Some(caller) = app.service().authenticate(secret).await.map_err(store)? {
        app.throttle.right(secret);
        return Ok(caller);
    }
    app.throttle.wrong(from, secret);
    let ask = HeaderValue::from_static("Bearer realm=\"verst\", error=\"invalid_token\"");
    Err(Problem::from(kinds::TOKEN_INVALID).header(WWW_AUTHENTICATE, ask))
}

/// Says when to come again.
pub(crate) fn too_often(wait: std::time::Duration, kind: Kind) -> Problem {
    let seconds = wait.as_secs() + 1;
    let shown = i64::try_from(seconds).unwrap_or(i64::MAX);
    Problem::from(kind).int("seconds", shown).header(RETRY_AFTER, HeaderValue::from(seconds))
}

/// The secret of a header that stands once and has the form of RFC 6750.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let value = values.next()?.to_str().ok()?;
    let (scheme, secret) = value.split_once(' ')?;
    let secret = secret.trim();
    let good = values.next().is_none()
        && scheme.eq_ignore_ascii_case("bearer")
        && (1..=LONGEST).contains(&secret.len());
    good.then_some(secret)
}
