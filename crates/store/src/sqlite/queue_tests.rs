use std::path::PathBuf;
use std::sync::Arc;

use rusqlite::Connection;
use verst_kernel::{Clock, Timestamp};
use verst_recordings::LINE;

use super::CLAIM;
use crate::sqlite::{Durability, Sqlite};

struct Still;

impl Clock for Still {
    fn now(&self) -> Timestamp {
        Timestamp(1_000_000)
    }
}

fn database() -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("verst.sqlite");
    drop(Sqlite::open(&file, Durability::Normal, Arc::new(Still), &LINE.stages()).unwrap());
    (dir, file)
}

/// A hundred waiting rows among a hundred thousand that are done.
fn fill(db: &Connection) {
    db.execute_batch(
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
         INSERT INTO work (line, milestone, created_at, entered_at, ready_at)
         SELECT 'recordings', iif(i % 1000 = 0, 'uploaded', 'done'), i, i, i FROM n",
    )
    .unwrap();
}

fn plan(db: &Connection) -> Vec<String> {
    let mut explain = db.prepare(&format!("EXPLAIN QUERY PLAN {CLAIM}")).unwrap();
    let steps = explain.query_map(("here", 1_000_000), |row| row.get(3)).unwrap();
    steps.collect::<Result<_, _>>().unwrap()
}

fn check_plan(db: &Connection, when: &str) {
    let plan = plan(db);
    let chosen = plan.iter().any(|step| step.contains("work_claim"));
    assert!(chosen, "{when}: the claim must look into its own index: {plan:#?}");
    let bad = ["SCAN work", "TEMP B-TREE"];
    let slow = plan
        .iter()
        .find(|step| bad.iter().any(|bad| step.starts_with(bad) && !step.contains("work_claim")));
    assert_eq!(slow, None, "{when}: the claim reads or sorts rows that do not wait: {plan:#?}");
}

#[test]
fn a_claim_reads_the_index_of_what_waits_and_nothing_else() {
    let (_dir, file) = database();
    let db = Connection::open(file).unwrap();
    check_plan(&db, "empty");
    fill(&db);
    check_plan(&db, "full");
    db.execute_batch("ANALYZE").unwrap();
    check_plan(&db, "analysed");
}

#[test]
fn finished_work_costs_a_claim_nothing() {
    let (_dir, file) = database();
    let db = Connection::open(file).unwrap();
    fill(&db);
    let mut claim = db.prepare(CLAIM).unwrap();
    let mut claimed = Vec::new();
    for _ in 0..3 {
        claim.reset_status(rusqlite::StatementStatus::VmStep);
        let id: i64 = claim.query_row(("here", 1_000_000), |row| row.get(0)).unwrap();
        claimed.push(id);
        let steps = claim.get_status(rusqlite::StatementStatus::VmStep);
        assert!(steps < 1000, "{steps} steps for one claim among 100000 rows");
    }
    assert_eq!(claimed, [1000, 2000, 3000]);
}
