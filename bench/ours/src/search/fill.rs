//! Recordings with their texts, many at once, and then their cards, as a change of the rules of
//! stems has them made.

use std::time::Instant;

use rusqlite::{Connection, params};

use super::texts;
use crate::place;

const BATCH: i64 = 500;

/// Of a hundred thousand, two hundred move and five hundred are stopped.
fn state(id: i64) -> (&'static str, bool) {
    match id % 1000 {
        1 | 501 => ("uploaded", false),
        2 | 202 | 402 | 602 | 802 => ("uploaded", true),
        _ => ("done", false),
    }
}

fn stored(id: i64, of: i64) -> String {
    serde_json::to_string(&texts::segments(id, of)).expect("it is written")
}

fn sqlite(file: &str, count: i64) {
    let mut db = Connection::open(file).expect("it opens");
    let tx = db.transaction().expect("a transaction");
    for id in 1..=count {
        let (milestone, stopped) = state(id);
        let (at, reason, failure) = match stopped {
            true => (Some(1_i64), Some("person"), Some(r#"{"code":"stopped_by_person"}"#)),
            false => (None, None, None),
        };
        tx.prepare_cached(
            "INSERT INTO work (id, line, milestone, created_at, entered_at, ready_at, stopped_at,
                 stop_reason, stop_failure)
             VALUES (?1, 'recordings', ?2, ?1, ?1, ?1, ?3, ?4, ?5)",
        )
        .and_then(|mut it| it.execute(params![id, milestone, at, reason, failure]))
        .expect("work");
        tx.prepare_cached(
            "INSERT INTO recording (id, source, original, owner, name, size_bytes, duration_us)
             VALUES (?1, 'cli', 'original/' || ?1, ?2, 'voice message ' || ?1 || '.ogg', 1, 60000000)",
        )
        .and_then(|mut it| it.execute(params![id, texts::owner(id)]))
        .expect("recording");
        tx.prepare_cached("INSERT INTO card (recording_id, rules, places) VALUES (?1, 0, x'')")
            .and_then(|mut it| it.execute([id]))
            .expect("card");
        if milestone != "done" {
            continue;
        }
        tx.prepare_cached("INSERT INTO attempt (id, recording_id, recogniser, opened_at, closed_at)
                           VALUES (?1, ?1, 'x', 1, 1)")
            .and_then(|mut it| it.execute([id]))
            .expect("attempt");
        tx.prepare_cached(
            "INSERT INTO transcript (recording_id, attempt_id, language, model, segments)
             VALUES (?1, ?1, 'ru', 'base', ?2)",
        )
        .and_then(|mut it| it.execute(params![id, stored(id, count)]))
        .expect("transcript");
    }
    tx.commit().expect("a commit");
}

const POSTGRES: &str = "
    WITH given AS (
        SELECT * FROM unnest($1::bigint[], $2::text[], $3::bool[], $4::text[], $5::text[])
            AS given (id, milestone, stopped, owner, segments)
    ), works AS (
        INSERT INTO work (id, line, milestone, created_at, entered_at, ready_at, stopped_at,
            stop_reason, stop_failure)
        OVERRIDING SYSTEM VALUE
        SELECT id, 'recordings', milestone, id, id, id, CASE WHEN stopped THEN 1 END,
            CASE WHEN stopped THEN 'person' END,
            CASE WHEN stopped THEN '{\"code\":\"stopped_by_person\"}' END FROM given
    ), recorded AS (
        INSERT INTO recording (id, source, original, owner, name, size_bytes, duration_us)
        SELECT id, 'cli', 'original/' || id, owner, 'voice message ' || id || '.ogg', 1, 60000000
        FROM given
    ), cards AS (
        INSERT INTO card (recording_id, rules, places, stems) SELECT id, 0, '', '' FROM given
    ), attempts AS (
        INSERT INTO attempt (id, recording_id, recogniser, opened_at, closed_at)
        OVERRIDING SYSTEM VALUE
        SELECT id, id, 'x', 1, 1 FROM given WHERE milestone = 'done'
    )
    INSERT INTO transcript (recording_id, attempt_id, language, model, segments)
    SELECT id, id, 'ru', 'base', segments FROM given WHERE milestone = 'done'";

async fn postgres(address: &str, count: i64) {
    let db = place::connect(address).await;
    for first in (1..=count).step_by(BATCH as usize) {
        let ids: Vec<i64> = (first..=count.min(first + BATCH - 1)).collect();
        let milestones: Vec<&str> = ids.iter().map(|id| state(*id).0).collect();
        let stopped: Vec<bool> = ids.iter().map(|id| state(*id).1).collect();
        let owners: Vec<&str> = ids.iter().map(|id| texts::owner(*id)).collect();
        let segments: Vec<String> = ids.iter().map(|id| stored(*id, count)).collect();
        db.execute(POSTGRES, &[&ids, &milestones, &stopped, &owners, &segments])
            .await
            .expect("they are written");
    }
}

const DROP: &str = "DROP INDEX card_stems";
const MAKE: &str = "SET maintenance_work_mem = '256MB';
    CREATE INDEX card_stems ON card USING gin (stems) WITH (fastupdate = off)";

pub async fn run(place: &str, count: i64) {
    let store = place::open(place).await;
    if place::is_postgres(place) {
        postgres(place, count).await;
    } else {
        sqlite(place, count);
    }
    if place::is_postgres(place) {
        // Made at once in the end, or it takes hours.
        place::connect(place).await.batch_execute(DROP).await.expect("it is dropped");
    }
    let began = Instant::now();
    while store.renew_cards(100).await.expect("an answer") > 0 {}
    let cards_s = began.elapsed().as_secs_f64();
    if place::is_postgres(place) {
        let db = place::connect(place).await;
        db.batch_execute(MAKE).await.expect("it is made");
        db.batch_execute("VACUUM (ANALYZE)").await.expect("as autovacuum will have done");
    }
    println!("{{\"recordings\":{count},\"cards_s\":{cards_s:.1}}}");
}
