//! The audio that was handed in, whole or a stretch of it.
//!
//! **Invariant:** what a browser is told of its kind comes from its bytes and from a short list of
//! kinds of audio and video; everything else is saved and never shown, whatever its name says.

use std::io::SeekFrom;

use axum::body::Body;
use axum::extract::State;
use axum::http::header::{
    ACCEPT_RANGES, CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_TYPE,
    ETAG, IF_NONE_MATCH, IF_RANGE, RANGE,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use tokio::fs::File;
use tokio::io::{AsyncReadExt, AsyncSeekExt};
use tokio_util::io::ReaderStream;
use verst_service::{Failure, ObjectError, Original, OriginalError, View};

use super::find;
use super::range::{Part, part};
use crate::app::App;
use crate::auth::Who;
use crate::disposition;
use crate::input::Which;
use crate::kinds;
use crate::problem::{Answer, Problem, ProblemBody};
use crate::trouble;

/// Kinds that may be named. What plays in a browser is shown, and none of them is run by one.
const SHOWN: [&str; 16] = [
    "audio/aac",
    "audio/amr",
    "audio/x-aiff",
    "audio/m4a",
    "audio/midi",
    "audio/mpeg",
    "audio/ogg",
    "audio/x-flac",
    "audio/x-wav",
    "video/mp4",
    "video/mpeg",
    "video/quicktime",
    "video/webm",
    "video/x-matroska",
    "video/x-ms-wmv",
    "video/x-msvideo",
];
/// It is one person's, and may be gone the next time.
const CACHED: HeaderValue = HeaderValue::from_static("private, no-cache");
/// What tells the kind of a file.
const HEAD_BYTES: usize = 4096;

/// The audio that was handed in. Single ranges are answered.
#[utoipa::path(get, path = "/api/v1/recordings/{id}/audio", tag = "recordings",
    params(("id" = i64, Path, description = "Its number"),
        ("Range" = Option<String>, Header, description = "A stretch, as in `bytes=0-1023`"),
        ("If-Range" = Option<String>, Header, description = "The stretch only if the audio is still this one")),
    responses(
        (status = 200, description = "All of it",
            content((String = "audio/*"), (String = "video/*"), (String = "application/octet-stream"))),
        (status = 206, description = "The stretch that was asked for",
            content((String = "audio/*"), (String = "video/*"), (String = "application/octet-stream"))),
        (status = 304, description = "It is the one the caller has"),
        (status = 410, description = "It was not kept", body = ProblemBody, content_type = "application/problem+json"),
        (status = 416, description = "There is nothing where it was asked for", body = ProblemBody, content_type = "application/problem+json"),
        (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
        (status = "5XX", body = ProblemBody, content_type = "application/problem+json"),
    ))]
pub(crate) async fn audio(
    State(app): State<App>,
    Who(caller): Who,
    Which(id): Which,
    headers: HeaderMap,
) -> Answer<Response> {
    let view = find(&app, &caller, id).await?;
    answer(&app, &view, &headers).await
}

/// The audio of a recording, as much of it as is asked for.
pub(crate) async fn answer(app: &App, view: &View, headers: &HeaderMap) -> Answer<Response> {
    let original = app.service().original(view).await.map_err(unavailable)?;
    let mut file = File::open(original.path()).await.map_err(disk)?;
    let size = file.metadata().await.map_err(disk)?.len();
    let tag = format!("\"{}\"", original.tag);
    let tag = HeaderValue::from_str(&tag).map_err(|_| kinds::INTERNAL)?;
    if matches_tag(headers, &tag) {
        return Ok(
            (StatusCode::NOT_MODIFIED, [(ETAG, tag), (CACHE_CONTROL, CACHED)]).into_response()
        );
    }
    let wanted = if still_wanted(headers, &tag) { text(headers, &RANGE) } else { None };
    let (status, first, length) = match part(wanted, size) {
        Part::Whole => (StatusCode::OK, 0, size),
        Part::Stretch { first, last } => (StatusCode::PARTIAL_CONTENT, first, last - first + 1),
        Part::Outside => return Err(outside(size)),
    };
    let mut answer = described(&mut file, &original, view).await?;
    file.seek(SeekFrom::Start(first)).await.map_err(disk)?;
    if status == StatusCode::PARTIAL_CONTENT {
        let range = format!("bytes {first}-{}/{size}", first + length - 1);
        answer.insert(CONTENT_RANGE, range.parse().map_err(|_| kinds::INTERNAL)?);
    }
    answer.insert(CONTENT_LENGTH, HeaderValue::from(length));
    answer.insert(ETAG, tag);
    // The file stays on this machine for as long as it is read.
    let bytes = ReaderStream::new(file.take(length));
    let bytes = futures::StreamExt::map(bytes, move |chunk| {
        let _kept = &original;
        chunk
    });
    Ok((status, answer, Body::from_stream(bytes)).into_response())
}

async fn described(file: &mut File, original: &Original, view: &View) -> Answer<HeaderMap> {
    let mut head = Vec::with_capacity(HEAD_BYTES);
    let limit = u64::try_from(HEAD_BYTES).unwrap_or(u64::MAX);
    let read = (&mut *file).take(limit).read_to_end(&mut head).await;
    read.map_err(disk)?;
    let kind = shown(&head);
    let name = original.name.clone().unwrap_or_else(|| view.work.id.to_string());
    let how = if kind.is_some() { "inline" } else { "attachment" };
    let mut headers = HeaderMap::new();
    headers
        .insert(CONTENT_TYPE, HeaderValue::from_static(kind.unwrap_or("application/octet-stream")));
    headers.insert(CONTENT_DISPOSITION, disposition::header(how, &name));
    headers.insert(ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    headers.insert(CACHE_CONTROL, CACHED);
    Ok(headers)
}

fn shown(head: &[u8]) -> Option<&'static str> {
    let kind = match infer::get(head)?.mime_type() {
        // `audio/opus` is for streams without a container: https://www.rfc-editor.org/rfc/rfc7845#section-9
        "audio/opus" => "audio/ogg",
        kind => kind,
    };
    SHOWN.into_iter().find(|shown| *shown == kind)
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

fn matches_tag(headers: &HeaderMap, tag: &HeaderValue) -> bool {
    let known = text(headers, &IF_NONE_MATCH).unwrap_or_default();
    let weak = |known: &str| known.trim().trim_start_matches("W/").to_owned();
    known.trim() == "*" || known.split(',').any(|known| weak(known).as_bytes() == tag.as_bytes())
}

/// Whether a stretch still belongs to what the caller has. A date never matches: there is none.
fn still_wanted(headers: &HeaderMap, tag: &HeaderValue) -> bool {
    headers.get(IF_RANGE).is_none_or(|known| known == tag)
}

fn outside(size: u64) -> Problem {
    let range = HeaderValue::from_str(&format!("bytes */{size}"));
    let problem = Problem::from(kinds::RANGE_OUTSIDE)
        .int("size_bytes", i64::try_from(size).unwrap_or(i64::MAX));
    match range {
        Ok(range) => problem.header(CONTENT_RANGE, range),
        Err(_) => problem,
    }
}

fn unavailable(error: OriginalError) -> Problem {
    match error {
        OriginalError::Gone => kinds::ORIGINAL_GONE.into(),
        OriginalError::Objects(error) => unread(&error),
    }
}

fn disk(error: std::io::Error) -> Problem {
    unread(&ObjectError::Storage(Box::new(error)))
}

fn unread(error: &ObjectError) -> Problem {
    let code = match error {
        ObjectError::Unreachable(_) => "objects_unreachable",
        _ => "objects_failed",
    };
    trouble::objects(error, Failure::new(code))
}
