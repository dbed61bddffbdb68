//! Downloads in pages, newest first.

#![expect(unused_qualifications, reason = "the description's macro writes them")]

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use verst_service::{DownloadFilter, WorkId};

use super::asker::Asker;
use super::shape::Download;
use crate::app::App;
use crate::input::{Asked, parameter, wrong};
use crate::problem::{Answer, ProblemBody};
use crate::recordings::list::state;
use crate::trouble::store;

/// Downloads on a page, unless another number is asked for.
const USUAL: u32 = 50;
const MOST: u32 = 200;

/// Which downloads.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Wanted {
    /// Only those that stand so: `moving`, `stopped` or `done`.
    #[param(value_type = Option<String>, pattern = "^(moving|stopped|done)$")]
    state: Option<String>,
    /// Only those older than the download of this number: the `next` of the page before.
    #[param(value_type = Option<i64>, minimum = 1)]
    before: Option<String>,
    /// At most so many.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 200)]
    limit: Option<String>,
}

/// A page.
#[derive(Serialize, ToSchema)]
pub(crate) struct DownloadPage {
    /// Newest first.
    downloads: Vec<Download>,
    /// What to give as `before` for the next page; null when this is the last one.
    next: Option<i64>,
}

/// Lists downloads, newest first.
#[utoipa::path(get, path = "/api/v1/downloads", tag = "downloads", params(Wanted), responses(
    (status = 200, body = DownloadPage),
    (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
    (status = "5XX", body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn list(
    State(app): State<App>,
    asker: Asker,
    headers: HeaderMap,
    Asked(wanted): Asked<Wanted>,
) -> Answer<Json<DownloadPage>> {
    let state = state(wanted.state.as_deref())?;
    let before = parameter("before", wanted.before.as_deref())?;
    if before.is_some_and(|id: i64| id < 1) {
        return Err(wrong("before"));
    }
    let limit = parameter("limit", wanted.limit.as_deref())?.unwrap_or(USUAL);
    if !(1..=MOST).contains(&limit) {
        return Err(wrong("limit"));
    }
    let filter = DownloadFilter {
        state,
        owner: asker.caller.scope(),
        before: before.map(WorkId),
        // One more tells whether there is another page.
        limit: limit + 1,
    };
    let mut found = asker.service.views.downloads(filter).await.map_err(store)?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let more = found.len() > limit;
    found.truncate(limit);
    Ok(Json(DownloadPage {
        next: if more { found.last().map(|it| it.work.id.0) } else { None },
        downloads: found.iter().map(|it| asker.shape(&app, it, &headers)).collect(),
    }))
}
