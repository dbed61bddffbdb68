//! Putting a text right on its page.

use axum::Form;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

use crate::app::App;
use crate::auth::Who;
use crate::input::{Asked, Input, Which};
use crate::problem::Answer;
use crate::recordings::wording::{self, Reading, Seen};

/// What is typed about a segment.
#[derive(Deserialize)]
pub(super) struct Typed {
    index: String,
    was: String,
    text: String,
    /// `save`, or `restore` for what was heard.
    act: Option<String>,
}

/// Changes a segment, or lets it read as it was heard.
pub(super) async fn change(
    State(app): State<App>,
    who: Who,
    Which(id): Which,
    Form(typed): Form<Typed>,
) -> Answer<Response> {
    let which = Ok(Path((id.0, typed.index)));
    let was = typed.was;
    if typed.act.as_deref() == Some("restore") {
        wording::restore(State(app), who, which, Ok(Asked(Seen { was }))).await?;
    } else {
        let reading = Reading { was, text: typed.text };
        wording::change(State(app), who, which, Ok(Input(reading))).await?;
    }
    Ok(edited())
}

/// Takes back what was put right in a text that is no longer there.
pub(super) async fn withdraw(
    State(app): State<App>,
    who: Who,
    which: Result<Path<(i64, i64)>, PathRejection>,
) -> Answer<Response> {
    wording::withdraw(State(app), who, which).await?;
    Ok(edited())
}

/// Nothing to show but that the text is another one.
fn edited() -> Response {
    (StatusCode::NO_CONTENT, [("hx-trigger", HeaderValue::from_static("edited"))]).into_response()
}
