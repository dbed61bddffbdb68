//! From rows to the kernel's values. A value this binary cannot have written is `Damaged`.
//!
//! **Invariant:** a column of another type than expected is an error of the store, never a panic.

use std::borrow::Cow;
use std::time::Duration;

use tokio_postgres::Row;
use tokio_postgres::types::FromSql;
use verst_kernel::{
    Actor, Entry, Event, Failure, Notice, NoticeId, NoticeKind, Standing, StopReason, StoreError,
    Timestamp, WorkId,
};

use super::Driver;
use crate::codec;

/// The column at this place.
pub(super) fn get<'a, T: FromSql<'a>>(row: &'a Row, place: usize) -> Result<T, StoreError> {
    row.try_get(place).or_trouble()
}

pub(super) fn time(row: &Row, place: usize) -> Result<Timestamp, StoreError> {
    get(row, place).map(Timestamp)
}

pub(super) fn id(row: &Row, place: usize) -> Result<WorkId, StoreError> {
    get(row, place).map(WorkId)
}

/// A count, stored in the one size of integer that every table uses.
pub(super) fn count<T: TryFrom<i64>>(
    row: &Row,
    place: usize,
    what: &'static str,
) -> Result<T, StoreError> {
    T::try_from(get::<i64>(row, place)?).map_err(|_| StoreError::Damaged { what })
}

pub(super) fn failure(row: &Row, place: usize) -> Result<Option<Failure>, StoreError> {
    get::<Option<&str>>(row, place)?.map(codec::read_failure).transpose()
}

pub(super) fn duration(us: i64) -> Duration {
    Duration::from_micros(u64::try_from(us).unwrap_or(0))
}

pub(super) fn micros(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}

/// What people typed, without the one character that a text here cannot hold.
pub(crate) fn text(typed: &str) -> Cow<'_, str> {
    if typed.contains('\0') { typed.replace('\0', "\u{fffd}").into() } else { typed.into() }
}

/// Reads `id, line, milestone, entered_at, held_us, tried_at, failures, last_failure,
/// waiting_since, claimed_at, now`.
pub(super) fn standing(row: &Row) -> Result<Standing, StoreError> {
    Ok(Standing {
        id: id(row, 0)?,
        line: get(row, 1)?,
        milestone: get(row, 2)?,
        entered_at: time(row, 3)?,
        held_us: get(row, 4)?,
        tried_at: get::<Option<i64>>(row, 5)?.map(Timestamp),
        failures: count(row, 6, "failures")?,
        last_failure: failure(row, 7)?,
        waiting_since: get::<Option<i64>>(row, 8)?.map(Timestamp),
        claimed_at: time(row, 9)?,
        now: time(row, 10)?,
    })
}

/// Reads `id, work_id, kind, failure`.
pub(super) fn notice(row: &Row) -> Result<Notice, StoreError> {
    let kind = match (get(row, 2)?, failure(row, 3)?) {
        ("done", None) => NoticeKind::Done,
        ("stopped", Some(failure)) => NoticeKind::Stopped(failure),
        _ => return Err(StoreError::Damaged { what: "notice" }),
    };
    Ok(Notice { id: NoticeId(get(row, 0)?), work: id(row, 1)?, kind })
}

/// Reads `at, actor_kind, actor, event, milestone, duration_us, failure`.
pub(super) fn entry(row: &Row) -> Result<Entry, StoreError> {
    let name = get(row, 2)?;
    Ok(Entry {
        at: time(row, 0)?,
        actor: if get::<&str>(row, 1)? == "person" {
            Actor::Person(name)
        } else {
            Actor::Step(name)
        },
        event: Event::from_name(get(row, 3)?)
            .ok_or(StoreError::Damaged { what: "journal event" })?,
        milestone: get(row, 4)?,
        duration: duration(get(row, 5)?),
        failure: failure(row, 6)?,
    })
}

pub(super) fn reason(name: &str) -> Result<StopReason, StoreError> {
    StopReason::from_name(name).ok_or(StoreError::Damaged { what: "stop reason" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_keeps_everything_but_the_null_character() {
        assert_eq!(text("«имя».ogg"), "«имя».ogg");
        assert_eq!(text("a\0b"), "a\u{fffd}b");
    }
}
