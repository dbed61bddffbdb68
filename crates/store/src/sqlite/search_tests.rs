use std::path::PathBuf;
use std::sync::Arc;

use rusqlite::Connection;
use verst_kernel::{Clock, Timestamp, WorkId};
use verst_recordings::LINE;
use verst_recordings::search::{Query, RULES};
use verst_service::{Filter, Ledger, State};

use crate::sqlite::{Durability, Sqlite, views};

struct Still;

impl Clock for Still {
    fn now(&self) -> Timestamp {
        Timestamp(1_000_000)
    }
}

fn database() -> (tempfile::TempDir, PathBuf, Sqlite) {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("verst.sqlite");
    let store = Sqlite::open(&file, Durability::Normal, Arc::new(Still), &LINE.stages()).unwrap();
    (dir, file, store)
}

/// Recordings of which each has a common word in its name, and each thousandth another one.
fn fill(db: &Connection, count: u32, rules: u32) {
    db.execute_batch(&format!(
        "BEGIN;
         WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {count})
         INSERT INTO work (line, milestone, created_at, entered_at, ready_at)
         SELECT 'recordings', 'done', i, i, i FROM n;
         INSERT INTO recording (id, source, original, size_bytes, name)
         SELECT id, 'cli', id, 1, iif(id % 1000 = 0, 'запись совещания', 'запись') FROM work;
         INSERT INTO card (recording_id, rules, places) SELECT id, {rules}, x'0000' FROM recording;
         INSERT INTO card_stems (rowid, stems)
         SELECT id, iif(id % 1000 = 0, 'запис совещан', 'запис') FROM recording WHERE {rules} > 0;
         COMMIT"
    ))
    .unwrap();
}

fn words(typed: &str, limit: u32) -> Filter {
    Filter { search: Some(Query::new(typed).unwrap()), limit, ..Filter::default() }
}

#[test]
fn a_page_of_hits_is_read_in_order_and_no_further() {
    let (_dir, file, _store) = database();
    let db = Connection::open(file).unwrap();
    for (count, when) in [(1, "almost empty"), (50_000, "full")] {
        fill(&db, count, RULES);
        let filter = words("записи", 50);
        let sql = format!("EXPLAIN QUERY PLAN {}", views::listing(&filter));
        let mut explain = db.prepare(&sql).unwrap();
        let steps = explain
            .query_map((i64::MAX, 50, Option::<String>::None, "\"запис\""), |row| row.get(3))
            .unwrap();
        let plan: Vec<String> = steps.collect::<Result<_, _>>().unwrap();
        let first = plan.first().unwrap();
        assert!(first.starts_with("SCAN card_stems VIRTUAL TABLE"), "{when}: {plan:#?}");
        let sorts = plan.iter().any(|step| step.contains("TEMP B-TREE"));
        assert!(!sorts, "{when}: hits come in their order: {plan:#?}");
        db.execute_batch("DELETE FROM work").unwrap();
    }
}

/// One look into the index costs as much as a walk past two thousand of its hits.
#[test]
fn hits_are_walked_and_not_looked_up_where_few_stand_as_wanted() {
    let (_dir, file, _store) = database();
    let db = Connection::open(file).unwrap();
    fill(&db, 50_000, RULES);
    let stopped = Filter { state: Some(State::Stopped), ..words("записи", 50) };
    let sql = views::among(&views::candidates(&stopped).unwrap(), true);
    let mut explain = db.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
    let steps = explain
        .query_map((i64::MAX, 50, Option::<String>::None, "\"запис\""), |row| row.get(3))
        .unwrap();
    let plan: Vec<String> = steps.collect::<Result<_, _>>().unwrap();
    let hits = plan.iter().find(|step| step.starts_with("SCAN card_stems VIRTUAL TABLE"));
    // What follows the colon are the constraints that the index is given: the word alone.
    assert!(hits.is_some_and(|step| step.ends_with(":M1")), "{plan:#?}");
    assert!(!plan.iter().any(|step| step.contains("TEMP B-TREE")), "{plan:#?}");
}

#[test]
fn a_common_word_costs_a_page_no_more_than_a_rare_one() {
    let (_dir, file, _store) = database();
    let db = Connection::open(file).unwrap();
    fill(&db, 50_000, RULES);
    let sql = views::listing(&words("записи", 50));
    let mut select = db.prepare(&sql).unwrap();
    for expression in ["\"запис\"", "\"запис\" AND \"совещан\""] {
        select.reset_status(rusqlite::StatementStatus::VmStep);
        let given = (i64::MAX, 50, Option::<String>::None, expression);
        let found = select.query_map(given, |row| row.get::<_, i64>(0)).unwrap().count();
        assert_eq!(found, 50);
        let steps = select.get_status(rusqlite::StatementStatus::VmStep);
        assert!(steps < 20_000, "{steps} steps for a page of {expression}");
    }
}

#[tokio::test]
async fn cards_of_earlier_rules_are_made_anew_in_batches() {
    let (_dir, file, store) = database();
    let db = Connection::open(file).unwrap();
    fill(&db, 2005, 0);
    assert_eq!(store.list(words("совещание", 50)).await.unwrap(), []);
    let mut batches = Vec::new();
    loop {
        match store.renew_cards(1000).await.unwrap() {
            0 => break,
            count => batches.push(count),
        }
        let newest = store.list(words("запись", 1)).await.unwrap();
        assert_eq!(newest[0].work.id, WorkId(2005), "the newest come first");
    }
    assert_eq!(batches, [1000, 1000, 5]);
    let found = store.list(words("совещание", 50)).await.unwrap();
    let found: Vec<WorkId> = found.into_iter().map(|view| view.work.id).collect();
    assert_eq!(found, [WorkId(2000), WorkId(1000)]);
}

/// Those of a later program are its own affair.
#[tokio::test]
async fn cards_of_later_rules_are_left_alone() {
    let (_dir, file, store) = database();
    let db = Connection::open(file).unwrap();
    fill(&db, 3, RULES + 1);
    assert_eq!(store.renew_cards(10).await.unwrap(), 0);
}

#[tokio::test]
async fn nothing_of_a_removed_recording_is_left_in_the_index() {
    let (_dir, file, store) = database();
    let db = Connection::open(file).unwrap();
    fill(&db, 3, RULES);
    assert!(store.remove(WorkId(2)).await.unwrap());
    let count = |sql: &str| db.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!(count("SELECT count(*) FROM card"), 2);
    assert_eq!(count("SELECT count(*) FROM card_stems WHERE card_stems MATCH '\"запис\"'"), 2);
}
