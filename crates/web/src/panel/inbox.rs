//! The first page: one place to hand anything in, and below it everything in motion on both roads.
//!
//! What needs a person stands on top. It refuses to show everything: each group has a limit, and leads to
//! the list that has all.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use verst_service::{Caller, DownloadFilter, Filter, State as Stands};

use super::guest::Guest;
use super::render::render;
use super::row::{Row, needs_person};
use super::shell::{Place, Shell};
use super::speech::Speech;
use crate::app::App;
use crate::problem::Answer;
use crate::seat::Seat;
use crate::trouble::store;

/// Things that stopped that are looked through for those that need a person, and things in motion.
const MANY: u32 = 50;
/// Things that are shown because they are done.
const FINISHED: u32 = 5;

/// Rows under a title.
struct Group {
    id: &'static str,
    title: &'static str,
    /// Where all of them are, and the sentence that says so.
    more: (&'static str, &'static str),
    rows: Vec<Row>,
}

#[derive(Template)]
#[template(path = "inbox.html")]
struct Page<'a> {
    t: Speech<'a>,
    shell: Shell,
    /// Whether there is a torrent client.
    downloads: bool,
    groups: Vec<Group>,
}

#[derive(Template)]
#[template(path = "part/motion.html")]
struct Motion<'a> {
    t: Speech<'a>,
    groups: Vec<Group>,
}

/// The page.
pub(super) async fn page(State(app): State<App>, seat: Seat, guest: Guest) -> Answer<Response> {
    let t = guest.speech(&app);
    render(&Page {
        t,
        shell: Shell::new(&guest, &seat, Place::Inbox),
        downloads: app.house.downloads.is_some(),
        groups: groups(&app, &seat.caller, t).await?,
    })
}

/// What is in motion, to be put in anew.
pub(super) async fn motion(State(app): State<App>, seat: Seat, guest: Guest) -> Answer<Response> {
    let t = guest.speech(&app);
    render(&Motion { t, groups: groups(&app, &seat.caller, t).await? })
}

async fn groups(app: &App, caller: &Caller, t: Speech<'_>) -> Answer<Vec<Group>> {
    let all = [
        Group {
            id: "asks",
            title: "motion-asks",
            more: ("/recordings?state=stopped", "motion-all-asks"),
            rows: rows(app, caller, Stands::Stopped, MANY, t).await?,
        },
        Group {
            id: "moving",
            title: "motion-moving",
            more: ("/recordings?state=moving", "motion-all-moving"),
            rows: rows(app, caller, Stands::Moving, MANY, t).await?,
        },
        Group {
            id: "finished",
            title: "motion-finished",
            more: ("/recordings?state=done", "motion-all-finished"),
            rows: rows(app, caller, Stands::Done, FINISHED, t).await?,
        },
    ];
    Ok(all.into_iter().filter(|group| !group.rows.is_empty()).collect())
}

/// Rows of both roads, newest first. What a person stopped does not wait for one.
async fn rows(
    app: &App,
    caller: &Caller,
    state: Stands,
    limit: u32,
    t: Speech<'_>,
) -> Answer<Vec<Row>> {
    let filter = Filter { state: Some(state), owner: caller.scope(), limit, ..Filter::default() };
    let recordings = app.service().ledger.list(filter).await.map_err(store)?;
    let wanted = |work: &_| state != Stands::Stopped || needs_person(work);
    let mut rows: Vec<Row> = recordings
        .iter()
        .filter(|view| wanted(&view.work))
        .map(|view| Row::recording(view, caller, t))
        .collect();
    if let Some(service) = &app.house.downloads {
        let filter = DownloadFilter {
            state: Some(state),
            owner: caller.scope(),
            limit,
            ..DownloadFilter::default()
        };
        let downloads = service.views.downloads(filter).await.map_err(store)?;
        let seen = downloads.iter().filter(|view| wanted(&view.work));
        rows.extend(seen.map(|view| Row::download(view, service.live(view.work.id).as_ref(), t)));
    }
    rows.sort_by_key(|row| std::cmp::Reverse(row.id));
    rows.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    Ok(rows)
}
