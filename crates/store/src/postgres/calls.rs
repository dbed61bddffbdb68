//! Calls for parts: on record under the fence before they are made, answered whoever holds the work.

use deadpool_postgres::{Client, GenericClient};
use tokio_postgres::Row;
use verst_kernel::{Fence, StoreError, WorkId};
use verst_recordings::model::{AttemptId, CallId, RecordedCall};
use verst_recordings::ports::{Call, Part};

use super::rows::{self, get};
use super::{Driver, all, attempts, execute, one};
use crate::codec;

/// Only the answer to a call that is open, of an attempt that is. One statement: part and mark. The
/// attempt's row first, as a removal takes them, and whoever closes the attempt waits or is waited for.
const ANSWER: &str = "
    WITH begun AS MATERIALIZED (
        SELECT id FROM attempt WHERE id = $2 AND closed_at IS NULL FOR SHARE
    ), answered AS (
        UPDATE call SET answered_at = verst_now() FROM begun
        WHERE call.id = $1 AND attempt_id = begun.id AND answered_at IS NULL AND closed_at IS NULL
        RETURNING attempt_id, position
    )
    INSERT INTO part (attempt_id, position, language, segments)
    SELECT attempt_id, position, $3, $4 FROM answered";

pub(super) async fn open(
    mut db: Client,
    (id, fence): (WorkId, Fence),
    attempt: AttemptId,
    call: Call,
) -> Result<Option<CallId>, StoreError> {
    let tx = db.transaction().await.or_trouble()?;
    let Some(now) = attempts::hold(&tx, id, fence).await? else { return Ok(None) };
    let insert = "INSERT INTO call (attempt_id, position, from_ms, until_ms, opened_at)
                  VALUES ($1, $2, $3, $4, $5) RETURNING id";
    let (from_ms, until_ms) = (codec::write_ms(call.from_ms), codec::write_ms(call.until_ms));
    let index = i64::from(call.index);
    let row = one(&tx, insert, &[&attempt.0, &index, &from_ms, &until_ms, &now.0]).await?;
    tx.commit().await.or_trouble()?;
    Ok(Some(CallId(get(&row, 0)?)))
}

pub(super) async fn of(db: Client, attempt: AttemptId) -> Result<Vec<RecordedCall>, StoreError> {
    let found = all(
        &db,
        "SELECT id, position, from_ms, until_ms, answered_at IS NOT NULL FROM call
         WHERE attempt_id = $1 AND closed_at IS NULL ORDER BY position, id",
        &[&attempt.0],
    )
    .await?;
    found.iter().map(read).collect()
}

fn read(row: &Row) -> Result<RecordedCall, StoreError> {
    let call = Call {
        index: rows::count(row, 1, "call")?,
        from_ms: codec::read_ms(get(row, 2)?)?,
        until_ms: codec::read_ms(get(row, 3)?)?,
    };
    Ok(RecordedCall { id: CallId(get(row, 0)?), call, answered: get(row, 4)? })
}

pub(super) async fn answer(
    db: &impl GenericClient,
    attempt: AttemptId,
    call: CallId,
    part: &Part,
) -> Result<(), StoreError> {
    let segments = codec::write_segments(&part.segments);
    execute(db, ANSWER, &[&call.0, &attempt.0, &part.language, &segments]).await.map(drop)
}
