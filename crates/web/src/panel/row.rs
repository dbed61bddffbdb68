//! A thing in a list: a recording or a download, where it stands, why, and what can be done.
//!
//! **Invariant:** why something waits or stopped is said in the words that every face uses.

use verst_service::download::Snapshot;
use verst_service::{
    Caller, Choice, DownloadView, Failure, Found, Snippet, State, StopReason, Value, View, WorkView,
};

use super::road::Road;
use super::speech::{Speech, clock, plain_time};
use crate::recordings::shape::{millis, moment};

/// A row of a list.
pub(crate) struct Row {
    pub(crate) id: i64,
    pub(crate) href: String,
    pub(crate) name: String,
    pub(crate) facts: Vec<String>,
    /// When it was taken in, as RFC 3339 has it, and for those without scripts.
    pub(crate) created_at: String,
    pub(crate) created: String,
    pub(crate) road: Road,
    /// The look of the badge, and what stands in it.
    pub(crate) badge: &'static str,
    pub(crate) stands: String,
    pub(crate) percent: Option<u64>,
    pub(crate) why: Option<String>,
    /// What is read out when it changes.
    pub(crate) said: String,
    /// Whether a person is needed.
    pub(crate) asks: bool,
    pub(crate) acts: Vec<Act>,
    /// Whether it can be ticked.
    pub(crate) picks: bool,
    pub(crate) snippets: Vec<Glance>,
    /// What was looked for.
    pub(crate) query: String,
    /// Whether it is where a reader goes on.
    pub(crate) focus: bool,
}

/// Something that can be done at once.
pub(crate) struct Act {
    /// For the identity of its button.
    pub(crate) name: &'static str,
    pub(crate) path: &'static str,
    pub(crate) word: &'static str,
    /// The choice that goes along.
    pub(crate) choice: Option<&'static str>,
}

/// A place in which something was found.
pub(crate) struct Glance {
    /// When it was said, for people; none in a summary.
    pub(crate) at: Option<String>,
    pub(crate) start_ms: u64,
    /// The text in pieces, and which of them are hits.
    pub(crate) pieces: Vec<(String, bool)>,
}

impl Glance {
    fn of(snippet: &Snippet, said: bool) -> Self {
        let pieces = snippet.pieces().map(|(text, hit)| (text.to_owned(), hit)).collect();
        let at = said.then(|| clock(snippet.start_ms));
        Self { at, start_ms: snippet.start_ms, pieces }
    }
}

impl Act {
    const STOP: Self = Self::plain("stop", "row-stop");
    const LIFT: Self = Self::plain("lift", "row-lift");
    const RETRY: Self = Self::plain("lift", "row-retry");
    const AGAIN: Self = Self {
        name: "again",
        path: "lift",
        word: "row-submit-again",
        choice: Some("submit_again"),
    };
    const WAIT: Self =
        Self { name: "wait", path: "lift", word: "row-keep-waiting", choice: Some("keep_waiting") };

    const fn plain(path: &'static str, word: &'static str) -> Self {
        Self { name: path, path, word, choice: None }
    }

    /// What can be done with a recording that stands so.
    pub(crate) fn of_recording(work: &WorkView) -> Vec<Self> {
        match work.state() {
            State::Done => Vec::new(),
            State::Moving => vec![Self::STOP],
            State::Stopped => match work.choices().as_slice() {
                [] => vec![Self::LIFT],
                choices => choices
                    .iter()
                    .map(|choice| match choice {
                        Choice::SubmitAgain => Self::AGAIN,
                        Choice::KeepWaiting => Self::WAIT,
                    })
                    .collect(),
            },
        }
    }

    fn of_download(view: &DownloadView) -> Vec<Self> {
        match view.work.state() {
            State::Done => Vec::new(),
            State::Moving => vec![Self::STOP],
            // What it is has to be said first; its reason tells how.
            State::Stopped if !view.download.candidates.is_empty() => Vec::new(),
            State::Stopped => vec![Self::RETRY],
        }
    }
}

impl Row {
    /// A recording.
    pub(crate) fn recording(view: &View, caller: &Caller, t: Speech<'_>) -> Self {
        let (work, recording) = (&view.work, &view.recording);
        let mut facts = vec![t.say("row-recording")];
        facts.extend(recording.duration.map(|it| clock(millis(it))));
        facts.push(t.size(recording.given.size_bytes));
        facts.extend(recording.given.owner.clone().filter(|it| Some(it) != caller.owner.as_ref()));
        let name = name(view, t);
        let row = Self::work(work, "recordings", name, facts, t);
        Self { acts: Act::of_recording(work), ..row }
    }

    /// A recording that was found, to be ticked.
    pub(crate) fn found(found: &Found, query: &str, caller: &Caller, t: Speech<'_>) -> Self {
        let said = found.snippets.iter().map(|it| Glance::of(it, true));
        let written = found.summary.iter().map(|it| Glance::of(it, false));
        Self {
            picks: true,
            snippets: said.chain(written).collect(),
            query: query.to_owned(),
            ..Self::recording(&found.view, caller, t)
        }
    }

    /// A download.
    pub(crate) fn download(view: &DownloadView, live: Option<&Snapshot>, t: Speech<'_>) -> Self {
        let download = &view.download;
        let mut facts = vec![t.say("row-download")];
        facts.extend(download.size_bytes.map(|it| t.size(it)));
        let number = t.with("row-number", "number", &view.work.id.to_string());
        let name = download.name.clone().unwrap_or(number);
        let row = Self::work(&view.work, "downloads", name, facts, t);
        let percent =
            live.filter(|_| view.work.state() == State::Moving).and_then(Snapshot::percent);
        Self { acts: Act::of_download(view), percent: percent.or(row.percent), ..row }
    }

    fn work(
        work: &WorkView,
        line: &'static str,
        name: String,
        facts: Vec<String>,
        t: Speech<'_>,
    ) -> Self {
        let (badge, stands) = stands(work, t);
        let stop = work.stop.as_ref().map(|stop| t.why(&stop.failure));
        Self {
            id: work.id.0,
            href: format!("/{line}/{}", work.id),
            facts,
            created_at: moment(work.created_at),
            created: plain_time(work.created_at),
            road: Road::of(line, work, false, t),
            badge,
            percent: work.why.as_ref().and_then(percent),
            why: stop.or_else(|| work.why.as_ref().map(|why| t.why(why))),
            said: format!("{name}: {stands}"),
            name,
            stands,
            asks: needs_person(work),
            acts: Vec::new(),
            picks: false,
            snippets: Vec::new(),
            query: String::new(),
            focus: false,
        }
    }
}

/// What a recording is called.
pub(crate) fn name(view: &View, t: Speech<'_>) -> String {
    let recording = &view.recording;
    let named = recording.title.as_ref().or(recording.given.name.as_ref());
    let number = || t.with("row-number", "number", &view.work.id.to_string());
    named.cloned().unwrap_or_else(number)
}

/// Whether it stopped by itself, and so goes on with nobody but a person.
pub(crate) fn needs_person(work: &WorkView) -> bool {
    work.stop.as_ref().is_some_and(|stop| stop.reason != StopReason::Person)
}

/// The look of a badge, and what stands in it.
pub(crate) fn stands(work: &WorkView, t: Speech<'_>) -> (&'static str, String) {
    let milestone = t.milestone(&work.milestone);
    match work.state() {
        State::Done => ("done", milestone),
        State::Moving => ("moving", milestone),
        State::Stopped => {
            let look = if needs_person(work) { "failed" } else { "" };
            (look, t.with("state-stopped", "milestone", &milestone))
        }
    }
}

/// How much is done, where that is known.
pub(crate) fn percent(why: &Failure) -> Option<u64> {
    match why.params.get("percent") {
        Some(Value::Int(percent)) => u64::try_from(*percent).ok().filter(|it| *it <= 100),
        Some(Value::Term(_)) | None => None,
    }
}
