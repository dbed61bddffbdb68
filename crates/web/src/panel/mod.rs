//! The panel: pages for people, made on the server, with what is needed for them inside the binary.
//!
//! A page is a template of `templates/` and a struct of values; it asks the same use cases that REST
//! asks, and says the same sentences. **Invariant:** a browser that shows a page asks no other host for
//! anything, and runs nothing that does not lie in `assets/`.

mod assets;
mod door;
mod downloads;
mod error;
mod guest;
mod inbox;
mod look;
mod recordings;
mod render;
mod road;
mod row;
mod shell;
mod speech;

use axum::Router;
use axum::routing::{get, post};

use crate::app::App;

pub(crate) use error::page as problem_page;
pub(crate) use guest::Guest;
pub(crate) use render::headers;
pub(crate) use speech::Speech;

pub(crate) fn router() -> Router<App> {
    Router::new()
        .route(assets::ROUTE, get(assets::serve))
        .route("/look", post(look::set))
        .route("/setup", get(door::setup_page).post(door::setup))
        .route("/login", get(door::login_page).post(door::login))
        .route("/logout", post(door::logout))
        .route("/", get(inbox::page))
        .route("/motion", get(inbox::motion))
        .merge(recordings::router())
        .merge(downloads::router())
}

#[cfg(test)]
mod tests;
