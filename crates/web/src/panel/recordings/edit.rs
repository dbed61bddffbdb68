//! What people write about a recording: title, summary, topics, the names of who speaks.

use std::collections::BTreeMap;

use askama::Template;
use axum::Form;
use axum::extract::State;
use axum::http::HeaderValue;
use axum::response::{IntoResponse, Response};
use verst_service::{Edit, View};

use super::text::Text;
use crate::app::App;
use crate::auth::Who;
use crate::input::Which;
use crate::panel::guest::Guest;
use crate::panel::render::render;
use crate::panel::row;
use crate::panel::speech::Speech;
use crate::problem::Answer;
use crate::recordings::find;
use crate::trouble;

/// Before a speaker's label, in the name of a field.
const SPEAKER: &str = "speaker:";

/// What is written about a recording.
pub(super) struct About {
    pub(super) id: i64,
    pub(super) title: String,
    pub(super) summary: String,
    pub(super) topics: Vec<String>,
    /// Labels, and the names that they were given.
    pub(super) speakers: Vec<(String, String)>,
}

#[derive(Template)]
#[template(path = "part/about.html")]
struct Part<'a> {
    t: Speech<'a>,
    name: String,
    about: About,
}

impl About {
    pub(super) fn of(view: &View, text: &Text) -> Self {
        let recording = &view.recording;
        let name = |label: &String| {
            let name = recording.speakers.get(label).cloned().unwrap_or_default();
            (label.clone(), name)
        };
        Self {
            id: view.work.id.0,
            title: recording.title.clone().unwrap_or_default(),
            summary: recording.summary.clone().unwrap_or_default(),
            topics: recording.topics.clone(),
            speakers: text.speakers.iter().map(name).collect(),
        }
    }
}

/// Writes what was typed. A field that is not there changes nothing.
pub(super) async fn edit(
    State(app): State<App>,
    Who(caller): Who,
    Which(id): Which,
    guest: Guest,
    Form(fields): Form<Vec<(String, String)>>,
) -> Answer<Response> {
    let view = find(&app, &caller, id).await?;
    let one = |name: &str| {
        fields.iter().find(|(key, _)| key == name).map(|(_, value)| value.replace("\r\n", "\n"))
    };
    let mut speakers = view.recording.speakers.clone();
    for (key, name) in &fields {
        if let Some(label) = key.strip_prefix(SPEAKER) {
            speakers.insert(label.to_owned(), name.clone());
        }
    }
    let named: BTreeMap<_, _> = speakers;
    let edit = Edit {
        title: one("title"),
        summary: one("summary"),
        topics: one("topics").map(|text| text.split([',', '\n']).map(str::to_owned).collect()),
        speakers: Some(named).filter(|named| *named != view.recording.speakers),
    };
    app.service().edit(id, edit).await.map_err(trouble::edit)?;
    let view = find(&app, &caller, id).await?;
    app.feed.nudge(&view);
    let t = guest.speech(&app);
    let text = Text::of(&app, &view, "").await?;
    let name = row::name(&view, t);
    let part = render(&Part { t, name, about: About::of(&view, &text) })?;
    // The names of those who speak stand in the text, too.
    Ok(([("hx-trigger", HeaderValue::from_static("edited"))], part).into_response())
}
