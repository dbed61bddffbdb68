//! Putting a transcript right.
//!
//! **Invariant:** who changes a segment says how it reads to them; if it reads differently by now,
//! nothing is changed.

#![expect(unused_qualifications, reason = "the description's macro writes them")]

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use verst_service::{Caller, CorrectionId, Wording, WorkId};

use super::find;
use super::shape::moment;
use crate::app::App;
use crate::auth::Who;
use crate::input::{Asked, Input, Which};
use crate::kinds;
use crate::problem::{Answer, ProblemBody};
use crate::trouble::{self, store};

/// How a segment reads, and is to read.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Reading {
    /// How it reads to whoever changes it.
    pub(crate) was: String,
    /// How it is to read.
    #[schema(min_length = 1, max_length = 10_000)]
    pub(crate) text: String,
}

/// Changes the text of a segment. It survives a new transcription that hears the same there.
#[utoipa::path(put, path = "/api/v1/recordings/{id}/segments/{index}", tag = "recordings",
    params(("id" = i64, Path, description = "The recording's number"),
        ("index" = usize, Path, description = "Which segment of the transcript, from 0")),
    request_body = Reading,
    responses(
        (status = 204, description = "It reads so"),
        (status = 409, description = "`segment_changed`: it reads differently by now", body = ProblemBody, content_type = "application/problem+json"),
        (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
        (status = "5XX", body = ProblemBody, content_type = "application/problem+json"),
    ))]
pub(crate) async fn change(
    State(app): State<App>,
    Who(caller): Who,
    path: Result<Path<(i64, String)>, PathRejection>,
    reading: Answer<Input<Reading>>,
) -> Answer<StatusCode> {
    let (id, index) = segment(path)?;
    // Who may not see the recording learns nothing from what is wrong with their request.
    find(&app, &caller, id).await?;
    let Input(reading) = reading?;
    reword(&app, &caller, id, index?, reading.was, Some(reading.text)).await
}

/// How a segment reads.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Seen {
    /// How the segment reads to whoever changes it.
    pub(crate) was: String,
}

/// Takes the change of a segment back: it reads as it was heard.
#[utoipa::path(delete, path = "/api/v1/recordings/{id}/segments/{index}", tag = "recordings",
    params(("id" = i64, Path, description = "The recording's number"),
        ("index" = usize, Path, description = "Which segment of the transcript, from 0"), Seen),
    responses(
        (status = 204, description = "It reads as it was heard"),
        (status = 409, description = "`segment_changed`: it reads differently by now", body = ProblemBody, content_type = "application/problem+json"),
        (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
        (status = "5XX", body = ProblemBody, content_type = "application/problem+json"),
    ))]
pub(crate) async fn restore(
    State(app): State<App>,
    Who(caller): Who,
    path: Result<Path<(i64, String)>, PathRejection>,
    seen: Answer<Asked<Seen>>,
) -> Answer<StatusCode> {
    let (id, index) = segment(path)?;
    find(&app, &caller, id).await?;
    let Asked(seen) = seen?;
    reword(&app, &caller, id, index?, seen.was, None).await
}

/// What is no number names no recording; what is no number of a segment is said after that.
fn segment(path: Result<Path<(i64, String)>, PathRejection>) -> Answer<(WorkId, Answer<usize>)> {
    let Path((id, index)) = path.map_err(|_| kinds::NO_SUCH_RECORDING)?;
    Ok((WorkId(id), index.parse().map_err(|_| kinds::SEGMENT_CHANGED.into())))
}

async fn reword(
    app: &App,
    caller: &Caller,
    id: WorkId,
    index: usize,
    was: String,
    text: Option<String>,
) -> Answer<StatusCode> {
    let wording = Wording { index, was, text };
    app.service().reword(id, wording, &caller.name).await.map_err(trouble::reword)?;
    app.feed.nudge(&find(app, caller, id).await?);
    Ok(StatusCode::NO_CONTENT)
}

/// What a person put right.
#[derive(Serialize, ToSchema)]
pub(crate) struct Correction {
    /// Its number.
    id: i64,
    /// Where the segment begins, in milliseconds.
    start_ms: u64,
    /// Where it ends.
    end_ms: u64,
    /// What was heard there.
    heard: String,
    /// What a person says was said.
    text: String,
    /// Since when.
    at: String,
    /// Who says so.
    by: String,
    /// Whether the transcript has that place. If not, it is kept until it does.
    fits: bool,
}

/// What people put right in a transcript.
#[derive(Serialize, ToSchema)]
pub(crate) struct Corrections {
    /// In the order of time.
    corrections: Vec<Correction>,
}

/// Lists what people put right, also what does not fit the text that is there now.
#[utoipa::path(get, path = "/api/v1/recordings/{id}/corrections", tag = "recordings",
    params(("id" = i64, Path, description = "Its number")),
    responses(
        (status = 200, body = Corrections),
        (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
        (status = "5XX", body = ProblemBody, content_type = "application/problem+json"),
    ))]
pub(crate) async fn list(
    State(app): State<App>,
    Who(caller): Who,
    Which(id): Which,
) -> Answer<Json<Corrections>> {
    find(&app, &caller, id).await?;
    let service = app.service();
    let kept = service.corrections.corrections(id).await.map_err(store)?;
    let shown = service.recordings.transcript(id).await.map_err(store)?.unwrap_or_default();
    let corrections = kept.into_iter().map(|it| Correction {
        id: it.id.0,
        start_ms: it.from_ms,
        end_ms: it.until_ms,
        fits: it.fits(&shown.segments),
        at: moment(it.at),
        heard: it.heard,
        text: it.text,
        by: it.by,
    });
    Ok(Json(Corrections { corrections: corrections.collect() }))
}

/// Takes one back, whether it fits or not. Where it fits, what was heard stands there again.
#[utoipa::path(delete, path = "/api/v1/recordings/{id}/corrections/{correction}", tag = "recordings",
    params(("id" = i64, Path, description = "The recording's number"),
        ("correction" = i64, Path, description = "Its own")),
    responses(
        (status = 204, description = "It is gone"),
        (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
        (status = "5XX", body = ProblemBody, content_type = "application/problem+json"),
    ))]
pub(crate) async fn withdraw(
    State(app): State<App>,
    Who(caller): Who,
    path: Result<Path<(i64, i64)>, PathRejection>,
) -> Answer<StatusCode> {
    let Path((id, which)) = path.map_err(|_| kinds::NO_SUCH_RECORDING)?;
    let id = WorkId(id);
    find(&app, &caller, id).await?;
    let withdrawn = app.service().withdraw(id, CorrectionId(which)).await;
    withdrawn.map_err(trouble::reword)?;
    app.feed.nudge(&find(&app, &caller, id).await?);
    Ok(StatusCode::NO_CONTENT)
}
