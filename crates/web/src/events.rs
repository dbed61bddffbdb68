//! What changes on both roads, as it changes: server-sent events, as the HTML standard has them.
//!
//! An event may be missed by who is slow or was away, so whoever listens lists what there is after
//! they began to. **Invariant:** an event says of a thing what looking at it would have said.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::header::RETRY_AFTER;
use axum::http::{HeaderMap, HeaderValue};
use axum::response::Sse;
use axum::response::sse::{Event, KeepAlive, KeepAliveStream};
use futures::stream::BoxStream;
use futures::{Stream, StreamExt, stream};
use serde::Serialize;
use serde_json::json;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{Instant, timeout_at};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use verst_service::{Caller, WorkId};
use verst_words::Language;

use crate::app::App;
use crate::auth::Who;
use crate::downloads::asker::One;
use crate::downloads::shape::Download;
use crate::feed::{Change, Item, Told};
use crate::input::Which;
use crate::problem::{Answer, Problem, ProblemBody};
use crate::recordings::shape::Recording;
use crate::{kinds, recordings, tongue};

/// Between two signs of life.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// A token may have been revoked meanwhile: whoever listens comes back with it after this.
const LONGEST: Duration = Duration::from_mins(15);

type Events = Sse<KeepAliveStream<BoxStream<'static, Result<Event, Infallible>>>>;

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(all)).routes(routes!(recording)).routes(routes!(download))
}

/// What changes among all that the caller sees: events `recording` and `download` with the recording or
/// download as it stands now, `deleted` with its number, and `missed` when the caller was too slow.
#[utoipa::path(get, path = "/api/v1/events", operation_id = "events", tag = "events", responses(
    (status = 200, description = "Events, for at most 15 minutes; then the caller comes again", body = String, content_type = "text/event-stream"),
    (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
    (status = "5XX", body = ProblemBody, content_type = "application/problem+json"),
))]
async fn all(State(app): State<App>, Who(caller): Who, headers: HeaderMap) -> Answer<Events> {
    listen(app, caller, None, tongue::asked(&headers)).await
}

/// The same for one recording.
#[utoipa::path(get, path = "/api/v1/recordings/{id}/events", operation_id = "recording_events", tag = "events",
    params(("id" = i64, Path, description = "Its number")),
    responses(
        (status = 200, description = "Events, for at most 15 minutes; then the caller comes again", body = String, content_type = "text/event-stream"),
        (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
        (status = "5XX", body = ProblemBody, content_type = "application/problem+json"),
    ))]
async fn recording(
    State(app): State<App>,
    Who(caller): Who,
    Which(id): Which,
    headers: HeaderMap,
) -> Answer<Events> {
    recordings::find(&app, &caller, id).await?;
    listen(app, caller, Some(id), tongue::asked(&headers)).await
}

/// The same for one download. What its torrent does is told as it changes: its state and its percent
/// at once, speeds and the like every ten seconds.
#[utoipa::path(get, path = "/api/v1/downloads/{id}/events", operation_id = "download_events", tag = "events",
    params(("id" = i64, Path, description = "Its number")),
    responses(
        (status = 200, description = "Events, for at most 15 minutes; then the caller comes again", body = String, content_type = "text/event-stream"),
        (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
        (status = "5XX", body = ProblemBody, content_type = "application/problem+json"),
    ))]
async fn download(State(app): State<App>, one: One, headers: HeaderMap) -> Answer<Events> {
    let id = one.id();
    listen(app, one.asker.caller, Some(id), tongue::asked(&headers)).await
}

/// One who listens.
struct Listener {
    app: App,
    caller: Caller,
    only: Option<WorkId>,
    language: Language,
    changes: Receiver<Arc<Change>>,
    until: Instant,
}

async fn listen(
    app: App,
    caller: Caller,
    only: Option<WorkId>,
    language: Language,
) -> Answer<Events> {
    let changes = app.feed.listen().await.ok_or_else(|| {
        Problem::from(kinds::TOO_MANY_LISTENERS).header(RETRY_AFTER, HeaderValue::from_static("30"))
    })?;
    let until = Instant::now() + LONGEST;
    let listener = Listener { app, caller, only, language, changes, until };
    Ok(Sse::new(events(listener).boxed()).keep_alive(KeepAlive::new().interval(HEARTBEAT)))
}

fn events(listener: Listener) -> impl Stream<Item = Result<Event, Infallible>> + Send {
    stream::unfold(listener, |mut listener| async move {
        let event = listener.next().await?;
        Some((Ok(event), listener))
    })
}

impl Listener {
    /// The next event that concerns this listener; nothing when it is over.
    async fn next(&mut self) -> Option<Event> {
        loop {
            let ending = self.app.ending.clone();
            let said = tokio::select! {
                () = ending.cancelled() => return None,
                said = timeout_at(self.until, self.changes.recv()) => said.ok()?,
            };
            match said {
                Ok(change) => {
                    if let Some(event) = self.hear(&change) {
                        return Some(event);
                    }
                }
                Err(RecvError::Lagged(_)) => {
                    return Some(Event::default().event("missed").data("{}"));
                }
                Err(RecvError::Closed) => return None,
            }
        }
    }

    /// What of a change is for this listener.
    fn hear(&self, change: &Change) -> Option<Event> {
        if self.only.is_some_and(|id| id != change.id()) {
            return None;
        }
        let words = self.app.tongues.words(self.language);
        let event = |kind, data| Event::default().event(kind).data(data);
        Some(match change.told_to(&self.caller)? {
            Told::Stands(Item::Recording(view)) => {
                event("recording", written(&Recording::of(view, words)))
            }
            Told::Stands(Item::Download(view, live)) => {
                let download = Download::of(view, live.as_deref(), &self.caller, words);
                event("download", written(&download))
            }
            Told::Gone(id) => event("deleted", json!({ "id": id.0 }).to_string()),
        })
    }
}

fn written(thing: &impl Serialize) -> String {
    // Only a map with keys that are no strings would fail.
    serde_json::to_string(thing).unwrap_or_default()
}
