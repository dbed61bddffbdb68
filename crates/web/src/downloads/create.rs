//! Taking in what is to be downloaded: by its link, or as the .torrent file itself.

use axum::Json;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::LOCATION;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;
use verst_service::download::Sender;
use verst_service::{Source, Taken};

use super::arrival::{Link, TorrentForm, offer};
use super::asker::Asker;
use super::shape::Download;
use super::trouble;
use crate::app::App;
use crate::kinds;
use crate::problem::{Answer, ProblemBody};

/// What was taken in.
#[derive(Serialize, ToSchema)]
pub(crate) struct TakenIn {
    /// In the order in which they were named.
    downloads: Vec<Entered>,
    /// How many more links looked like magnets and were none.
    broken: usize,
}

/// A download that was taken in.
#[derive(Serialize, ToSchema)]
struct Entered {
    /// Whether it is a new one. If not, one that is under way has its torrent, and whoever sent it now
    /// is told of that one, too.
    fresh: bool,
    #[serde(flatten)]
    download: Download,
}

/// Takes in what is to be downloaded. It is durable when the answer comes.
#[utoipa::path(post, path = "/api/v1/downloads", tag = "downloads",
    request_body(content(
        (Link = "application/json"),
        (TorrentForm = "multipart/form-data"),
        (String = "application/x-bittorrent"),
    )),
    responses(
        (status = 201, description = "Taken in; of several, at least one is new", body = TakenIn,
            headers(("Location" = String, description = "Where the first of them is"))),
        (status = 200, description = "All of them were there already", body = TakenIn),
        (status = 413, description = "A .torrent file of more than 10 MiB, or too long a text", body = ProblemBody, content_type = "application/problem+json"),
        (status = 422, description = "Nothing that can be downloaded; `is_recording` if it is for /api/v1/recordings", body = ProblemBody, content_type = "application/problem+json"),
        (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
        (status = "5XX", body = ProblemBody, content_type = "application/problem+json"),
    ))]
pub(crate) async fn create(
    State(app): State<App>,
    asker: Asker,
    request: Request,
) -> Answer<Response> {
    let headers = request.headers().clone();
    let offer = offer(&app, request).await?;
    let sender = Sender { source: Source::Http, reply_to: None, owner: asker.caller.owner.clone() };
    let taken = asker.service.take_in(offer, sender).await.map_err(trouble::take)?;
    let Taken::Downloads { accepted, broken } = taken else {
        return Err(kinds::IS_RECORDING.into());
    };
    let fresh = accepted.iter().any(|it| it.fresh);
    let place = accepted.first().map(|it| format!("/api/v1/downloads/{}", it.id));
    let mut downloads = Vec::with_capacity(accepted.len());
    for it in accepted {
        let view = asker.find(it.id).await?;
        app.feed.nudge(&view);
        downloads.push(Entered { fresh: it.fresh, download: asker.shape(&app, &view, &headers) });
    }
    let body = Json(TakenIn { downloads, broken });
    if !fresh {
        return Ok((StatusCode::OK, body).into_response());
    }
    Ok((StatusCode::CREATED, place.map(|place| [(LOCATION, place)]), body).into_response())
}
