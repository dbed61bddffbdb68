//! The interface that OpenAI's clients expect:
//! <https://platform.openai.com/docs/api-reference/audio/createTranscription>.
//!
//! **Invariant:** what comes in here is a recording like any other. The caller waits for its text; if
//! they leave, the work goes on, and the text is found under `/api/v1`.

mod form;
mod models;
mod transcribe;

use axum::extract::DefaultBodyLimit;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;

/// The model's name that means the configured one.
const USUAL: &str = "whisper-1";

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(transcribe::transcribe))
        .layer(DefaultBodyLimit::disable())
        .routes(routes!(models::list))
        .routes(routes!(models::show))
}
