//! What changes, as it changes: server-sent events, as the HTML standard has them.
//!
//! An event may be missed by who is slow or was away, so whoever listens lists what there is after
//! they began to. **Invariant:** a listener hears of nothing that they could not look at.

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
use serde_json::json;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{Instant, timeout_at};
use verst_service::{Caller, WorkId};
use verst_words::Language;

use super::find;
use super::shape::Recording;
use crate::app::App;
use crate::auth::Who;
use crate::feed::Change;
use crate::input::Which;
use crate::kinds;
use crate::problem::{Answer, Problem, ProblemBody};
use crate::tongue;

/// Between two signs of life.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// A token may have been revoked meanwhile: whoever listens comes back with it after this.
const LONGEST: Duration = Duration::from_mins(15);

type Events = Sse<KeepAliveStream<BoxStream<'static, Result<Event, Infallible>>>>;

/// What changes among all recordings that the caller sees: events `recording` with the recording as
/// it stands now, `deleted` with its number, and `missed` when the caller was too slow.
#[utoipa::path(get, path = "/api/v1/events", tag = "events", responses(
    (status = 200, description = "Events, for at most 15 minutes; then the caller comes again", body = String, content_type = "text/event-stream"),
    (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
    (status = "5XX", body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn all(
    State(app): State<App>,
    Who(caller): Who,
    headers: HeaderMap,
) -> Answer<Events> {
    listen(app, caller, None, tongue::asked(&headers))
}

/// The same for one recording.
#[utoipa::path(get, path = "/api/v1/recordings/{id}/events", tag = "events",
    params(("id" = i64, Path, description = "Its number")),
    responses(
        (status = 200, description = "Events, for at most 15 minutes; then the caller comes again", body = String, content_type = "text/event-stream"),
        (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
        (status = "5XX", body = ProblemBody, content_type = "application/problem+json"),
    ))]
pub(crate) async fn one(
    State(app): State<App>,
    Who(caller): Who,
    Which(id): Which,
    headers: HeaderMap,
) -> Answer<Events> {
    find(&app, &caller, id).await?;
    listen(app, caller, Some(id), tongue::asked(&headers))
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

fn listen(app: App, caller: Caller, only: Option<WorkId>, language: Language) -> Answer<Events> {
    let changes = app.feed.listen().ok_or_else(|| {
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
                Ok(change) if self.hears(&change) => return Some(self.tell(&change)),
                Ok(_) => {}
                Err(RecvError::Lagged(_)) => {
                    return Some(Event::default().event("missed").data("{}"));
                }
                Err(RecvError::Closed) => return None,
            }
        }
    }

    fn hears(&self, change: &Change) -> bool {
        self.only.is_none_or(|id| id == change.id()) && change.concerns(&self.caller)
    }

    fn tell(&self, change: &Change) -> Event {
        match change {
            Change::Stands(view) => {
                let words = self.app.tongues.words(self.language);
                let text = serde_json::to_string(&Recording::of(view, words)).unwrap_or_default();
                Event::default().event("recording").data(text)
            }
            Change::Deleted { id, .. } => {
                Event::default().event("deleted").data(json!({ "id": id.0 }).to_string())
            }
        }
    }
}
