//! One download: its page with its journal, its row anew, and what is done to it from there.

use askama::Template;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;

use crate::app::App;
use crate::downloads::acts;
use crate::downloads::asker::One;
use crate::panel::guest::Guest;
use crate::panel::recordings::Line;
use crate::panel::render::render;
use crate::panel::row::Row;
use crate::panel::shell::{Place, Shell};
use crate::panel::speech::Speech;
use crate::problem::Answer;
use crate::seat::Seat;
use crate::trouble::store;

#[derive(Template)]
#[template(path = "download.html")]
struct Page<'a> {
    t: Speech<'a>,
    shell: Shell,
    row: Row,
    lines: Vec<Line>,
}

#[derive(Template)]
#[template(path = "part/row.html")]
struct Part<'a> {
    t: Speech<'a>,
    row: Row,
}

/// The page.
pub(super) async fn page(
    State(app): State<App>,
    seat: Seat,
    one: One,
    guest: Guest,
) -> Answer<Response> {
    let t = guest.speech(&app);
    let entries = app.service().ledger.journal(one.id()).await.map_err(store)?;
    render(&Page {
        t,
        shell: Shell::new(&guest, &seat, Place::Downloads),
        row: as_row(&one, t),
        lines: entries.iter().map(|entry| Line::of(entry, t)).collect(),
    })
}

/// Its row, anew.
pub(super) async fn row(
    State(app): State<App>,
    _: Seat,
    one: One,
    guest: Guest,
) -> Answer<Response> {
    anew(&app, &one, &guest)
}

/// Stops it.
pub(super) async fn stop(
    State(app): State<App>,
    one: One,
    guest: Guest,
    headers: HeaderMap,
) -> Answer<Response> {
    let (asker, id) = (one.asker.clone(), one.id());
    let _ = acts::stop(State(app.clone()), one, headers).await?;
    anew(&app, &One { view: asker.find(id).await?, asker }, &guest)
}

/// Lifts its stop; until its torrent is whole, that is a retry.
pub(super) async fn lift(
    State(app): State<App>,
    one: One,
    guest: Guest,
    headers: HeaderMap,
) -> Answer<Response> {
    let (asker, id) = (one.asker.clone(), one.id());
    let _ = acts::lift(State(app.clone()), one, headers).await?;
    anew(&app, &One { view: asker.find(id).await?, asker }, &guest)
}

fn anew(app: &App, one: &One, guest: &Guest) -> Answer<Response> {
    let t = guest.speech(app);
    render(&Part { t, row: as_row(one, t) })
}

fn as_row(one: &One, t: Speech<'_>) -> Row {
    Row::download(&one.view, one.service().live(one.id()).as_ref(), t)
}
