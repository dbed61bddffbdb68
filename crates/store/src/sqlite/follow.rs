//! What the watch of a client, or a person who retries, writes to a download.
//!
//! **Invariant:** one writer at a time, so nothing is between looking for the owner of a hash and
//! becoming it.

use rusqlite::{Connection, OptionalExtension, params};
use verst_downloads::hash::{Hashes, InfoHash};
use verst_downloads::merge::{Rival, survivor};
use verst_downloads::model::{Measures, Product};
use verst_downloads::ports::{Observed, Onward, Retried, RetryBegun, Sight, Turn};
use verst_downloads::{COMPLETED, DOWNLOADING, IDENTIFIED, codes};
use verst_kernel::{
    Event, Failure, Fence, Notice, NoticeKind, Stage, Stop, StoreError, Timestamp, WorkId,
};

use super::Driver;
use super::downloads::{find, learn, whole};
use super::products::of_download;
use super::queue::{JOURNAL, journal_person, write_notice};
use crate::codec;

/// Active: not final, and not stopped but by a person while the torrent is kept, or for a person's
/// choice.
const OWNER: &str = "
    SELECT w.id, w.milestone
    FROM download_hash h JOIN download d ON d.id = h.download_id JOIN work w ON w.id = d.id
    WHERE h.hash IN (SELECT value FROM json_each(?1)) AND w.id IS NOT ?2
      AND w.milestone <> 'done' AND (w.stopped_at IS NULL
          OR w.stop_reason = 'person' AND d.in_client
          OR json_extract(w.stop_failure, '$.code') = 'needs_choice')
    ORDER BY w.id LIMIT 1";

/// Whatever it stood at: free, and on its way from this milestone.
const GO: &str = "
    UPDATE work SET
        fence = fence + 1, holder = NULL, claimed_at = NULL, lease_us = NULL, milestone = ?3,
        entered_at = ?2, held_us = 0, waiting_since = NULL, tried_at = NULL, ready_at = ?2,
        failures = 0, last_failure = NULL, why = NULL,
        stopped_at = NULL, stop_reason = NULL, stop_failure = NULL
    WHERE id = ?1";

const STOP: &str = "
    UPDATE work SET
        fence = fence + 1, holder = NULL, claimed_at = NULL, lease_us = NULL,
        stopped_at = ?2, stop_reason = ?3, stop_failure = ?4, last_failure = ?4
    WHERE id = ?1";

/// The step in whose name a watch writes.
const STEP: &str = "reconcile";

/// Which active download, other than this one, has one of these hashes.
pub(super) fn owner(
    db: &Connection,
    hashes: &Hashes,
    but: Option<WorkId>,
) -> Result<Option<Rival>, StoreError> {
    let hashes: Vec<&str> = hashes.iter().map(InfoHash::as_str).collect();
    db.prepare_cached(OWNER)
        .or_trouble()?
        .query_row(params![codec::write(&hashes), but.map(|id| id.0)], |r| {
            Ok(Rival { id: WorkId(r.get(0)?), milestone: r.get(1)? })
        })
        .optional()
        .or_trouble()
}

pub(super) fn observe(
    db: &Connection,
    now: Timestamp,
    (watch, watch_fence): (WorkId, Fence),
    (id, fence): (WorkId, Fence),
    sight: Sight,
) -> Result<Observed, StoreError> {
    let row =
        |id: WorkId, fence: Fence| -> Result<Option<(Option<String>, String, bool)>, StoreError> {
            db.prepare_cached(
            "SELECT holder, milestone, stopped_at IS NULL FROM work WHERE id = ?1 AND fence = ?2",
        )
        .or_trouble()?
        .query_row(params![id.0, fence.0], |r| Ok((r.get(0)?, r.get(1)?, r.get(2)?)))
        .optional()
        .or_trouble()
        };
    let Some((holder, ..)) = row(watch, watch_fence)? else { return Ok(Observed::WatchLost) };
    let Some((_, milestone, moving)) = row(id, fence)? else { return Ok(Observed::Lost) };
    let becomes = matches!(sight.turn, Turn::Revive { .. });
    let mut all = Hashes::default();
    if becomes || !sight.learned.is_empty() {
        let found = find(db, id)?.ok_or(StoreError::Damaged { what: "download" })?;
        all = found.hashes.iter().chain(sight.learned.iter()).cloned().collect();
    }
    if let Some(other) = owner(db, &all, Some(id))? {
        if becomes || !moving {
            return Ok(Observed::Owned(other.id));
        }
        learn(db, id, &sight.learned)?;
        return merge(db, now, &Rival { id, milestone }, &other);
    }
    learn(db, id, &sight.learned)?;
    remember(db, id, &sight)?;
    turn(db, now, (id, &milestone), holder.as_deref().unwrap_or_default(), sight.turn)
        .map(Observed::Written)
}

fn remember(db: &Connection, id: WorkId, sight: &Sight) -> Result<(), StoreError> {
    let (name, size) = sight.called.clone().unzip();
    db.prepare_cached(
        "UPDATE download SET measures = ?2, in_client = ?3, name = coalesce(?4, name),
             size_bytes = coalesce(?5, size_bytes), torrent = coalesce(?6, torrent)
         WHERE id = ?1",
    )
    .or_trouble()?
    .execute(params![
        id.0,
        codec::write(&sight.measures),
        sight.in_client,
        name,
        size.map(whole),
        sight.bytes
    ])
    .or_trouble()?;
    Ok(())
}

fn turn(
    db: &Connection,
    now: Timestamp,
    (id, milestone): (WorkId, &str),
    holder: &str,
    turn: Turn,
) -> Result<Option<Notice>, StoreError> {
    match turn {
        Turn::Stay => Ok(None),
        Turn::Complete => {
            go(db, now, id, COMPLETED, Event::Advanced)?;
            Ok(None)
        }
        Turn::Revive { complete } => {
            let to = if complete { COMPLETED } else { DOWNLOADING };
            go(db, now, id, to, Event::Lifted)?;
            Ok(None)
        }
        Turn::Stop(Stop { reason, failure }) => {
            let text = codec::write_failure(&failure);
            db.prepare_cached(STOP)
                .or_trouble()?
                .execute(params![id.0, now.0, reason.name(), text])
                .or_trouble()?;
            journal(db, now, id, Event::Stopped, milestone, Some(&text))?;
            write_notice(db, holder, id, NoticeKind::Stopped(failure)).map(Some)
        }
    }
}

fn go(
    db: &Connection,
    now: Timestamp,
    id: WorkId,
    to: &str,
    event: Event,
) -> Result<(), StoreError> {
    db.prepare_cached(GO).or_trouble()?.execute(params![id.0, now.0, to]).or_trouble()?;
    journal(db, now, id, event, to, None)
}

fn journal(
    db: &Connection,
    now: Timestamp,
    id: WorkId,
    event: Event,
    milestone: &str,
    failure: Option<&str>,
) -> Result<(), StoreError> {
    db.prepare_cached(JOURNAL)
        .or_trouble()?
        .execute(params![id.0, now.0, "step", STEP, event.name(), milestone, 0, failure])
        .or_trouble()?;
    Ok(())
}

/// Ends one of two active downloads in the other. Whoever holds either of them has lost it.
fn merge(
    db: &Connection,
    now: Timestamp,
    one: &Rival,
    other: &Rival,
) -> Result<Observed, StoreError> {
    let into = survivor(one, other);
    let from = if into == one.id { other.id } else { one.id };
    for sql in [
        "INSERT OR IGNORE INTO download_hash (hash, download_id)
             SELECT hash, ?2 FROM download_hash WHERE download_id = ?1",
        "UPDATE download_sender SET download_id = ?2 WHERE download_id = ?1 AND NOT EXISTS (
             SELECT 1 FROM download_sender s WHERE s.download_id = ?2
                 AND s.source = download_sender.source AND s.reply_to IS download_sender.reply_to
                 AND s.owner IS download_sender.owner)",
        "UPDATE download SET merged_into = ?2, in_client = 0 WHERE id = ?1",
    ] {
        db.prepare_cached(sql).or_trouble()?.execute(params![from.0, into.0]).or_trouble()?;
    }
    db.prepare_cached("UPDATE download SET in_client = 1 WHERE id = ?1")
        .or_trouble()?
        .execute([into.0])
        .or_trouble()?;
    db.prepare_cached(
        "UPDATE work SET fence = fence + 1, holder = NULL, claimed_at = NULL, lease_us = NULL,
             ready_at = ?2
         WHERE id = ?1",
    )
    .or_trouble()?
    .execute(params![into.0, now.0])
    .or_trouble()?;
    db.prepare_cached(GO)
        .or_trouble()?
        .execute(params![from.0, now.0, Stage::FINAL])
        .or_trouble()?;
    let failure = codec::write_failure(&Failure::new(codes::MERGED).int("id", into.0));
    journal(db, now, from, Event::Advanced, Stage::FINAL, Some(&failure))?;
    Ok(Observed::Merged { into, from })
}

pub(super) fn begin_retry(db: &Connection, id: WorkId) -> Result<RetryBegun, StoreError> {
    let Some(found) = find(db, id)? else { return Ok(RetryBegun::Missing) };
    let stopped = "SELECT stopped_at IS NOT NULL FROM work WHERE id = ?1";
    if !db.query_row(stopped, [id.0], |r| r.get(0)).or_trouble()? {
        return Ok(RetryBegun::NotStopped);
    }
    if let Some(other) = owner(db, &found.hashes, Some(id))? {
        return Ok(RetryBegun::Owned(other.id));
    }
    let take = "UPDATE work SET fence = fence + 1 WHERE id = ?1 RETURNING fence";
    let fence = Fence(db.query_row(take, [id.0], |r| r.get(0)).or_trouble()?);
    Ok(RetryBegun::Begun { fence, hashes: found.hashes, given: found.given })
}

pub(super) fn lift(
    db: &Connection,
    now: Timestamp,
    id: WorkId,
    person: &str,
    said: Option<Product>,
) -> Result<Onward, StoreError> {
    let Some(found) = find(db, id)? else { return Ok(Onward::Missing) };
    let stands = "SELECT milestone FROM work WHERE id = ?1 AND stopped_at IS NOT NULL";
    let milestone: Option<String> =
        db.query_row(stands, [id.0], |r| r.get(0)).optional().or_trouble()?;
    let Some(milestone) = milestone else { return Ok(Onward::NotStopped) };
    if let Some(other) = owner(db, &found.hashes, Some(id))? {
        return Ok(Onward::Owned(other.id));
    }
    if let Some(said) = said {
        of_download(db, id, said)?;
    }
    db.prepare_cached(GO).or_trouble()?.execute(params![id.0, now.0, milestone]).or_trouble()?;
    journal_person(db, id, now, person, Event::Lifted, &milestone, None)?;
    Ok(Onward::Lifted)
}

pub(super) fn place_again(
    db: &Connection,
    now: Timestamp,
    id: WorkId,
    person: &str,
) -> Result<Onward, StoreError> {
    let Some(found) = find(db, id)? else { return Ok(Onward::Missing) };
    let done = "SELECT EXISTS (SELECT 1 FROM work WHERE id = ?1 AND milestone = 'done')";
    let done: bool = db.query_row(done, [id.0], |r| r.get(0)).or_trouble()?;
    if !done || found.filing.is_none() {
        return Ok(Onward::NotStopped);
    }
    if let Some(other) = owner(db, &found.hashes, Some(id))? {
        return Ok(Onward::Owned(other.id));
    }
    db.prepare_cached(GO).or_trouble()?.execute(params![id.0, now.0, IDENTIFIED]).or_trouble()?;
    journal_person(db, id, now, person, Event::Restarted, IDENTIFIED, None)?;
    Ok(Onward::Lifted)
}

pub(super) fn finish_retry(
    db: &Connection,
    now: Timestamp,
    (id, fence): (WorkId, Fence),
    person: &str,
) -> Result<Retried, StoreError> {
    let held: bool = db
        .query_row(
            "SELECT EXISTS (
                 SELECT 1 FROM work WHERE id = ?1 AND fence = ?2 AND stopped_at IS NOT NULL)",
            params![id.0, fence.0],
            |r| r.get(0),
        )
        .or_trouble()?;
    let Some(found) = find(db, id)?.filter(|_| held) else { return Ok(Retried::Lost) };
    if let Some(other) = owner(db, &found.hashes, Some(id))? {
        return Ok(Retried::Owned(other.id));
    }
    let measures = Measures {
        retried_at: Some(now.0),
        received_bytes: found.measures.received_bytes,
        ..Measures::default()
    };
    db.execute(
        "UPDATE download SET measures = ?2, in_client = 1 WHERE id = ?1",
        params![id.0, codec::write(&measures)],
    )
    .or_trouble()?;
    db.prepare_cached(GO).or_trouble()?.execute(params![id.0, now.0, DOWNLOADING]).or_trouble()?;
    journal_person(db, id, now, person, Event::Lifted, DOWNLOADING, None)?;
    Ok(Retried::Done)
}
