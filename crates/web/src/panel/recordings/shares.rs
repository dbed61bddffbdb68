//! Links by which others may read and hear a recording: making, listing, revoking them, and their page.
//!
//! **Invariant:** the page of a link shows nothing that its owner did not write for others or the text
//! does not say: no name of a file, no owner, no journal.

use askama::Template;
use axum::Form;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::response::Response;
use serde::Deserialize;
use verst_service::{Caller, WorkId};

use super::text::Text;
use crate::app::App;
use crate::auth::Who;
use crate::input::{Input, Which};
use crate::kinds;
use crate::panel::guest::Guest;
use crate::panel::render::render;
use crate::panel::shell::Shell;
use crate::panel::speech::{Speech, plain_time};
use crate::problem::Answer;
use crate::recordings::find;
use crate::recordings::shape::moment;
use crate::recordings::shares::{self, WantedShare};
use crate::seat::Seat;
use crate::shared::Shared;
use crate::trouble::store;

/// A link that opens something.
struct Link {
    id: i64,
    by: String,
    until: (String, String),
}

#[derive(Template)]
#[template(path = "part/shares.html")]
struct Part<'a> {
    t: Speech<'a>,
    id: i64,
    /// The address of a link that was just made.
    made: Option<String>,
    links: Vec<Link>,
}

#[derive(Template)]
#[template(path = "shared.html")]
struct Page<'a> {
    t: Speech<'a>,
    shell: Shell,
    name: String,
    topics: Vec<String>,
    summary: String,
    audio: Option<String>,
    text: Text,
}

/// The links to a recording.
pub(super) async fn list(
    State(app): State<App>,
    seat: Seat,
    Which(id): Which,
    guest: Guest,
) -> Answer<Response> {
    part(&app, &seat.caller, id, None, &guest).await
}

/// How long a link is to last.
#[derive(Deserialize)]
pub(super) struct Lasting {
    days: Option<u32>,
}

/// Makes a link, whose address is shown once.
pub(super) async fn create(
    State(app): State<App>,
    Who(caller): Who,
    Which(id): Which,
    guest: Guest,
    Form(lasting): Form<Lasting>,
) -> Answer<Response> {
    let wanted = Ok(Input(WantedShare { days: lasting.days }));
    let asked = shares::create(State(app.clone()), Who(caller.clone()), Which(id), wanted).await?;
    let (_, axum::Json(made)) = asked;
    part(&app, &caller, id, Some(made.path), &guest).await
}

/// Makes a link open nothing any more.
pub(super) async fn revoke(
    State(app): State<App>,
    Who(caller): Who,
    path: Result<Path<(i64, i64)>, PathRejection>,
    guest: Guest,
) -> Answer<Response> {
    let id =
        path.as_ref().map(|Path((id, _))| WorkId(*id)).map_err(|_| kinds::NO_SUCH_RECORDING)?;
    shares::revoke(State(app.clone()), Who(caller.clone()), path).await?;
    part(&app, &caller, id, None, &guest).await
}

async fn part(
    app: &App,
    caller: &Caller,
    id: WorkId,
    made: Option<String>,
    guest: &Guest,
) -> Answer<Response> {
    find(app, caller, id).await?;
    let t = guest.speech(app);
    let all = app.service().shares.shares(id).await.map_err(store)?;
    let open = all.into_iter().filter(|it| it.revoked_at.is_none());
    let links = open
        .map(|it| Link {
            id: it.id.0,
            by: it.by,
            until: (moment(it.expires_at), plain_time(it.expires_at)),
        })
        .collect();
    render(&Part { t, id: id.0, made, links })
}

/// The page of a link.
pub(super) async fn page(
    State(app): State<App>,
    Shared(view): Shared,
    Path(secret): Path<String>,
    guest: Guest,
) -> Answer<Response> {
    let t = guest.speech(&app);
    let text = Text { ours: false, misfits: Vec::new(), ..Text::of(&app, &view, "").await? };
    let recording = &view.recording;
    render(&Page {
        t,
        shell: Shell::alone(&guest),
        name: recording.title.clone().unwrap_or_else(|| t.say("share-nameless")),
        topics: recording.topics.clone(),
        summary: recording.summary.clone().unwrap_or_default(),
        audio: (!recording.original_deleted).then(|| format!("/api/v1/shared/{secret}/audio")),
        text,
    })
}
