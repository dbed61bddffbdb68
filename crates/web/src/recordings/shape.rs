//! A recording as it is written in JSON.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value as Json};
use utoipa::ToSchema;
use verst_service::{Failure, State, StopMark, StopReason, Timestamp, Value, View, Warning};
use verst_words::Words;

use crate::problem::{params, sentence};

/// A recording.
#[derive(Serialize, ToSchema)]
pub(crate) struct Recording {
    /// Its number.
    pub(crate) id: i64,
    /// The name its sender gave it.
    name: Option<String>,
    /// The title somebody gave it.
    title: Option<String>,
    /// The summary somebody gave it.
    summary: Option<String>,
    /// The topics somebody gave it.
    topics: Vec<String>,
    /// Names by the speakers' labels in the transcript.
    speakers: BTreeMap<String, String>,
    /// Whose it is; nobody's in particular if null.
    owner: Option<String>,
    /// The entrance it came through: `cli`, `http`, `telegram` or `folder`.
    source: &'static str,
    /// Where it stands, roughly.
    state: StateName,
    /// The milestone it has reached.
    milestone: String,
    /// Whether a worker has it in hand.
    working: bool,
    /// How much of the recognition is done, while it runs.
    #[schema(minimum = 0, maximum = 100)]
    percent: Option<i64>,
    /// What it waits for.
    waits_for: Option<Reason>,
    /// Why it is stopped.
    stop: Option<Stop>,
    /// Tries at this milestone since the last success.
    failures: u32,
    /// When it was taken in.
    #[schema(format = DateTime)]
    created_at: String,
    /// Since when it stands at its milestone.
    #[schema(format = DateTime)]
    entered_at: String,
    /// Size of what was handed in.
    size_bytes: u64,
    /// Length, once it is known.
    duration_ms: Option<u64>,
    /// The language that was asked for.
    language: Option<String>,
    /// The model that was asked for.
    model: Option<String>,
    /// What else there is to know about its text.
    warnings: Vec<Reason>,
    /// Whether the audio that was handed in is still there.
    has_audio: bool,
}

/// Where a recording stands, roughly.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = State)]
enum StateName {
    /// On its way.
    Moving,
    /// Stopped, until somebody lifts the stop.
    Stopped,
    /// Its text is there.
    Done,
}

/// A reason: a code for programs, a sentence for people.
#[derive(Serialize, ToSchema)]
pub(crate) struct Reason {
    /// Stable name.
    code: String,
    /// What the sentence is about.
    #[schema(value_type = Object)]
    params: Map<String, Json>,
    /// What it means and what to do, in the caller's language.
    pub(crate) detail: String,
}

/// A stop.
#[derive(Serialize, ToSchema)]
pub(crate) struct Stop {
    /// Since when.
    #[schema(format = DateTime)]
    at: String,
    /// Who or what: `failures`, `stuck`, `verdict` or `person`.
    by: &'static str,
    /// Why.
    #[serde(flatten)]
    why: Reason,
}

impl Reason {
    pub(crate) fn of(failure: &Failure, words: &Words) -> Self {
        Self {
            code: failure.code.to_string(),
            params: params(failure),
            detail: sentence(failure, words),
        }
    }
}

impl Stop {
    pub(crate) fn of(stop: &StopMark, words: &Words) -> Self {
        let why = Reason::of(&stop.failure, words);
        Self { at: moment(stop.at), by: by(stop.reason), why }
    }
}

impl Recording {
    pub(crate) fn of(view: &View, words: &Words) -> Self {
        let (work, recording) = (&view.work, &view.recording);
        let percent = work.why.as_ref().and_then(|why| match why.params.get("percent") {
            Some(Value::Int(percent)) => Some(*percent),
            Some(Value::Term(_)) | None => None,
        });
        Self {
            id: work.id.0,
            name: recording.given.name.clone(),
            title: recording.title.clone(),
            summary: recording.summary.clone(),
            topics: recording.topics.clone(),
            speakers: recording.speakers.clone(),
            owner: recording.given.owner.clone(),
            source: recording.given.source.name(),
            state: match work.state() {
                State::Moving => StateName::Moving,
                State::Stopped => StateName::Stopped,
                State::Done => StateName::Done,
            },
            milestone: work.milestone.clone(),
            working: work.held,
            percent,
            waits_for: work.why.as_ref().map(|why| Reason::of(why, words)),
            stop: work.stop.as_ref().map(|stop| Stop::of(stop, words)),
            failures: work.failures,
            created_at: moment(work.created_at),
            entered_at: moment(work.entered_at),
            size_bytes: recording.given.size_bytes,
            duration_ms: recording.duration.map(millis),
            language: recording.given.wish.language.clone(),
            model: recording.given.wish.model.clone(),
            warnings: recording.warnings.iter().map(|it| warning(it, words)).collect(),
            has_audio: !recording.original_deleted,
        }
    }
}

fn by(reason: StopReason) -> &'static str {
    match reason {
        StopReason::Failures => "failures",
        StopReason::Stuck => "stuck",
        StopReason::Verdict => "verdict",
        StopReason::Person => "person",
    }
}

pub(crate) fn warning(warning: &Warning, words: &Words) -> Reason {
    let data = warning.data();
    let detail = words.tell("warning", &data).unwrap_or_else(|| data.code.to_string());
    Reason { code: data.code.to_string(), params: params(&data), detail }
}

/// A time as RFC 3339 writes it.
pub(crate) fn moment(at: Timestamp) -> String {
    jiff::Timestamp::from_microsecond(at.0).map_or_else(|_| at.0.to_string(), |at| at.to_string())
}

pub(crate) fn millis(duration: std::time::Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
