//! Taking in a recording: as a form, as bare bytes, or by an address.

#![expect(unused_qualifications, reason = "the description's macro writes them")]

use axum::Json;
use axum::body::Body;
use axum::extract::{FromRequest, Request, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_TYPE, LOCATION};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use futures::StreamExt;
use http_body_util::Limited;
use serde::Deserialize;
use sha2::{Digest, Sha256};
use utoipa::{IntoParams, ToSchema};
use verst_service::{
    Accepted, Arrival, Caller, Edit, Failure, FetchError, ObjectError, Received, Source,
    SubmitError,
};

use super::arrival::{FORM_BYTES, Form, Uploading, bytes, cut_with};
use super::find;
use super::shape::Recording;
use super::wish::wish;
use crate::app::App;
use crate::auth::Who;
use crate::disposition;
use crate::input::{Asked, BODY_BYTES, Input, wrong};
use crate::kinds;
use crate::problem::{Answer, Problem, ProblemBody};
use crate::tongue;
use crate::trouble;

/// The longest idempotency key.
const KEY_BYTES: usize = 255;

/// What may be said in the address of an upload of bare bytes.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Said {
    /// Language spoken, as a two-letter code. Detected if it is left out.
    #[param(example = "ru")]
    language: Option<String>,
    /// Speech model, by its name. The configured one if it is left out.
    model: Option<String>,
    /// A title.
    #[param(max_length = 300)]
    title: Option<String>,
    /// A name, where no Content-Disposition has one.
    name: Option<String>,
}

/// A recording that is fetched.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ByUrl {
    /// Where it is: http or https.
    #[schema(example = "https://example.org/talk.mp3")]
    url: String,
    /// Language spoken, as a two-letter code.
    #[serde(default)]
    language: Option<String>,
    /// Speech model, by its name.
    #[serde(default)]
    model: Option<String>,
    /// A title.
    #[serde(default)]
    title: Option<String>,
}

/// A recording in a form.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it describes the form; the fields are read as they come")]
struct Upload {
    /// The audio or video.
    #[schema(value_type = String, format = Binary, content_media_type = "application/octet-stream")]
    file: Vec<u8>,
    /// Language spoken, as a two-letter code.
    language: Option<String>,
    /// Speech model, by its name.
    model: Option<String>,
    /// A title.
    title: Option<String>,
}

/// Takes in a recording. It is durable when the answer comes; its text comes later.
#[utoipa::path(post, path = "/api/v1/recordings", tag = "recordings",
    params(Said, ("Idempotency-Key" = Option<String>, Header,
        description = "The same key from the same caller is the same recording: the answer is then 200 and the recording that is there.",
        max_length = 255)),
    request_body(content(
        (Upload = "multipart/form-data"),
        (String = "application/octet-stream"),
        (ByUrl = "application/json"),
    )),
    responses(
        (status = 201, description = "Taken in", body = Recording,
            headers(("Location" = String, description = "Where it is"))),
        (status = 200, description = "It was taken in before", body = Recording),
        (status = 413, description = "Larger than the limit; nothing was kept", body = ProblemBody, content_type = "application/problem+json"),
        (status = 507, description = "The disk is full; nothing was kept", body = ProblemBody, content_type = "application/problem+json"),
        (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
        (status = "5XX", body = ProblemBody, content_type = "application/problem+json"),
    ))]
pub(crate) async fn create(
    State(app): State<App>,
    Who(caller): Who,
    Asked(said): Asked<Said>,
    request: Request,
) -> Answer<Response> {
    let language = tongue::asked(request.headers());
    let handle = handle(&caller, request.headers())?;
    let accepted = take_in(&app, &caller, handle, said, request).await?;
    let view = find(&app, &caller, accepted.id).await?;
    if accepted.fresh {
        app.feed.nudge(&view);
    }
    let body = Json(Recording::of(&view, app.tongues.words(language)));
    if !accepted.fresh {
        return Ok((StatusCode::OK, body).into_response());
    }
    let place = format!("/api/v1/recordings/{}", accepted.id);
    Ok((StatusCode::CREATED, [(LOCATION, place)], body).into_response())
}

async fn take_in(
    app: &App,
    caller: &Caller,
    handle: Option<String>,
    said: Said,
    request: Request,
) -> Answer<Accepted> {
    fits(app, request.headers())?;
    if let Some(handle) = &handle
        && let Some(id) =
            app.service().recordings.by_handle(handle.clone()).await.map_err(trouble::store)?
    {
        // Who sends has to be listened to, or takes the connection's end for a failure.
        drain(app, request).await;
        return Ok(Accepted { id, fresh: false });
    }
    let request = request.map(|body| cut_with(app, body));
    let (mine, caller) = (app.clone(), caller.clone());
    // An upload cleans up after itself even when its caller is gone.
    let task = app.tasks.spawn(async move {
        let _counted = Uploading::begin();
        match kind(request.headers()) {
            Some(Kind::Form) => form(&mine, &caller, handle, request).await,
            Some(Kind::Bare) => bare(&mine, &caller, handle, said, request).await,
            Some(Kind::Json) => by_url(&mine, &caller, handle, request).await,
            None => Err(kinds::MEDIA_TYPE.into()),
        }
    });
    task.await.map_err(|_| Problem::from(kinds::INTERNAL))?
}

/// Forms in which a recording comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Form,
    Bare,
    Json,
}

fn kind(headers: &HeaderMap) -> Option<Kind> {
    let text = headers.get(CONTENT_TYPE)?.to_str().ok()?.to_ascii_lowercase();
    let essence = text.split(';').next().unwrap_or_default().trim();
    match essence {
        "multipart/form-data" => Some(Kind::Form),
        "application/json" => Some(Kind::Json),
        "application/octet-stream" | "application/ogg" => Some(Kind::Bare),
        media if media.starts_with("audio/") || media.starts_with("video/") => Some(Kind::Bare),
        _ => None,
    }
}

/// Whether a recording comes in a form.
pub(crate) fn is_form(headers: &HeaderMap) -> bool {
    kind(headers) == Some(Kind::Form)
}

async fn form(
    app: &App,
    caller: &Caller,
    handle: Option<String>,
    request: Request,
) -> Answer<Accepted> {
    let form = Form::read(app, request).await?;
    let said = Said {
        language: form.field("language").map(str::to_owned),
        model: form.field("model").map(str::to_owned),
        title: form.field("title").map(str::to_owned),
        name: form.name,
    };
    match arrival(app, caller, handle, &said).await {
        Ok(arrival) => enter(app, form.file, arrival, said.title).await,
        Err(problem) => {
            app.service().turn_away(form.file).await;
            Err(problem)
        }
    }
}

async fn bare(
    app: &App,
    caller: &Caller,
    handle: Option<String>,
    mut said: Said,
    request: Request,
) -> Answer<Accepted> {
    if let Some(name) = disposition::name(request.headers().get(CONTENT_DISPOSITION)) {
        said.name = Some(name);
    }
    let arrival = arrival(app, caller, handle, &said).await?;
    let stored = app.service().receive(bytes(request.into_body())).await;
    enter(app, stored.map_err(trouble::submit)?, arrival, said.title).await
}

async fn by_url(
    app: &App,
    caller: &Caller,
    handle: Option<String>,
    request: Request,
) -> Answer<Accepted> {
    let (parts, body) = request.into_parts();
    let body = Body::new(Limited::new(body, BODY_BYTES));
    let Input(asked) = Input::<ByUrl>::from_request(Request::from_parts(parts, body), app).await?;
    let ByUrl { url, language, model, title } = asked;
    let mut said = Said { language, model, title, name: None };
    // What can be said at once is said before anything is fetched.
    arrival(app, caller, None, &said).await?;
    let fetched = app.house.fetch.fetch(&url).await.map_err(trouble::fetch)?;
    if let Some(length) = fetched.length {
        within(app, length)?;
    }
    said.name = fetched.name;
    let arrival = arrival(app, caller, handle, &said).await?;
    let stored = app.service().receive(fetched.bytes).await.map_err(|error| match error {
        // It was not the caller who broke off.
        SubmitError::Objects(ObjectError::Source(_)) => trouble::fetch(FetchError::Unreachable),
        error => trouble::submit(error),
    })?;
    enter(app, stored, arrival, said.title).await
}

async fn arrival(
    app: &App,
    caller: &Caller,
    handle: Option<String>,
    said: &Said,
) -> Answer<Arrival> {
    let wish = wish(app, said.language.as_deref(), said.model.as_deref()).await?;
    titled(said.title.as_deref()).tidy().map_err(trouble::edit)?;
    Ok(Arrival {
        source: Source::Http,
        reply_to: None,
        owner: caller.owner.clone(),
        name: said.name.clone(),
        wish,
        handle,
    })
}

async fn enter(
    app: &App,
    stored: Received,
    arrival: Arrival,
    title: Option<String>,
) -> Answer<Accepted> {
    let accepted = app.service().enter(stored, arrival).await.map_err(trouble::submit)?;
    if accepted.fresh && title.is_some() {
        let edit = titled(title.as_deref());
        app.service().edit(accepted.id, edit).await.map_err(trouble::edit)?;
    }
    Ok(accepted)
}

fn titled(title: Option<&str>) -> Edit {
    Edit { title: title.map(str::to_owned), ..Edit::default() }
}

/// What is too large is turned away before it is sent.
pub(crate) fn fits(app: &App, headers: &HeaderMap) -> Answer<()> {
    let length = headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok());
    let length = length.and_then(|text| text.parse::<u64>().ok()).unwrap_or(0);
    let form = if is_form(headers) { FORM_BYTES } else { 0 };
    within(app, length.saturating_sub(form))
}

fn within(app: &App, length: u64) -> Answer<()> {
    let limit = app.service().largest_bytes;
    if length <= limit {
        return Ok(());
    }
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let failure = Failure::new("too_large").int("limit_bytes", limit);
    Err(Problem::told(StatusCode::PAYLOAD_TOO_LARGE, failure))
}

/// A caller's idempotency key, as a handle that no other caller's key makes.
fn handle(caller: &Caller, headers: &HeaderMap) -> Answer<Option<String>> {
    let Some(key) = headers.get("idempotency-key") else { return Ok(None) };
    let key = key.as_bytes();
    if key.is_empty() || key.len() > KEY_BYTES || !key.iter().all(u8::is_ascii_graphic) {
        return Err(wrong("Idempotency-Key"));
    }
    let mut digest = Sha256::new();
    for part in [caller.owner.as_deref().unwrap_or_default(), &caller.name] {
        digest.update(part.len().to_le_bytes());
        digest.update(part);
    }
    digest.update(key);
    Ok(Some(format!("http:{}", base16ct::lower::encode_string(&digest.finalize()))))
}

/// Reads a body to its end and keeps nothing, as far as it would have been taken in.
async fn drain(app: &App, request: Request) {
    let mut left = app.service().largest_bytes.saturating_add(FORM_BYTES);
    let mut bytes = bytes(cut_with(app, request.into_body()));
    while left > 0
        && let Some(Ok(chunk)) = bytes.next().await
    {
        left = left.saturating_sub(u64::try_from(chunk.len()).unwrap_or(u64::MAX));
    }
}
