//! `/api/v1/downloads`: everything a person can do with a download.
//!
//! **Invariant:** a handler gets a download only through [`asker::One`], and what the caller may not see
//! is answered exactly as what is not there.

pub(crate) mod acts;
mod arrival;
pub(crate) mod asker;
mod candidates;
mod choose;
mod create;
mod files;
mod library;
mod list;
pub(crate) mod live;
mod said;
pub(crate) mod shape;
mod show;
mod trouble;

use axum::extract::DefaultBodyLimit;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;

pub(crate) fn router() -> OpenApiRouter<App> {
    // What is sent here has limits of its own, by its kind.
    let sent =
        OpenApiRouter::new().routes(routes!(create::create)).layer(DefaultBodyLimit::disable());
    sent.routes(routes!(list::list))
        .routes(routes!(show::show, show::delete))
        .routes(routes!(show::journal))
        .routes(routes!(files::files))
        .routes(routes!(candidates::candidates))
        .routes(routes!(choose::choose))
        .routes(routes!(choose::preview))
        .routes(routes!(acts::retry))
        .routes(routes!(acts::stop))
        .routes(routes!(acts::lift))
        .routes(routes!(library::place))
        .routes(routes!(library::unplace))
}
