//! What an event says, as JSON. docs/folders-and-webhooks.md shows it.

use serde::Serialize;
use verst_kernel::{Failure, NoticeKind, Timestamp};
use verst_recordings::transcript::Transcript;
use verst_service::View;

use crate::tongue::Tongue;

/// The longest text that goes along, in bytes; receivers of events expect small ones.
const TEXT_BYTES: usize = 256 << 10;

/// What there is to tell.
pub(super) struct Told<'a> {
    pub(super) id: &'a str,
    pub(super) kind: &'a NoticeKind,
    pub(super) view: &'a View,
    pub(super) transcript: Option<&'a Transcript>,
    pub(super) with_text: bool,
    /// Where others reach this installation; empty if they do not.
    pub(super) public_url: &'a str,
}

#[derive(Serialize)]
struct Payload<'a> {
    id: &'a str,
    event: &'a str,
    at: String,
    recording: Recording<'a>,
}

#[derive(Serialize)]
struct Recording<'a> {
    id: i64,
    title: Option<&'a str>,
    name: Option<&'a str>,
    state: &'a str,
    milestone: &'a str,
    duration_s: Option<f64>,
    language: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<Trouble<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    links: Option<Links>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<Text>,
}

#[derive(Serialize)]
struct Trouble<'a> {
    code: &'a str,
    sentence: String,
}

#[derive(Serialize)]
struct Links {
    recording: String,
    transcript: String,
}

#[derive(Serialize)]
pub(super) struct Text {
    pub(super) content: String,
    /// Whether it is the beginning only.
    pub(super) cut: bool,
}

/// The body of an event.
pub(super) fn body(told: &Told<'_>, tongue: &Tongue) -> Vec<u8> {
    let (view, work) = (told.view, &told.view.work);
    let (state, failure) = match told.kind {
        NoticeKind::Done => ("done", None),
        NoticeKind::Stopped(failure) => ("stopped", Some(failure)),
    };
    // A recording that has moved on since still tells when this happened as nearly as is known.
    let at = work.stop.as_ref().map_or(work.entered_at, |stop| stop.at);
    let trouble = |failure| Trouble { code: code(failure), sentence: tongue.failure(failure) };
    let payload = Payload {
        id: told.id,
        event: state,
        at: moment(at),
        recording: Recording {
            id: work.id.0,
            title: view.recording.title.as_deref(),
            name: view.recording.given.name.as_deref(),
            state,
            milestone: &work.milestone,
            duration_s: view.recording.duration.map(|duration| duration.as_secs_f64()),
            language: told.transcript.and_then(|transcript| transcript.language.as_deref()),
            failure: failure.map(trouble),
            links: links(told.public_url, work.id.0),
            text: told.transcript.filter(|_| told.with_text).map(text),
        },
    };
    // Only a map with keys that are no strings would fail.
    serde_json::to_vec(&payload).unwrap_or_default()
}

/// The body of an event about nothing, for a test. Its recording has a number that none has.
pub(super) fn trial(id: &str, at: Timestamp) -> Vec<u8> {
    let recording = Recording {
        id: 0,
        title: None,
        name: None,
        state: "test",
        milestone: "done",
        duration_s: None,
        language: None,
        failure: None,
        links: None,
        text: None,
    };
    let payload = Payload { id, event: "test", at: moment(at), recording };
    serde_json::to_vec(&payload).unwrap_or_default()
}

fn code(failure: &Failure) -> &str {
    &failure.code
}

/// RFC 3339, in UTC.
fn moment(at: Timestamp) -> String {
    jiff::Timestamp::from_microsecond(at.0).map_or_else(|_| String::new(), |at| at.to_string())
}

fn links(public_url: &str, id: i64) -> Option<Links> {
    let base = public_url.trim_end_matches('/');
    let recording = format!("{base}/api/v1/recordings/{id}");
    let transcript = format!("{recording}/transcript");
    (!base.is_empty()).then_some(Links { recording, transcript })
}

pub(super) fn text(transcript: &Transcript) -> Text {
    let mut content = transcript.text();
    let cut = content.len() > TEXT_BYTES;
    if cut {
        content.truncate(content.floor_char_boundary(TEXT_BYTES));
    }
    Text { content, cut }
}
