//! The page of a recording: its sound and its text side by side, and what people wrote about it.
//!
//! How it stands is a part of its own, which is fetched anew whenever that changes. **Invariant:** no such
//! part holds a field that somebody may be typing in.

use askama::Template;
use axum::extract::{Query, State};
use axum::response::Response;
use serde::Deserialize;
use verst_service::{Caller, Format, View, WorkId};

use super::edit::About;
use super::text::Text;
use crate::app::App;
use crate::input::Which;
use crate::panel::guest::Guest;
use crate::panel::render::render;
use crate::panel::road::Road;
use crate::panel::row::{self, Act, Row};
use crate::panel::shell::{Place, Shell};
use crate::panel::speech::{Speech, clock, plain_time};
use crate::problem::Answer;
use crate::recordings::find;
use crate::recordings::shape::{millis, moment, warning};
use crate::seat::Seat;

/// How it stands.
pub(super) struct Stands {
    id: i64,
    road: Road,
    badge: &'static str,
    stopped: bool,
    reads: String,
    percent: Option<u64>,
    why: Option<String>,
    asks: bool,
    said: String,
    acts: Vec<Act>,
    /// What changes when there is another text.
    milestone: String,
    warnings: Vec<String>,
}

#[derive(Template)]
#[template(path = "recording.html")]
struct Page<'a> {
    t: Speech<'a>,
    shell: Shell,
    id: i64,
    name: String,
    facts: Vec<(String, String)>,
    created: (String, String),
    stands: Stands,
    about: About,
    text: Text,
    /// Where there is something to hear.
    audio: Option<String>,
    formats: Vec<&'static str>,
    models: Vec<String>,
    /// The language that was asked for.
    language: String,
    paid: bool,
}

#[derive(Template)]
#[template(path = "part/stands.html")]
struct Part<'a> {
    t: Speech<'a>,
    stands: Stands,
}

#[derive(Template)]
#[template(path = "part/row.html")]
struct One<'a> {
    t: Speech<'a>,
    row: Row,
}

/// In which form it is shown to a script.
#[derive(Default, Deserialize)]
pub(super) struct Shown {
    /// As a row that can be ticked.
    picks: Option<u8>,
    /// As a part of its page.
    page: Option<u8>,
}

/// What is looked for in the text.
#[derive(Deserialize)]
pub(super) struct Looked {
    #[serde(default)]
    pub(super) q: String,
}

/// The page.
pub(super) async fn page(
    State(app): State<App>,
    seat: Seat,
    Which(id): Which,
    Query(looked): Query<Looked>,
    guest: Guest,
) -> Answer<Response> {
    let view = find(&app, &seat.caller, id).await?;
    let t = guest.speech(&app);
    let text = Text::of(&app, &view, &looked.q).await?;
    let about = About::of(&view, &text);
    render(&Page {
        t,
        shell: Shell::new(&guest, &seat, Place::Recordings),
        id: id.0,
        name: row::name(&view, t),
        facts: facts(&view, t),
        created: (moment(view.work.created_at), plain_time(view.work.created_at)),
        stands: Stands::of(&view, t),
        about,
        text,
        audio: (!view.recording.original_deleted).then(|| format!("/api/v1/recordings/{id}/audio")),
        formats: Format::ALL.iter().map(|format| format.name()).collect(),
        models: app.house.models.installed().await,
        language: view.recording.given.wish.language.clone().unwrap_or_default(),
        paid: app.service().paid,
    })
}

/// How it stands, anew.
pub(super) async fn stands(
    State(app): State<App>,
    seat: Seat,
    Which(id): Which,
    guest: Guest,
) -> Answer<Response> {
    let how = Shown { picks: None, page: Some(1) };
    shown(&app, &seat.caller, id, &how, &guest).await
}

/// Its row, anew.
pub(super) async fn row(
    State(app): State<App>,
    seat: Seat,
    Which(id): Which,
    Query(how): Query<Shown>,
    guest: Guest,
) -> Answer<Response> {
    shown(&app, &seat.caller, id, &how, &guest).await
}

pub(super) async fn shown(
    app: &App,
    caller: &Caller,
    id: WorkId,
    how: &Shown,
    guest: &Guest,
) -> Answer<Response> {
    let view = find(app, caller, id).await?;
    let t = guest.speech(app);
    if how.page.is_some() {
        return render(&Part { t, stands: Stands::of(&view, t) });
    }
    let row = Row { picks: how.picks.is_some(), ..Row::recording(&view, caller, t) };
    render(&One { t, row })
}

fn facts(view: &View, t: Speech<'_>) -> Vec<(String, String)> {
    let recording = &view.recording;
    let given = &recording.given;
    let length = recording.duration.map(|it| clock(millis(it)));
    let wish = &given.wish;
    let named = [
        ("show-length", length),
        ("show-size", Some(t.size(given.size_bytes))),
        ("recording-file", given.name.clone()),
        ("recording-owner", given.owner.clone()),
        ("show-language", wish.language.clone()),
        ("show-model", wish.model.clone()),
    ];
    named.into_iter().filter_map(|(key, value)| Some((t.say(key), value?))).collect()
}

impl Stands {
    fn of(view: &View, t: Speech<'_>) -> Self {
        let work = &view.work;
        let (badge, reads) = row::stands(work, t);
        let stop = work.stop.as_ref().map(|stop| t.why(&stop.failure));
        Self {
            id: work.id.0,
            road: Road::of("recordings", work, true, t),
            badge,
            stopped: work.stop.is_some(),
            percent: work.why.as_ref().and_then(row::percent),
            why: stop.or_else(|| work.why.as_ref().map(|why| t.why(why))),
            asks: row::needs_person(work),
            said: reads.clone(),
            reads,
            acts: Act::of_recording(work),
            milestone: work.milestone.clone(),
            warnings: view
                .recording
                .warnings
                .iter()
                .map(|it| warning(it, t.words).detail)
                .collect(),
        }
    }
}
