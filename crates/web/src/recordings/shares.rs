//! Links to a recording: making, listing and revoking them.

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use verst_service::{ShareError, ShareId, WorkId};

use super::find;
use super::shape::moment;
use crate::app::App;
use crate::auth::Who;
use crate::input::{Input, Which, wrong};
use crate::kinds;
use crate::problem::{Answer, ProblemBody};
use crate::trouble::store;

/// A link to make.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WantedShare {
    /// Lasts so many days; 30 if it is left out.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 366)]
    pub(crate) days: Option<u32>,
}

/// A link that was just made.
#[derive(Serialize, ToSchema)]
pub(crate) struct MadeShare {
    /// Its number, by which it can be revoked.
    id: i64,
    /// The secret. It is shown now and never again.
    secret: String,
    /// The page that it opens, behind the address of this service.
    pub(crate) path: String,
}

/// Makes a link by which anybody may look at a recording, read its text and hear it.
#[utoipa::path(post, path = "/api/v1/recordings/{id}/shares", tag = "shares",
    params(("id" = i64, Path, description = "The recording's number")),
    request_body = WantedShare,
    responses(
        (status = 201, body = MadeShare),
        (status = 409, description = "A hundred links lead there", body = ProblemBody, content_type = "application/problem+json"),
        (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
        (status = "5XX", body = ProblemBody, content_type = "application/problem+json"),
    ))]
pub(crate) async fn create(
    State(app): State<App>,
    Who(caller): Who,
    Which(id): Which,
    wanted: Answer<Input<WantedShare>>,
) -> Answer<(StatusCode, Json<MadeShare>)> {
    find(&app, &caller, id).await?;
    let Input(wanted) = wanted?;
    let made = app.service().share(&caller, id, wanted.days).await;
    let (id, secret) = made.map_err(|error| match error {
        ShareError::Days => wrong("days"),
        ShareError::TooMany => kinds::TOO_MANY_SHARES.into(),
        ShareError::Store(error) => store(error),
    })?;
    let path = format!("/s/{secret}");
    Ok((StatusCode::CREATED, Json(MadeShare { id: id.0, secret, path })))
}

/// A link, without its secret.
#[derive(Serialize, ToSchema)]
pub(crate) struct Share {
    /// Its number.
    id: i64,
    /// Who made it.
    by: String,
    /// Since when.
    created_at: String,
    /// Until when.
    expires_at: String,
    /// Since when it opens nothing.
    revoked_at: Option<String>,
}

/// Links to a recording.
#[derive(Serialize, ToSchema)]
pub(crate) struct ShareList {
    /// Newest first.
    shares: Vec<Share>,
}

/// Lists the links to a recording.
#[utoipa::path(get, path = "/api/v1/recordings/{id}/shares", tag = "shares",
    params(("id" = i64, Path, description = "The recording's number")),
    responses(
        (status = 200, body = ShareList),
        (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
        (status = "5XX", body = ProblemBody, content_type = "application/problem+json"),
    ))]
pub(crate) async fn list(
    State(app): State<App>,
    Who(caller): Who,
    Which(id): Which,
) -> Answer<Json<ShareList>> {
    find(&app, &caller, id).await?;
    let found = app.service().shares.shares(id).await.map_err(store)?;
    let shown = found.into_iter().map(|it| Share {
        id: it.id.0,
        by: it.by,
        created_at: moment(it.created_at),
        expires_at: moment(it.expires_at),
        revoked_at: it.revoked_at.map(moment),
    });
    Ok(Json(ShareList { shares: shown.collect() }))
}

/// Makes a link open nothing any more.
#[utoipa::path(delete, path = "/api/v1/recordings/{id}/shares/{share}", tag = "shares",
    params(("id" = i64, Path, description = "The recording's number"),
        ("share" = i64, Path, description = "The link's own")),
    responses(
        (status = 204, description = "It opens nothing"),
        (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
        (status = "5XX", body = ProblemBody, content_type = "application/problem+json"),
    ))]
pub(crate) async fn revoke(
    State(app): State<App>,
    Who(caller): Who,
    path: Result<Path<(i64, i64)>, PathRejection>,
) -> Answer<StatusCode> {
    let Path((id, share)) = path.map_err(|_| kinds::NO_SUCH_RECORDING)?;
    find(&app, &caller, WorkId(id)).await?;
    let revoked = app.service().shares.revoke_share(WorkId(id), ShareId(share)).await;
    if revoked.map_err(store)? {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(kinds::NO_SUCH_SHARE.into())
    }
}
