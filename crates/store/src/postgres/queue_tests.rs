use std::sync::Arc;

use verst_recordings::LINE;
use verst_testkit::Schema;

use super::{CLAIM, all, get};
use crate::{Durability, Postgres};

/// A hundred waiting rows among a hundred thousand that are done.
const FILL: &str = "
    INSERT INTO work (line, milestone, created_at, entered_at, ready_at)
    SELECT 'recordings', CASE WHEN i % 1000 = 0 THEN 'uploaded' ELSE 'done' END, i, i, i
    FROM generate_series(1, 100000) AS i";

async fn store() -> (Arc<Schema>, Postgres) {
    let schema = Schema::create();
    let store = Postgres::open(schema.address(), Durability::Full, &LINE.stages()).await.unwrap();
    schema.execute(FILL.to_owned());
    (schema, store)
}

/// What the server says of the claim.
async fn explain(store: &Postgres, how: &str) -> Vec<String> {
    let sql = format!("EXPLAIN ({how}) {}", CLAIM.replace("$1", "'here'"));
    let rows = store.run(|db| async move { all(&db, &sql, &[]).await }).await.unwrap();
    rows.iter().map(|row| get(row, 0).unwrap()).collect()
}

fn check_plan(plan: &[String], when: &str) {
    let has = |words: &str| plan.iter().any(|step| step.contains(words));
    assert!(has("using work_claim"), "{when}: the claim must look into its own index: {plan:#?}");
    assert!(has("Index Cond: (ready_at <= "), "{when}: and only at what is ready: {plan:#?}");
    for slow in ["Seq Scan on work", "Sort"] {
        assert!(!has(slow), "{when}: the claim reads or sorts rows that do not wait: {plan:#?}");
    }
}

#[tokio::test]
async fn a_claim_reads_the_index_of_what_waits_and_nothing_else() {
    let (schema, store) = store().await;
    check_plan(&explain(&store, "COSTS OFF").await, "full");
    schema.execute("ANALYZE work".to_owned());
    check_plan(&explain(&store, "COSTS OFF").await, "analysed");
    // As after a night: nothing is ready, much waits.
    schema.execute("UPDATE work SET milestone = 'uploaded', ready_at = 1 << 62".to_owned());
    schema.execute("ANALYZE work".to_owned());
    check_plan(&explain(&store, "COSTS OFF").await, "deferred");
}

#[tokio::test]
async fn finished_work_costs_a_claim_nothing() {
    let (schema, store) = store().await;
    schema.execute("VACUUM ANALYZE work".to_owned());
    let plan = explain(&store, "ANALYZE, BUFFERS, COSTS OFF, TIMING OFF").await;
    let pages = plan.iter().find_map(|step| step.trim().strip_prefix("Buffers: shared hit="));
    let pages: u32 = pages.unwrap().split(' ').next().unwrap().parse().unwrap();
    assert!(pages < 100, "{pages} pages for one claim among 100000 rows: {plan:#?}");
}
