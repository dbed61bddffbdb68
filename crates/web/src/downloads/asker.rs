//! Who asks about downloads, and about which.
//!
//! **Invariant:** both are asked for before a body is looked at: who may not see a download learns
//! nothing from what is wrong with their request.

use std::sync::Arc;

use axum::Json;
use axum::extract::{FromRequestParts, Path};
use axum::http::HeaderMap;
use axum::http::request::Parts;
use verst_service::{Caller, DownloadService, DownloadView, WorkId};

use super::shape::Download;
use crate::app::App;
use crate::auth::Who;
use crate::kinds;
use crate::problem::Answer;
use crate::problem::Problem;
use crate::tongue;
use crate::trouble::store;

/// Somebody who asks, where there is a torrent client.
#[derive(Clone)]
pub(crate) struct Asker {
    pub(crate) service: Arc<DownloadService>,
    pub(crate) caller: Caller,
}

impl FromRequestParts<App> for Asker {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Answer<Self> {
        let Who(caller) = Who::from_request_parts(parts, app).await?;
        let service = app.house.downloads.clone().ok_or(kinds::NO_CLIENT)?;
        Ok(Self { service, caller })
    }
}

impl Asker {
    /// A download that they may see.
    pub(crate) async fn find(&self, id: WorkId) -> Answer<DownloadView> {
        let view = self.service.look(&self.caller, id).await.map_err(store)?;
        Ok(view.ok_or(kinds::NO_SUCH_DOWNLOAD)?)
    }

    /// A download as it is written in JSON.
    pub(crate) fn shape(&self, app: &App, view: &DownloadView, headers: &HeaderMap) -> Download {
        let words = app.tongues.words(tongue::asked(headers));
        Download::of(view, self.service.live(view.work.id).as_ref(), &self.caller, words)
    }
}

/// Somebody who asks about a download that they may see.
pub(crate) struct One {
    pub(crate) asker: Asker,
    /// The download as it stood when they came.
    pub(crate) view: DownloadView,
}

impl FromRequestParts<App> for One {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Answer<Self> {
        let asker = Asker::from_request_parts(parts, app).await?;
        // What is no number names none.
        let id = Path::<i64>::from_request_parts(parts, app).await;
        let Path(id) = id.map_err(|_| kinds::NO_SUCH_DOWNLOAD)?;
        let view = asker.find(WorkId(id)).await?;
        Ok(Self { asker, view })
    }
}

impl One {
    pub(crate) fn id(&self) -> WorkId {
        self.view.work.id
    }

    pub(crate) fn service(&self) -> &DownloadService {
        &self.asker.service
    }

    /// For the journal.
    pub(crate) fn person(&self) -> &str {
        &self.asker.caller.name
    }

    /// How it stands after what was done to it, which whoever listens hears as well.
    pub(crate) async fn stands(&self, app: &App, headers: &HeaderMap) -> Answer<Json<Download>> {
        let view = self.asker.find(self.id()).await?;
        app.feed.nudge(&view);
        Ok(Json(self.asker.shape(app, &view, headers)))
    }
}
