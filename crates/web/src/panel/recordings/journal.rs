//! What happened to a recording, in the words of the terminal.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use verst_service::{Actor, Entry, Event};
use verst_words::Arg;

use crate::app::App;
use crate::input::Which;
use crate::panel::guest::Guest;
use crate::panel::render::render;
use crate::panel::speech::{Speech, clock, plain_time};
use crate::problem::Answer;
use crate::recordings::find;
use crate::recordings::shape::{millis, moment};
use crate::seat::Seat;
use crate::trouble::store;

/// A line of a journal.
pub(crate) struct Line {
    pub(crate) at: (String, String),
    pub(crate) what: String,
    pub(crate) why: Option<String>,
}

#[derive(Template)]
#[template(path = "part/journal.html")]
struct Part {
    lines: Vec<Line>,
}

/// The journal, oldest first.
pub(super) async fn journal(
    State(app): State<App>,
    seat: Seat,
    Which(id): Which,
    guest: Guest,
) -> Answer<Response> {
    find(&app, &seat.caller, id).await?;
    let entries = app.service().ledger.journal(id).await.map_err(store)?;
    let t = guest.speech(&app);
    render(&Part { lines: entries.iter().map(|entry| Line::of(entry, t)).collect() })
}

impl Line {
    pub(crate) fn of(entry: &Entry, t: Speech<'_>) -> Self {
        let actor = match &entry.actor {
            Actor::Step(step) => t.with("actor-step", "name", step),
            Actor::Person(person) => t.with("actor-person", "name", person),
        };
        let key = match entry.event {
            Event::Advanced => "event-advanced",
            Event::Stopped => "event-stopped",
            Event::Lifted => "event-lifted",
            Event::Restarted => "event-restarted",
        };
        let (milestone, duration) = (t.milestone(&entry.milestone), clock(millis(entry.duration)));
        let args = [
            ("milestone", Arg::Text(&milestone)),
            ("actor", Arg::Text(&actor)),
            ("duration", Arg::Text(&duration)),
        ];
        Self {
            at: (moment(entry.at), plain_time(entry.at)),
            what: t.words.say(key, &args),
            why: entry.failure.as_ref().map(|failure| t.why(failure)),
        }
    }
}
