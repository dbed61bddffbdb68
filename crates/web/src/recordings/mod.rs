//! `/api/v1/recordings`: everything a person can do with a recording.
//!
//! **Invariant:** each handler asks in a caller's name, and what the caller may not see is answered
//! exactly as what is not there.

pub(crate) mod acts;
mod ahead;
pub(crate) mod arrival;
pub(crate) mod audio;
pub(crate) mod create;
pub(crate) mod list;
mod range;
pub(crate) mod shape;
pub(crate) mod shares;
pub(crate) mod show;
pub(crate) mod texts;
pub(crate) mod wish;
pub(crate) mod wording;

use axum::extract::DefaultBodyLimit;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use verst_service::{Caller, View, WorkId};

use crate::app::App;
use crate::kinds;
use crate::problem::Answer;
use crate::trouble::store;

pub(crate) fn router() -> OpenApiRouter<App> {
    let uploads =
        OpenApiRouter::new().routes(routes!(create::create)).layer(DefaultBodyLimit::disable());
    uploads
        .routes(routes!(list::list))
        .routes(routes!(show::show, show::edit, show::delete))
        .routes(routes!(texts::transcript))
        .routes(routes!(texts::journal))
        .routes(routes!(acts::stop))
        .routes(routes!(acts::lift))
        .routes(routes!(acts::transcribe))
        .routes(routes!(wording::change, wording::restore))
        .routes(routes!(wording::list))
        .routes(routes!(wording::withdraw))
        .routes(routes!(shares::create, shares::list))
        .routes(routes!(shares::revoke))
        .routes(routes!(audio::audio))
}

/// A recording that the caller may see.
pub(crate) async fn find(app: &App, caller: &Caller, id: WorkId) -> Answer<View> {
    let view = app.service().look(caller, id).await.map_err(store)?;
    Ok(view.ok_or(kinds::NO_SUCH_RECORDING)?)
}
