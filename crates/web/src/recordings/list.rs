//! Recordings in pages, newest first.

#![expect(unused_qualifications, reason = "the description's macro writes them")]

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use verst_service::{Filter, State as Stands, WorkId};

use super::shape::Recording;
use crate::app::App;
use crate::auth::Who;
use crate::input::{Asked, parameter, wrong};
use crate::problem::{Answer, ProblemBody};
use crate::tongue;
use crate::trouble::store;

/// Recordings on a page, unless another number is asked for.
const USUAL: u32 = 50;
const MOST: u32 = 200;

/// Which recordings.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Wanted {
    /// Only those in this state: `moving`, `stopped` or `done`.
    #[param(value_type = Option<String>, pattern = "^(moving|stopped|done)$")]
    state: Option<String>,
    /// Only those older than the recording of this number: the `next` of the page before.
    #[param(value_type = Option<i64>, minimum = 1)]
    before: Option<String>,
    /// At most so many.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 200)]
    limit: Option<String>,
}

/// A page.
#[derive(Serialize, ToSchema)]
pub(crate) struct Page {
    /// Newest first.
    recordings: Vec<Recording>,
    /// What to give as `before` for the next page; null when this is the last one.
    next: Option<i64>,
}

/// Lists recordings, newest first.
#[utoipa::path(get, path = "/api/v1/recordings", tag = "recordings", params(Wanted), responses(
    (status = 200, body = Page),
    (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
    (status = "5XX", body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn list(
    State(app): State<App>,
    Who(caller): Who,
    headers: HeaderMap,
    Asked(wanted): Asked<Wanted>,
) -> Answer<Json<Page>> {
    let state = match wanted.state.as_deref() {
        None => None,
        Some("moving") => Some(Stands::Moving),
        Some("stopped") => Some(Stands::Stopped),
        Some("done") => Some(Stands::Done),
        Some(_) => return Err(wrong("state")),
    };
    let before = parameter("before", wanted.before.as_deref())?;
    if before.is_some_and(|id: i64| id < 1) {
        return Err(wrong("before"));
    }
    let limit = parameter("limit", wanted.limit.as_deref())?.unwrap_or(USUAL);
    if !(1..=MOST).contains(&limit) {
        return Err(wrong("limit"));
    }
    let filter = Filter {
        state,
        owner: caller.owner.clone(),
        before: before.map(WorkId),
        // One more tells whether there is another page.
        limit: limit + 1,
        ..Filter::default()
    };
    let mut views = app.service().ledger.list(filter).await.map_err(store)?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let more = views.len() > limit;
    views.truncate(limit);
    let words = app.tongues.words(tongue::asked(&headers));
    Ok(Json(Page {
        next: if more { views.last().map(|view| view.work.id.0) } else { None },
        recordings: views.iter().map(|view| Recording::of(view, words)).collect(),
    }))
}
