//! From rows to the kernel's values. A value this binary cannot have written is `Damaged`.

use std::time::Duration;

use rusqlite::Row;
use verst_kernel::{
    Actor, Entry, Event, Failure, Notice, NoticeId, NoticeKind, Standing, StopReason, StoreError,
    Timestamp, WorkId,
};

use super::Driver;
use crate::codec;

pub(super) fn failure(text: Option<&str>) -> Result<Option<Failure>, StoreError> {
    text.map(codec::read_failure).transpose()
}

pub(super) fn duration(us: i64) -> Duration {
    Duration::from_micros(u64::try_from(us).unwrap_or(0))
}

pub(super) fn micros(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}

/// Reads `id, line, milestone, entered_at, held_us, tried_at, failures, last_failure,
/// waiting_since, claimed_at`.
pub(super) fn standing(row: &Row<'_>, now: Timestamp) -> Result<Standing, StoreError> {
    Ok(Standing {
        id: WorkId(row.get(0).or_trouble()?),
        line: row.get(1).or_trouble()?,
        milestone: row.get(2).or_trouble()?,
        entered_at: Timestamp(row.get(3).or_trouble()?),
        held_us: row.get(4).or_trouble()?,
        tried_at: row.get::<_, Option<i64>>(5).or_trouble()?.map(Timestamp),
        failures: row.get(6).or_trouble()?,
        last_failure: failure(row.get::<_, Option<String>>(7).or_trouble()?.as_deref())?,
        waiting_since: row.get::<_, Option<i64>>(8).or_trouble()?.map(Timestamp),
        claimed_at: Timestamp(row.get(9).or_trouble()?),
        now,
    })
}

/// Reads `id, work_id, kind, failure`.
pub(super) fn notice(row: &Row<'_>) -> Result<Notice, StoreError> {
    let kind: String = row.get(2).or_trouble()?;
    let failure = failure(row.get::<_, Option<String>>(3).or_trouble()?.as_deref())?;
    let kind = match (kind.as_str(), failure) {
        ("done", None) => NoticeKind::Done,
        ("stopped", Some(failure)) => NoticeKind::Stopped(failure),
        _ => return Err(StoreError::Damaged { what: "notice" }),
    };
    Ok(Notice {
        id: NoticeId(row.get(0).or_trouble()?),
        work: WorkId(row.get(1).or_trouble()?),
        kind,
    })
}

/// Reads `at, actor_kind, actor, event, milestone, duration_us, failure`.
pub(super) fn entry(row: &Row<'_>) -> Result<Entry, StoreError> {
    let kind: String = row.get(1).or_trouble()?;
    let name = row.get(2).or_trouble()?;
    let event: String = row.get(3).or_trouble()?;
    Ok(Entry {
        at: Timestamp(row.get(0).or_trouble()?),
        actor: if kind == "person" { Actor::Person(name) } else { Actor::Step(name) },
        event: Event::from_name(&event).ok_or(StoreError::Damaged { what: "journal event" })?,
        milestone: row.get(4).or_trouble()?,
        duration: duration(row.get(5).or_trouble()?),
        failure: failure(row.get::<_, Option<String>>(6).or_trouble()?.as_deref())?,
    })
}

pub(super) fn reason(name: &str) -> Result<StopReason, StoreError> {
    StopReason::from_name(name).ok_or(StoreError::Damaged { what: "stop reason" })
}
