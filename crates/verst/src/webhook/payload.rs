//! What an event says, as JSON. docs/folders-and-webhooks.md shows it.

use serde::Serialize;
use verst_kernel::{Failure, NoticeKind, Timestamp};
use verst_recordings::transcript::Transcript;
use verst_service::{DownloadView, View};

use super::download::Download;
use crate::tongue::Tongue;

/// The longest text that goes along, in bytes; receivers of events expect small ones.
const TEXT_BYTES: usize = 256 << 10;

/// What there is to tell.
pub(super) struct Told<'a> {
    pub(super) id: &'a str,
    pub(super) kind: &'a NoticeKind,
    pub(super) about: About<'a>,
    /// Where others reach this installation; empty if they do not.
    pub(super) public_url: &'a str,
}

/// What it is about.
pub(super) enum About<'a> {
    Recording(Recorded<'a>),
    Download(&'a DownloadView),
}

/// A recording, and what was said in it.
pub(super) struct Recorded<'a> {
    pub(super) view: &'a View,
    pub(super) transcript: Option<&'a Transcript>,
    pub(super) with_text: bool,
}

#[derive(Serialize)]
struct Payload<'a> {
    id: &'a str,
    event: &'a str,
    at: String,
    #[serde(flatten)]
    about: Thing<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Thing<'a> {
    Recording(Recording<'a>),
    Download(Download<'a>),
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
pub(super) struct Trouble<'a> {
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
    let (event, failure) = match told.kind {
        NoticeKind::Done => ("done", None),
        NoticeKind::Stopped(failure) => ("stopped", Some(failure)),
    };
    let trouble = |failure| Trouble { code: code(failure), sentence: tongue.failure(failure) };
    let failure = failure.map(trouble);
    let (work, about) = match &told.about {
        About::Recording(it) => {
            (&it.view.work, Thing::Recording(recording(it, event, failure, told.public_url)))
        }
        About::Download(view) => {
            let download = Download::of(view, told.kind, failure, told.public_url);
            (&view.work, Thing::Download(download))
        }
    };
    // What has moved on since still tells when this happened as nearly as is known.
    let at = work.stop.as_ref().map_or(work.entered_at, |stop| stop.at);
    let payload = Payload { id: told.id, event, at: moment(at), about };
    // Only a map with keys that are no strings would fail.
    serde_json::to_vec(&payload).unwrap_or_default()
}

fn recording<'a>(
    it: &Recorded<'a>,
    state: &'a str,
    failure: Option<Trouble<'a>>,
    public_url: &str,
) -> Recording<'a> {
    let view = it.view;
    Recording {
        id: view.work.id.0,
        title: view.recording.title.as_deref(),
        name: view.recording.given.name.as_deref(),
        state,
        milestone: &view.work.milestone,
        duration_s: view.recording.duration.map(|duration| duration.as_secs_f64()),
        language: it.transcript.and_then(|transcript| transcript.language.as_deref()),
        failure,
        links: links(public_url, view.work.id.0),
        text: it.transcript.filter(|_| it.with_text).map(text),
    }
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
    let about = Thing::Recording(recording);
    let payload = Payload { id, event: "test", at: moment(at), about };
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
