//! Recordings: the list with its search, and a page for each.
//!
//! **Invariant:** what a person does here goes through the handlers of REST, so that it means the same
//! and is refused for the same reasons.

mod acts;
mod bulk;
mod edit;
mod journal;
mod list;
mod page;
mod shares;
mod text;
mod wording;

use axum::Router;
use axum::routing::{get, post};

use crate::app::App;

pub(super) use journal::Line;

pub(super) fn router() -> Router<App> {
    Router::new()
        .route("/recordings", get(list::page))
        .route("/recordings/bulk", post(bulk::act))
        .route("/recordings/{id}", get(page::page))
        .route("/recordings/{id}/row", get(page::row))
        .route("/recordings/{id}/stands", get(page::stands))
        .route("/recordings/{id}/text", get(text::text))
        .route("/recordings/{id}/journal", get(journal::journal))
        .route("/recordings/{id}/stop", post(acts::stop))
        .route("/recordings/{id}/lift", post(acts::lift))
        .route("/recordings/{id}/again", post(acts::again))
        .route("/recordings/{id}/delete", post(acts::delete))
        .route("/recordings/{id}/edit", post(edit::edit))
        .route("/recordings/{id}/segments", post(wording::change))
        .route("/recordings/{id}/corrections/{correction}/withdraw", post(wording::withdraw))
        .route("/recordings/{id}/shares", get(shares::list).post(shares::create))
        .route("/recordings/{id}/shares/{share}/revoke", post(shares::revoke))
        .route("/s/{secret}", get(shares::page))
}
