//! One download: looking, its journal, deleting.

#![expect(unused_qualifications, reason = "the description's macro writes them")]

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use serde::Deserialize;
use utoipa::IntoParams;
use verst_service::Torrent;

use super::asker::One;
use super::shape::Download;
use super::trouble;
use crate::app::App;
use crate::input::{Asked, wrong};
use crate::kinds;
use crate::problem::{Answer, Problem, ProblemBody};
use crate::recordings::texts::Line;
use crate::tongue;
use crate::trouble::store;

/// Shows a download.
#[utoipa::path(get, path = "/api/v1/downloads/{id}", tag = "downloads",
    params(("id" = i64, Path, description = "Its number")),
    responses(
        (status = 200, body = Download),
        (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
        (status = "5XX", body = ProblemBody, content_type = "application/problem+json"),
    ))]
pub(crate) async fn show(
    State(app): State<App>,
    one: One,
    headers: HeaderMap,
) -> Answer<Json<Download>> {
    Ok(Json(one.asker.shape(&app, &one.view, &headers)))
}

/// The journal of a download, oldest first: milestones, stops, lifts.
#[utoipa::path(get, path = "/api/v1/downloads/{id}/journal", tag = "downloads",
    params(("id" = i64, Path, description = "Its number")),
    responses(
        (status = 200, body = Vec<Line>),
        (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
        (status = "5XX", body = ProblemBody, content_type = "application/problem+json"),
    ))]
pub(crate) async fn journal(
    State(app): State<App>,
    one: One,
    headers: HeaderMap,
) -> Answer<Json<Vec<Line>>> {
    let entries = one.service().ledger.journal(one.id()).await.map_err(store)?;
    let words = app.tongues.words(tongue::asked(&headers));
    Ok(Json(entries.into_iter().map(|entry| Line::of(entry, words)).collect()))
}

/// What becomes of the torrent.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Fate {
    /// `stays`: the torrent stays in the client, which is meant if this is left out. `leaves`: it is
    /// removed from the client, and what was downloaded stays. `with_data`: what was downloaded is
    /// deleted, too.
    #[param(pattern = "^(stays|leaves|with_data)$")]
    torrent: Option<String>,
    /// The number of the download once more: with `with_data` only, which does nothing without.
    #[param(value_type = Option<i64>)]
    confirm: Option<String>,
}

/// Deletes a download with its journal, for good. What is in the library stays there.
#[utoipa::path(delete, path = "/api/v1/downloads/{id}", tag = "downloads",
    params(("id" = i64, Path, description = "Its number"), Fate),
    responses(
        (status = 204, description = "Gone"),
        (status = 409, description = "`confirm_needed`: data is deleted only with `confirm`", body = ProblemBody, content_type = "application/problem+json"),
        (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
        (status = "5XX", body = ProblemBody, content_type = "application/problem+json"),
    ))]
pub(crate) async fn delete(
    State(app): State<App>,
    one: One,
    Asked(fate): Asked<Fate>,
) -> Answer<StatusCode> {
    let id = one.id();
    let confirmed = fate.confirm.as_deref() == Some(id.to_string().as_str());
    let torrent = match fate.torrent.as_deref() {
        None | Some("stays") => Torrent::Stays,
        Some("leaves") => Torrent::Leaves,
        Some("with_data") if confirmed => Torrent::WithItsData,
        Some("with_data") => {
            return Err(Problem::from(kinds::CONFIRM_NEEDED).int("download", id.0));
        }
        Some(_) => return Err(wrong("torrent")),
    };
    if !one.service().delete(id, torrent).await.map_err(trouble::delete)? {
        return Err(kinds::NO_SUCH_DOWNLOAD.into());
    }
    app.feed.nudge(&one.view);
    Ok(StatusCode::NO_CONTENT)
}
