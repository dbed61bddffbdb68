//! Calls for parts: on record under the fence before they are made, answered whoever holds the work.

use rusqlite::{Connection, params};
use verst_kernel::{Fence, StoreError, Timestamp, WorkId};
use verst_recordings::model::{AttemptId, CallId, RecordedCall};
use verst_recordings::ports::{Call, Part};

use super::{Driver, attempts};
use crate::codec;

pub(super) fn open(
    db: &Connection,
    now: Timestamp,
    (id, fence): (WorkId, Fence),
    attempt: AttemptId,
    call: Call,
) -> Result<Option<CallId>, StoreError> {
    if !attempts::holds(db, id, fence)? {
        return Ok(None);
    }
    db.prepare_cached(
        "INSERT INTO call (attempt_id, position, from_ms, until_ms, opened_at)
         VALUES (?1, ?2, ?3, ?4, ?5)",
    )
    .or_trouble()?
    .execute(params![
        attempt.0,
        call.index,
        codec::write_ms(call.from_ms),
        codec::write_ms(call.until_ms),
        now.0
    ])
    .or_trouble()?;
    Ok(Some(CallId(db.last_insert_rowid())))
}

pub(super) fn of(db: &Connection, attempt: AttemptId) -> Result<Vec<RecordedCall>, StoreError> {
    let mut select = db
        .prepare_cached(
            "SELECT id, position, from_ms, until_ms, answered_at IS NOT NULL FROM call
             WHERE attempt_id = ?1 AND closed_at IS NULL ORDER BY position, id",
        )
        .or_trouble()?;
    let found = select.query_map([attempt.0], |r| {
        Ok((CallId(r.get(0)?), r.get(1)?, r.get(2)?, r.get(3)?, r.get(4)?))
    });
    let read = |(id, index, from_ms, until_ms, answered)| {
        let (from_ms, until_ms) = (codec::read_ms(from_ms)?, codec::read_ms(until_ms)?);
        Ok(RecordedCall { id, call: Call { index, from_ms, until_ms }, answered })
    };
    found.or_trouble()?.map(|row| row.or_trouble().and_then(read)).collect()
}

/// Only the answer to a call that is open, of an attempt that is.
pub(super) fn answer(
    db: &Connection,
    now: Timestamp,
    attempt: AttemptId,
    call: CallId,
    part: &Part,
) -> Result<(), StoreError> {
    let open = db
        .prepare_cached(
            "UPDATE call SET answered_at = ?3
             WHERE id = ?1 AND attempt_id = ?2 AND answered_at IS NULL AND closed_at IS NULL
               AND EXISTS (SELECT 1 FROM attempt WHERE id = ?2 AND closed_at IS NULL)",
        )
        .or_trouble()?
        .execute(params![call.0, attempt.0, now.0])
        .or_trouble()?;
    if open == 0 {
        return Ok(());
    }
    db.prepare_cached(
        "INSERT INTO part (attempt_id, position, language, segments)
         SELECT attempt_id, position, ?2, ?3 FROM call WHERE id = ?1",
    )
    .or_trouble()?
    .execute(params![call.0, part.language, codec::write_segments(&part.segments)])
    .or_trouble()?;
    Ok(())
}
