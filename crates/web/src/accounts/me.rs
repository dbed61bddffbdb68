//! Whoever is signed in: their account, language and password.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use utoipa::ToSchema;

use super::sessions::SignedIn;
use crate::app::App;
use crate::auth::Signed;
use crate::input::{Input, wrong};
use crate::kinds;
use crate::problem::{Answer, ProblemBody};
use crate::trouble::store;

/// Shows who is signed in.
#[utoipa::path(get, path = "/api/v1/me", tag = "accounts", security(("session" = [])), responses(
    (status = 200, body = SignedIn),
    (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
    (status = "5XX", body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn show(Signed(seat): Signed) -> Json<SignedIn> {
    Json(seat.into())
}

/// What is to change.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MyChange {
    /// The language to be spoken to in, `en` or `ru`; null: the browser's.
    #[schema(pattern = "^(en|ru)$")]
    language: Option<String>,
}

/// Says in which language whoever is signed in is spoken to.
#[utoipa::path(patch, path = "/api/v1/me", tag = "accounts", security(("session" = [])),
    request_body = MyChange,
    responses(
        (status = 204, description = "It is so"),
        (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
        (status = "5XX", body = ProblemBody, content_type = "application/problem+json"),
    ))]
pub(crate) async fn change(
    State(app): State<App>,
    Signed(seat): Signed,
    Input(change): Input<MyChange>,
) -> Answer<StatusCode> {
    if change.language.as_deref().is_some_and(|tag| tag != "en" && tag != "ru") {
        return Err(wrong("language"));
    }
    let known = app.service().accounts.set_language(seat.account.id, change.language).await;
    if known.map_err(store)? {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(kinds::NO_SUCH_ACCOUNT.into())
    }
}

/// A password for another.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Passwords {
    /// The password that holds.
    current: String,
    /// The one that is to hold, from 10 to 1000 bytes.
    #[schema(min_length = 10, max_length = 1000)]
    password: String,
}

/// Changes the password of whoever is signed in. Their other sessions end.
#[utoipa::path(put, path = "/api/v1/me/password", tag = "accounts", security(("session" = [])),
    request_body = Passwords,
    responses(
        (status = 204, description = "It is so"),
        (status = 403, description = "`password_wrong`", body = ProblemBody, content_type = "application/problem+json"),
        (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
        (status = "5XX", body = ProblemBody, content_type = "application/problem+json"),
    ))]
pub(crate) async fn password(
    State(app): State<App>,
    Signed(seat): Signed,
    Input(typed): Input<Passwords>,
) -> Answer<StatusCode> {
    crate::seat::change_password(&app, &seat, &typed.current, &typed.password).await?;
    Ok(StatusCode::NO_CONTENT)
}
