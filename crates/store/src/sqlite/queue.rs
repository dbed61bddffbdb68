//! The queue port. Each verb that belongs to a holder compares the fence in its own statement.

use async_trait::async_trait;
use rusqlite::{Connection, OptionalExtension, params};
use verst_kernel::{
    Change, Claim, Depth, Event, Failure, Fence, Instance, Lift, Lifted, Notice, NoticeId,
    NoticeKind, PauseOf, Queue, Reclaimed, Settled, Stage, Standing, StopByPerson, StoreError,
    Timestamp, Wait, WorkId,
};
use verst_service::Product;

use super::rows::micros;
use super::{Driver, Sqlite, products, rows};
use crate::codec;

/// The partial index is used only because its predicate stands here literally. The lease is looked
/// up and not joined: a joined update first gathers its rows in a table of its own.
pub(super) const CLAIM: &str = "
    UPDATE work SET
        fence = fence + 1, failures = failures + 1, holder = ?1, claimed_at = ?2,
        lease_us = (SELECT m.lease_us FROM milestone m
                    WHERE m.line = work.line AND m.name = work.milestone),
        ready_at = ?2 + (SELECT m.lease_us FROM milestone m
                         WHERE m.line = work.line AND m.name = work.milestone)
    WHERE id = (
        SELECT id FROM work
        WHERE stopped_at IS NULL AND milestone <> 'done' AND milestone <> 'downloading'
          AND ready_at <= ?2
        ORDER BY ready_at, id LIMIT 1)
    RETURNING id, fence";

/// Returns nothing: what a statement returns is first gathered in a table of its own.
const SETTLE: &str = "
    UPDATE work SET
        fence = fence + 1, holder = NULL, claimed_at = NULL, lease_us = NULL,
        milestone = coalesce(?3, milestone),
        entered_at = iif(?3 IS NULL, entered_at, ?4),
        held_us = iif(?3 IS NULL, held_us + ?5 + iif(?14, max(?4 - claimed_at, 0), 0), 0),
        waiting_since = CASE ?13 WHEN 'begins' THEN ?4 WHEN 'goes_on' THEN waiting_since END,
        tried_at = iif(?3 IS NOT NULL, NULL, iif(?6, ?4, tried_at)),
        ready_at = ?7, failures = ?8, last_failure = ?9, why = ?10,
        stopped_at = iif(?11 IS NULL, NULL, ?4), stop_reason = ?11, stop_failure = ?12
    WHERE id = ?1 AND fence = ?2";

const STOP: &str = "
    UPDATE work SET
        fence = fence + 1, holder = NULL, claimed_at = NULL, lease_us = NULL,
        stopped_at = ?2, stop_reason = 'person', stop_failure = ?3
    WHERE id = ?1 AND stopped_at IS NULL AND milestone <> 'done'
    RETURNING milestone";

const LIFT: &str = "
    UPDATE work SET
        fence = fence + 1, milestone = coalesce(?3, milestone), entered_at = ?2, held_us = 0,
        waiting_since = NULL, tried_at = NULL, ready_at = ?2, failures = 0, last_failure = NULL, why = NULL,
        stopped_at = NULL, stop_reason = NULL, stop_failure = NULL
    WHERE id = ?1 AND stopped_at IS NOT NULL
    RETURNING milestone";

const RESTART: &str = "
    UPDATE work SET
        fence = fence + 1, holder = NULL, claimed_at = NULL, lease_us = NULL,
        milestone = coalesce(?3, milestone), entered_at = ?2, held_us = 0,
        waiting_since = NULL, tried_at = NULL, ready_at = ?2, failures = 0, last_failure = NULL, why = NULL,
        stopped_at = NULL, stop_reason = NULL, stop_failure = NULL
    WHERE id = ?1
    RETURNING milestone";

pub(super) const JOURNAL: &str = "
    INSERT INTO journal (work_id, at, actor_kind, actor, event, milestone, duration_us, failure)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";

#[async_trait]
impl Queue<Product> for Sqlite {
    async fn now(&self) -> Result<Timestamp, StoreError> {
        Ok(self.clock.now())
    }

    async fn claim(&self, holder: &Instance) -> Result<Option<Claim>, StoreError> {
        let (clock, holder) = (self.clock.clone(), holder.0.clone());
        self.writer
            .run(move |db| {
                let mut claim = db.prepare_cached(CLAIM).or_trouble()?;
                claim
                    .query_row(params![holder, clock.now().0], |r| {
                        #[expect(clippy::disallowed_methods, reason = "a store mints claims")]
                        let claim = Claim::mint(WorkId(r.get(0)?), Fence(r.get(1)?));
                        Ok(claim)
                    })
                    .optional()
                    .or_trouble()
            })
            .await
    }

    async fn standing(&self, claim: &Claim) -> Result<Option<Standing>, StoreError> {
        let (id, fence, now) = (claim.id().0, claim.fence().0, self.clock.now());
        self.readers
            .run(move |db| {
                let mut select = db
                    .prepare_cached(
                        "SELECT id, line, milestone, entered_at, held_us, tried_at, failures,
                                last_failure, waiting_since, claimed_at
                         FROM work WHERE id = ?1 AND fence = ?2",
                    )
                    .or_trouble()?;
                let mut found = select.query(params![id, fence]).or_trouble()?;
                found.next().or_trouble()?.map(|row| rows::standing(row, now)).transpose()
            })
            .await
    }

    async fn settle(&self, claim: &Claim, change: &Change<Product>) -> Result<Settled, StoreError> {
        let ready = change.stop.is_none() && change.advance != Some(Stage::FINAL);
        let ring = ready && change.ready_in.is_zero();
        let clock = self.clock.clone();
        let (id, fence, change) = (claim.id(), claim.fence(), change.clone());
        let settled = self.writer.run(move |db| settle(db, clock.now(), id, fence, change)).await?;
        if ring && settled != Settled::Lost {
            self.bell.notify_one();
        }
        Ok(settled)
    }

    async fn reclaim(&self, holder: &Instance, pause: PauseOf) -> Result<Reclaimed, StoreError> {
        let (clock, holder) = (self.clock.clone(), holder.0.clone());
        self.writer.run(move |db| reclaim(db, clock.now(), &holder, &pause)).await
    }

    async fn stop(
        &self,
        by: &Instance,
        id: WorkId,
        person: &str,
    ) -> Result<StopByPerson, StoreError> {
        let (clock, by, person) = (self.clock.clone(), by.0.clone(), person.to_owned());
        self.writer.run(move |db| stop(db, clock.now(), &by, id, &person)).await
    }

    async fn lift(
        &self,
        id: WorkId,
        person: &str,
        lift: Lift<Product>,
    ) -> Result<Lifted, StoreError> {
        let (clock, person) = (self.clock.clone(), person.to_owned());
        let lifted = self
            .writer
            .run(move |db| {
                let now = clock.now();
                let Some(milestone) = go_on(db, LIFT, now, id, lift)? else {
                    return Ok(if exists(db, id)? { Lifted::NotStopped } else { Lifted::Missing });
                };
                journal_person(db, id, now, &person, Event::Lifted, &milestone, None)?;
                Ok(Lifted::Lifted)
            })
            .await?;
        self.bell.notify_one();
        Ok(lifted)
    }

    async fn restart(
        &self,
        id: WorkId,
        person: &str,
        lift: Lift<Product>,
    ) -> Result<bool, StoreError> {
        let (clock, person) = (self.clock.clone(), person.to_owned());
        let restarted = self
            .writer
            .run(move |db| {
                let now = clock.now();
                let Some(milestone) = go_on(db, RESTART, now, id, lift)? else { return Ok(false) };
                journal_person(db, id, now, &person, Event::Restarted, &milestone, None)?;
                Ok(true)
            })
            .await?;
        self.bell.notify_one();
        Ok(restarted)
    }

    async fn take_notice(&self, id: NoticeId) -> Result<bool, StoreError> {
        self.writer
            .run(move |db| {
                Ok(db.execute("DELETE FROM notice WHERE id = ?1", [id.0]).or_trouble()? == 1)
            })
            .await
    }

    async fn leftover_notices(&self, holder: &Instance) -> Result<Vec<Notice>, StoreError> {
        let holder = holder.0.clone();
        self.writer
            .run(move |db| {
                let mut delete = db
                    .prepare(
                        "DELETE FROM notice WHERE instance = ?1
                         RETURNING id, work_id, kind, failure",
                    )
                    .or_trouble()?;
                let mut found = delete.query([holder]).or_trouble()?;
                let mut notices = Vec::new();
                while let Some(row) = found.next().or_trouble()? {
                    notices.push(rows::notice(row)?);
                }
                Ok(notices)
            })
            .await
    }

    async fn depth(&self) -> Result<Vec<Depth>, StoreError> {
        self.readers.run(depth).await
    }

    async fn work_arrived(&self) {
        self.bell.notified().await;
    }
}

fn settle(
    db: &Connection,
    now: Timestamp,
    id: WorkId,
    fence: Fence,
    change: Change<Product>,
) -> Result<Settled, StoreError> {
    let held: Option<(i64, String, String)> = db
        .prepare_cached(
            "SELECT claimed_at, holder, milestone FROM work WHERE id = ?1 AND fence = ?2",
        )
        .or_trouble()?
        .query_row(params![id.0, fence.0], |r| Ok((r.get(0)?, r.get(1)?, r.get(2)?)))
        .optional()
        .or_trouble()?;
    let Some((claimed_at, holder, milestone)) = held else { return Ok(Settled::Lost) };
    let wait = match change.wait {
        Wait::Over => "over",
        Wait::Begins => "begins",
        Wait::GoesOn => "goes_on",
    };
    let failure = change.stop.as_ref().map(|s| codec::write_failure(&s.failure));
    let settled = db
        .prepare_cached(SETTLE)
        .or_trouble()?
        .execute(params![
            id.0,
            fence.0,
            change.advance,
            now.0,
            change.held_us,
            change.tried,
            now.after(change.ready_in).0,
            change.failures,
            change.last_failure.as_ref().map(codec::write_failure),
            change.why.as_ref().map(codec::write_failure),
            change.stop.as_ref().map(|s| s.reason.name()),
            failure,
            wait,
            change.run_held,
        ])
        .or_trouble()?;
    if settled == 0 {
        return Ok(Settled::Lost);
    }
    let milestone = change.advance.map_or(milestone, str::to_owned);
    if let Some(product) = change.product {
        products::write(db, now, id, product)?;
    }
    if let Some((step, event)) = change.journal {
        let took = micros(now.since(Timestamp(claimed_at)));
        db.prepare_cached(JOURNAL)
            .or_trouble()?
            .execute(params![id.0, now.0, "step", step, event.name(), milestone, took, failure])
            .or_trouble()?;
    }
    let notice = change.notice.map(|kind| write_notice(db, &holder, id, kind)).transpose()?;
    Ok(Settled::Done(notice))
}

pub(super) fn write_notice(
    db: &Connection,
    instance: &str,
    work: WorkId,
    kind: NoticeKind,
) -> Result<Notice, StoreError> {
    let (name, failure) = match &kind {
        NoticeKind::Done => ("done", None),
        NoticeKind::Stopped(failure) => ("stopped", Some(codec::write_failure(failure))),
    };
    db.prepare_cached(
        "INSERT INTO notice (work_id, instance, kind, failure) VALUES (?1, ?2, ?3, ?4)",
    )
    .or_trouble()?
    .execute(params![work.0, instance, name, failure])
    .or_trouble()?;
    Ok(Notice { id: NoticeId(db.last_insert_rowid()), work, kind })
}

fn reclaim(
    db: &Connection,
    now: Timestamp,
    holder: &str,
    pause: &PauseOf,
) -> Result<Reclaimed, StoreError> {
    let longest = micros(pause(u32::MAX)).saturating_mul(2);
    db.execute(
        "UPDATE work SET ready_at = ?1
         WHERE stopped_at IS NULL AND milestone <> 'done' AND holder IS NULL AND ready_at > ?1
           AND (waiting_since IS NOT NULL
                OR ready_at - ?1 > max(?2, (SELECT max(lease_us) FROM milestone m WHERE m.line = work.line)))",
        [now.0, longest],
    )
    .or_trouble()?;
    let mut select =
        db.prepare("SELECT id, fence, failures FROM work WHERE holder = ?1").or_trouble()?;
    let mut found = select.query([holder]).or_trouble()?;
    let mut count = 0;
    while let Some(row) = found.next().or_trouble()? {
        let (id, fence, failures): (i64, i64, u32) =
            (row.get(0).or_trouble()?, row.get(1).or_trouble()?, row.get(2).or_trouble()?);
        db.prepare_cached(
            "UPDATE work SET fence = fence + 1, holder = NULL, claimed_at = NULL, lease_us = NULL,
                 ready_at = ?4
             WHERE id = ?1 AND fence = ?2 AND holder = ?3",
        )
        .or_trouble()?
        .execute(params![id, fence, holder, now.after(pause(failures)).0])
        .or_trouble()?;
        count += 1;
    }
    Ok(Reclaimed(count))
}

fn stop(
    db: &Connection,
    now: Timestamp,
    by: &str,
    id: WorkId,
    person: &str,
) -> Result<StopByPerson, StoreError> {
    let failure = Failure::new(Failure::BY_PERSON);
    let text = codec::write_failure(&failure);
    let milestone: Option<String> =
        db.query_row(STOP, params![id.0, now.0, text], |r| r.get(0)).optional().or_trouble()?;
    let Some(milestone) = milestone else {
        let stopped: Option<bool> = db
            .query_row("SELECT stopped_at IS NOT NULL FROM work WHERE id = ?1", [id.0], |r| {
                r.get(0)
            })
            .optional()
            .or_trouble()?;
        return Ok(match stopped {
            Some(true) => StopByPerson::AlreadyStopped,
            Some(false) => StopByPerson::Finished,
            None => StopByPerson::Missing,
        });
    };
    journal_person(db, id, now, person, Event::Stopped, &milestone, Some(&text))?;
    Ok(StopByPerson::Stopped(write_notice(db, by, id, NoticeKind::Stopped(failure))?))
}

/// Lifts or restarts; the milestone from which it goes on, if the statement meant this work.
fn go_on(
    db: &Connection,
    sql: &str,
    now: Timestamp,
    id: WorkId,
    lift: Lift<Product>,
) -> Result<Option<String>, StoreError> {
    let milestone: Option<String> =
        db.query_row(sql, params![id.0, now.0, lift.to], |r| r.get(0)).optional().or_trouble()?;
    if let (Some(_), Some(product)) = (&milestone, lift.product) {
        products::write(db, now, id, product)?;
    }
    Ok(milestone)
}

pub(super) fn journal_person(
    db: &Connection,
    id: WorkId,
    now: Timestamp,
    person: &str,
    event: Event,
    milestone: &str,
    failure: Option<&str>,
) -> Result<(), StoreError> {
    db.prepare_cached(JOURNAL)
        .or_trouble()?
        .execute(params![id.0, now.0, "person", person, event.name(), milestone, 0, failure])
        .or_trouble()?;
    Ok(())
}

fn exists(db: &Connection, id: WorkId) -> Result<bool, StoreError> {
    db.query_row("SELECT EXISTS (SELECT 1 FROM work WHERE id = ?1)", [id.0], |r| r.get(0))
        .or_trouble()
}

fn depth(db: &Connection) -> Result<Vec<Depth>, StoreError> {
    let mut select = db
        .prepare_cached(
            "SELECT line, milestone, count(*), min(entered_at) FROM work
             WHERE stopped_at IS NULL AND milestone <> 'done' GROUP BY line, milestone",
        )
        .or_trouble()?;
    let rows = select
        .query_map([], |r| {
            Ok(Depth {
                line: r.get(0)?,
                milestone: r.get(1)?,
                waiting: u64::try_from(r.get::<_, i64>(2)?).unwrap_or(0),
                oldest: r.get::<_, Option<i64>>(3)?.map(Timestamp),
            })
        })
        .or_trouble()?;
    rows.collect::<rusqlite::Result<_>>().or_trouble()
}

#[cfg(test)]
#[path = "queue_tests.rs"]
mod tests;
