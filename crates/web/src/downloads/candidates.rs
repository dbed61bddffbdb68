//! What a download may be, where a person has to say.

use axum::Json;
use serde::Serialize;
use utoipa::ToSchema;
use verst_service::Suggestion;

use super::asker::One;
use super::said::Sort;
use super::shape::Laid;
use crate::problem::{Answer, ProblemBody};

/// What it may be.
#[derive(Serialize, ToSchema)]
pub(crate) struct Candidates {
    /// The likeliest first; none if nobody has to say, or if there is not even a guess.
    candidates: Vec<Guess>,
}

/// A candidate.
#[derive(Serialize, ToSchema)]
#[schema(as = Candidate)]
struct Guess {
    /// What to give to `choose`, from 1.
    number: usize,
    kind: Sort,
    /// The title of the film or the series; of the first of several films.
    title: String,
    /// Its year, if it is known.
    year: Option<u16>,
    /// Where files would go; null while the client does not show them, or where that cannot be said.
    placed: Option<Laid>,
}

impl Guess {
    fn of(number: usize, it: &Suggestion) -> Self {
        Self {
            number,
            kind: it.candidate.kind.into(),
            title: it.candidate.title.clone(),
            year: it.candidate.year,
            placed: it.plan.as_deref().map(Laid::of),
        }
    }
}

/// Lists what it may be.
#[utoipa::path(get, path = "/api/v1/downloads/{id}/candidates", tag = "downloads",
    params(("id" = i64, Path, description = "Its number")),
    responses(
        (status = 200, body = Candidates),
        (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
        (status = "5XX", body = ProblemBody, content_type = "application/problem+json"),
    ))]
pub(crate) async fn candidates(one: One) -> Answer<Json<Candidates>> {
    let found = one.service().suggestions(&one.view).await;
    let candidates = (1..).zip(&found).map(|(number, it)| Guess::of(number, it)).collect();
    Ok(Json(Candidates { candidates }))
}
