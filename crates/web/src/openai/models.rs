//! Which models there are, as OpenAI lists them.

use axum::Json;
use axum::extract::{Path, State};
use serde::Serialize;
use utoipa::ToSchema;

use super::USUAL;
use crate::app::App;
use crate::auth::Who;
use crate::kinds;
use crate::problem::Answer;

/// A model.
#[derive(Serialize, ToSchema)]
pub(crate) struct Model {
    /// Its name.
    id: String,
    /// Always `model`.
    object: &'static str,
    /// Always 0: models here are files.
    created: i64,
    /// Always `verst`.
    owned_by: &'static str,
}

/// The models.
#[derive(Serialize, ToSchema)]
pub(crate) struct Models {
    /// Always `list`.
    object: &'static str,
    /// `whisper-1`, which is the configured one, and those that are installed.
    data: Vec<Model>,
}

fn model(id: String) -> Model {
    Model { id, object: "model", created: 0, owned_by: "verst" }
}

/// Lists the speech models.
#[utoipa::path(get, path = "/v1/models", tag = "openai", responses(
    (status = 200, body = Models),
    (status = "4XX", description = "As OpenAI tells errors", body = Object),
    (status = "5XX", description = "As OpenAI tells errors", body = Object),
))]
pub(crate) async fn list(State(app): State<App>, _: Who) -> Json<Models> {
    let installed = app.house.models.installed().await;
    let names = std::iter::once(USUAL.to_owned()).chain(installed);
    Json(Models { object: "list", data: names.map(model).collect() })
}

/// Shows one of them.
#[utoipa::path(get, path = "/v1/models/{model}", tag = "openai",
    params(("model" = String, Path, description = "Its name")),
    responses(
        (status = 200, body = Model),
        (status = "4XX", description = "As OpenAI tells errors", body = Object),
        (status = "5XX", description = "As OpenAI tells errors", body = Object),
    ))]
pub(crate) async fn show(
    State(app): State<App>,
    _: Who,
    Path(name): Path<String>,
) -> Answer<Json<Model>> {
    let installed = app.house.models.installed().await;
    if name == USUAL || installed.contains(&name) {
        return Ok(Json(model(name)));
    }
    Err(kinds::MODEL_UNKNOWN.into())
}
