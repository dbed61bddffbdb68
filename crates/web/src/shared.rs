//! What a link leads to, for whoever has it.
//!
//! **Invariant:** by a link nothing is changed, and nothing is seen but the one recording, without
//! whose it is and what its file was called.

use std::collections::{BTreeMap, HashMap};

use axum::Json;
use axum::extract::{FromRequestParts, Path, State};
use axum::http::HeaderMap;
use axum::http::request::Parts;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use verst_service::View;

use crate::app::App;
use crate::auth::too_often;
use crate::kinds;
use crate::problem::{Answer, Problem, ProblemBody};
use crate::recordings::audio;
use crate::recordings::shape::moment;
use crate::trouble::store;
use crate::visit::{Visit, neighbourhood};

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(show)).routes(routes!(hear))
}

/// The recording of the link whose secret is in the address, as far as anybody may see it. It is found
/// by the parameter `secret` of the route.
pub(crate) struct Shared(pub(crate) View);

impl FromRequestParts<App> for Shared {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Answer<Self> {
        let named = Path::<HashMap<String, String>>::from_request_parts(parts, app).await;
        let Path(named) = named.map_err(|_| kinds::NO_SUCH_LINK)?;
        let secret = named.get("secret").ok_or(kinds::NO_SUCH_LINK)?;
        let from = parts.extensions.get::<Visit>().map(|visit| neighbourhood(visit.address));
        let from = from.ok_or(kinds::INTERNAL)?;
        if let Some(wait) = app.throttle.wait(from, secret) {
            return Err(too_often(wait, kinds::TOO_MANY_ATTEMPTS));
        }
        let Some(view) = app.service().shared(secret).await.map_err(store)? else {
            app.throttle.wrong(from, secret);
            return Err(kinds::NO_SUCH_LINK.into());
        };
        app.throttle.right(secret);
        Ok(Self(view))
    }
}

/// A stretch of speech.
#[derive(Serialize, ToSchema)]
struct Said {
    /// Where it begins, in milliseconds.
    start_ms: u64,
    /// Where it ends.
    end_ms: u64,
    /// What was said.
    text: String,
    /// Who said it, as a label.
    speaker: Option<String>,
}

/// A recording as a link shows it.
#[derive(Serialize, ToSchema)]
pub(crate) struct SharedRecording {
    /// The title.
    title: Option<String>,
    /// The summary.
    summary: Option<String>,
    /// The topics.
    topics: Vec<String>,
    /// Names by the speakers' labels.
    speakers: BTreeMap<String, String>,
    /// When it was taken in.
    created_at: String,
    /// The language that was heard.
    language: Option<String>,
    /// What was said; null while there is no text.
    segments: Option<Vec<Said>>,
    /// Whether it can be heard.
    has_audio: bool,
}

/// What a link leads to.
#[utoipa::path(get, path = "/api/v1/shared/{secret}", tag = "shares", security(()),
    params(("secret" = String, Path, description = "The link's secret")),
    responses(
        (status = 200, body = SharedRecording),
        (status = 404, description = "`no_such_link`: wrong, expired or revoked", body = ProblemBody, content_type = "application/problem+json"),
        (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
        (status = "5XX", body = ProblemBody, content_type = "application/problem+json"),
    ))]
async fn show(State(app): State<App>, Shared(view): Shared) -> Answer<Json<SharedRecording>> {
    let transcript = app.service().recordings.transcript(view.work.id).await.map_err(store)?;
    let language = transcript.as_ref().and_then(|it| it.language.clone());
    let recording = view.recording;
    let said = |transcript: verst_service::Transcript| {
        let segments = transcript.segments.into_iter();
        let said = segments.map(|it| Said {
            start_ms: it.start_ms,
            end_ms: it.end_ms,
            text: it.text,
            speaker: it.speaker,
        });
        said.collect()
    };
    Ok(Json(SharedRecording {
        title: recording.title,
        summary: recording.summary,
        topics: recording.topics,
        speakers: recording.speakers,
        created_at: moment(view.work.created_at),
        language,
        segments: transcript.map(said),
        has_audio: !recording.original_deleted,
    }))
}

/// The audio that a link leads to. Single ranges are answered.
#[utoipa::path(get, path = "/api/v1/shared/{secret}/audio", tag = "shares", security(()),
    params(("secret" = String, Path, description = "The link's secret"),
        ("Range" = Option<String>, Header, description = "A stretch, as in `bytes=0-1023`")),
    responses(
        (status = 200, description = "All of it",
            content((String = "audio/*"), (String = "video/*"), (String = "application/octet-stream"))),
        (status = 206, description = "The stretch that was asked for",
            content((String = "audio/*"), (String = "video/*"), (String = "application/octet-stream"))),
        (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
        (status = "5XX", body = ProblemBody, content_type = "application/problem+json"),
    ))]
async fn hear(
    State(app): State<App>,
    Shared(view): Shared,
    headers: HeaderMap,
) -> Answer<Response> {
    audio::answer(&app, &view, &headers).await
}
