//! Whether the service lives, whether it can do its work, and what it has done.
//!
//! **Invariant:** who has no token learns whether it works and nothing of how it is set up.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use tokio::sync::Mutex;
use tokio::time::Instant;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use verst_service::Finding;

use crate::app::App;
use crate::auth::Admin;
use crate::problem::{Answer, ProblemBody, TOLD};

/// How long an examination holds: probes come often, and looking takes work.
const HOLDS: Duration = Duration::from_secs(10);

/// The last examination. Who comes while one is under way waits for it.
#[derive(Default)]
pub(crate) struct Examined(Mutex<Option<(Instant, Vec<Finding>)>>);

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(healthz)).routes(routes!(readyz)).routes(routes!(metrics))
}

/// Whether the process answers.
#[utoipa::path(get, path = "/healthz", tag = "health", security(()),
    responses((status = 200, description = "It does", body = String, content_type = "text/plain")))]
async fn healthz() -> &'static str {
    "ok\n"
}

/// Whether everything is there that recordings need.
#[derive(Serialize, ToSchema)]
struct Ready {
    /// Whether all of it works.
    ready: bool,
    /// What was looked at, for who has an administrator's token.
    #[serde(skip_serializing_if = "Option::is_none")]
    parts: Option<Vec<Part>>,
}

/// One thing that is needed.
#[derive(Serialize, ToSchema)]
struct Part {
    /// Which.
    name: &'static str,
    /// Whether it works.
    ready: bool,
    /// What is wrong with it, as a code.
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<String>,
}

/// Whether recordings can be taken in and transcribed: database, audio, recogniser, disk. With an
/// administrator's token the answer says which of them.
#[utoipa::path(get, path = "/readyz", tag = "health", security((), ("token" = [])), responses(
    (status = 200, description = "Everything works", body = Ready),
    (status = 503, description = "Something does not", body = Ready),
))]
async fn readyz(State(app): State<App>, admin: Answer<Admin>) -> Response {
    let mut last = app.examined.0.lock().await;
    let findings = match last.as_ref() {
        Some((at, findings)) if at.elapsed() < HOLDS => findings.clone(),
        _ => {
            let findings = app.house.health.examine().await;
            *last = Some((Instant::now(), findings.clone()));
            findings
        }
    };
    drop(last);
    let ready = findings.iter().all(|finding| finding.trouble.is_none());
    let part = |finding: &Finding| Part {
        name: finding.part,
        ready: finding.trouble.is_none(),
        code: finding.trouble.as_ref().map(|failure| failure.code.to_string()),
    };
    let parts = admin.is_ok().then(|| findings.iter().map(part).collect());
    let status = if ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    (status, [(TOLD, HeaderValue::from_static("1"))], Json(Ready { ready, parts })).into_response()
}

/// What is counted, as Prometheus reads it. Needs an administrator's token unless the settings open
/// it, or nobody but this machine can come here.
#[utoipa::path(get, path = "/metrics", tag = "health", security((), ("token" = [])), responses(
    (status = 200, description = "Text exposition format", body = String, content_type = "text/plain"),
    (status = 401, body = ProblemBody, content_type = "application/problem+json"),
    (status = 403, body = ProblemBody, content_type = "application/problem+json"),
))]
async fn metrics(State(app): State<App>, admin: Answer<Admin>) -> Answer<Response> {
    if !app.config.metrics_open {
        admin?;
    }
    let kind = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
    Ok(([(CONTENT_TYPE, kind)], app.house.metrics.render()).into_response())
}
