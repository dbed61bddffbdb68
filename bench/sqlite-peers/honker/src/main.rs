//! honker-core: its writer slot, and its SQL functions for claim and ack, each in a transaction, as
//! its bindings do it. It opens connections with `synchronous = NORMAL`; here with FULL, like all
//! others.

#[path = "../../../common/measured.rs"]
#[expect(dead_code, reason = "not every program uses all of it")]
mod measured;

use std::sync::Arc;
use std::thread;

use honker_core::{Writer, attach_honker_functions, bootstrap_honker_schema, open_conn};
use measured::{Asked, Gate};
use rusqlite::{Connection, Params, params, types::FromSql};

/// How many its own benchmark takes at once.
const BATCH: i64 = 128;
const LEASE_S: i64 = 300;

fn main() {
    let asked = Asked::read();
    let db = open_conn(&asked.place, true).expect("it opens");
    db.pragma_update(None, "synchronous", "FULL").expect("it can be set");
    let mode: String = db.pragma_query_value(None, "journal_mode", |row| row.get(0)).expect("mode");
    assert_eq!(mode, "wal");
    bootstrap_honker_schema(&db).expect("its schema");
    attach_honker_functions(&db).expect("its functions");
    fill(&db, asked.jobs);
    let writer = Arc::new(Writer::new(db));
    let gate = Arc::new(Gate::of(asked.jobs));
    let batch = if asked.mode == "batch" { BATCH } else { 1 };
    let workers: Vec<_> = (0..asked.workers)
        .map(|number| {
            let (writer, gate) = (Arc::clone(&writer), Arc::clone(&gate));
            thread::spawn(move || work(&writer, &gate, &format!("worker-{number}"), batch))
        })
        .collect();
    workers.into_iter().for_each(|it| it.join().expect("a worker ends"));
    let took = gate.took();
    let db = writer.acquire().expect("it is open");
    let left: i64 =
        db.query_row("SELECT count(*) FROM _honker_live", [], |row| row.get(0)).expect("a count");
    assert_eq!(left, 0);
    asked.report("honker", took);
}

fn fill(db: &Connection, jobs: u64) {
    db.execute_batch("BEGIN IMMEDIATE").expect("begin");
    for _ in 0..jobs {
        let enqueue = "SELECT honker_enqueue('queue', '{}', NULL, NULL, 0, 3, NULL)";
        let _: i64 = ask(db, enqueue, []);
    }
    db.execute_batch("COMMIT").expect("commit");
}

fn work(writer: &Writer, gate: &Gate, name: &str, batch: i64) {
    while !gate.all_passed() {
        let claim = "SELECT honker_claim_batch('queue', ?1, ?2, ?3)";
        let claimed: String = transact(writer, |db| ask(db, claim, params![name, batch, LEASE_S]));
        let ids = ids(&claimed);
        if ids.is_empty() {
            return;
        }
        let acked: i64 = transact(writer, |db| match ids[..] {
            [id] => ask(db, "SELECT honker_ack(?1, ?2)", params![id, name]),
            _ => ask(db, "SELECT honker_ack_batch(?1, ?2)", params![format!("{ids:?}"), name]),
        });
        assert_eq!(usize::try_from(acked), Ok(ids.len()));
        for _ in ids {
            gate.pass();
        }
    }
}

fn ask<T: FromSql>(db: &Connection, function: &str, values: impl Params) -> T {
    let mut ask = db.prepare_cached(function).expect("a statement");
    ask.query_row(values, |row| row.get(0)).expect("an answer")
}

fn transact<T>(writer: &Writer, f: impl FnOnce(&Connection) -> T) -> T {
    let db = writer.acquire().expect("it is open");
    db.execute_batch("BEGIN IMMEDIATE").expect("begin");
    let answer = f(&db);
    db.execute_batch("COMMIT").expect("commit");
    writer.release(db);
    answer
}

/// It answers in JSON of its own making, and a reader for all of JSON would only cost it time.
fn ids(answer: &str) -> Vec<i64> {
    let found = answer.split("\"id\":").skip(1);
    let digits = |text: &str| text.chars().take_while(char::is_ascii_digit).collect::<String>();
    found.map(|text| digits(text).parse().expect("an id")).collect()
}
