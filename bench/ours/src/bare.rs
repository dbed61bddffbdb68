//! The ceiling: the same claim and the same conditional finish on one table with the same partial
//! index, by one writing thread with the same group commit, and nothing else. No savepoints, no
//! journal, no notice, no foreign keys, no checks.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use futures::future::join_all;
use rusqlite::{Connection, OptionalExtension, params};
use tokio::sync::{mpsc, oneshot};
use verst_kernel::Clock;

use crate::drain::AT_LEAST;
use crate::measured::{Asked, Gate};
use crate::place::Now;

const SCHEMA: &str = "
    PRAGMA journal_mode = wal;
    PRAGMA synchronous = FULL;
    CREATE TABLE work (
        id INTEGER PRIMARY KEY AUTOINCREMENT, milestone TEXT NOT NULL, ready_at INTEGER NOT NULL,
        fence INTEGER NOT NULL DEFAULT 0, failures INTEGER NOT NULL DEFAULT 0, holder TEXT,
        stopped_at INTEGER) STRICT;
    CREATE INDEX work_claim ON work (ready_at, id)
        WHERE stopped_at IS NULL AND milestone <> 'done';";
const CLAIM: &str = "
    UPDATE work SET fence = fence + 1, failures = failures + 1, holder = ?1, ready_at = ?2 + 900000000
    WHERE id = (
        SELECT id FROM work
        WHERE stopped_at IS NULL AND milestone <> 'done' AND ready_at <= ?2
        ORDER BY ready_at, id LIMIT 1)
    RETURNING id, fence";
const FINISH: &str = "
    UPDATE work SET fence = fence + 1, failures = 0, holder = NULL, milestone = 'done'
    WHERE id = ?1 AND fence = ?2";

/// As the store's own writer has them.
const QUEUE: usize = 1024;
const GROUP: usize = 256;

type Held = (i64, i64);

enum Operation {
    Claim(oneshot::Sender<Option<Held>>),
    Finish(Held, oneshot::Sender<bool>),
}

enum Answer {
    Claim(oneshot::Sender<Option<Held>>, Option<Held>),
    Finish(oneshot::Sender<bool>, bool),
}

pub async fn run(asked: &Asked) {
    let db = Connection::open(&asked.place).expect("it opens");
    db.execute_batch(SCHEMA).expect("a schema");
    let (operations, queue) = mpsc::channel(QUEUE);
    let writer = thread::spawn(move || serve(db, queue));
    let (mut took, mut jobs) = (Duration::ZERO, 0);
    while took < AT_LEAST {
        fill(&asked.place, asked.jobs);
        took += once(asked, &operations).await;
        jobs += asked.jobs;
    }
    drop(operations);
    let db = writer.join().expect("it ends");
    let left: i64 = db
        .query_row("SELECT count(*) FROM work WHERE milestone <> 'done' OR fence <> 2", [], |r| {
            r.get(0)
        })
        .expect("a count");
    assert_eq!(left, 0);
    Asked { jobs, ..asked.clone() }.report("bare-sqlite", took);
}

fn fill(file: &str, jobs: u64) {
    let db = Connection::open(file).expect("it opens");
    let insert = "
        WITH RECURSIVE series (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM series WHERE i < ?1)
        INSERT INTO work (milestone, ready_at) SELECT 'transcribed', ?2 + i FROM series";
    let jobs = i64::try_from(jobs).expect("a number of jobs");
    db.execute(insert, params![jobs, Now.now().0 - 3_600_000_000]).expect("it is filled");
}

async fn once(asked: &Asked, operations: &mpsc::Sender<Operation>) -> Duration {
    let gate = Arc::new(Gate::of(asked.jobs));
    let began = Instant::now();
    let workers = (0..asked.workers).map(|_| {
        let (gate, operations) = (Arc::clone(&gate), operations.clone());
        tokio::spawn(async move {
            while !gate.all_passed() {
                let (reply, answer) = oneshot::channel();
                operations.send(Operation::Claim(reply)).await.ok().expect("it is open");
                let Some(held) = answer.await.expect("an answer") else {
                    tokio::time::sleep(Duration::from_millis(1)).await;
                    continue;
                };
                let (reply, answer) = oneshot::channel();
                operations.send(Operation::Finish(held, reply)).await.ok().expect("it is open");
                assert!(answer.await.expect("an answer"));
                gate.pass();
            }
        })
    });
    let workers: Vec<_> = workers.collect();
    join_all(workers).await.into_iter().for_each(|it| it.expect("no panic"));
    began.elapsed()
}

fn serve(db: Connection, mut queue: mpsc::Receiver<Operation>) -> Connection {
    let mut answers = Vec::with_capacity(GROUP);
    while let Some(first) = queue.blocking_recv() {
        db.execute_batch("BEGIN IMMEDIATE").expect("begin");
        answers.push(perform(&db, first));
        while answers.len() < GROUP
            && let Ok(next) = queue.try_recv()
        {
            answers.push(perform(&db, next));
        }
        db.execute_batch("COMMIT").expect("commit");
        for answer in answers.drain(..) {
            match answer {
                Answer::Claim(reply, held) => drop(reply.send(held)),
                Answer::Finish(reply, done) => drop(reply.send(done)),
            }
        }
    }
    db
}

fn perform(db: &Connection, operation: Operation) -> Answer {
    match operation {
        Operation::Claim(reply) => {
            let mut claim = db.prepare_cached(CLAIM).expect("a statement");
            let held = claim
                .query_row(params!["bench", Now.now().0], |r| Ok((r.get(0)?, r.get(1)?)))
                .optional()
                .expect("a claim");
            Answer::Claim(reply, held)
        }
        Operation::Finish((id, fence), reply) => {
            let mut finish = db.prepare_cached(FINISH).expect("a statement");
            let done = finish.execute(params![id, fence]).expect("a finish") == 1;
            Answer::Finish(reply, done)
        }
    }
}
