//! All addresses, in the order a request passes what stands before them.

use std::any::Any;

use axum::extract::DefaultBodyLimit;
use axum::http::HeaderValue;
use axum::http::header::CACHE_CONTROL;
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use tower_http::catch_panic::CatchPanicLayer;
use tracing::error;
use utoipa::openapi::OpenApi;
use utoipa_axum::router::OpenApiRouter;

use crate::app::App;
use crate::front::front;
use crate::input::BODY_BYTES;
use crate::problem::Problem;
use crate::{
    accounts, downloads, events, health, kinds, openai, openapi, panel, recordings, setup, shared,
};

fn documented() -> OpenApiRouter<App> {
    OpenApiRouter::with_openapi(openapi::about())
        .merge(health::router())
        .merge(setup::router())
        .merge(accounts::router())
        .merge(recordings::router())
        .merge(shared::router())
        .merge(downloads::router())
        .merge(events::router())
        .merge(openai::router())
}

/// What there is, as OpenAPI has it.
pub(crate) fn description() -> OpenApi {
    documented().split_for_parts().1
}

pub(crate) fn routes(app: App) -> Router {
    let (router, description) = documented().split_for_parts();
    router
        .route("/api/v1/openapi.json", get(async move || described(&description)))
        .merge(panel::router())
        .fallback(async || Problem::from(kinds::NO_SUCH_ROUTE))
        .method_not_allowed_fallback(async || Problem::from(kinds::METHOD_NOT_ALLOWED))
        .layer(DefaultBodyLimit::max(BODY_BYTES))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(from_fn_with_state(app.clone(), front))
        .with_state(app)
}

fn described(description: &OpenApi) -> Response {
    let day = HeaderValue::from_static("public, max-age=3600");
    ([(CACHE_CONTROL, day)], Json(description)).into_response()
}

/// The panic's own words stay in the log of the process.
fn panicked(_: Box<dyn Any + Send>) -> Response {
    error!("a request ended by a defect");
    Problem::from(kinds::INTERNAL).into_response()
}
