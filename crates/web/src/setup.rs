//! The first token or the first account: made with the setup token that the service prints while
//! nobody can come in.

use axum::Json;
use axum::extract::{Extension, State};
use axum::http::header::SET_COOKIE;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{AppendHeaders, IntoResponse};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::accounts::SignedIn;
use crate::app::App;
use crate::auth::too_often;
use crate::input::{Input, wrong};
use crate::kinds;
use crate::problem::{Answer, ProblemBody};
use crate::seat::found_first_account;
use crate::trouble::store;
use crate::visit::{Visit, neighbourhood};

/// The longest name of a token, in bytes.
pub(crate) const NAME_BYTES: usize = 200;

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(setup)).routes(routes!(account))
}

/// What the first token is made with.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Setup {
    /// The setup token, as it was printed.
    token: String,
    /// What to call the new token.
    #[schema(min_length = 1, max_length = 200, pattern = r"\S")]
    name: String,
}

/// A token that was just made.
#[derive(Serialize, ToSchema)]
pub(crate) struct Made {
    /// Its number, by which it can be revoked.
    pub(crate) id: i64,
    /// The secret. It is shown now and never again.
    pub(crate) token: String,
}

/// Makes the first token, which sees everything. Works once.
#[utoipa::path(post, path = "/api/v1/setup", tag = "setup", security(()), request_body = Setup,
    responses(
        (status = 201, body = Made),
        (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
        (status = "5XX", body = ProblemBody, content_type = "application/problem+json"),
    ))]
async fn setup(
    State(app): State<App>,
    Extension(visit): Extension<Visit>,
    Input(setup): Input<Setup>,
) -> Answer<(StatusCode, Json<Made>)> {
    let name = setup.name.trim();
    if name.is_empty() || name.len() > NAME_BYTES {
        return Err(wrong("name"));
    }
    let from = neighbourhood(visit.address);
    if let Some(wait) = app.throttle.wait(from, &setup.token) {
        return Err(too_often(wait, kinds::TOO_MANY_ATTEMPTS));
    }
    let made = app.service().set_up(&setup.token, name).await.map_err(store)?;
    let Some((id, token)) = made else {
        app.throttle.wrong(from, &setup.token);
        return Err(kinds::SETUP_REFUSED.into());
    };
    Ok((StatusCode::CREATED, Json(Made { id: id.0, token })))
}

/// What the first account is made with.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct First {
    /// The setup token, as it was printed.
    token: String,
    /// What the account is called, up to 64 visible characters.
    #[schema(min_length = 1, max_length = 64)]
    name: String,
    /// Its password, from 10 to 1000 bytes.
    #[schema(min_length = 10, max_length = 1000)]
    password: String,
}

/// Makes the first account, an administrator, and signs it in. Works once.
#[utoipa::path(post, path = "/api/v1/setup/account", tag = "setup", security(()), request_body = First,
    responses(
        (status = 201, body = SignedIn,
            headers(("Set-Cookie" = String, description = "The session"))),
        (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
        (status = "5XX", body = ProblemBody, content_type = "application/problem+json"),
    ))]
async fn account(
    State(app): State<App>,
    Extension(visit): Extension<Visit>,
    headers: HeaderMap,
    Input(First { token, name, password }): Input<First>,
) -> Answer<impl IntoResponse> {
    let made = found_first_account(&app, &visit, &headers, &token, &name, &password).await?;
    let seat = made.seat(&app).await?;
    let cookie = AppendHeaders([(SET_COOKIE, made.cookie)]);
    Ok((StatusCode::CREATED, cookie, Json(SignedIn::from(seat))))
}
