//! What people look at.

use async_trait::async_trait;
use rusqlite::{Connection, Row, params};
use verst_kernel::{Entry, StoreError, Timestamp, WorkId};
use verst_recordings::search::Query;
use verst_service::{Edit, Filter, Glimpse, Ledger, State, StopMark, View, WorkView};

use super::{Driver, Sqlite, cards, recordings, rows};
use crate::codec;

/// What is shown of any work.
pub(super) const STANDS: &str = "w.milestone, w.created_at, w.entered_at, w.ready_at, \
    w.holder IS NOT NULL, w.failures, w.why, w.stopped_at, w.stop_reason, w.stop_failure";

const PARTS: &str = "(SELECT count(*) FROM part p JOIN attempt a ON a.id = p.attempt_id \
     WHERE a.recording_id = w.id AND a.closed_at IS NULL)";

#[async_trait]
impl Ledger for Sqlite {
    async fn list(&self, filter: Filter) -> Result<Vec<View>, StoreError> {
        self.readers.run(move |db| list(db, &filter)).await
    }

    async fn view(&self, id: WorkId) -> Result<Option<View>, StoreError> {
        self.readers
            .run(move |db| {
                let sql = format!(
                    "SELECT {}, {STANDS}, {PARTS} FROM recording r JOIN work w ON w.id = r.id WHERE r.id = ?1",
                    recordings::COLUMNS
                );
                let mut select = db.prepare_cached(&sql).or_trouble()?;
                let mut found = select.query([id.0]).or_trouble()?;
                found.next().or_trouble()?.map(read).transpose()
            })
            .await
    }

    async fn journal(&self, id: WorkId) -> Result<Vec<Entry>, StoreError> {
        self.readers
            .run(move |db| {
                let mut select = db
                    .prepare_cached(
                        "SELECT at, actor_kind, actor, event, milestone, duration_us, failure
                         FROM journal WHERE work_id = ?1 ORDER BY id",
                    )
                    .or_trouble()?;
                let mut found = select.query([id.0]).or_trouble()?;
                let mut entries = Vec::new();
                while let Some(row) = found.next().or_trouble()? {
                    entries.push(rows::entry(row)?);
                }
                Ok(entries)
            })
            .await
    }

    async fn edit(&self, id: WorkId, edit: Edit) -> Result<bool, StoreError> {
        self.writer.run(move |db| write_edit(db, id, &edit)).await
    }

    async fn glimpses(&self, ids: Vec<WorkId>, query: Query) -> Result<Vec<Glimpse>, StoreError> {
        self.readers.run(move |db| cards::glimpses(db, &ids, &query)).await
    }

    async fn renew_cards(&self, limit: u32) -> Result<u64, StoreError> {
        self.writer.run(move |db| cards::renew_some(db, limit)).await
    }

    async fn remove(&self, id: WorkId) -> Result<bool, StoreError> {
        self.writer.run(move |db| remove(db, id)).await
    }

    async fn discarded(&self, limit: u32) -> Result<Vec<String>, StoreError> {
        self.readers
            .run(move |db| {
                let mut select = db
                    .prepare_cached("SELECT key FROM discarded ORDER BY key LIMIT ?1")
                    .or_trouble()?;
                let keys = select.query_map([limit], |r| r.get(0)).or_trouble()?;
                keys.collect::<rusqlite::Result<_>>().or_trouble()
            })
            .await
    }

    async fn forget_discarded(&self, keys: Vec<String>) -> Result<(), StoreError> {
        self.writer
            .run(move |db| {
                let mut forget =
                    db.prepare_cached("DELETE FROM discarded WHERE key = ?1").or_trouble()?;
                for key in keys {
                    forget.execute([key]).or_trouble()?;
                }
                Ok(())
            })
            .await
    }
}

/// Nothing is given for what is left as it is, an empty text for what is removed.
fn write_edit(db: &Connection, id: WorkId, edit: &Edit) -> Result<bool, StoreError> {
    let changed = db
        .prepare_cached(
            "UPDATE recording SET
                 title = iif(?2 IS NULL, title, nullif(?2, '')),
                 summary = iif(?3 IS NULL, summary, nullif(?3, '')),
                 topics = coalesce(?4, topics), speakers = coalesce(?5, speakers)
             WHERE id = ?1",
        )
        .or_trouble()?
        .execute(params![
            id.0,
            edit.title,
            edit.summary,
            edit.topics.as_ref().map(codec::write_typed),
            edit.speakers.as_ref().map(codec::write_typed),
        ])
        .or_trouble()?;
    if changed == 0 {
        return Ok(false);
    }
    cards::rewrite(db, id)?;
    Ok(true)
}

fn remove(db: &Connection, id: WorkId) -> Result<bool, StoreError> {
    db.prepare_cached(
        "INSERT INTO discarded (key)
         SELECT original FROM recording WHERE id = ?1 AND original_deleted = 0
         UNION SELECT audio_key FROM recording WHERE id = ?1 AND audio_key IS NOT NULL
         ON CONFLICT DO NOTHING",
    )
    .or_trouble()?
    .execute([id.0])
    .or_trouble()?;
    // Not by the cascade from `attempt`: which of two children goes first is not said.
    db.prepare_cached("DELETE FROM transcript WHERE recording_id = ?1")
        .or_trouble()?
        .execute([id.0])
        .or_trouble()?;
    let removed = db
        .prepare_cached("DELETE FROM work WHERE id = ?1")
        .or_trouble()?
        .execute([id.0])
        .or_trouble()?;
    Ok(removed == 1)
}

/// What it means to stand so.
pub(super) fn of_state(state: Option<State>) -> &'static str {
    match state {
        None => "",
        Some(State::Moving) => "AND w.stopped_at IS NULL AND w.milestone <> 'done'",
        Some(State::Stopped) => "AND w.stopped_at IS NOT NULL",
        Some(State::Done) => "AND w.stopped_at IS NULL AND w.milestone = 'done'",
    }
}

/// What a filter adds to the condition; `?3` is the owner.
fn condition(filter: &Filter) -> String {
    let state = of_state(filter.state);
    let owner = if filter.owner.is_some() { "AND r.owner = ?3" } else { "AND ?3 IS NULL" };
    format!("{state} {owner}")
}

/// The statement of a list; `?4` is what is looked for.
pub(super) fn listing(filter: &Filter) -> String {
    let (columns, condition) = (recordings::COLUMNS, condition(filter));
    match filter.search {
        None => format!(
            "SELECT {columns}, {STANDS}, {PARTS} FROM recording r JOIN work w ON w.id = r.id
             WHERE r.id < ?1 {condition} AND ?4 IS NULL ORDER BY r.id DESC LIMIT ?2"
        ),
        // Crossed, which keeps the order: hits come from the newest on, and only as many as are
        // wanted are read.
        Some(_) => format!(
            "SELECT {columns}, {STANDS}, {PARTS} FROM card_stems
                 CROSS JOIN recording r ON r.id = card_stems.rowid CROSS JOIN work w ON w.id = r.id
             WHERE card_stems MATCH ?4 AND card_stems.rowid < ?1 {condition}
             ORDER BY card_stems.rowid DESC LIMIT ?2"
        ),
    }
}

/// As many recordings are looked at one by one in no time.
const CANDIDATES: u32 = 1000;

/// The recordings that stand as they are wanted, if few do. Without an index of states and words
/// together, a common word would be looked up for every recording that has it.
pub(super) fn candidates(filter: &Filter) -> Option<String> {
    let index = match filter.state {
        Some(State::Moving) => "work_waiting",
        Some(State::Stopped) => "work_stopped",
        Some(State::Done) | None => return None,
    };
    let condition = condition(filter);
    Some(format!(
        "SELECT w.id FROM work w INDEXED BY {index} CROSS JOIN recording r ON r.id = w.id
         WHERE w.id < ?1 {condition} LIMIT {}",
        CANDIDATES + 1
    ))
}

/// The statement of a list of them, or of those that have the words. Looking one recording up in the
/// index takes as long as walking past two thousand hits of a word (measured: 80 µs), so hits are
/// walked and asked whether they are wanted. The sign keeps SQLite from looking them up.
pub(super) fn among(candidates: &str, searched: bool) -> String {
    let (from, wanted) = if searched {
        let hits = "card_stems CROSS JOIN recording r ON r.id = card_stems.rowid";
        (hits, "card_stems MATCH ?4 AND +card_stems.rowid IN (SELECT id FROM candidate)")
    } else {
        ("candidate CROSS JOIN recording r ON r.id = candidate.id", "?4 IS NULL")
    };
    let order = if searched { "card_stems.rowid" } else { "r.id" };
    format!(
        "WITH candidate AS MATERIALIZED ({candidates})
         SELECT {}, {STANDS}, {PARTS} FROM {from} CROSS JOIN work w ON w.id = r.id
         WHERE {wanted} ORDER BY {order} DESC LIMIT ?2",
        recordings::COLUMNS
    )
}

fn few(db: &Connection, filter: &Filter, before: i64) -> Result<Option<String>, StoreError> {
    let Some(candidates) = candidates(filter) else { return Ok(None) };
    let count: u32 = db
        .prepare_cached(&format!("SELECT count(*) FROM ({candidates}) WHERE ?2 IS NULL"))
        .or_trouble()?
        .query_row(params![before, None::<i64>, filter.owner], |row| row.get(0))
        .or_trouble()?;
    Ok((count <= CANDIDATES).then_some(candidates))
}

fn list(db: &Connection, filter: &Filter) -> Result<Vec<View>, StoreError> {
    let before = filter.before.map_or(i64::MAX, |id| id.0);
    let expression = filter.search.as_ref().map(|it| cards::SIGNS.expression(it, filter));
    let sql = match few(db, filter, before)? {
        Some(candidates) => among(&candidates, expression.is_some()),
        None => listing(filter),
    };
    let mut select = db.prepare_cached(&sql).or_trouble()?;
    let mut found =
        select.query(params![before, filter.limit, filter.owner, expression]).or_trouble()?;
    let mut views = Vec::new();
    while let Some(row) = found.next().or_trouble()? {
        views.push(read(row)?);
    }
    Ok(views)
}

fn read(row: &Row<'_>) -> Result<View, StoreError> {
    let recording = recordings::read(row)?;
    Ok(View {
        work: work(row, recording.id, recordings::COLUMN_COUNT)?,
        recording,
        parts: u64::try_from(row.get::<_, i64>(recordings::COLUMN_COUNT + 10).or_trouble()?)
            .unwrap_or(0),
    })
}

/// Reads [`STANDS`] from this column on.
pub(super) fn work(row: &Row<'_>, id: WorkId, first: usize) -> Result<WorkView, StoreError> {
    let at = |i: usize| first + i;
    let stopped_at: Option<i64> = row.get(at(7)).or_trouble()?;
    let reason: Option<String> = row.get(at(8)).or_trouble()?;
    let failure: Option<String> = row.get(at(9)).or_trouble()?;
    let stop = match (stopped_at, reason, failure) {
        (Some(stopped_at), Some(reason), Some(failure)) => Some(StopMark {
            at: Timestamp(stopped_at),
            reason: rows::reason(&reason)?,
            failure: codec::read_failure(&failure)?,
        }),
        _ => None,
    };
    Ok(WorkView {
        id,
        milestone: row.get(at(0)).or_trouble()?,
        created_at: Timestamp(row.get(at(1)).or_trouble()?),
        entered_at: Timestamp(row.get(at(2)).or_trouble()?),
        ready_at: Timestamp(row.get(at(3)).or_trouble()?),
        held: row.get(at(4)).or_trouble()?,
        failures: row.get(at(5)).or_trouble()?,
        why: rows::failure(row.get::<_, Option<String>>(at(6)).or_trouble()?.as_deref())?,
        stop,
    })
}
