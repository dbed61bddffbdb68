//! The list of recordings: all, or those that are found, a page at a time.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use verst_service::{Caller, Filter, Query, WorkId};

use crate::app::App;
use crate::input::{Asked, parameter};
use crate::kinds;
use crate::panel::guest::Guest;
use crate::panel::render::render;
use crate::panel::row::Row;
use crate::panel::shell::{Place, Shell};
use crate::panel::speech::Speech;
use crate::problem::{Answer, Problem};
use crate::recordings::list::state;
use crate::seat::Seat;
use crate::trouble::store;

/// Recordings on a page.
const PAGE: u32 = 50;
/// States that can be asked for, with the sentences that name them.
const STATES: [(&str, &str); 4] = [
    ("", "list-all"),
    ("moving", "list-moving"),
    ("stopped", "list-stopped"),
    ("done", "list-done"),
];

/// Which recordings.
#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct Wanted {
    #[serde(default)]
    pub(super) q: String,
    #[serde(default)]
    pub(super) state: String,
    pub(super) before: Option<String>,
}

/// What was found.
pub(super) struct Listed {
    rows: Vec<Row>,
    /// Where the next page is.
    more: Option<String>,
    /// Why nothing was looked for.
    wrong: Option<String>,
    /// Whether anything was asked for but all.
    narrowed: bool,
}

#[derive(Template)]
#[template(path = "recordings.html")]
struct Page<'a> {
    t: Speech<'a>,
    shell: Shell,
    wanted: Wanted,
    states: &'static [(&'static str, &'static str)],
    listed: Listed,
}

#[derive(Template)]
#[template(path = "part/found.html")]
struct Found<'a> {
    t: Speech<'a>,
    listed: Listed,
}

#[derive(Template)]
#[template(path = "part/rows.html")]
struct Rows<'a> {
    t: Speech<'a>,
    listed: Listed,
}

/// The page; for a script, what was found, or the rows that come next.
pub(super) async fn page(
    State(app): State<App>,
    seat: Seat,
    guest: Guest,
    Asked(wanted): Asked<Wanted>,
) -> Answer<Response> {
    let t = guest.speech(&app);
    let listed = listed(&app, &seat.caller, &wanted, t).await?;
    if !guest.piece {
        let shell = Shell::new(&guest, &seat, Place::Recordings);
        return render(&Page { t, shell, wanted, states: &STATES, listed });
    }
    if wanted.before.is_some() { render(&Rows { t, listed }) } else { render(&Found { t, listed }) }
}

/// What was found, anew.
pub(super) async fn found(
    app: &App,
    caller: &Caller,
    wanted: &Wanted,
    t: Speech<'_>,
) -> Answer<String> {
    let listed = listed(app, caller, wanted, t).await?;
    Found { t, listed }.render().map_err(|_| kinds::INTERNAL.into())
}

async fn listed(app: &App, caller: &Caller, wanted: &Wanted, t: Speech<'_>) -> Answer<Listed> {
    let text = wanted.q.trim();
    let narrowed = !text.is_empty() || !wanted.state.is_empty();
    let search = (!text.is_empty()).then(|| Query::new(text)).transpose();
    let Ok(search) = search else {
        let wrong = t.why(&Problem::from(kinds::QUERY_WRONG).failure);
        return Ok(Listed { rows: Vec::new(), more: None, wrong: Some(wrong), narrowed });
    };
    let before = parameter("before", wanted.before.as_deref())?;
    let filter = Filter {
        state: state(Some(wanted.state.as_str()).filter(|it| !it.is_empty()))?,
        owner: caller.scope(),
        before: before.map(WorkId),
        // One more tells whether there is another page.
        limit: PAGE + 1,
        search,
    };
    let mut found = app.service().find(filter).await.map_err(store)?;
    let limit = usize::try_from(PAGE).unwrap_or(usize::MAX);
    let next = (found.len() > limit).then(|| found.get(limit - 1)).flatten();
    let more = next.map(|last| wanted.address(last.view.work.id));
    found.truncate(limit);
    let mut rows: Vec<Row> = found.iter().map(|it| Row::found(it, text, caller, t)).collect();
    if let Some(first) = rows.first_mut() {
        first.focus = before.is_some();
    }
    Ok(Listed { rows, more, wrong: None, narrowed })
}

impl Wanted {
    /// Where those are that come after this one.
    fn address(&self, after: WorkId) -> String {
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        for (name, value) in [("q", self.q.trim()), ("state", &self.state)] {
            if !value.is_empty() {
                query.append_pair(name, value);
            }
        }
        query.append_pair("before", &after.to_string());
        format!("/recordings?{}", query.finish())
    }
}
