//! Attempt rows: opened under the fence when the recogniser's lanes admit the recording.
//!
//! **Invariant:** between the look at a recogniser's lanes and the row that takes one, no other
//! host looks at them.

use std::time::Duration;

use deadpool_postgres::{Client, GenericClient};
use verst_kernel::{Fence, StoreError, Timestamp, WorkId};
use verst_recordings::lanes::{Facts, Turn, turn};
use verst_recordings::model::{Attempt, AttemptId};
use verst_recordings::ports::{Admission, Lanes, Ticket};
use verst_recordings::{LINE, NORMALIZED, SUBMITTED};

use super::rows::{self, get, micros};
use super::{Driver, execute, maybe, one};

/// Held until the transaction ends. Locks are the database's and names are the schema's.
const ALONE: &str = "SELECT pg_advisory_xact_lock(
    hashtextextended('verst:lanes:' || current_schema() || ':' || $1::text, 0))";

/// A stopped recording leaves its lane; a waiting one is one without an attempt that has not just
/// failed (that one waits out its pause and holds nobody up).
const FACTS: &str = "
    WITH taken AS (
        SELECT a.lane FROM attempt a JOIN work w ON w.id = a.recording_id
        WHERE a.recogniser = $1 AND a.closed_at IS NULL
          AND w.stopped_at IS NULL AND w.milestone IN ($2, $3)
    ), ahead AS (
        SELECT r.duration_us FROM work w JOIN recording r ON r.id = w.id
        WHERE w.line = $4 AND w.milestone = $2 AND w.id < $5
          AND w.stopped_at IS NULL AND w.milestone <> 'done'
          AND w.last_failure IS NULL AND r.duration_us IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM attempt a
                          WHERE a.recording_id = w.id AND a.closed_at IS NULL)
    )
    SELECT EXISTS (SELECT 1 FROM taken WHERE lane = 'oldest'),
           EXISTS (SELECT 1 FROM taken WHERE lane = 'short'),
           (SELECT count(*) FROM ahead),
           (SELECT count(*) FROM ahead WHERE duration_us <= $6)";

pub(super) async fn open(
    mut db: Client,
    (id, fence): (WorkId, Fence),
    recogniser: &'static str,
    lanes: Lanes,
    duration: Duration,
) -> Result<Admission, StoreError> {
    let tx = db.transaction().await.or_trouble()?;
    if lanes != Lanes::Unlimited {
        // A statement of its own: the next one sees what the former owner of the lock committed.
        execute(&tx, ALONE, &[&recogniser]).await?;
    }
    let Some(now) = hold(&tx, id, fence).await? else { return Ok(Admission::Lost) };
    let lane = match lanes {
        Lanes::Unlimited => None,
        Lanes::OldestAndShort { short } => {
            match turn(facts(&tx, id, recogniser, short, duration).await?) {
                Turn::Enter(lane) => Some(lane.name()),
                Turn::Wait(ahead) => return Ok(Admission::Wait { ahead }),
            }
        }
    };
    let insert = "INSERT INTO attempt (recording_id, recogniser, lane, opened_at)
                  VALUES ($1, $2, $3, $4) RETURNING id";
    let row = one(&tx, insert, &[&id.0, &recogniser, &lane, &now.0]).await?;
    tx.commit().await.or_trouble()?;
    Ok(Admission::Opened(AttemptId(get(&row, 0)?)))
}

/// Locks the row of a claim that is still held, so that nobody moves its fence before the
/// transaction ends, and reads the clock. `None` when the claim is lost.
pub(super) async fn hold(
    tx: &impl GenericClient,
    id: WorkId,
    fence: Fence,
) -> Result<Option<Timestamp>, StoreError> {
    let hold = "SELECT verst_now() FROM work WHERE id = $1 AND fence = $2 FOR UPDATE";
    let row = maybe(tx, hold, &[&id.0, &fence.0]).await?;
    row.map(|row| rows::time(&row, 0)).transpose()
}

async fn facts(
    tx: &impl GenericClient,
    id: WorkId,
    recogniser: &str,
    short: Duration,
    duration: Duration,
) -> Result<Facts, StoreError> {
    let row = one(
        tx,
        FACTS,
        &[&recogniser, &NORMALIZED, &SUBMITTED, &LINE.name(), &id.0, &micros(short)],
    )
    .await?;
    Ok(Facts {
        oldest_taken: get(&row, 0)?,
        short_taken: get(&row, 1)?,
        older: rows::count(&row, 2, "lanes")?,
        older_short: rows::count(&row, 3, "lanes")?,
        short: duration <= short,
    })
}

pub(super) async fn of(db: Client, id: WorkId) -> Result<Option<Attempt>, StoreError> {
    let row = maybe(
        &db,
        "SELECT id, recogniser, ticket, awaited FROM attempt
         WHERE recording_id = $1 AND closed_at IS NULL",
        &[&id.0],
    )
    .await?;
    let Some(row) = row else { return Ok(None) };
    Ok(Some(Attempt {
        id: AttemptId(get(&row, 0)?),
        recogniser: get(&row, 1)?,
        ticket: get::<Option<String>>(&row, 2)?.map(Ticket),
        awaited: get(&row, 3)?,
    }))
}

pub(super) async fn keep_ticket(
    db: Client,
    attempt: AttemptId,
    ticket: Ticket,
) -> Result<(), StoreError> {
    let keep = "UPDATE attempt SET ticket = $2 WHERE id = $1 AND ticket IS NULL";
    execute(&db, keep, &[&attempt.0, &ticket.0]).await.map(drop)
}
