//! Downloads: the list, and for each its row, its page and what can be done at once.
//!
//! **Invariant:** what a person does here goes through the handlers of REST, so that it means the same
//! and is refused for the same reasons.

mod list;
mod one;

use axum::Router;
use axum::routing::{get, post};

use crate::app::App;

pub(super) fn router() -> Router<App> {
    Router::new()
        .route("/downloads", get(list::page))
        .route("/downloads/{id}", get(one::page))
        .route("/downloads/{id}/row", get(one::row))
        .route("/downloads/{id}/stop", post(one::stop))
        .route("/downloads/{id}/lift", post(one::lift))
}
