//! Rows as the service writes them, many at once: the work, its recording, and for finished work the
//! journal's last line.

use rusqlite::Connection;
use verst_kernel::Clock;

use crate::place::{self, Now};

/// How much of what.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rows {
    pub finished: i64,
    /// Waiting for a foreign operation, for the next hour.
    pub deferred: i64,
    /// At the last milestone but one.
    pub ready: i64,
}

const RECORDING: &str = "
    INSERT INTO recording (id, source, original, size_bytes, duration_us)
    SELECT id, 'cli', 'original/' || id, 1000000, 60000000 FROM work
    WHERE id > (SELECT coalesce(max(id), 0) FROM recording)";
const JOURNAL: &str = "
    INSERT INTO journal (work_id, at, actor_kind, actor, event, milestone, duration_us)
    SELECT id, entered_at, 'step', 'finish', 'advanced', 'done', 1000 FROM work
    WHERE milestone = 'done' AND id > (SELECT coalesce(max(work_id), 0) FROM journal)";
const SERIES: &str = "
    WITH RECURSIVE series (i) AS (
        SELECT 1 UNION ALL SELECT i + 1 FROM series WHERE i < {count})";
const WHY: &str = r#"{"code":"waiting","params":{}}"#;

/// The statements that add `rows`; the tables are the same in both stores, what makes a series is not.
fn statements(rows: Rows, series: impl Fn(i64) -> (String, String)) -> Vec<String> {
    let now = Now.now().0;
    let past = now - 3_600_000_000;
    let later = now + 3_600_000_000;
    let kinds = [
        (rows.finished, "done", 9, past, "NULL".to_owned()),
        (rows.deferred, "submitted", 5, later, format!("'{WHY}'")),
        (rows.ready, "transcribed", 7, past, "NULL".to_owned()),
    ];
    let some = kinds.into_iter().filter(|(count, ..)| *count > 0);
    let mut all: Vec<String> = some
        .map(|(count, milestone, fence, ready_at, why)| {
            let (with, from) = series(count);
            format!(
                "{with} INSERT INTO work
                     (line, milestone, created_at, entered_at, ready_at, fence, why)
                 SELECT 'recordings', '{milestone}', {past}, {past}, {ready_at} + i, {fence}, {why}
                 FROM {from}"
            )
        })
        .collect();
    all.extend([RECORDING.to_owned(), JOURNAL.to_owned()]);
    all
}

pub async fn fill(place: &str, rows: Rows) {
    if place::is_postgres(place) {
        let db = place::connect(place).await;
        let made = |count| (String::new(), format!("generate_series(1, {count}) AS series (i)"));
        for statement in statements(rows, made) {
            db.batch_execute(&statement).await.expect("it is filled");
        }
        db.batch_execute("VACUUM (ANALYZE)").await.expect("as autovacuum will have done");
        return;
    }
    let db = Connection::open(place).expect("it opens");
    let made = |count: i64| (SERIES.replace("{count}", &count.to_string()), "series".to_owned());
    db.execute_batch("BEGIN IMMEDIATE").expect("begin");
    for statement in statements(rows, made) {
        db.execute_batch(&statement).expect("it is filled");
    }
    db.execute_batch("COMMIT").expect("commit");
}

/// Whether every row is finished, by exactly one claim and one settle for each that was not.
pub async fn all_finished(place: &str) -> bool {
    const LEFT: &str = "SELECT count(*) FROM work WHERE milestone <> 'done' OR fence <> 9";
    let left: i64 = if place::is_postgres(place) {
        place::connect(place).await.query_one(LEFT, &[]).await.expect("a count").get(0)
    } else {
        let db = Connection::open(place).expect("it opens");
        db.query_row(LEFT, [], |row| row.get(0)).expect("a count")
    };
    left == 0
}
