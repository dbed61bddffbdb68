use std::sync::Arc;

use verst_kernel::WorkId;
use verst_recordings::LINE;
use verst_recordings::search::{Query, RULES};
use verst_service::{Filter, Ledger, State};
use verst_testkit::Schema;

use super::{FEW, in_blocks};
use crate::postgres::{all, rows::get};
use crate::{Durability, Postgres};

/// Finished recordings of these numbers with a common word in each name, and a rare one in some.
fn fill(from: i64, to: i64, every: i64, rules: u32) -> String {
    format!(
        "INSERT INTO work (id, line, milestone, created_at, entered_at, ready_at)
         OVERRIDING SYSTEM VALUE
         SELECT i, 'recordings', 'done', i, i, i FROM generate_series({from}, {to}) AS i;
         INSERT INTO recording (id, source, original, size_bytes, name, owner)
         SELECT id, 'cli', id, 1, 'запись ' || CASE WHEN id % {every} = 0 THEN 'совещания' ELSE '' END, 'anna'
         FROM work WHERE id BETWEEN {from} AND {to};
         INSERT INTO card (recording_id, rules, places, stems)
         SELECT id, {rules}, '\\x0000', array_to_tsvector(
             ARRAY['запис', ':o616e6e61', ':a' || (id >> 9), ':b' || (id >> 12), ':c' || (id >> 15)]
             || CASE WHEN id % {every} = 0 THEN ARRAY['совещан'] ELSE ARRAY[]::text[] END)
         FROM work WHERE id BETWEEN {from} AND {to};"
    )
}

async fn store(filled: &[String]) -> (Arc<Schema>, Postgres) {
    let schema = Schema::create();
    let store = Postgres::open(schema.address(), Durability::Full, &LINE.stages()).await.unwrap();
    for sql in filled {
        schema.execute(sql.clone());
    }
    (schema, store)
}

fn words(typed: &str) -> Filter {
    Filter { search: Some(Query::new(typed).unwrap()), limit: 100, ..Filter::default() }
}

async fn paged(store: &Postgres, filter: Filter) -> Vec<i64> {
    let mut ids: Vec<i64> = Vec::new();
    loop {
        let before = ids.last().copied().map(WorkId);
        let page = store.list(Filter { before, ..filter.clone() }).await.unwrap();
        if page.is_empty() {
            return ids;
        }
        assert!(page.len() <= filter.limit as usize);
        ids.extend(page.iter().map(|view| view.work.id.0));
    }
}

/// Through small, middle and large blocks, those without any hit, and hits that are too many to be
/// sorted: each page is whole and none is missing between two.
#[tokio::test]
async fn pages_are_whole_whatever_blocks_they_are_in() {
    let few = i64::try_from(FEW).unwrap();
    let blocks = [(1, few + 600), (100_000, 100_003), (139_000, 139_200), (140_600, 140_605)];
    let filled: Vec<String> =
        blocks.iter().map(|(from, to)| fill(*from, *to, 500, RULES)).collect();
    let (_schema, store) = store(&filled).await;
    let mut expected: Vec<i64> = blocks.iter().flat_map(|(from, to)| *from..=*to).collect();
    expected.reverse();
    assert_eq!(paged(&store, words("запись")).await, expected);
    let owned = |name: &str| Filter { owner: Some(name.to_owned()), ..words("запись") };
    assert_eq!(paged(&store, owned("anna")).await, expected);
    assert_eq!(paged(&store, owned("boris")).await, [0; 0]);
    assert_eq!(
        paged(&store, Filter { state: Some(State::Done), ..words("запись") }).await,
        expected
    );
    expected.retain(|id| id % 500 == 0);
    assert_eq!(paged(&store, words("совещание")).await, expected);
    assert_eq!(paged(&store, Filter { limit: 1, ..words("совещание записи") }).await, expected);
    assert_eq!(paged(&store, words("нигде")).await, [0; 0]);
}

/// Many that stand so are not looked at one by one, and are found all the same.
#[tokio::test]
async fn states_of_many_and_of_few_are_found() {
    let (schema, store) = store(&[fill(1, 1200, 500, RULES)]).await;
    let stop = |ids: &str| {
        schema.execute(format!(
            "UPDATE work SET stopped_at = 1, stop_reason = 'person', stop_failure = '{{\"code\":\"x\"}}'
             WHERE id {ids}"
        ));
    };
    let stopped = || Filter { state: Some(State::Stopped), ..words("запись") };
    stop("IN (5, 700)");
    assert_eq!(paged(&store, stopped()).await, [700, 5]);
    stop("% 3 = 0");
    let mut expected: Vec<i64> =
        (1..=1200).filter(|id| id % 3 == 0 || *id == 5 || *id == 700).collect();
    expected.reverse();
    assert_eq!(paged(&store, stopped()).await, expected);
}

#[tokio::test]
async fn a_look_into_blocks_reads_the_index_and_not_the_cards() {
    let (schema, store) = store(&[fill(1, 40_000, 500, RULES)]).await;
    for when in ["full", "analysed"] {
        let sql = format!(
            "EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF) {}",
            in_blocks(&words("запись"))
                .replace("$1", "'(''\u{3a}a78'' | ''\u{3a}a77'') & ''запис'''")
                .replace("$2", "40001")
                .replace("$3", "50")
                .replace("$4", "NULL")
        );
        let rows = store.run(|db| async move { all(&db, &sql, &[]).await }).await.unwrap();
        let plan: Vec<String> = rows.iter().map(|row| get(row, 0).unwrap()).collect();
        let has = |words: &str| plan.iter().any(|step| step.contains(words));
        assert!(has("Bitmap Index Scan on card_stems"), "{when}: {plan:#?}");
        assert!(!has("Seq Scan on card"), "{when}: {plan:#?}");
        schema.execute("ANALYZE".to_owned());
    }
}

#[tokio::test]
async fn cards_of_earlier_rules_are_made_anew_in_batches() {
    let (schema, store) = store(&[fill(1, 25, 10, 0), fill(26, 30, 10, RULES + 1)]).await;
    schema.execute("UPDATE card SET stems = '' WHERE rules = 0".to_owned());
    let found = paged(&store, words("совещание")).await;
    assert_eq!(found, [30]);
    let mut batches = Vec::new();
    loop {
        match store.renew_cards(10).await.unwrap() {
            0 => break,
            count => batches.push(count),
        }
    }
    assert_eq!(batches, [10, 10, 5]);
    assert_eq!(paged(&store, words("совещание")).await, [30, 20, 10]);
}

/// Two hosts that start at the same moment share the cards between them.
#[tokio::test]
async fn hosts_make_cards_anew_side_by_side() {
    let (_schema, store) = store(&[fill(1, 60, 10, 0)]).await;
    let both = async || {
        let mut renewed = 0;
        loop {
            match store.renew_cards(3).await.unwrap() {
                0 => return renewed,
                count => renewed += count,
            }
        }
    };
    let (one, other) = futures::future::join(both(), both()).await;
    assert_eq!(one + other, 60, "each once");
    assert_eq!(paged(&store, words("запись")).await.len(), 60);
}
