//! The model as the tables that it stands for.

use serde_json::json;
use verst_kernel::{Actor, Entry, Failure, NoticeKind, Timestamp, Value};

use super::{Attempt, Called, Model, Work, micros};
use crate::given;
use crate::tables::{Row, Tables};

impl Model {
    pub(crate) fn tables(&self) -> Tables {
        let work = self.work.values().map(work).collect();
        let recording = self.work.values().map(recording).collect();
        let journal = self.journal.iter().map(|(id, entry)| journal(*id, entry)).collect();
        let notice = self.notices.iter().map(|(by, notice)| {
            let (kind, failure) = match &notice.kind {
                NoticeKind::Done => ("done", None),
                NoticeKind::Stopped(failure) => ("stopped", Some(text(failure))),
            };
            row([
                ("work_id", Some(notice.work.to_string())),
                ("instance", Some(given::instance(*by).0)),
                ("kind", Some(kind.to_string())),
                ("failure", failure),
            ])
        });
        let there = |it: &usize| self.work.contains_key(&self.attempts[*it].work);
        let kept: Vec<usize> = (0..self.attempts.len()).filter(there).collect();
        // Attempts are counted among those that are there.
        let number = |attempt: usize| {
            let place = kept.iter().position(|it| *it == attempt);
            (place.expect("what hangs on it goes with it") + 1).to_string()
        };
        let attempt = kept.iter().map(|it| attempt(number(*it), &self.attempts[*it])).collect();
        let calls = self.calls.iter().filter(|it| kept.contains(&it.attempt)).zip(1..);
        let call = calls.map(|(it, id)| call(id, number(it.attempt), it)).collect();
        let part = self.parts.iter().map(|(attempt, index)| {
            row([
                ("attempt_id", Some(number(*attempt))),
                ("position", Some(index.to_string())),
                ("language", Some("en".to_owned())),
                ("segments", Some("[]".to_owned())),
            ])
        });
        let transcript = self.transcripts.iter().map(|(id, attempt)| {
            row([
                ("recording_id", Some(id.to_string())),
                ("attempt_id", Some(number(*attempt))),
                ("model", Some("base".to_owned())),
                ("segments", Some("[]".to_owned())),
            ])
        });
        let discarded = self.discarded.iter().map(|key| row([("key", Some(key.clone()))]));
        Tables::from([
            ("work".to_owned(), work),
            ("recording".to_owned(), recording),
            ("journal".to_owned(), journal),
            ("notice".to_owned(), notice.collect()),
            ("attempt".to_owned(), attempt),
            ("call".to_owned(), call),
            ("part".to_owned(), part.collect()),
            ("transcript".to_owned(), transcript.collect()),
            ("discarded".to_owned(), discarded.collect()),
        ])
    }
}

fn row<const N: usize>(cells: [(&str, Option<String>); N]) -> Row {
    cells.into_iter().filter_map(|(name, cell)| Some((name.to_owned(), cell?))).collect()
}

fn time(at: Option<Timestamp>) -> Option<String> {
    at.map(|at| at.0.to_string())
}

/// The stored form of a failure, written a second time: it is in databases already.
fn text(failure: &Failure) -> String {
    let mut stored = json!({ "code": failure.code });
    for (name, value) in &failure.params {
        stored["params"][&**name] = match value {
            Value::Int(number) => json!(number),
            Value::Term(term) => json!(term),
        };
    }
    stored.to_string()
}

fn work(it: &Work) -> Row {
    let mark = it.stop.as_ref();
    row([
        ("id", Some(it.id.to_string())),
        ("line", Some("recordings".to_owned())),
        ("milestone", Some(it.milestone.to_string())),
        ("created_at", time(Some(it.created_at))),
        ("entered_at", time(Some(it.entered_at))),
        ("held_us", Some(it.held_us.to_string())),
        ("waiting_since", time(it.waiting_since)),
        ("tried_at", time(it.tried_at)),
        ("ready_at", time(Some(it.ready_at))),
        ("fence", Some(it.fence.to_string())),
        ("holder", it.held.as_ref().map(|held| given::instance(held.by).0)),
        ("claimed_at", time(it.held.as_ref().map(|held| held.at))),
        ("lease_us", it.held.as_ref().map(|held| micros(held.lease).to_string())),
        ("failures", Some(it.failures.to_string())),
        ("last_failure", it.last_failure.as_ref().map(text)),
        ("why", it.why.as_ref().map(text)),
        ("stopped_at", time(mark.map(|(at, _)| *at))),
        ("stop_reason", mark.map(|(_, mark)| mark.reason.name().to_owned())),
        ("stop_failure", mark.map(|(_, mark)| text(&mark.failure))),
    ])
}

fn recording(it: &Work) -> Row {
    let given = given::recording(it.small, it.id);
    let decoded = it.duration.map(given::audio).map(|(audio, _)| audio);
    let kinds = decoded.as_ref().map(|_| r#"{"kind":"cut_off"}"#);
    let warned = it.warned.as_ref().map(|_| r#"{"kind":"speakers_unknown"}"#);
    let warnings: Vec<&str> = kinds.into_iter().chain(warned).collect();
    row([
        ("id", Some(it.id.to_string())),
        ("source", Some(given.source.name().to_string())),
        ("reply_to", given.reply_to),
        ("original", Some(given.original)),
        ("original_deleted", Some(u8::from(it.original_deleted).to_string())),
        ("name", given.name),
        ("size_bytes", Some(given.size_bytes.to_string())),
        ("title", it.title.map(str::to_owned)),
        ("topics", Some("[]".to_owned())),
        ("speakers", Some("{}".to_owned())),
        ("audio_key", decoded.clone().filter(|_| it.audio).map(|audio| audio.key)),
        ("level_db", decoded.as_ref().and_then(|audio| audio.level_db).map(|db| db.to_string())),
        ("duration_us", decoded.as_ref().map(|audio| micros(audio.duration).to_string())),
        ("warnings", Some(format!("[{}]", warnings.join(",")))),
    ])
}

fn journal(id: i64, entry: &Entry) -> Row {
    let (kind, actor) = match &entry.actor {
        Actor::Step(step) => ("step", step),
        Actor::Person(person) => ("person", person),
    };
    row([
        ("work_id", Some(id.to_string())),
        ("at", time(Some(entry.at))),
        ("actor_kind", Some(kind.to_string())),
        ("actor", Some(actor.clone())),
        ("event", Some(entry.event.name().to_string())),
        ("milestone", Some(entry.milestone.clone())),
        ("duration_us", Some(micros(entry.duration).to_string())),
        ("failure", entry.failure.as_ref().map(text)),
    ])
}

fn attempt(id: String, it: &Attempt) -> Row {
    row([
        ("id", Some(id)),
        ("recording_id", Some(it.work.to_string())),
        ("recogniser", Some(given::RECOGNISER.to_string())),
        ("lane", it.lane.map(str::to_owned)),
        ("opened_at", time(Some(it.opened_at))),
        ("ticket", it.ticket.then(|| given::TICKET.to_owned())),
        ("awaited", Some(u8::from(it.awaited).to_string())),
        ("closed_at", time(it.closed.as_ref().map(|(at, _)| *at))),
        ("failure", it.closed.as_ref().and_then(|(_, failure)| failure.as_ref()).map(text)),
    ])
}

fn call(id: i64, attempt: String, it: &Called) -> Row {
    let given = given::call(it.index);
    row([
        ("id", Some(id.to_string())),
        ("attempt_id", Some(attempt)),
        ("position", Some(it.index.to_string())),
        ("from_ms", Some(given.from_ms.to_string())),
        ("until_ms", Some(given.until_ms.to_string())),
        ("opened_at", time(Some(it.opened_at))),
        ("answered_at", time(it.answered_at)),
        ("closed_at", time(it.closed.as_ref().map(|(at, _)| *at))),
        ("failure", it.closed.as_ref().and_then(|(_, failure)| failure.as_ref()).map(text)),
    ])
}
