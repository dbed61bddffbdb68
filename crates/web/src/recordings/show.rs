//! One recording: looking, writing what belongs to people, deleting.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use serde::{Deserialize, Deserializer};
use utoipa::ToSchema;
use verst_service::Edit;

use super::find;
use super::shape::Recording;
use crate::app::App;
use crate::auth::Who;
use crate::input::{Input, Which};
use crate::kinds;
use crate::problem::{Answer, ProblemBody};
use crate::tongue;
use crate::trouble;

/// Shows a recording.
#[utoipa::path(get, path = "/api/v1/recordings/{id}", tag = "recordings",
    params(("id" = i64, Path, description = "Its number")),
    responses(
        (status = 200, body = Recording),
        (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
        (status = "5XX", body = ProblemBody, content_type = "application/problem+json"),
    ))]
pub(crate) async fn show(
    State(app): State<App>,
    Who(caller): Who,
    Which(id): Which,
    headers: HeaderMap,
) -> Answer<Json<Recording>> {
    let view = find(&app, &caller, id).await?;
    let words = app.tongues.words(tongue::asked(&headers));
    Ok(Json(Recording::of(&view, words)))
}

/// What is to change. What is left out stays; null, an empty text or an empty list removes.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[expect(clippy::option_option, reason = "left out, null and given are three things")]
pub(crate) struct Change {
    /// The title.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<String>, max_length = 300)]
    title: Option<Option<String>>,
    /// The summary.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<String>, max_length = 20_000)]
    summary: Option<Option<String>>,
    /// The topics, all of them.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<Vec<String>>, max_items = 64)]
    topics: Option<Option<Vec<String>>>,
    /// Names by the speakers' labels in the transcript, all of them.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<BTreeMap<String, String>>)]
    speakers: Option<Option<BTreeMap<String, String>>>,
}

/// Tells what is null from what is left out.
fn given<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    T::deserialize(deserializer).map(Some)
}

/// Changes title, summary, topics or the names of speakers.
#[utoipa::path(patch, path = "/api/v1/recordings/{id}", tag = "recordings",
    params(("id" = i64, Path, description = "Its number")),
    request_body = Change,
    responses(
        (status = 200, body = Recording),
        (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
        (status = "5XX", body = ProblemBody, content_type = "application/problem+json"),
    ))]
pub(crate) async fn edit(
    State(app): State<App>,
    Who(caller): Who,
    Which(id): Which,
    headers: HeaderMap,
    Input(change): Input<Change>,
) -> Answer<Json<Recording>> {
    find(&app, &caller, id).await?;
    let edit = Edit {
        title: change.title.map(Option::unwrap_or_default),
        summary: change.summary.map(Option::unwrap_or_default),
        topics: change.topics.map(Option::unwrap_or_default),
        speakers: change.speakers.map(Option::unwrap_or_default),
    };
    app.service().edit(id, edit).await.map_err(trouble::edit)?;
    let view = find(&app, &caller, id).await?;
    app.feed.nudge(&view);
    let words = app.tongues.words(tongue::asked(&headers));
    Ok(Json(Recording::of(&view, words)))
}

/// Deletes a recording with its audio, its text and its journal, for good.
#[utoipa::path(delete, path = "/api/v1/recordings/{id}", tag = "recordings",
    params(("id" = i64, Path, description = "Its number")),
    responses(
        (status = 204, description = "Gone"),
        (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
        (status = "5XX", body = ProblemBody, content_type = "application/problem+json"),
    ))]
pub(crate) async fn delete(
    State(app): State<App>,
    Who(caller): Who,
    Which(id): Which,
) -> Answer<StatusCode> {
    let view = find(&app, &caller, id).await?;
    if !app.service().delete(id).await.map_err(trouble::store)? {
        return Err(kinds::NO_SUCH_RECORDING.into());
    }
    app.feed.nudge(&view);
    Ok(StatusCode::NO_CONTENT)
}
