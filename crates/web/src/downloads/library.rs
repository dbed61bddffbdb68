//! A download in the library: laid out once more, or taken back out.

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use serde::Serialize;
use utoipa::ToSchema;

use super::asker::One;
use super::shape::Download;
use super::trouble;
use crate::app::App;
use crate::kinds;
use crate::problem::{Answer, ProblemBody};

/// Lays it out in the library once more, as what it was last known to be.
#[utoipa::path(post, path = "/api/v1/downloads/{id}/place", tag = "downloads",
    params(("id" = i64, Path, description = "Its number")),
    responses(
        (status = 200, body = Download),
        (status = 409, description = "`not_identified`: it is not known yet what it is", body = ProblemBody, content_type = "application/problem+json"),
        (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
        (status = "5XX", body = ProblemBody, content_type = "application/problem+json"),
    ))]
pub(crate) async fn place(
    State(app): State<App>,
    one: One,
    headers: HeaderMap,
) -> Answer<Json<Download>> {
    match one.service().place_again(one.id(), one.person()).await {
        Ok(true) => one.stands(&app, &headers).await,
        Ok(false) => Err(kinds::NOT_IDENTIFIED.into()),
        Err(error) => Err(trouble::retry(&one, error).await),
    }
}

/// What was taken back.
#[derive(Serialize, ToSchema)]
pub(crate) struct Unplaced {
    /// How many files went from the library. What somebody changed there since stays.
    files: u64,
}

/// Takes it back out of the library. What was downloaded stays where it is.
#[utoipa::path(post, path = "/api/v1/downloads/{id}/unplace", tag = "downloads",
    params(("id" = i64, Path, description = "Its number")),
    responses(
        (status = 200, body = Unplaced),
        (status = 409, description = "Nothing of it is there, or it is on its way", body = ProblemBody, content_type = "application/problem+json"),
        (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
        (status = "5XX", body = ProblemBody, content_type = "application/problem+json"),
    ))]
pub(crate) async fn unplace(State(app): State<App>, one: One) -> Answer<Json<Unplaced>> {
    let files = one.service().unplace(one.id()).await.map_err(trouble::unplace)?;
    app.feed.nudge(&one.view);
    Ok(Json(Unplaced { files }))
}
