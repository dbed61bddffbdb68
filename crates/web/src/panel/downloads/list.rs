//! The list of downloads, a page at a time.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use verst_service::{DownloadFilter, WorkId};

use crate::app::App;
use crate::downloads::asker::Asker;
use crate::input::{Asked, parameter};
use crate::panel::guest::Guest;
use crate::panel::render::render;
use crate::panel::row::Row;
use crate::panel::shell::{Place, Shell};
use crate::panel::speech::Speech;
use crate::problem::Answer;
use crate::seat::Seat;
use crate::trouble::store;

/// Downloads on a page.
const PAGE: u32 = 50;

/// Which downloads.
#[derive(Deserialize)]
pub(super) struct Wanted {
    before: Option<String>,
}

struct Listed {
    rows: Vec<Row>,
    /// Where the next page is.
    more: Option<String>,
}

#[derive(Template)]
#[template(path = "downloads.html")]
struct Page<'a> {
    t: Speech<'a>,
    shell: Shell,
    listed: Listed,
}

#[derive(Template)]
#[template(path = "part/rows.html")]
struct Rows<'a> {
    t: Speech<'a>,
    listed: Listed,
}

/// The page; for a script, the rows that come next.
pub(super) async fn page(
    State(app): State<App>,
    seat: Seat,
    asker: Asker,
    guest: Guest,
    Asked(wanted): Asked<Wanted>,
) -> Answer<Response> {
    let t = guest.speech(&app);
    let before = parameter("before", wanted.before.as_deref())?;
    let filter = DownloadFilter {
        state: None,
        owner: asker.caller.scope(),
        before: before.map(WorkId),
        // One more tells whether there is another page.
        limit: PAGE + 1,
    };
    let mut found = asker.service.views.downloads(filter).await.map_err(store)?;
    let limit = usize::try_from(PAGE).unwrap_or(usize::MAX);
    let next = (found.len() > limit).then(|| found.get(limit - 1)).flatten();
    let more = next.map(|last| format!("/downloads?before={}", last.work.id));
    found.truncate(limit);
    let row = |view| Row::download(view, asker.service.live(view.work.id).as_ref(), t);
    let mut rows: Vec<Row> = found.iter().map(row).collect();
    if let Some(first) = rows.first_mut() {
        first.focus = before.is_some();
    }
    let listed = Listed { rows, more };
    if guest.piece && before.is_some() {
        return render(&Rows { t, listed });
    }
    render(&Page { t, shell: Shell::new(&guest, &seat, Place::Downloads), listed })
}
