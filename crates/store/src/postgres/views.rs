//! What people look at.
//!
//! **Invariant:** what a person edits here is nothing that a step reads or writes.

use async_trait::async_trait;
use deadpool_postgres::Client;
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;
use verst_kernel::{Entry, StoreError, Timestamp, WorkId};
use verst_recordings::search::Query;
use verst_service::{Edit, Filter, Glimpse, Ledger, State, StopMark, View, WorkView};

use super::rows::{self, get};
use super::{Driver, Postgres, all, cards, execute, maybe, recordings, search};
use crate::codec;

/// What is shown of any work.
pub(super) const STANDS: &str = "w.milestone, w.created_at, w.entered_at, w.ready_at, \
    w.holder IS NOT NULL, w.failures, w.why, w.stopped_at, w.stop_reason, w.stop_failure";

const PARTS: &str = "(SELECT count(*) FROM part p JOIN attempt a ON a.id = p.attempt_id \
     WHERE a.recording_id = w.id AND a.closed_at IS NULL)";

#[async_trait]
impl Ledger for Postgres {
    async fn list(&self, filter: Filter) -> Result<Vec<View>, StoreError> {
        self.run(move |db| async move {
            let rows = match &filter.search {
                Some(query) => search::search(&db, &filter, query).await?,
                None => list(&db, &filter).await?,
            };
            rows.iter().map(read).collect()
        })
        .await
    }

    async fn view(&self, id: WorkId) -> Result<Option<View>, StoreError> {
        self.run(move |db| async move {
            let sql = format!("{} WHERE r.id = $1", select());
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

    async fn edit(&self, id: WorkId, edit: Edit) -> Result<bool, StoreError> {
        let text = |typed: Option<String>| typed.map(|typed| rows::text(&typed).into_owned());
        let (title, summary) = (text(edit.title), text(edit.summary));
        // As JSON the character that a text here cannot hold is written in others.
        let topics = edit.topics.as_ref().map(codec::write_typed);
        let speakers = edit.speakers.as_ref().map(codec::write_typed);
        self.run(move |mut db| async move {
            let tx = db.transaction().await.or_trouble()?;
            let params: [&(dyn ToSql + Sync); 5] = [&id.0, &title, &summary, &topics, &speakers];
            if execute(&tx, EDIT, &params).await? == 0 {
                return Ok(false);
            }
            cards::rewrite(&tx, id).await?;
            tx.commit().await.or_trouble()?;
            Ok(true)
        })
        .await
    }

    async fn glimpses(&self, ids: Vec<WorkId>, query: Query) -> Result<Vec<Glimpse>, StoreError> {
        self.run(move |db| async move { cards::glimpses(&db, &ids, &query).await }).await
    }

    async fn renew_cards(&self, limit: u32) -> Result<u64, StoreError> {
        self.run(move |mut db| async move {
            let tx = db.transaction().await.or_trouble()?;
            let renewed = cards::renew_some(&tx, limit).await?;
            tx.commit().await.or_trouble()?;
            Ok(renewed)
        })
        .await
    }

    async fn remove(&self, id: WorkId) -> Result<bool, StoreError> {
        self.run(move |mut db| async move {
            let tx = db.transaction().await.or_trouble()?;
            // First the row of the work, in the order of every other transaction.
            let found = "SELECT id FROM work WHERE id = $1 FOR UPDATE";
            if maybe(&tx, found, &[&id.0]).await?.is_none() {
                return Ok(false);
            }
            execute(&tx, DISCARD, &[&id.0]).await?;
            execute(&tx, "DELETE FROM transcript WHERE recording_id = $1", &[&id.0]).await?;
            execute(&tx, "DELETE FROM work WHERE id = $1", &[&id.0]).await?;
            tx.commit().await.or_trouble()?;
            Ok(true)
        })
        .await
    }

    async fn discarded(&self, limit: u32) -> Result<Vec<String>, StoreError> {
        self.run(move |db| async move {
            let sql = "SELECT key FROM discarded ORDER BY key LIMIT $1";
            let found = all(&db, sql, &[&i64::from(limit)]).await?;
            found.iter().map(|row| get(row, 0)).collect()
        })
        .await
    }

    async fn forget_discarded(&self, keys: Vec<String>) -> Result<(), StoreError> {
        self.run(move |db| async move {
            let forget = "DELETE FROM discarded WHERE key = ANY ($1)";
            execute(&db, forget, &[&keys]).await.map(drop)
        })
        .await
    }
}

/// Nothing is given for what is left as it is, an empty text for what is removed.
const EDIT: &str = "
    UPDATE recording SET
        title = CASE WHEN $2::text IS NULL THEN title ELSE nullif($2, '') END,
        summary = CASE WHEN $3::text IS NULL THEN summary ELSE nullif($3, '') END,
        topics = coalesce($4, topics), speakers = coalesce($5, speakers)
    WHERE id = $1";

const DISCARD: &str = "
    INSERT INTO discarded (key)
    SELECT original FROM recording WHERE id = $1 AND NOT original_deleted
    UNION SELECT audio_key FROM recording WHERE id = $1 AND audio_key IS NOT NULL
    ON CONFLICT DO NOTHING";

/// Everything that is shown of a recording, for a condition to follow.
pub(super) fn select() -> String {
    let columns = recordings::COLUMNS;
    format!("SELECT {columns}, {STANDS}, {PARTS} FROM recording r JOIN work w ON w.id = r.id")
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

/// What a filter adds to a condition; `owner` is the parameter with the owner.
pub(super) fn condition(filter: &Filter, owner: &str) -> String {
    let state = of_state(filter.state);
    let compared = if filter.owner.is_some() { "r.owner =" } else { "NULL IS NOT DISTINCT FROM" };
    format!("{state} AND {compared} {owner}::text")
}

async fn list(db: &Client, filter: &Filter) -> Result<Vec<Row>, StoreError> {
    let before = filter.before.map_or(i64::MAX, |id| id.0);
    if let Some(ids) = search::few(db, filter, before).await? {
        let sql = format!("{} WHERE r.id = ANY($1) ORDER BY r.id DESC LIMIT $2", select());
        return all(db, &sql, &[&ids, &i64::from(filter.limit)]).await;
    }
    // Both, or the planner walks one of them from its newest end.
    let sql = format!(
        "{} WHERE r.id < $1 AND w.id < $1 {} ORDER BY r.id DESC LIMIT $2",
        select(),
        condition(filter, "$3")
    );
    all(db, &sql, &[&before, &i64::from(filter.limit), &filter.owner]).await
}

fn read(row: &Row) -> Result<View, StoreError> {
    Ok(View {
        work: work(row, rows::id(row, 0)?, recordings::COLUMN_COUNT)?,
        recording: recordings::read(row)?,
        parts: rows::count(row, recordings::COLUMN_COUNT + 10, "parts")?,
    })
}

/// Reads [`STANDS`] from this column on.
pub(super) fn work(row: &Row, id: WorkId, first: usize) -> Result<WorkView, StoreError> {
    let at = |place: usize| first + place;
    let stopped_at: Option<i64> = get(row, at(7))?;
    let stop = match (stopped_at, get::<Option<&str>>(row, at(8))?, rows::failure(row, at(9))?) {
        (Some(stopped_at), Some(reason), Some(failure)) => {
            Some(StopMark { at: Timestamp(stopped_at), reason: rows::reason(reason)?, failure })
        }
        _ => None,
    };
    Ok(WorkView {
        id,
        milestone: get(row, at(0))?,
        created_at: rows::time(row, at(1))?,
        entered_at: rows::time(row, at(2))?,
        ready_at: rows::time(row, at(3))?,
        held: get(row, at(4))?,
        failures: rows::count(row, at(5), "failures")?,
        why: rows::failure(row, at(6))?,
        stop,
    })
}
