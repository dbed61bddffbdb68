//! How a thing looks in a chat: a name, where it stands and why, and what can be done about it. Pure.
//!
//! **Invariant:** the sentences are those that every other face says.

use verst_service::download::{Candidate, Kind, Snapshot};
use verst_service::{DownloadView, Failure, State, Value, View, WorkId, WorkView};
use verst_words::{Arg, Words};

use crate::buttons::{Button, Deed};
use crate::text::{escape, name};

/// Candidates that get a button; the panel shows all.
const CANDIDATES: usize = 5;

/// A recording or a download.
#[derive(Clone, Debug)]
pub(crate) enum Thing {
    Recording(Box<View>),
    Download(Box<DownloadView>, Option<Box<Snapshot>>),
}

/// What a message says about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Look {
    pub(crate) html: String,
    pub(crate) buttons: Vec<Button>,
}

impl Thing {
    pub(crate) fn work(&self) -> &WorkView {
        match self {
            Self::Recording(view) => &view.work,
            Self::Download(view, _) => &view.work,
        }
    }

    pub(crate) fn id(&self) -> WorkId {
        self.work().id
    }

    /// What it is called.
    pub(crate) fn name(&self, words: &Words) -> String {
        let given = match self {
            Self::Recording(view) => {
                view.recording.title.as_ref().or(view.recording.given.name.as_ref())
            }
            Self::Download(view, _) => view.download.name.as_ref(),
        };
        let kind = match self {
            Self::Recording(_) => "telegram-unnamed-recording",
            Self::Download(..) => "telegram-unnamed-download",
        };
        called(given.map(String::as_str), kind, self.id(), words)
    }

    /// Where it stands, in a few words.
    pub(crate) fn standing(&self, words: &Words) -> String {
        let work = self.work();
        let milestone = milestone(&work.milestone, words);
        let milestone = Arg::Text(&milestone);
        match (work.state(), self.percent()) {
            (State::Stopped, _) => words.say("telegram-stopped", &[("milestone", milestone)]),
            (State::Moving, Some(percent)) => {
                let args = [("milestone", milestone), ("percent", Arg::Int(percent))];
                words.say("telegram-percent", &args)
            }
            (State::Moving | State::Done, _) => {
                words.say("state-waiting", &[("milestone", milestone)])
            }
        }
    }

    fn percent(&self) -> Option<i64> {
        match self {
            Self::Recording(view) => match view.work.why.as_ref()?.params.get("percent")? {
                Value::Int(percent) => Some(*percent),
                Value::Term(_) => None,
            },
            Self::Download(view, live) if view.work.milestone == "downloading" => {
                let live = live.as_deref().filter(|live| live.size_bytes > 0)?;
                let done = live.size_bytes.saturating_sub(live.left_bytes);
                i64::try_from(u128::from(done) * 100 / u128::from(live.size_bytes)).ok()
            }
            Self::Download(..) => None,
        }
    }

    /// All that a message about it says.
    pub(crate) fn look(&self, words: &Words, panel: Option<&str>) -> Look {
        let head = format!("<b>{}</b>", escape(&self.name(words)));
        let mut lines = vec![head, escape(&self.standing(words))];
        let work = self.work();
        let why = match &work.stop {
            Some(stop) => Some(&stop.failure),
            None if work.state() == State::Moving => work.why.as_ref(),
            None => None,
        };
        lines.extend(why.filter(|why| tells_more(why)).map(|why| escape(&words.failure(why))));
        if let (Self::Download(view, _), State::Done) = (self, work.state()) {
            let count = i64::try_from(view.download.placed.len()).unwrap_or(i64::MAX);
            lines.push(escape(&words.say("telegram-placed", &[("count", Arg::Int(count))])));
        }
        Look { html: lines.join("\n"), buttons: self.buttons(words, panel) }
    }

    fn buttons(&self, words: &Words, panel: Option<&str>) -> Vec<Button> {
        let press = |key, deed| Button::Press { text: words.say(key, &[]), deed };
        let mut buttons = Vec::new();
        match (self, &self.work().stop) {
            (Self::Recording(_), Some(_)) => buttons.push(press("telegram-lift", Deed::Lift)),
            (Self::Download(view, _), Some(_)) => {
                let candidates = view.download.candidates.iter().take(CANDIDATES);
                for (number, candidate) in (1_u8..).zip(candidates) {
                    let (text, deed) = (offered(candidate, words), Deed::Choose(number));
                    buttons.push(Button::Press { text, deed });
                }
                buttons.push(press("telegram-retry", Deed::Lift));
            }
            (_, None) if self.work().state() == State::Moving => {
                buttons.push(press("telegram-stop", Deed::Stop));
            }
            (_, None) => {}
        }
        buttons.extend(panel.map(|panel| self.open(words, panel)));
        buttons
    }

    fn open(&self, words: &Words, panel: &str) -> Button {
        let kind = match self {
            Self::Recording(_) => "recordings",
            Self::Download(..) => "downloads",
        };
        open(words, panel, kind, self.id())
    }
}

/// The button that leads to the panel.
pub(crate) fn open(words: &Words, panel: &str, kind: &str, id: WorkId) -> Button {
    Button::Link { text: words.say("telegram-open", &[]), url: format!("{panel}/{kind}/{id}") }
}

/// What is asked of whoever lifts a stop that going on could pay for twice.
pub(crate) fn choices(thing: &Thing, wait: bool, words: &Words) -> Look {
    let html = format!(
        "<b>{}</b>\n{}",
        escape(&thing.name(words)),
        escape(&words.say("telegram-choice", &[]))
    );
    let press = |key, deed| Button::Press { text: words.say(key, &[]), deed };
    let mut buttons = vec![press("telegram-again", Deed::Again)];
    if wait {
        buttons.push(press("telegram-wait", Deed::Wait));
    }
    Look { html, buttons }
}

/// A given name, or what stands in its place.
pub(crate) fn called(given: Option<&str>, kind: &str, id: WorkId, words: &Words) -> String {
    let given = given.map(name).filter(|given| !given.is_empty());
    given.unwrap_or_else(|| words.say(kind, &[("id", Arg::Text(&id.to_string()))]))
}

fn milestone(milestone: &str, words: &Words) -> String {
    let key = format!("milestone-{milestone}");
    if words.knows(&key) { words.say(&key, &[]) } else { milestone.to_owned() }
}

/// What the milestone says already is not said again.
fn tells_more(why: &Failure) -> bool {
    !matches!(&*why.code, "recognising" | "watching")
}

fn offered(candidate: &Candidate, words: &Words) -> String {
    let kind = match candidate.kind {
        Kind::Movie => "movie",
        Kind::Series => "series",
    };
    let title = name(&candidate.title);
    let title = match candidate.year {
        Some(year) => format!("{title} ({year})"),
        None => title,
    };
    words.say("telegram-candidate", &[("kind", Arg::Text(kind)), ("title", Arg::Text(&title))])
}
