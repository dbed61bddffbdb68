//! What a person does to the work on a download: retry, stop, lift.

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use verst_service::StopAnswer;

use super::asker::One;
use super::shape::Download;
use super::trouble;
use crate::app::App;
use crate::kinds;
use crate::problem::{Answer, ProblemBody};
use crate::trouble::store;

/// Puts a stopped download to `downloading` again, from wherever it stands. Its torrent is taken up as
/// it is in the client, or added once more.
#[utoipa::path(post, path = "/api/v1/downloads/{id}/retry", tag = "downloads",
    params(("id" = i64, Path, description = "Its number")),
    responses(
        (status = 200, body = Download),
        (status = 409, description = "It is not stopped, or another download has its torrent", body = ProblemBody, content_type = "application/problem+json"),
        (status = 503, description = "The client cannot be reached, or did not take it; it stands as it stood", body = ProblemBody, content_type = "application/problem+json"),
        (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
        (status = "5XX", body = ProblemBody, content_type = "application/problem+json"),
    ))]
pub(crate) async fn retry(
    State(app): State<App>,
    one: One,
    headers: HeaderMap,
) -> Answer<Json<Download>> {
    match one.service().retry(one.id(), one.person()).await {
        Ok(()) => one.stands(&app, &headers).await,
        Err(error) => Err(trouble::retry(&one, error).await),
    }
}

/// Stops it. It stays where it stands, its torrent rests in the client, and nothing is lost.
#[utoipa::path(post, path = "/api/v1/downloads/{id}/stop", tag = "downloads",
    params(("id" = i64, Path, description = "Its number")),
    responses(
        (status = 200, body = Download),
        (status = 409, description = "It is stopped or done already", body = ProblemBody, content_type = "application/problem+json"),
        (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
        (status = "5XX", body = ProblemBody, content_type = "application/problem+json"),
    ))]
pub(crate) async fn stop(
    State(app): State<App>,
    one: One,
    headers: HeaderMap,
) -> Answer<Json<Download>> {
    match one.service().stop(one.id(), one.person()).await.map_err(store)? {
        StopAnswer::Stopped(_) => one.stands(&app, &headers).await,
        StopAnswer::AlreadyStopped => Err(kinds::ALREADY_STOPPED.into()),
        StopAnswer::Finished => Err(kinds::ALREADY_DONE.into()),
        StopAnswer::Missing => Err(kinds::NO_SUCH_DOWNLOAD.into()),
    }
}

/// Lifts a stop, so that it goes on from where it stands. Until its torrent is whole, that is a retry.
#[utoipa::path(post, path = "/api/v1/downloads/{id}/lift", tag = "downloads",
    params(("id" = i64, Path, description = "Its number")),
    responses(
        (status = 200, body = Download),
        (status = 409, description = "It is not stopped, or another download has its torrent", body = ProblemBody, content_type = "application/problem+json"),
        (status = 503, description = "The client cannot be reached, or did not take it; it stands as it stood", body = ProblemBody, content_type = "application/problem+json"),
        (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
        (status = "5XX", body = ProblemBody, content_type = "application/problem+json"),
    ))]
pub(crate) async fn lift(
    State(app): State<App>,
    one: One,
    headers: HeaderMap,
) -> Answer<Json<Download>> {
    match one.service().lift(one.id(), one.person()).await {
        Ok(()) => one.stands(&app, &headers).await,
        Err(error) => Err(trouble::retry(&one, error).await),
    }
}
