//! What people look at.
//!
//! **Invariant:** the one write here, a title, touches nothing that a step reads or writes.

use async_trait::async_trait;
use tokio_postgres::Row;
use verst_kernel::{Entry, StoreError, Timestamp, WorkId};
use verst_service::{Filter, Ledger, StopMark, View, WorkView};

use super::rows::{self, get};
use super::{Postgres, all, execute, maybe, recordings};

const WORK: &str = "w.milestone, w.created_at, w.entered_at, w.ready_at, w.holder IS NOT NULL, \
    w.failures, w.why, w.stopped_at, w.stop_reason, w.stop_failure, \
    (SELECT count(*) FROM part p JOIN attempt a ON a.id = p.attempt_id \
     WHERE a.recording_id = w.id AND a.closed_at IS NULL)";

/// Columns of a recording, which come first.
const RECORDING_COLUMNS: usize = 14;

#[async_trait]
impl Ledger for Postgres {
    async fn list(&self, filter: Filter) -> Result<Vec<View>, StoreError> {
        let moving =
            if filter.moving { "AND w.stopped_at IS NULL AND w.milestone <> 'done'" } else { "" };
        let sql = format!(
            "SELECT {}, {WORK} FROM recording r JOIN work w ON w.id = r.id
             WHERE r.id < $1 {moving} ORDER BY r.id DESC LIMIT $2",
            recordings::COLUMNS
        );
        let before = filter.before.map_or(i64::MAX, |id| id.0);
        let limit = i64::from(filter.limit);
        self.run(move |db| async move {
            all(&db, &sql, &[&before, &limit]).await?.iter().map(read).collect()
        })
        .await
    }

    async fn view(&self, id: WorkId) -> Result<Option<View>, StoreError> {
        let sql = format!(
            "SELECT {}, {WORK} FROM recording r JOIN work w ON w.id = r.id WHERE r.id = $1",
            recordings::COLUMNS
        );
        self.run(move |db| async move {
            maybe(&db, &sql, &[&id.0]).await?.as_ref().map(read).transpose()
        })
        .await
    }

    async fn journal(&self, id: WorkId) -> Result<Vec<Entry>, StoreError> {
        self.run(move |db| async move {
            let found = all(
                &db,
                "SELECT at, actor_kind, actor, event, milestone, duration_us, failure
                 FROM journal WHERE work_id = $1 ORDER BY id",
                &[&id.0],
            )
            .await?;
            found.iter().map(rows::entry).collect()
        })
        .await
    }

    async fn set_title(&self, id: WorkId, title: Option<String>) -> Result<bool, StoreError> {
        self.run(move |db| async move {
            let title = title.as_deref().map(rows::text);
            let set = "UPDATE recording SET title = $2 WHERE id = $1";
            Ok(execute(&db, set, &[&id.0, &title]).await? == 1)
        })
        .await
    }
}

fn read(row: &Row) -> Result<View, StoreError> {
    let at = |place: usize| RECORDING_COLUMNS + place;
    let stopped_at: Option<i64> = get(row, at(7))?;
    let stop = match (stopped_at, get::<Option<&str>>(row, at(8))?, rows::failure(row, at(9))?) {
        (Some(stopped_at), Some(reason), Some(failure)) => {
            Some(StopMark { at: Timestamp(stopped_at), reason: rows::reason(reason)?, failure })
        }
        _ => None,
    };
    Ok(View {
        work: WorkView {
            id: rows::id(row, 0)?,
            milestone: get(row, at(0))?,
            created_at: rows::time(row, at(1))?,
            entered_at: rows::time(row, at(2))?,
            ready_at: rows::time(row, at(3))?,
            held: get(row, at(4))?,
            failures: rows::count(row, at(5), "failures")?,
            why: rows::failure(row, at(6))?,
            stop,
        },
        recording: recordings::read(row)?,
        parts: rows::count(row, at(10), "parts")?,
    })
}
