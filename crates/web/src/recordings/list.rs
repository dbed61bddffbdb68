//! Recordings in pages, newest first.

#![expect(unused_qualifications, reason = "the description's macro writes them")]

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use verst_service::{Filter, Found, Query, Snippet, State as Stands, WorkId};
use verst_words::Words;

use super::shape::Recording;
use crate::app::App;
use crate::auth::Who;
use crate::input::{Asked, parameter, wrong};
use crate::kinds;
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
    /// Only those in which all of these words are, in any form: said, written by a person, or in
    /// the name. `word*` means any ending.
    q: Option<String>,
}

/// A recording on a page.
#[derive(Serialize, ToSchema)]
pub(crate) struct Listed {
    #[serde(flatten)]
    recording: Recording,
    /// Where it was said or written what is looked for; only when something is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    snippets: Vec<Glance>,
}

/// A piece of a text in which something was found.
#[derive(Serialize, ToSchema)]
#[schema(as = Snippet)]
struct Glance {
    /// When it was said; null for what stands in the summary.
    start_ms: Option<u64>,
    /// The text, in pieces.
    pieces: Vec<Piece>,
}

/// A piece of a snippet.
#[derive(Serialize, ToSchema)]
struct Piece {
    /// What stands there.
    text: String,
    /// Whether it is what is looked for.
    hit: bool,
}

impl Glance {
    fn of(snippet: &Snippet, start_ms: Option<u64>) -> Self {
        let piece = |(text, hit): (&str, bool)| Piece { text: text.to_owned(), hit };
        Self { start_ms, pieces: snippet.pieces().map(piece).collect() }
    }
}

impl Listed {
    fn of(found: &Found, words: &Words) -> Self {
        let said = found.snippets.iter().map(|it| Glance::of(it, Some(it.start_ms)));
        let written = found.summary.iter().map(|it| Glance::of(it, None));
        Self {
            recording: Recording::of(&found.view, words),
            snippets: said.chain(written).collect(),
        }
    }
}

/// A page.
#[derive(Serialize, ToSchema)]
pub(crate) struct Page {
    /// Newest first.
    recordings: Vec<Listed>,
    /// What to give as `before` for the next page; null when this is the last one.
    next: Option<i64>,
}

/// Lists recordings, newest first, or those in which something is found.
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
    let state = state(wanted.state.as_deref())?;
    let before = parameter("before", wanted.before.as_deref())?;
    if before.is_some_and(|id: i64| id < 1) {
        return Err(wrong("before"));
    }
    let limit = parameter("limit", wanted.limit.as_deref())?.unwrap_or(USUAL);
    if !(1..=MOST).contains(&limit) {
        return Err(wrong("limit"));
    }
    let search = wanted.q.as_deref().map(Query::new).transpose();
    let search = search.map_err(|_| kinds::QUERY_WRONG)?;
    let filter = Filter {
        state,
        owner: caller.scope(),
        before: before.map(WorkId),
        // One more tells whether there is another page.
        limit: limit + 1,
        search,
    };
    let mut found = app.service().find(filter).await.map_err(store)?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let more = found.len() > limit;
    found.truncate(limit);
    let words = app.tongues.words(tongue::asked(&headers));
    Ok(Json(Page {
        next: if more { found.last().map(|it| it.view.work.id.0) } else { None },
        recordings: found.iter().map(|it| Listed::of(it, words)).collect(),
    }))
}

/// Where things stand that are to be listed.
pub(crate) fn state(asked: Option<&str>) -> Answer<Option<Stands>> {
    match asked {
        None => Ok(None),
        Some("moving") => Ok(Some(Stands::Moving)),
        Some("stopped") => Ok(Some(Stands::Stopped)),
        Some("done") => Ok(Some(Stands::Done)),
        Some(_) => Err(wrong("state")),
    }
}
