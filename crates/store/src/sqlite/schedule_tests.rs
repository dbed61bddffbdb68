//! The writer under schedules that are chosen: who goes on is a throw of dice at every step of its
//! thread, of those who wait for it, and of those who went away.
//!
//! It is the writer's own file that runs here; its thread and its channels are those of [`sync`].

mod sync;
#[path = "writer.rs"]
#[expect(clippy::duplicate_mod, reason = "the same code, on other parts")]
mod writer;

use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use rusqlite::Connection;
use shuttle::scheduler::{PctScheduler, RandomScheduler, Scheduler};
use verst_kernel::StoreError;

use super::{Driver, trouble};
use writer::Writer;

/// Schedules that each test tries of each kind: at random, and by priorities that change.
const SCHEDULES: usize = 400;
/// How often a schedule of the second kind turns from whom it preferred.
const TURNS: usize = 4;

/// What a caller asks for. Each inserts a name of its own first.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Ask {
    Insert,
    /// And then it fails.
    Fail,
    /// And then it panics.
    Panic,
    /// And nothing that it is committed with can be committed.
    BreakCommit,
    /// And the caller does not wait for the answer.
    GoAway,
}

/// What became of it.
struct Told {
    ask: Ask,
    name: String,
    /// None for who went away.
    answer: Option<Result<(), StoreError>>,
}

fn connect(file: &Path) -> Connection {
    let db = Connection::open(file).unwrap();
    db.pragma_update(None, "journal_mode", "wal").unwrap();
    db.pragma_update(None, "synchronous", "off").unwrap();
    db.pragma_update(None, "foreign_keys", true).unwrap();
    db
}

fn insert(db: &Connection, ask: Ask, name: &str) -> Result<(), StoreError> {
    let parent = (ask == Ask::BreakCommit).then_some(1);
    db.execute("INSERT INTO name (it, parent) VALUES (?1, ?2)", (name, parent)).or_trouble()?;
    // Others may look now, before the commit.
    sync::point();
    match ask {
        Ask::Fail => Err(StoreError::Damaged { what: "test" }),
        // Without the hook, which would tell of a failed test.
        Ask::Panic => resume_unwind(Box::new("a defect in one operation")),
        Ask::Insert | Ask::BreakCommit | Ask::GoAway => Ok(()),
    }
}

/// How often the name is there, for everybody.
fn committed(look: &Mutex<Connection>, name: &str) -> i64 {
    let count = "SELECT count(*) FROM name WHERE it = ?1";
    look.lock().unwrap().query_row(count, [name], |row| row.get(0)).unwrap()
}

/// A caller's life: it asks for one thing after the other, and drops its handle.
async fn call(writer: Writer, look: &Mutex<Connection>, caller: usize, asks: &[Ask]) -> Vec<Told> {
    let mut told = Vec::new();
    for (place, ask) in asks.iter().copied().enumerate() {
        let name = format!("{caller}-{place}");
        let asked = name.clone();
        let answer = writer.run(move |db| insert(db, ask, &asked));
        let answer = if ask == Ask::GoAway {
            let mut answer = Box::pin(answer);
            let _ = futures::poll!(&mut answer);
            None
        } else {
            let answer = answer.await;
            let is = committed(look, &name);
            assert_eq!(is, i64::from(answer.is_ok()), "{ask:?} was answered {answer:?}");
            Some(answer)
        };
        told.push(Told { ask, name, answer });
    }
    sync::point();
    told
}

/// Callers come, ask and leave; the last one to leave closes the store.
fn scene(file: &Path, callers: &'static [&'static [Ask]]) -> Vec<(Told, i64)> {
    let db = connect(file);
    db.execute("DELETE FROM name", []).unwrap();
    let look = Arc::new(Mutex::new(connect(file)));
    sync::begin();
    let writer = Writer::start(db).unwrap();
    let calling = callers.iter().enumerate().map(|(caller, asks)| {
        let (writer, look) = (writer.clone(), look.clone());
        shuttle::thread::spawn(move || shuttle::future::block_on(call(writer, &look, caller, asks)))
    });
    let calling: Vec<_> = calling.collect();
    drop(writer);
    let told: Vec<Told> = calling.into_iter().flat_map(|it| it.join().unwrap()).collect();
    // It ends by itself, or nobody can go on and the schedule fails.
    sync::join();
    let told: Vec<_> = told
        .into_iter()
        .map(|told| {
            let is = committed(&look, &told.name);
            (told, is)
        })
        .collect();
    for (it, is) in &told {
        let once = it.answer.as_ref().map_or(0..=1, |a| {
            let is = i64::from(a.is_ok());
            is..=is
        });
        assert!(once.contains(is), "{:?}, answered {:?}, is there {is} times", it.ask, it.answer);
    }
    told
}

/// Runs a scene in many schedules, and `check` after each.
fn explore(callers: &'static [&'static [Ask]], check: fn(&[(Told, i64)])) {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("writer.sqlite");
    let keep = connect(&file);
    keep.execute_batch(
        "CREATE TABLE parent (id INTEGER PRIMARY KEY);
         CREATE TABLE name (
             it TEXT, parent INTEGER REFERENCES parent (id) DEFERRABLE INITIALLY DEFERRED)",
    )
    .unwrap();
    run(RandomScheduler::new(SCHEDULES), file.clone(), callers, check);
    // The first kind tells its seed by itself.
    let seed = fastrand::u64(..);
    eprintln!("if it fails by priorities: SHUTTLE_RANDOM_SEED={seed}");
    run(PctScheduler::new_from_seed(seed, TURNS, SCHEDULES), file, callers, check);
}

fn run(
    scheduler: impl Scheduler + 'static,
    file: PathBuf,
    callers: &'static [&'static [Ask]],
    check: fn(&[(Told, i64)]),
) {
    let mut config = shuttle::Config::new();
    // SQLite needs more than a task usually has.
    config.stack_size = 1 << 20;
    shuttle::Runner::new(scheduler, config).run(move || check(&scene(&file, callers)));
}

#[test]
fn whoever_is_answered_is_committed_and_neighbours_of_a_failure_are_not_lost() {
    use Ask::{Fail, Insert, Panic};
    explore(&[&[Insert, Insert], &[Fail, Insert], &[Panic, Insert], &[Insert]], |told| {
        for (Told { ask, answer, .. }, _) in told {
            let as_asked = match ask {
                Fail => matches!(answer, Some(Err(StoreError::Damaged { .. }))),
                Panic => matches!(answer, Some(Err(StoreError::Closed))),
                _ => matches!(answer, Some(Ok(()))),
            };
            assert!(as_asked, "{ask:?} was answered {answer:?}");
        }
    });
}

#[test]
fn what_was_sent_is_done_once_though_everybody_left() {
    use Ask::{GoAway, Insert};
    explore(&[&[GoAway, GoAway], &[Insert, GoAway], &[GoAway, Insert], &[GoAway]], |told| {
        let done: i64 = told.iter().map(|(_, is)| is).sum();
        assert_eq!(done, sync::sent(), "sent and not done");
    });
}

#[test]
fn a_commit_that_fails_is_told_to_its_whole_group_and_to_nobody_else() {
    use Ask::{BreakCommit, Insert};
    explore(&[&[Insert, Insert], &[BreakCommit, Insert], &[Insert], &[Insert]], |told| {
        for (Told { ask, answer, .. }, _) in told {
            let refused = matches!(answer, Some(Err(StoreError::Refused(_))));
            let fits = refused || *ask == Insert && matches!(answer, Some(Ok(())));
            assert!(fits, "{ask:?} was answered {answer:?}");
        }
    });
}
