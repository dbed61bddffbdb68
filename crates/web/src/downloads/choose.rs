//! A person says what a download is, or looks first where that would lead.

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use serde::Serialize;
use utoipa::ToSchema;
use verst_service::download::Placement;

use super::asker::One;
use super::said::{Chosen, Said};
use super::shape::Download;
use super::trouble;
use crate::app::App;
use crate::input::Input;
use crate::problem::{Answer, ProblemBody};

/// Files in one preview.
const MOST: usize = 1000;

/// Says what it is: it goes on to the library, and the next file of the same series is known.
#[utoipa::path(post, path = "/api/v1/downloads/{id}/choose", tag = "downloads",
    params(("id" = i64, Path, description = "Its number")),
    request_body = Chosen,
    responses(
        (status = 200, body = Download),
        (status = 409, description = "Nothing is to be chosen, or the client does not have its files whole", body = ProblemBody, content_type = "application/problem+json"),
        (status = 422, description = "It cannot be that", body = ProblemBody, content_type = "application/problem+json"),
        (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
        (status = "5XX", body = ProblemBody, content_type = "application/problem+json"),
    ))]
pub(crate) async fn choose(
    State(app): State<App>,
    one: One,
    headers: HeaderMap,
    Input(chosen): Input<Chosen>,
) -> Answer<Json<Download>> {
    let (id, person) = (one.id(), one.person());
    let done = match chosen {
        Chosen::Candidate(it) => one.service().choose_candidate(id, person, it.candidate).await,
        Chosen::Said(said) => one.service().choose(id, person, &said.choice()?).await,
    };
    if let Err(error) = done {
        return Err(trouble::chosen(&one, error).await);
    }
    one.stands(&app, &headers).await
}

/// Where files would go.
#[derive(Serialize, ToSchema)]
pub(crate) struct Preview {
    /// At most 1000, in the order of their indexes.
    files: Vec<Going>,
    /// How many there are in all.
    total: usize,
}

/// Where a file would go.
#[derive(Serialize, ToSchema)]
struct Going {
    /// Its place in the torrent.
    index: u32,
    /// Path below the directory that it is downloaded to.
    source: String,
    /// Path below the library.
    target: String,
    /// Bytes.
    size_bytes: u64,
}

impl Going {
    fn of(placement: &Placement) -> Self {
        Self {
            index: placement.file,
            source: placement.source.join("/"),
            target: placement.target.join("/"),
            size_bytes: placement.size_bytes,
        }
    }
}

/// Shows where its files would go if it were this. Nothing is done.
#[utoipa::path(post, path = "/api/v1/downloads/{id}/preview", tag = "downloads",
    params(("id" = i64, Path, description = "Its number")),
    request_body = Said,
    responses(
        (status = 200, body = Preview),
        (status = 409, description = "The client does not have its files whole", body = ProblemBody, content_type = "application/problem+json"),
        (status = 422, description = "It cannot be that", body = ProblemBody, content_type = "application/problem+json"),
        (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
        (status = "5XX", body = ProblemBody, content_type = "application/problem+json"),
    ))]
pub(crate) async fn preview(one: One, Input(said): Input<Said>) -> Answer<Json<Preview>> {
    let plan = one.service().preview(one.id(), &said.choice()?).await;
    let plan = plan.map_err(trouble::choose)?;
    let files = plan.iter().take(MOST).map(Going::of).collect();
    Ok(Json(Preview { files, total: plan.len() }))
}
