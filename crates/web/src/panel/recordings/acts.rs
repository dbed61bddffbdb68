//! What a person does to one recording. Who does it in a list gets the row, who does it on its page the
//! part that says how it stands.

use axum::Form;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

use super::page::{Shown, shown};
use crate::app::App;
use crate::auth::Who;
use crate::input::{Input, Which};
use crate::panel::guest::Guest;
use crate::problem::Answer;
use crate::recordings::acts::{self, Anew, Chosen, Lifting};
use crate::recordings::show;

/// Stops it.
pub(super) async fn stop(
    State(app): State<App>,
    Who(caller): Who,
    Which(id): Which,
    Query(how): Query<Shown>,
    guest: Guest,
    headers: HeaderMap,
) -> Answer<Response> {
    let _ = acts::stop(State(app.clone()), Who(caller.clone()), Which(id), headers).await?;
    shown(&app, &caller, id, &how, &guest).await
}

/// What was chosen along with a lift.
#[derive(Deserialize)]
pub(super) struct Lifted {
    choice: Option<Chosen>,
}

/// Lifts its stop.
pub(super) async fn lift(
    State(app): State<App>,
    Who(caller): Who,
    Which(id): Which,
    Query(how): Query<Shown>,
    guest: Guest,
    headers: HeaderMap,
    Form(lifted): Form<Lifted>,
) -> Answer<Response> {
    let lifting = Input(Lifting { choice: lifted.choice });
    let _ =
        acts::lift(State(app.clone()), Who(caller.clone()), Which(id), headers, lifting).await?;
    shown(&app, &caller, id, &how, &guest).await
}

/// With what it is transcribed again.
#[derive(Deserialize)]
pub(super) struct Again {
    #[serde(default)]
    language: String,
    #[serde(default)]
    model: String,
    /// Ticked, or not there.
    confirm_cost: Option<String>,
}

/// Transcribes it once more.
pub(super) async fn again(
    State(app): State<App>,
    Who(caller): Who,
    Which(id): Which,
    Query(how): Query<Shown>,
    guest: Guest,
    headers: HeaderMap,
    Form(again): Form<Again>,
) -> Answer<Response> {
    let anew = Input(Anew {
        language: Some(again.language),
        model: Some(again.model),
        confirm_cost: again.confirm_cost.is_some(),
    });
    let _ =
        acts::transcribe(State(app.clone()), Who(caller.clone()), Which(id), headers, anew).await?;
    shown(&app, &caller, id, &how, &guest).await
}

/// Deletes it, and leads to the list.
pub(super) async fn delete(State(app): State<App>, who: Who, which: Which) -> Answer<Response> {
    show::delete(State(app), who, which).await?;
    Ok([("hx-redirect", HeaderValue::from_static("/recordings"))].into_response())
}
