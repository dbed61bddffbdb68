//! The text of a recording in every form, and its journal.

#![expect(unused_qualifications, reason = "the description's macro writes them")]

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::header::{ACCEPT, CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use verst_service::{Actor, Entry, Format, Sheet, Transcript, View, export};
use verst_words::Words;

use super::find;
use super::shape::{Reason, millis, moment};
use crate::app::App;
use crate::auth::Who;
use crate::disposition;
use crate::input::{Asked, Which, wrong};
use crate::kinds;
use crate::problem::{Answer, ProblemBody};
use crate::tongue;
use crate::trouble::store;

/// In which form.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Wanted {
    /// `txt`, `srt`, `vtt`, `json`, `md` or `docx`. By the header Accept if it is left out, and text if that says
    /// nothing.
    #[param(pattern = "^(txt|srt|vtt|json|md|docx)$")]
    format: Option<String>,
}

/// The text of a recording.
#[utoipa::path(get, path = "/api/v1/recordings/{id}/transcript", tag = "recordings",
    params(("id" = i64, Path, description = "Its number"), Wanted),
    responses(
        (status = 200, content(
            (String = "text/plain"), (String = "application/x-subrip"), (String = "text/vtt"),
            (Object = "application/json"), (String = "text/markdown"),
            (String = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
        )),
        (status = 404, description = "No such recording, or no text yet: `no_text_yet`", body = ProblemBody, content_type = "application/problem+json"),
        (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
        (status = "5XX", body = ProblemBody, content_type = "application/problem+json"),
    ))]
pub(crate) async fn transcript(
    State(app): State<App>,
    Who(caller): Who,
    Which(id): Which,
    headers: HeaderMap,
    Asked(wanted): Asked<Wanted>,
) -> Answer<Response> {
    let format = match wanted.format.as_deref() {
        Some(name) => Format::from_name(name).ok_or(wrong("format"))?,
        None => accepted(&headers),
    };
    let view = find(&app, &caller, id).await?;
    let transcript = app.service().recordings.transcript(id).await.map_err(store)?;
    let transcript = transcript.ok_or(kinds::NO_TEXT_YET)?;
    let how = if format.is_text() { "inline" } else { "attachment" };
    let name = disposition::header(how, &file_name(&view, format));
    let kind = HeaderValue::from_static(format.media_type());
    let words = app.tongues.words(tongue::asked(&headers));
    let text = export(&sheet(&view, &transcript, words), format);
    Ok(([(CONTENT_TYPE, kind), (CONTENT_DISPOSITION, name)], text).into_response())
}

/// A recording as an export shows it, in the caller's language.
fn sheet<'a>(view: &'a View, transcript: &'a Transcript, words: &Words) -> Sheet<'a> {
    let recording = &view.recording;
    let mut sheet = Sheet::new(recording, transcript, |key| words.say(key, &[]));
    let taken = (words.say("export-taken", &[]), moment(view.work.created_at));
    let length = recording.duration.map(|it| (words.say("export-length", &[]), length(it)));
    sheet.facts.splice(0..0, [taken].into_iter().chain(length));
    sheet
}

/// As a player shows it.
fn length(duration: Duration) -> String {
    let seconds = duration.as_secs();
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// The first kind of the header that there is a form for. Weights are left aside: who has wishes as
/// fine as that names the form.
fn accepted(headers: &HeaderMap) -> Format {
    let wanted = headers.get(ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = |part: &str| part.split(';').next().unwrap_or_default().trim().to_owned();
    let of = |wanted: String| {
        Format::ALL.into_iter().find(|format| essence(format.media_type()) == wanted)
    };
    wanted.split(',').map(essence).find_map(of).unwrap_or(Format::Txt)
}

fn file_name(view: &View, format: Format) -> String {
    let recording = &view.recording;
    let named = recording.title.as_deref().or(recording.given.name.as_deref());
    let stem = named.map_or_else(|| view.work.id.to_string(), str::to_owned);
    format!("{stem}.{}", format.name())
}

/// A line of the journal.
#[derive(Serialize, ToSchema)]
pub(crate) struct Line {
    /// When.
    #[schema(format = DateTime)]
    at: String,
    /// What: `advanced`, `stopped`, `lifted` or `restarted`.
    event: &'static str,
    /// The milestone it stood at afterwards.
    milestone: String,
    /// The step that did it.
    step: Option<String>,
    /// The person who did it.
    person: Option<String>,
    /// How long the run of the step took.
    duration_ms: u64,
    /// Why, for a stop.
    why: Option<Reason>,
}

/// The journal of a recording, oldest first: milestones, stops, lifts.
#[utoipa::path(get, path = "/api/v1/recordings/{id}/journal", tag = "recordings",
    params(("id" = i64, Path, description = "Its number")),
    responses(
        (status = 200, body = Vec<Line>),
        (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
        (status = "5XX", body = ProblemBody, content_type = "application/problem+json"),
    ))]
pub(crate) async fn journal(
    State(app): State<App>,
    Who(caller): Who,
    Which(id): Which,
    headers: HeaderMap,
) -> Answer<Json<Vec<Line>>> {
    find(&app, &caller, id).await?;
    let entries = app.service().ledger.journal(id).await.map_err(store)?;
    let words = app.tongues.words(tongue::asked(&headers));
    Ok(Json(entries.into_iter().map(|entry| Line::of(entry, words)).collect()))
}

impl Line {
    pub(crate) fn of(entry: Entry, words: &Words) -> Self {
        let (step, person) = match entry.actor {
            Actor::Step(step) => (Some(step), None),
            Actor::Person(person) => (None, Some(person)),
        };
        Self {
            at: moment(entry.at),
            event: entry.event.name(),
            milestone: entry.milestone,
            step,
            person,
            duration_ms: millis(entry.duration),
            why: entry.failure.map(|failure| Reason::of(&failure, words)),
        }
    }
}
