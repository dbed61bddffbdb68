//! What a person does to the work on a recording: stop, lift, transcribe again.

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use serde::Deserialize;
use utoipa::ToSchema;
use verst_service::{Caller, Choice, StopAnswer, WorkId};

use super::find;
use super::shape::Recording;
use super::wish::wish;
use crate::app::App;
use crate::auth::Who;
use crate::input::{Input, Which};
use crate::kinds;
use crate::problem::{Answer, ProblemBody};
use crate::tongue;
use crate::trouble;

/// Stops the work. The recording stays where it stands, and nothing is lost.
#[utoipa::path(post, path = "/api/v1/recordings/{id}/stop", tag = "recordings",
    params(("id" = i64, Path, description = "Its number")),
    responses(
        (status = 200, body = Recording),
        (status = 409, description = "It is stopped or done already", body = ProblemBody, content_type = "application/problem+json"),
        (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
        (status = "5XX", body = ProblemBody, content_type = "application/problem+json"),
    ))]
pub(crate) async fn stop(
    State(app): State<App>,
    Who(caller): Who,
    Which(id): Which,
    headers: HeaderMap,
) -> Answer<Json<Recording>> {
    find(&app, &caller, id).await?;
    match app.service().stop(id, &caller.name).await.map_err(trouble::store)? {
        StopAnswer::Stopped(_) => stands(&app, &caller, id, &headers).await,
        StopAnswer::AlreadyStopped => Err(kinds::ALREADY_STOPPED.into()),
        StopAnswer::Finished => Err(kinds::ALREADY_DONE.into()),
        StopAnswer::Missing => Err(kinds::NO_SUCH_RECORDING.into()),
    }
}

/// How to go on.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Lifting {
    /// Needed where going on could cost money twice or be in vain.
    #[serde(default)]
    pub(crate) choice: Option<Chosen>,
}

/// How to go on after a recognition whose fate is unknown, or that was refused.
#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Chosen {
    /// With a new recognition, which a provider may charge for again.
    SubmitAgain,
    /// With the one that was begun.
    KeepWaiting,
}

/// Lifts a stop, so that the recording goes on from where it stands.
#[utoipa::path(post, path = "/api/v1/recordings/{id}/lift", tag = "recordings",
    params(("id" = i64, Path, description = "Its number")),
    request_body = Lifting,
    responses(
        (status = 200, body = Recording),
        (status = 409, description = "It is not stopped, or a choice is needed or has no place", body = ProblemBody, content_type = "application/problem+json"),
        (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
        (status = "5XX", body = ProblemBody, content_type = "application/problem+json"),
    ))]
pub(crate) async fn lift(
    State(app): State<App>,
    Who(caller): Who,
    Which(id): Which,
    headers: HeaderMap,
    Input(lifting): Input<Lifting>,
) -> Answer<Json<Recording>> {
    find(&app, &caller, id).await?;
    let choice = lifting.choice.map(|choice| match choice {
        Chosen::SubmitAgain => Choice::SubmitAgain,
        Chosen::KeepWaiting => Choice::KeepWaiting,
    });
    app.service().lift(id, &caller.name, choice).await.map_err(trouble::lift)?;
    stands(&app, &caller, id, &headers).await
}

/// What a new transcript is made with.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Anew {
    /// Language spoken, as a two-letter code. Detected if it is left out.
    #[serde(default)]
    pub(crate) language: Option<String>,
    /// Speech model, by its name. The configured one if it is left out.
    #[serde(default)]
    pub(crate) model: Option<String>,
    /// That it may cost money.
    #[serde(default)]
    pub(crate) confirm_cost: bool,
}

/// Transcribes once more, from the audio that was handed in. The text that is there stays until the
/// new one takes its place, and what people wrote stays.
#[utoipa::path(post, path = "/api/v1/recordings/{id}/transcribe", tag = "recordings",
    params(("id" = i64, Path, description = "Its number")),
    request_body = Anew,
    responses(
        (status = 200, body = Recording),
        (status = 409, description = "`costs_money`: ask again with `confirm_cost`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 410, description = "The audio is gone", body = ProblemBody, content_type = "application/problem+json"),
        (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
        (status = "5XX", body = ProblemBody, content_type = "application/problem+json"),
    ))]
pub(crate) async fn transcribe(
    State(app): State<App>,
    Who(caller): Who,
    Which(id): Which,
    headers: HeaderMap,
    Input(anew): Input<Anew>,
) -> Answer<Json<Recording>> {
    find(&app, &caller, id).await?;
    let wish = wish(&app, anew.language.as_deref(), anew.model.as_deref()).await?;
    let begun = app.service().again(id, &caller.name, wish, anew.confirm_cost).await;
    begun.map_err(trouble::again)?;
    stands(&app, &caller, id, &headers).await
}

async fn stands(
    app: &App,
    caller: &Caller,
    id: WorkId,
    headers: &HeaderMap,
) -> Answer<Json<Recording>> {
    let view = find(app, caller, id).await?;
    app.feed.nudge(&view);
    let words = app.tongues.words(tongue::asked(headers));
    Ok(Json(Recording::of(&view, words)))
}
