//! What people look at.

use async_trait::async_trait;
use rusqlite::{Connection, Row, params};
use verst_kernel::{Entry, StoreError, Timestamp, WorkId};
use verst_service::{Filter, Ledger, StopMark, View, WorkView};

use super::{Driver, Sqlite, recordings, rows};
use crate::codec;

const WORK: &str = "w.milestone, w.created_at, w.entered_at, w.ready_at, w.holder IS NOT NULL, \
    w.failures, w.why, w.stopped_at, w.stop_reason, w.stop_failure, \
    (SELECT count(*) FROM part p JOIN attempt a ON a.id = p.attempt_id \
     WHERE a.recording_id = w.id AND a.closed_at IS NULL)";

/// Columns of a recording, which come first.
const RECORDING_COLUMNS: usize = 14;

#[async_trait]
impl Ledger for Sqlite {
    async fn list(&self, filter: Filter) -> Result<Vec<View>, StoreError> {
        self.readers.run(move |db| list(db, filter)).await
    }

    async fn view(&self, id: WorkId) -> Result<Option<View>, StoreError> {
        self.readers
            .run(move |db| {
                let sql = format!(
                    "SELECT {}, {WORK} FROM recording r JOIN work w ON w.id = r.id WHERE r.id = ?1",
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

    async fn set_title(&self, id: WorkId, title: Option<String>) -> Result<bool, StoreError> {
        self.writer
            .run(move |db| {
                let sql = "UPDATE recording SET title = ?2 WHERE id = ?1";
                Ok(db.execute(sql, params![id.0, title]).or_trouble()? == 1)
            })
            .await
    }
}

fn list(db: &Connection, filter: Filter) -> Result<Vec<View>, StoreError> {
    let moving =
        if filter.moving { "AND w.stopped_at IS NULL AND w.milestone <> 'done'" } else { "" };
    let sql = format!(
        "SELECT {}, {WORK} FROM recording r JOIN work w ON w.id = r.id
         WHERE r.id < ?1 {moving} ORDER BY r.id DESC LIMIT ?2",
        recordings::COLUMNS
    );
    let mut select = db.prepare_cached(&sql).or_trouble()?;
    let before = filter.before.map_or(i64::MAX, |id| id.0);
    let mut found = select.query(params![before, filter.limit]).or_trouble()?;
    let mut views = Vec::new();
    while let Some(row) = found.next().or_trouble()? {
        views.push(read(row)?);
    }
    Ok(views)
}

fn read(row: &Row<'_>) -> Result<View, StoreError> {
    let recording = recordings::read(row)?;
    let at = |i: usize| RECORDING_COLUMNS + i;
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
    Ok(View {
        work: WorkView {
            id: recording.id,
            milestone: row.get(at(0)).or_trouble()?,
            created_at: Timestamp(row.get(at(1)).or_trouble()?),
            entered_at: Timestamp(row.get(at(2)).or_trouble()?),
            ready_at: Timestamp(row.get(at(3)).or_trouble()?),
            held: row.get(at(4)).or_trouble()?,
            failures: row.get(at(5)).or_trouble()?,
            why: rows::failure(row.get::<_, Option<String>>(at(6)).or_trouble()?.as_deref())?,
            stop,
        },
        recording,
        parts: u64::try_from(row.get::<_, i64>(at(10)).or_trouble()?).unwrap_or(0),
    })
}
