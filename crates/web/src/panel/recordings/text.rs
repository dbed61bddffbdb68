//! What was said, segment by segment, with who said it and where what was looked for stands.

use std::collections::HashMap;

use askama::Template;
use axum::extract::{Query, State};
use axum::response::Response;
use verst_service::{Correction, Query as Words, View, hits};

use super::page::Looked;
use crate::app::App;
use crate::input::Which;
use crate::panel::guest::Guest;
use crate::panel::render::render;
use crate::panel::speech::{Speech, clock};
use crate::problem::Answer;
use crate::recordings::find;
use crate::seat::Seat;
use crate::trouble::store;

/// A text.
pub(super) struct Text {
    pub(super) id: i64,
    /// Whether there is one.
    pub(super) there: bool,
    pub(super) segments: Vec<Segment>,
    /// Labels of those who speak, in the order in which they begin.
    pub(super) speakers: Vec<String>,
    pub(super) query: String,
    /// What people put right and what is not in this text.
    pub(super) misfits: Vec<Misfit>,
    /// Whether it may be put right.
    pub(super) ours: bool,
}

/// What was put right in a text that is no longer there.
pub(super) struct Misfit {
    pub(super) id: i64,
    pub(super) at: String,
    pub(super) heard: String,
    pub(super) text: String,
}

/// A stretch of it.
pub(super) struct Segment {
    pub(super) start_ms: u64,
    pub(super) end_ms: u64,
    pub(super) at: String,
    /// Who speaks from here on, where that changes.
    pub(super) who: Option<String>,
    pub(super) pieces: Vec<(String, bool)>,
    /// What was heard, where a person put it right.
    pub(super) heard: Option<String>,
}

#[derive(Template)]
#[template(path = "part/text.html")]
struct Part<'a> {
    t: Speech<'a>,
    text: Text,
}

/// The text, anew.
pub(super) async fn text(
    State(app): State<App>,
    seat: Seat,
    Which(id): Which,
    Query(looked): Query<Looked>,
    guest: Guest,
) -> Answer<Response> {
    let view = find(&app, &seat.caller, id).await?;
    let t = guest.speech(&app);
    render(&Part { t, text: Text::of(&app, &view, &looked.q).await? })
}

impl Text {
    pub(super) async fn of(app: &App, view: &View, query: &str) -> Answer<Self> {
        let service = app.service();
        let transcript = service.recordings.transcript(view.work.id).await.map_err(store)?;
        let corrected = service.corrections.corrections(view.work.id).await.map_err(store)?;
        let shown = transcript.as_ref().map_or(&[][..], |it| &it.segments);
        let (fits, misfits): (Vec<_>, Vec<_>) =
            corrected.into_iter().partition(|it| it.fits(shown));
        let heard: HashMap<u64, String> =
            fits.into_iter().map(|it| (it.from_ms, it.heard)).collect();
        let misfit = |it: Correction| Misfit {
            id: it.id.0,
            at: clock(it.from_ms),
            heard: it.heard,
            text: it.text,
        };
        let misfits = misfits.into_iter().map(misfit).collect();
        let looked = Words::new(query).ok();
        let names = &view.recording.speakers;
        let (mut segments, mut speakers) = (Vec::new(), Vec::new());
        let mut last: Option<&String> = None;
        for said in transcript.iter().flat_map(|it| &it.segments) {
            let who = said.speaker.as_ref();
            let turn = who.filter(|who| Some(*who) != last);
            last = who;
            if let Some(label) = who.filter(|label| !speakers.contains(*label)) {
                speakers.push(label.clone());
            }
            segments.push(Segment {
                start_ms: said.start_ms,
                end_ms: said.end_ms,
                at: clock(said.start_ms),
                who: turn.map(|label| names.get(label).unwrap_or(label).clone()),
                pieces: pieces(&said.text, looked.as_ref()),
                heard: heard.get(&said.start_ms).cloned(),
            });
        }
        let (id, query) = (view.work.id.0, query.to_owned());
        let there = transcript.is_some();
        Ok(Self { id, there, segments, speakers, query, misfits, ours: true })
    }
}

/// A text in pieces, and which of them are what is looked for.
fn pieces(text: &str, looked: Option<&Words>) -> Vec<(String, bool)> {
    let Some(looked) = looked else { return vec![(text.to_owned(), false)] };
    let (mut pieces, mut rest) = (Vec::new(), 0);
    for hit in hits(text, looked) {
        pieces.push((text[rest..hit.start].to_owned(), false));
        rest = hit.end;
        pieces.push((text[hit].to_owned(), true));
    }
    pieces.push((text[rest..].to_owned(), false));
    pieces
}
