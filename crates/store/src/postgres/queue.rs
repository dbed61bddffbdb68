//! The queue port. A verb that writes several tables does it in one statement where it can: its
//! parts commit together, and no connection is kept waiting inside a transaction.
//!
//! **Invariant:** every time that is written comes from the database's clock, read once per verb.

use async_trait::async_trait;
use deadpool_postgres::{Client, GenericClient};
use tokio_postgres::Row;
use verst_kernel::{
    Change, Claim, Depth, Event, Failure, Fence, Instance, Lift, Lifted, Notice, NoticeId,
    NoticeKind, PauseOf, Queue, Reclaimed, Settled, Stage, Standing, StopByPerson, StoreError,
    Timestamp, Wait, WorkId,
};
use verst_service::Product;

use super::rows::{self, get, micros};
use super::{Driver, Postgres, all, execute, maybe, one, products};
use crate::codec;

/// The partial index is used only because its predicate stands here literally. The row is chosen
/// and locked by a part of its own, which runs once: as a bare subselect with a limit it could run
/// again, and hand the same row to two. The clock is read before, and not once per row. The lease is
/// looked up and not joined: of a row that moved on since the statement began, a join would compare
/// the milestone it had before, and find nothing.
pub(super) const CLAIM: &str = "
    WITH clock AS MATERIALIZED (SELECT verst_now() AS now), next AS MATERIALIZED (
        SELECT id FROM work
        WHERE stopped_at IS NULL AND milestone <> 'done' AND milestone <> 'downloading'
          AND ready_at <= (SELECT now FROM clock)
        ORDER BY ready_at, id LIMIT 1
        FOR UPDATE SKIP LOCKED)
    UPDATE work SET
        fence = fence + 1, failures = failures + 1, holder = $1, claimed_at = clock.now,
        lease_us = (SELECT m.lease_us FROM milestone m
                    WHERE m.line = work.line AND m.name = work.milestone),
        ready_at = clock.now + (SELECT m.lease_us FROM milestone m
                                WHERE m.line = work.line AND m.name = work.milestone)
    FROM next, clock
    WHERE work.id = next.id
    RETURNING work.id, work.fence";

/// The first part waits for the row and compares the fence of what it then finds.
const SETTLE: &str = "
    WITH held AS MATERIALIZED (
        SELECT id, fence, claimed_at, holder, verst_now() AS now
        FROM work WHERE id = $1 AND fence = $2
        FOR UPDATE
    ), moved AS (
        UPDATE work SET
            fence = work.fence + 1, holder = NULL, claimed_at = NULL, lease_us = NULL,
            milestone = coalesce($3::text, work.milestone),
            entered_at = CASE WHEN $3 IS NULL THEN work.entered_at ELSE held.now END,
            held_us = CASE WHEN $3 IS NOT NULL THEN 0
                           WHEN $17::bool THEN work.held_us + $4
                                + greatest(held.now - work.claimed_at, 0)
                           ELSE work.held_us + $4 END,
            waiting_since = CASE $16::text WHEN 'begins' THEN held.now
                                           WHEN 'goes_on' THEN work.waiting_since END,
            tried_at = CASE WHEN $3 IS NOT NULL THEN NULL
                            WHEN $5::bool THEN held.now ELSE work.tried_at END,
            ready_at = held.now + least($6, 9223372036854775807 - held.now),
            failures = $7, last_failure = $8, why = $9,
            stopped_at = CASE WHEN $10::text IS NULL THEN NULL ELSE held.now END,
            stop_reason = $10, stop_failure = $11
        FROM held WHERE work.id = held.id AND work.fence = held.fence
        RETURNING work.id, work.milestone, held.claimed_at, held.holder, held.now
    ), told AS (
        INSERT INTO notice (work_id, instance, kind, failure)
        SELECT id, holder, $12, $13 FROM moved WHERE $12::text IS NOT NULL
        RETURNING id
    ), written AS (
        INSERT INTO journal (work_id, at, actor_kind, actor, event, milestone, duration_us, failure)
        SELECT id, now, 'step', $14, $15, milestone, greatest(now - claimed_at, 0), $11
        FROM moved WHERE $14::text IS NOT NULL
    )
    SELECT now, (SELECT id FROM told) FROM moved";

const STOP: &str = "
    WITH stopped AS (
        UPDATE work SET
            fence = fence + 1, holder = NULL, claimed_at = NULL, lease_us = NULL,
            stopped_at = clock.now, stop_reason = 'person', stop_failure = $2
        FROM (SELECT verst_now() AS now) clock
        WHERE id = $1 AND stopped_at IS NULL AND milestone <> 'done'
        RETURNING id, milestone, clock.now
    ), written AS (
        INSERT INTO journal (work_id, at, actor_kind, actor, event, milestone, duration_us, failure)
        SELECT id, now, 'person', $3, $4, milestone, 0, $2 FROM stopped
    )
    INSERT INTO notice (work_id, instance, kind, failure)
    SELECT id, $5, 'stopped', $2 FROM stopped
    RETURNING id";

const LIFT: &str = "
    WITH lifted AS (
        UPDATE work SET
            fence = fence + 1, milestone = coalesce($2, milestone), entered_at = clock.now,
            held_us = 0, waiting_since = NULL, tried_at = NULL, ready_at = clock.now, failures = 0,
            last_failure = NULL, why = NULL, stopped_at = NULL, stop_reason = NULL,
            stop_failure = NULL
        FROM (SELECT verst_now() AS now) clock
        WHERE id = $1 AND stopped_at IS NOT NULL
        RETURNING id, milestone, clock.now
    ), written AS (
        INSERT INTO journal (work_id, at, actor_kind, actor, event, milestone, duration_us)
        SELECT id, now, 'person', $3, $4, milestone, 0 FROM lifted
    )
    SELECT now FROM lifted";

const RESTART: &str = "
    WITH restarted AS (
        UPDATE work SET
            fence = fence + 1, holder = NULL, claimed_at = NULL, lease_us = NULL,
            milestone = coalesce($2, milestone), entered_at = clock.now,
            held_us = 0, waiting_since = NULL, tried_at = NULL, ready_at = clock.now, failures = 0,
            last_failure = NULL, why = NULL, stopped_at = NULL, stop_reason = NULL,
            stop_failure = NULL
        FROM (SELECT verst_now() AS now) clock
        WHERE id = $1
        RETURNING id, milestone, clock.now
    ), written AS (
        INSERT INTO journal (work_id, at, actor_kind, actor, event, milestone, duration_us)
        SELECT id, now, 'person', $3, $4, milestone, 0 FROM restarted
    )
    SELECT now FROM restarted";

/// Other hosts may do the same at this moment: whoever has a row first has it.
const AHEAD: &str = "
    WITH clock AS MATERIALIZED (SELECT verst_now() AS now), ahead AS MATERIALIZED (
        SELECT work.id FROM work, clock
        WHERE stopped_at IS NULL AND milestone <> 'done' AND holder IS NULL AND ready_at > now
          AND (waiting_since IS NOT NULL
               OR ready_at - now > greatest($1, (SELECT max(lease_us) FROM milestone m WHERE m.line = work.line)))
        FOR UPDATE OF work SKIP LOCKED)
    UPDATE work SET ready_at = clock.now FROM ahead, clock WHERE work.id = ahead.id";

#[async_trait]
impl Queue<Product> for Postgres {
    async fn now(&self) -> Result<Timestamp, StoreError> {
        self.run(|db| async move { rows::time(&one(&db, "SELECT verst_now()", &[]).await?, 0) })
            .await
    }

    async fn claim(&self, holder: &Instance) -> Result<Option<Claim>, StoreError> {
        let holder = holder.0.clone();
        self.run(|db| async move {
            maybe(&db, CLAIM, &[&holder]).await?.as_ref().map(claimed).transpose()
        })
        .await
    }

    async fn standing(&self, claim: &Claim) -> Result<Option<Standing>, StoreError> {
        let (id, fence) = (claim.id().0, claim.fence().0);
        self.run(move |db| async move {
            let found = maybe(
                &db,
                "SELECT id, line, milestone, entered_at, held_us, tried_at, failures, last_failure,
                        waiting_since, claimed_at, verst_now()
                 FROM work WHERE id = $1 AND fence = $2",
                &[&id, &fence],
            )
            .await?;
            found.as_ref().map(rows::standing).transpose()
        })
        .await
    }

    async fn settle(&self, claim: &Claim, change: &Change<Product>) -> Result<Settled, StoreError> {
        let ready = change.stop.is_none() && change.advance != Some(Stage::FINAL);
        let ring = ready && change.ready_in.is_zero();
        let (id, fence, change) = (claim.id(), claim.fence(), change.clone());
        let settled = self.run(move |db| settle(db, id, fence, change)).await?;
        if ring && settled != Settled::Lost {
            self.bell.ring();
        }
        Ok(settled)
    }

    async fn reclaim(&self, holder: &Instance, pause: PauseOf) -> Result<Reclaimed, StoreError> {
        let holder = holder.0.clone();
        self.run(move |db| reclaim(db, holder, pause)).await
    }

    async fn stop(
        &self,
        by: &Instance,
        id: WorkId,
        person: &str,
    ) -> Result<StopByPerson, StoreError> {
        let (by, person) = (by.0.clone(), rows::text(person).into_owned());
        self.run(move |db| stop(db, by, id, person)).await
    }

    async fn lift(
        &self,
        id: WorkId,
        person: &str,
        lift: Lift<Product>,
    ) -> Result<Lifted, StoreError> {
        let person = rows::text(person).into_owned();
        let lifted = self.run(move |db| lift_stop(db, id, person, lift)).await?;
        self.bell.ring();
        Ok(lifted)
    }

    async fn restart(
        &self,
        id: WorkId,
        person: &str,
        lift: Lift<Product>,
    ) -> Result<bool, StoreError> {
        let person = rows::text(person).into_owned();
        let restarted = self
            .run(move |mut db| async move {
                go_on(&mut db, RESTART, Event::Restarted, id, &person, lift).await
            })
            .await?;
        self.bell.ring();
        Ok(restarted)
    }

    async fn take_notice(&self, id: NoticeId) -> Result<bool, StoreError> {
        self.run(move |db| async move {
            Ok(execute(&db, "DELETE FROM notice WHERE id = $1", &[&id.0]).await? == 1)
        })
        .await
    }

    async fn leftover_notices(&self, holder: &Instance) -> Result<Vec<Notice>, StoreError> {
        let holder = holder.0.clone();
        self.run(|db| async move {
            let taken = all(
                &db,
                "WITH taken AS (
                     DELETE FROM notice WHERE instance = $1 RETURNING id, work_id, kind, failure)
                 SELECT id, work_id, kind, failure FROM taken ORDER BY id",
                &[&holder],
            )
            .await?;
            taken.iter().map(rows::notice).collect()
        })
        .await
    }

    async fn depth(&self) -> Result<Vec<Depth>, StoreError> {
        self.run(|db| async move {
            let found = all(
                &db,
                "SELECT line, milestone, count(*), min(entered_at) FROM work
                 WHERE stopped_at IS NULL AND milestone <> 'done' GROUP BY line, milestone
                 ORDER BY line, milestone",
                &[],
            )
            .await?;
            found.iter().map(depth).collect()
        })
        .await
    }

    async fn work_arrived(&self) {
        self.bell.rung().await;
    }
}

fn claimed(row: &Row) -> Result<Claim, StoreError> {
    let (id, fence) = (rows::id(row, 0)?, Fence(get(row, 1)?));
    #[expect(clippy::disallowed_methods, reason = "a store mints claims")]
    let claim = Claim::mint(id, fence);
    Ok(claim)
}

fn depth(row: &Row) -> Result<Depth, StoreError> {
    Ok(Depth {
        line: get(row, 0)?,
        milestone: get(row, 1)?,
        waiting: rows::count(row, 2, "depth")?,
        oldest: get::<Option<i64>>(row, 3)?.map(Timestamp),
    })
}

async fn settle(
    mut db: Client,
    id: WorkId,
    fence: Fence,
    mut change: Change<Product>,
) -> Result<Settled, StoreError> {
    let Some(product) = change.product.take() else {
        return Ok(moved(&db, id, fence, change).await?.map_or(Settled::Lost, |(_, told)| told));
    };
    let tx = db.transaction().await.or_trouble()?;
    let Some((now, settled)) = moved(&tx, id, fence, change).await? else {
        return Ok(Settled::Lost);
    };
    products::write(&tx, now, id, product).await?;
    tx.commit().await.or_trouble()?;
    Ok(settled)
}

/// Everything of a change but its product; `None` when the fence had moved.
async fn moved(
    db: &impl GenericClient,
    id: WorkId,
    fence: Fence,
    change: Change<Product>,
) -> Result<Option<(Timestamp, Settled)>, StoreError> {
    let (kind, notice_failure) = match &change.notice {
        None => (None, None),
        Some(NoticeKind::Done) => (Some("done"), None),
        Some(NoticeKind::Stopped(failure)) => {
            (Some("stopped"), Some(codec::write_failure(failure)))
        }
    };
    let wait = match change.wait {
        Wait::Over => "over",
        Wait::Begins => "begins",
        Wait::GoesOn => "goes_on",
    };
    let (step, event) = change.journal.map(|(step, event)| (step, event.name())).unzip();
    let row = maybe(
        db,
        SETTLE,
        &[
            &id.0,
            &fence.0,
            &change.advance,
            &change.held_us,
            &change.tried,
            &micros(change.ready_in),
            &i64::from(change.failures),
            &change.last_failure.as_ref().map(codec::write_failure),
            &change.why.as_ref().map(codec::write_failure),
            &change.stop.as_ref().map(|s| s.reason.name()),
            &change.stop.as_ref().map(|s| codec::write_failure(&s.failure)),
            &kind,
            &notice_failure,
            &step,
            &event,
            &wait,
            &change.run_held,
        ],
    )
    .await?;
    let Some(row) = row else { return Ok(None) };
    let told: Option<i64> = get(&row, 1)?;
    let notice = told.map(NoticeId).zip(change.notice);
    let notice = notice.map(|(notice, kind)| Notice { id: notice, work: id, kind });
    Ok(Some((rows::time(&row, 0)?, Settled::Done(notice))))
}

async fn reclaim(mut db: Client, holder: String, pause: PauseOf) -> Result<Reclaimed, StoreError> {
    let tx = db.transaction().await.or_trouble()?;
    let longest = micros(pause(u32::MAX)).saturating_mul(2);
    execute(&tx, AHEAD, &[&longest]).await?;
    let found = all(
        &tx,
        "SELECT id, fence, failures, verst_now() FROM work WHERE holder = $1 ORDER BY id FOR UPDATE",
        &[&holder],
    )
    .await?;
    let (mut ids, mut fences, mut ready) = (Vec::new(), Vec::new(), Vec::new());
    for row in found {
        ids.push(get::<i64>(&row, 0)?);
        fences.push(get::<i64>(&row, 1)?);
        ready.push(rows::time(&row, 3)?.after(pause(rows::count(&row, 2, "failures")?)).0);
    }
    let taken = execute(
        &tx,
        "UPDATE work SET
             fence = work.fence + 1, holder = NULL, claimed_at = NULL, lease_us = NULL,
             ready_at = former.ready_at
         FROM unnest($2::bigint[], $3::bigint[], $4::bigint[]) AS former (id, fence, ready_at)
         WHERE work.id = former.id AND work.fence = former.fence AND work.holder = $1",
        &[&holder, &ids, &fences, &ready],
    )
    .await?;
    tx.commit().await.or_trouble()?;
    Ok(Reclaimed(taken))
}

async fn stop(
    db: Client,
    by: String,
    id: WorkId,
    person: String,
) -> Result<StopByPerson, StoreError> {
    let failure = Failure::new(Failure::BY_PERSON);
    let text = codec::write_failure(&failure);
    let event = Event::Stopped.name();
    if let Some(row) = maybe(&db, STOP, &[&id.0, &text, &person, &event, &by]).await? {
        let kind = NoticeKind::Stopped(failure);
        return Ok(StopByPerson::Stopped(Notice { id: NoticeId(get(&row, 0)?), work: id, kind }));
    }
    let asked = "SELECT stopped_at IS NOT NULL FROM work WHERE id = $1";
    let found = maybe(&db, asked, &[&id.0]).await?;
    Ok(match found.map(|row| get(&row, 0)).transpose()? {
        Some(true) => StopByPerson::AlreadyStopped,
        Some(false) => StopByPerson::Finished,
        None => StopByPerson::Missing,
    })
}

async fn lift_stop(
    mut db: Client,
    id: WorkId,
    person: String,
    lift: Lift<Product>,
) -> Result<Lifted, StoreError> {
    if go_on(&mut db, LIFT, Event::Lifted, id, &person, lift).await? {
        return Ok(Lifted::Lifted);
    }
    let asked = "SELECT EXISTS (SELECT 1 FROM work WHERE id = $1)";
    let exists = get(&one(&db, asked, &[&id.0]).await?, 0)?;
    Ok(if exists { Lifted::NotStopped } else { Lifted::Missing })
}

/// Lifts or restarts; whether the statement meant this work.
async fn go_on(
    db: &mut Client,
    sql: &str,
    event: Event,
    id: WorkId,
    person: &str,
    lift: Lift<Product>,
) -> Result<bool, StoreError> {
    let tx = db.transaction().await.or_trouble()?;
    let Some(row) = maybe(&tx, sql, &[&id.0, &lift.to, &person, &event.name()]).await? else {
        return Ok(false);
    };
    if let Some(product) = lift.product {
        products::write(&tx, rows::time(&row, 0)?, id, product).await?;
    }
    tx.commit().await.or_trouble()?;
    Ok(true)
}

#[cfg(test)]
#[path = "queue_tests.rs"]
mod tests;
