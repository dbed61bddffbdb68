//! Signing in as a program does it, and the sessions of whoever is signed in.

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Extension, Path, State};
use axum::http::header::SET_COOKIE;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{AppendHeaders, IntoResponse};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use verst_service::accounts::{self, SessionId};

use super::Account;
use crate::app::App;
use crate::auth::Signed;
use crate::input::Input;
use crate::kinds;
use crate::problem::{Answer, ProblemBody};
use crate::recordings::shape::moment;
use crate::seat;
use crate::trouble::store;
use crate::visit::Visit;

/// A name and a password.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SignIn {
    /// The name of an account.
    name: String,
    /// Its password.
    password: String,
}

/// Somebody who is signed in.
#[derive(Serialize, ToSchema)]
pub(crate) struct SignedIn {
    /// Who.
    account: Account,
    /// What has to stand in the header `X-CSRF-Token` of every request that changes anything.
    csrf: String,
}

impl From<seat::Seat> for SignedIn {
    fn from(seat: seat::Seat) -> Self {
        Self { account: seat.account.into(), csrf: seat.csrf }
    }
}

/// Signs in. The cookie of the answer is the session.
#[utoipa::path(post, path = "/api/v1/sessions", tag = "accounts", security(()), request_body = SignIn,
    responses(
        (status = 201, body = SignedIn,
            headers(("Set-Cookie" = String, description = "The session"))),
        (status = 403, description = "`sign_in_wrong`, or `account_disabled`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 429, description = "Too many attempts", body = ProblemBody, content_type = "application/problem+json"),
        (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
        (status = "5XX", body = ProblemBody, content_type = "application/problem+json"),
    ))]
pub(crate) async fn sign_in(
    State(app): State<App>,
    Extension(visit): Extension<Visit>,
    headers: HeaderMap,
    Input(typed): Input<SignIn>,
) -> Answer<impl IntoResponse> {
    let signed = seat::sign_in(&app, &visit, &headers, &typed.name, &typed.password).await?;
    let seat = signed.seat(&app).await?;
    let cookie = AppendHeaders([(SET_COOKIE, signed.cookie)]);
    Ok((StatusCode::CREATED, cookie, Json(SignedIn::from(seat))))
}

/// A browser that is signed in.
#[derive(Serialize, ToSchema)]
pub(crate) struct Session {
    /// Its number.
    id: i64,
    /// What it calls itself.
    agent: String,
    /// Since when.
    created_at: String,
    /// When it was last used, to the minute.
    last_used_at: String,
    /// When it ends, however much it is used.
    expires_at: String,
    /// Whether it is the one that asks.
    current: bool,
}

/// The sessions of an account.
#[derive(Serialize, ToSchema)]
pub(crate) struct Sessions {
    /// Newest first.
    sessions: Vec<Session>,
}

/// Lists the sessions of whoever is signed in.
#[utoipa::path(get, path = "/api/v1/sessions", tag = "accounts", security(("session" = [])), responses(
    (status = 200, body = Sessions),
    (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
    (status = "5XX", body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn list(State(app): State<App>, Signed(seat): Signed) -> Answer<Json<Sessions>> {
    let service = app.service();
    let found = service.sessions.sessions(seat.account.id, service.session_limits).await;
    let shown = |it: accounts::Session| Session {
        id: it.id.0,
        current: it.id == seat.session,
        agent: it.agent,
        created_at: moment(it.created_at),
        last_used_at: moment(it.last_used_at),
        expires_at: moment(it.expires_at),
    };
    Ok(Json(Sessions { sessions: found.map_err(store)?.into_iter().map(shown).collect() }))
}

/// Ends all sessions of whoever is signed in, but the one that asks.
#[utoipa::path(delete, path = "/api/v1/sessions", tag = "accounts", security(("session" = [])), responses(
    (status = 204, description = "They have ended"),
    (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
    (status = "5XX", body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn end_others(State(app): State<App>, Signed(seat): Signed) -> Answer<StatusCode> {
    let ended = app.service().sessions.end_sessions(seat.account.id, Some(seat.session)).await;
    ended.map_err(store)?;
    Ok(StatusCode::NO_CONTENT)
}

/// Ends a session of whoever is signed in. To end the one that asks is to sign out.
#[utoipa::path(delete, path = "/api/v1/sessions/{id}", tag = "accounts", security(("session" = [])),
    params(("id" = i64, Path, description = "Its number")),
    responses(
        (status = 204, description = "It has ended"),
        (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
        (status = "5XX", body = ProblemBody, content_type = "application/problem+json"),
    ))]
pub(crate) async fn end(
    State(app): State<App>,
    Signed(seat): Signed,
    path: Result<Path<i64>, PathRejection>,
) -> Answer<impl IntoResponse> {
    let id = SessionId(path.map_err(|_| kinds::NO_SUCH_SESSION)?.0);
    if id == seat.session {
        let gone = seat::sign_out(&app, &seat).await?;
        return Ok((StatusCode::NO_CONTENT, AppendHeaders(vec![(SET_COOKIE, gone)])));
    }
    if !app.service().sessions.end_session(seat.account.id, id).await.map_err(store)? {
        return Err(kinds::NO_SUCH_SESSION.into());
    }
    Ok((StatusCode::NO_CONTENT, AppendHeaders(Vec::new())))
}
