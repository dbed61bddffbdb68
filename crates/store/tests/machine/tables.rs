//! Every row of every table as text, asked past the ports and in the same words of both stores.
//!
//! **Invariant:** every column of the schema is here. Ids that nothing else names are left out, and
//! those of attempts are counted: a transaction that was undone may use some up.

use std::collections::{BTreeMap, BTreeSet};

/// Columns by name; what is null is left out.
pub(crate) type Row = BTreeMap<String, String>;
/// Rows by table, in order.
pub(crate) type Tables = BTreeMap<String, Vec<Row>>;

pub(crate) const QUERIES: [(&str, &str); 9] = [
    (
        "work",
        "SELECT id, line, milestone, created_at, entered_at, held_us, waiting_since, tried_at,
             ready_at, fence, holder, claimed_at, lease_us, failures, last_failure, why, stopped_at,
             stop_reason, stop_failure
         FROM work ORDER BY id",
    ),
    (
        "recording",
        "SELECT id, source, reply_to, owner, original,
             CASE WHEN original_deleted THEN 1 ELSE 0 END AS original_deleted, name, size_bytes,
             language, model, title, summary, topics, speakers, audio_key, level_db, duration_us,
             warnings, handle
         FROM recording ORDER BY id",
    ),
    (
        "journal",
        "SELECT work_id, at, actor_kind, actor, event, milestone, duration_us, failure
         FROM journal ORDER BY id",
    ),
    ("notice", "SELECT work_id, instance, kind, failure FROM notice ORDER BY id"),
    (
        "attempt",
        "SELECT row_number() OVER (ORDER BY id) AS id, recording_id, recogniser, lane, opened_at,
             ticket, CASE WHEN awaited THEN 1 ELSE 0 END AS awaited, closed_at, failure
         FROM attempt ORDER BY id",
    ),
    (
        "call",
        "SELECT row_number() OVER (ORDER BY id) AS id,
             (SELECT count(*) FROM attempt WHERE id <= attempt_id) AS attempt_id, position,
             from_ms, until_ms, opened_at, answered_at, closed_at, failure
         FROM call ORDER BY id",
    ),
    (
        "part",
        "SELECT (SELECT count(*) FROM attempt WHERE id <= attempt_id) AS attempt_id, position,
             language, segments
         FROM part ORDER BY attempt_id, position",
    ),
    (
        "transcript",
        "SELECT recording_id, (SELECT count(*) FROM attempt WHERE id <= attempt_id) AS attempt_id,
             language, model, segments
         FROM transcript ORDER BY recording_id",
    ),
    ("discarded", "SELECT key FROM discarded ORDER BY key"),
];

/// What is on one side only, for whoever reads the failure.
pub(crate) fn difference(store: &Tables, model: &Tables) -> String {
    let mut told = Vec::new();
    for (table, rows) in model {
        let stored = store.get(table).map_or(&[][..], Vec::as_slice);
        for place in 0..rows.len().max(stored.len()) {
            let (theirs, ours) = (stored.get(place), rows.get(place));
            if theirs != ours {
                told.push(format!("\n{table} {place}: {}", cells(theirs, ours)));
            }
        }
    }
    told.concat()
}

fn cells(store: Option<&Row>, model: Option<&Row>) -> String {
    let (Some(store), Some(model)) = (store, model) else {
        return format!("the store has {store:?}, the model {model:?}");
    };
    let names: BTreeSet<_> = store.keys().chain(model.keys()).collect();
    let differ = names.into_iter().filter(|name| store.get(*name) != model.get(*name));
    let told = differ.map(|name| {
        format!("{name} is {:?} in the store, {:?} in the model", store.get(name), model.get(name))
    });
    told.collect::<Vec<_>>().join("; ")
}
