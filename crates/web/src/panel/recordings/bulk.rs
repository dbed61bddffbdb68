//! The same done to many recordings at once.
//!
//! **Invariant:** what cannot be done to one is no reason not to do it to the others, and both are
//! counted.

use askama::Template;
use axum::extract::State;
use axum::response::{Html, IntoResponse, Response};
use verst_service::{Caller, LiftError, StopAnswer, WorkId};

use super::list::{Wanted, found};
use crate::app::App;
use crate::input::wrong;
use crate::panel::guest::Guest;
use crate::panel::render;
use crate::panel::speech::Speech;
use crate::problem::{Answer, Problem};
use crate::recordings::find;
use crate::seat::SeatedForm;
use crate::trouble::{self, store};

/// Recordings that are taken at once: as many as a person can have ticked in a few pages.
const MOST: usize = 500;

#[derive(Template)]
#[template(path = "part/toast.html")]
struct Toast<'a> {
    t: Speech<'a>,
    text: String,
    failed: bool,
}

/// What is to be done.
#[derive(Clone, Copy)]
enum Act {
    Stop,
    Lift,
    Delete,
}

/// Does it to every recording that was ticked, and lists anew.
pub(super) async fn act(
    State(app): State<App>,
    guest: Guest,
    SeatedForm { seat, form: fields }: SeatedForm<Vec<(String, String)>>,
) -> Answer<Response> {
    let t = guest.speech(&app);
    let all = |name: &'static str| {
        fields.iter().filter(move |(key, _)| key == name).map(|(_, value)| value.as_str())
    };
    let act = match all("act").next_back() {
        Some("stop") => Act::Stop,
        Some("lift") => Act::Lift,
        Some("delete") => Act::Delete,
        Some(_) | None => return Err(wrong("act")),
    };
    let ids: Vec<i64> = all("id").filter_map(|it| it.parse().ok()).collect();
    if ids.len() > MOST {
        return Err(wrong("id"));
    }
    let (mut done, mut not) = (0, 0);
    for id in ids {
        if one(&app, &seat.caller, WorkId(id), act).await? { done += 1 } else { not += 1 }
    }
    let wanted = Wanted {
        q: all("q").next_back().unwrap_or_default().to_owned(),
        state: all("state").next_back().unwrap_or_default().to_owned(),
        ..Wanted::default()
    };
    let mut text = match act {
        Act::Stop => t.count("bulk-stopped", done),
        Act::Lift => t.count("bulk-lifted", done),
        Act::Delete => t.count("bulk-deleted", done),
    };
    if not > 0 {
        text = format!("{text} {}", t.count("bulk-not", not));
    }
    let list = found(&app, &seat.caller, &wanted, t).await?;
    let toast = Toast { t, text, failed: not > 0 }.render().unwrap_or_default();
    Ok((render::headers(), Html(list + &toast)).into_response())
}

/// Whether it was done. What the store cannot do ends all of it.
async fn one(app: &App, caller: &Caller, id: WorkId, act: Act) -> Answer<bool> {
    let Ok(view) = find(app, caller, id).await else { return Ok(false) };
    let done = match act {
        Act::Stop => {
            let answer = app.service().stop(id, &caller.name).await.map_err(store)?;
            matches!(answer, StopAnswer::Stopped(_))
        }
        Act::Lift => match app.service().lift(id, &caller.name, None).await {
            Ok(()) => true,
            Err(error @ LiftError::Store(_)) => return Err::<_, Problem>(trouble::lift(error)),
            Err(_) => false,
        },
        Act::Delete => app.service().delete(id).await.map_err(store)?,
    };
    if done {
        app.feed.nudge(&view);
    }
    Ok(done)
}
