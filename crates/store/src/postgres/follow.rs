//! What the watch of a client, or a person who retries, writes to a download.
//!
//! **Invariant:** whoever makes a download active holds the locks of its hashes, taken in their order,
//! from before it looks for their owner until it commits.

use deadpool_postgres::{Client, GenericClient};
use verst_downloads::hash::Hashes;
use verst_downloads::merge::{Rival, survivor};
use verst_downloads::model::{Download, Measures, Product};
use verst_downloads::ports::{Observed, Onward, Retried, RetryBegun, Sight, Turn};
use verst_downloads::{COMPLETED, DOWNLOADING, IDENTIFIED, codes};
use verst_kernel::{
    Event, Failure, Fence, Notice, NoticeId, NoticeKind, Stage, Stop, StoreError, WorkId,
};

use super::downloads::{digits, find, learn, whole};
use super::products::of_download;
use super::rows::{self, get, text};
use super::{Driver, execute, maybe, one};
use crate::codec;

const LOCK: &str = "SELECT pg_advisory_xact_lock(
    hashtextextended('verst:hash:' || current_schema() || ':' || $1::text, 0))";

/// Active: not final, and not stopped but by a person while the torrent is kept, or for a person's
/// choice.
const OWNER: &str = "
    SELECT w.id, w.milestone
    FROM download_hash h JOIN download d ON d.id = h.download_id JOIN work w ON w.id = d.id
    WHERE h.hash = ANY ($1::text[]) AND w.id IS DISTINCT FROM $2
      AND w.milestone <> 'done' AND (w.stopped_at IS NULL
          OR w.stop_reason = 'person' AND d.in_client
          OR w.stop_failure::json ->> 'code' = 'needs_choice')
    ORDER BY w.id LIMIT 1";

/// Whatever it stood at: free, and on its way from this milestone. The line of the journal with it.
const GO: &str = "
    WITH gone AS (
        UPDATE work SET
            fence = fence + 1, holder = NULL, claimed_at = NULL, lease_us = NULL, milestone = $2,
            entered_at = clock.now, held_us = 0, waiting_since = NULL, tried_at = NULL,
            ready_at = clock.now, failures = 0, last_failure = NULL, why = NULL,
            stopped_at = NULL, stop_reason = NULL, stop_failure = NULL
        FROM (SELECT verst_now() AS now) clock
        WHERE id = $1
        RETURNING id, milestone, clock.now
    )
    INSERT INTO journal (work_id, at, actor_kind, actor, event, milestone, duration_us, failure)
    SELECT id, now, $3, $4, $5, milestone, 0, $6 FROM gone";

const STOP: &str = "
    WITH stopped AS (
        UPDATE work SET
            fence = fence + 1, holder = NULL, claimed_at = NULL, lease_us = NULL,
            stopped_at = clock.now, stop_reason = $2, stop_failure = $3, last_failure = $3
        FROM (SELECT verst_now() AS now) clock
        WHERE id = $1
        RETURNING id, milestone, clock.now
    ), written AS (
        INSERT INTO journal (work_id, at, actor_kind, actor, event, milestone, duration_us, failure)
        SELECT id, now, 'step', $4, 'stopped', milestone, 0, $3 FROM stopped
    )
    INSERT INTO notice (work_id, instance, kind, failure)
    SELECT id, $5, 'stopped', $3 FROM stopped
    RETURNING id";

/// The step in whose name a watch writes.
const STEP: &str = "reconcile";

/// Locks hashes until the transaction ends.
pub(super) async fn lock(db: &impl GenericClient, hashes: &Hashes) -> Result<(), StoreError> {
    for hash in digits(hashes) {
        execute(db, LOCK, &[&hash]).await?;
    }
    Ok(())
}

/// Which active download, other than this one, has one of these hashes.
pub(super) async fn owner(
    db: &impl GenericClient,
    hashes: &Hashes,
    but: Option<WorkId>,
) -> Result<Option<Rival>, StoreError> {
    let found = maybe(db, OWNER, &[&digits(hashes), &but.map(|id| id.0)]).await?;
    found.map(|row| Ok(Rival { id: rows::id(&row, 0)?, milestone: get(&row, 1)? })).transpose()
}

/// Reads a download and locks all that it is called, `learned` too. It may be called more by the time
/// that these locks are held.
async fn locked(
    db: &impl GenericClient,
    id: WorkId,
    learned: &Hashes,
) -> Result<Option<Download>, StoreError> {
    let mut known = Hashes::default();
    loop {
        let Some(mut found) = find(db, id).await? else { return Ok(None) };
        found.hashes = found.hashes.iter().chain(learned.iter()).cloned().collect();
        if known == found.hashes {
            return Ok(Some(found));
        }
        known = found.hashes;
        lock(db, &known).await?;
    }
}

pub(super) async fn observe(
    mut db: Client,
    (watch, watch_fence): (WorkId, Fence),
    (id, fence): (WorkId, Fence),
    sight: Sight,
) -> Result<Observed, StoreError> {
    let tx = db.transaction().await.or_trouble()?;
    let becomes = matches!(sight.turn, Turn::Revive { .. });
    let mut all = Hashes::default();
    if becomes || !sight.learned.is_empty() {
        let Some(found) = locked(&tx, id, &sight.learned).await? else { return Ok(Observed::Lost) };
        all = found.hashes;
    }
    let watched = "SELECT holder FROM work WHERE id = $1 AND fence = $2 FOR SHARE";
    let Some(row) = maybe(&tx, watched, &[&watch.0, &watch_fence.0]).await? else {
        return Ok(Observed::WatchLost);
    };
    let holder: Option<String> = get(&row, 0)?;
    let stands = "SELECT milestone, stopped_at IS NULL FROM work WHERE id = $1 AND fence = $2
                  FOR UPDATE";
    let Some(row) = maybe(&tx, stands, &[&id.0, &fence.0]).await? else {
        return Ok(Observed::Lost);
    };
    let (milestone, moving): (String, bool) = (get(&row, 0)?, get(&row, 1)?);
    let observed = if let Some(other) = owner(&tx, &all, Some(id)).await? {
        if becomes || !moving {
            return Ok(Observed::Owned(other.id));
        }
        learn(&tx, id, &sight.learned).await?;
        merge(&tx, &Rival { id, milestone }, &other).await?
    } else {
        learn(&tx, id, &sight.learned).await?;
        remember(&tx, id, &sight).await?;
        Observed::Written(turn(&tx, id, &holder.unwrap_or_default(), sight.turn).await?)
    };
    tx.commit().await.or_trouble()?;
    Ok(observed)
}

async fn remember(db: &impl GenericClient, id: WorkId, sight: &Sight) -> Result<(), StoreError> {
    let (name, size) = sight.called.clone().unzip();
    let write = "UPDATE download SET measures = $2, in_client = $3, name = coalesce($4, name),
                     size_bytes = coalesce($5, size_bytes), torrent = coalesce($6, torrent)
                 WHERE id = $1";
    let (name, size) = (name.as_deref().map(text), size.map(whole));
    let measures = codec::write(&sight.measures);
    execute(db, write, &[&id.0, &measures, &sight.in_client, &name, &size, &sight.bytes])
        .await
        .map(drop)
}

async fn turn(
    db: &impl GenericClient,
    id: WorkId,
    holder: &str,
    turn: Turn,
) -> Result<Option<Notice>, StoreError> {
    match turn {
        Turn::Stay => Ok(None),
        Turn::Complete => {
            go(db, id, COMPLETED, ("step", STEP), Event::Advanced).await.map(|()| None)
        }
        Turn::Revive { complete } => {
            let to = if complete { COMPLETED } else { DOWNLOADING };
            go(db, id, to, ("step", STEP), Event::Lifted).await.map(|()| None)
        }
        Turn::Stop(Stop { reason, failure }) => {
            let said = codec::write_failure(&failure);
            let row = one(db, STOP, &[&id.0, &reason.name(), &said, &STEP, &holder]).await?;
            let kind = NoticeKind::Stopped(failure);
            Ok(Some(Notice { id: NoticeId(get(&row, 0)?), work: id, kind }))
        }
    }
}

async fn go(
    db: &impl GenericClient,
    id: WorkId,
    to: &str,
    (kind, actor): (&str, &str),
    event: Event,
) -> Result<(), StoreError> {
    execute(db, GO, &[&id.0, &to, &kind, &actor, &event.name(), &None::<&str>]).await.map(drop)
}

/// Ends one of two active downloads in the other. Whoever holds either of them has lost it.
async fn merge(
    db: &impl GenericClient,
    one: &Rival,
    other: &Rival,
) -> Result<Observed, StoreError> {
    let into = survivor(one, other);
    let from = if into == one.id { other.id } else { one.id };
    for sql in [
        "INSERT INTO download_hash (hash, download_id)
             SELECT hash, $2 FROM download_hash WHERE download_id = $1 ON CONFLICT DO NOTHING",
        "UPDATE download_sender mine SET download_id = $2 WHERE download_id = $1 AND NOT EXISTS (
             SELECT 1 FROM download_sender s WHERE s.download_id = $2 AND s.source = mine.source
                 AND s.reply_to IS NOT DISTINCT FROM mine.reply_to
                 AND s.owner IS NOT DISTINCT FROM mine.owner)",
        "UPDATE download SET merged_into = $2, in_client = false WHERE id = $1",
    ] {
        execute(db, sql, &[&from.0, &into.0]).await?;
    }
    execute(db, "UPDATE download SET in_client = true WHERE id = $1", &[&into.0]).await?;
    let free = "UPDATE work SET fence = fence + 1, holder = NULL, claimed_at = NULL,
                    lease_us = NULL, ready_at = verst_now()
                WHERE id = $1";
    execute(db, free, &[&into.0]).await?;
    let failure = codec::write_failure(&Failure::new(codes::MERGED).int("id", into.0));
    let event = Event::Advanced.name();
    execute(db, GO, &[&from.0, &Stage::FINAL, &"step", &STEP, &event, &Some(failure.as_str())])
        .await?;
    Ok(Observed::Merged { into, from })
}

pub(super) async fn begin_retry(mut db: Client, id: WorkId) -> Result<RetryBegun, StoreError> {
    let tx = db.transaction().await.or_trouble()?;
    let Some(found) = locked(&tx, id, &Hashes::default()).await? else {
        return Ok(RetryBegun::Missing);
    };
    let take = "UPDATE work SET fence = fence + 1 WHERE id = $1 AND stopped_at IS NOT NULL
                RETURNING fence";
    let Some(row) = maybe(&tx, take, &[&id.0]).await? else { return Ok(RetryBegun::NotStopped) };
    let fence = Fence(get(&row, 0)?);
    if let Some(other) = owner(&tx, &found.hashes, Some(id)).await? {
        return Ok(RetryBegun::Owned(other.id));
    }
    tx.commit().await.or_trouble()?;
    Ok(RetryBegun::Begun { fence, hashes: found.hashes, given: found.given })
}

pub(super) async fn place_again(
    mut db: Client,
    id: WorkId,
    person: String,
) -> Result<Onward, StoreError> {
    let tx = db.transaction().await.or_trouble()?;
    let Some(found) = locked(&tx, id, &Hashes::default()).await? else {
        return Ok(Onward::Missing);
    };
    let done = "SELECT 1 FROM work WHERE id = $1 AND milestone = 'done' FOR UPDATE";
    if maybe(&tx, done, &[&id.0]).await?.is_none() || found.filing.is_none() {
        return Ok(Onward::NotStopped);
    }
    if let Some(other) = owner(&tx, &found.hashes, Some(id)).await? {
        return Ok(Onward::Owned(other.id));
    }
    go(&tx, id, IDENTIFIED, ("person", &person), Event::Restarted).await?;
    tx.commit().await.or_trouble()?;
    Ok(Onward::Lifted)
}

pub(super) async fn finish_retry(
    mut db: Client,
    (id, fence): (WorkId, Fence),
    person: String,
) -> Result<Retried, StoreError> {
    let tx = db.transaction().await.or_trouble()?;
    let Some(found) = locked(&tx, id, &Hashes::default()).await? else { return Ok(Retried::Lost) };
    let held =
        "SELECT verst_now() FROM work WHERE id = $1 AND fence = $2 AND stopped_at IS NOT NULL
                FOR UPDATE";
    let Some(row) = maybe(&tx, held, &[&id.0, &fence.0]).await? else { return Ok(Retried::Lost) };
    if let Some(other) = owner(&tx, &found.hashes, Some(id)).await? {
        return Ok(Retried::Owned(other.id));
    }
    let measures = Measures {
        retried_at: Some(get(&row, 0)?),
        received_bytes: found.measures.received_bytes,
        ..Measures::default()
    };
    let write = "UPDATE download SET measures = $2, in_client = true WHERE id = $1";
    execute(&tx, write, &[&id.0, &codec::write(&measures)]).await?;
    go(&tx, id, DOWNLOADING, ("person", &person), Event::Lifted).await?;
    tx.commit().await.or_trouble()?;
    Ok(Retried::Done)
}

pub(super) async fn lift(
    mut db: Client,
    id: WorkId,
    person: String,
    said: Option<Product>,
) -> Result<Onward, StoreError> {
    let tx = db.transaction().await.or_trouble()?;
    let Some(found) = locked(&tx, id, &Hashes::default()).await? else {
        return Ok(Onward::Missing);
    };
    let stands = "SELECT milestone FROM work WHERE id = $1 AND stopped_at IS NOT NULL FOR UPDATE";
    let Some(row) = maybe(&tx, stands, &[&id.0]).await? else { return Ok(Onward::NotStopped) };
    if let Some(other) = owner(&tx, &found.hashes, Some(id)).await? {
        return Ok(Onward::Owned(other.id));
    }
    if let Some(said) = said {
        of_download(&tx, id, said).await?;
    }
    go(&tx, id, get(&row, 0)?, ("person", &person), Event::Lifted).await?;
    tx.commit().await.or_trouble()?;
    Ok(Onward::Lifted)
}
