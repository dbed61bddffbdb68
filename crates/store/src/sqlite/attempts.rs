//! Attempt rows: opened under the fence when the recogniser's lanes admit the recording.

use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, params};
use verst_kernel::{Fence, StoreError, Timestamp, WorkId};
use verst_recordings::lanes::{Facts, Lane, Turn, turn};
use verst_recordings::model::{Attempt, AttemptId};
use verst_recordings::ports::{Admission, Lanes, Ticket};
use verst_recordings::{LINE, NORMALIZED, SUBMITTED};

use super::Driver;
use super::rows::micros;

pub(super) fn open(
    db: &Connection,
    now: Timestamp,
    (id, fence): (WorkId, Fence),
    recogniser: &str,
    lanes: Lanes,
    duration: Duration,
) -> Result<Admission, StoreError> {
    if !holds(db, id, fence)? {
        return Ok(Admission::Lost);
    }
    let lane = match lanes {
        Lanes::Unlimited => None,
        Lanes::OldestAndShort { short } => {
            match turn(facts(db, id, recogniser, short, duration)?) {
                Turn::Enter(lane) => Some(lane),
                Turn::Wait(ahead) => return Ok(Admission::Wait { ahead }),
            }
        }
    };
    db.prepare_cached(
        "INSERT INTO attempt (recording_id, recogniser, lane, opened_at) VALUES (?1, ?2, ?3, ?4)",
    )
    .or_trouble()?
    .execute(params![id.0, recogniser, lane.map(Lane::name), now.0])
    .or_trouble()?;
    Ok(Admission::Opened(AttemptId(db.last_insert_rowid())))
}

/// Whether a claim with this fence is still held.
pub(super) fn holds(db: &Connection, id: WorkId, fence: Fence) -> Result<bool, StoreError> {
    db.prepare_cached("SELECT EXISTS (SELECT 1 FROM work WHERE id = ?1 AND fence = ?2)")
        .or_trouble()?
        .query_row(params![id.0, fence.0], |r| r.get(0))
        .or_trouble()
}

/// A stopped recording leaves its lane; a waiting one is one without an attempt that has not just
/// failed (that one waits out its pause and holds nobody up).
fn facts(
    db: &Connection,
    id: WorkId,
    recogniser: &str,
    short: Duration,
    duration: Duration,
) -> Result<Facts, StoreError> {
    let taken = |lane: Lane| -> Result<bool, StoreError> {
        db.prepare_cached(
            "SELECT EXISTS (
                 SELECT 1 FROM attempt a JOIN work w ON w.id = a.recording_id
                 WHERE a.recogniser = ?1 AND a.lane = ?2 AND a.closed_at IS NULL
                   AND w.stopped_at IS NULL AND w.milestone IN (?3, ?4))",
        )
        .or_trouble()?
        .query_row(params![recogniser, lane.name(), NORMALIZED, SUBMITTED], |r| r.get(0))
        .or_trouble()
    };
    let older = |longest: i64| -> Result<u64, StoreError> {
        let count: i64 = db
            .prepare_cached(
                "SELECT count(*) FROM work w JOIN recording r ON r.id = w.id
                 WHERE w.line = ?1 AND w.milestone = ?2 AND w.id < ?3
                   AND w.stopped_at IS NULL AND w.milestone <> 'done'
                   AND w.last_failure IS NULL AND r.duration_us <= ?4
                   AND NOT EXISTS (SELECT 1 FROM attempt a
                                   WHERE a.recording_id = w.id AND a.closed_at IS NULL)",
            )
            .or_trouble()?
            .query_row(params![LINE.name(), NORMALIZED, id.0, longest], |r| r.get(0))
            .or_trouble()?;
        Ok(u64::try_from(count).unwrap_or(0))
    };
    Ok(Facts {
        oldest_taken: taken(Lane::Oldest)?,
        short_taken: taken(Lane::Short)?,
        older: older(i64::MAX)?,
        older_short: older(micros(short))?,
        short: duration <= short,
    })
}

pub(super) fn of(db: &Connection, id: WorkId) -> Result<Option<Attempt>, StoreError> {
    db.prepare_cached(
        "SELECT id, recogniser, ticket, awaited FROM attempt
         WHERE recording_id = ?1 AND closed_at IS NULL",
    )
    .or_trouble()?
    .query_row([id.0], |r| {
        Ok(Attempt {
            id: AttemptId(r.get(0)?),
            recogniser: r.get(1)?,
            ticket: r.get::<_, Option<String>>(2)?.map(Ticket),
            awaited: r.get(3)?,
        })
    })
    .optional()
    .or_trouble()
}

pub(super) fn keep_ticket(
    db: &Connection,
    attempt: AttemptId,
    ticket: &Ticket,
) -> Result<(), StoreError> {
    db.execute(
        "UPDATE attempt SET ticket = ?2 WHERE id = ?1 AND ticket IS NULL",
        params![attempt.0, ticket.0],
    )
    .or_trouble()?;
    Ok(())
}
