use std::sync::mpsc::{Receiver, channel};

use futures::future::join_all;
use rusqlite::Connection;
use tokio::sync::oneshot;
use verst_kernel::StoreError;

use super::writer::Writer;
use super::{Driver, Durability, Sqlite};

/// A writer on a fresh file with one table of names.
fn writer(pages: Option<u32>) -> (tempfile::TempDir, Writer) {
    let dir = tempfile::tempdir().unwrap();
    let db = Connection::open(dir.path().join("writer.sqlite")).unwrap();
    db.pragma_update(None, "journal_mode", "wal").unwrap();
    db.execute_batch("CREATE TABLE name (it TEXT UNIQUE) STRICT").unwrap();
    if let Some(pages) = pages {
        db.pragma_update(None, "max_page_count", pages).unwrap();
    }
    (dir, Writer::start(db).unwrap())
}

fn insert(db: &Connection, name: &str) -> Result<(), StoreError> {
    db.execute("INSERT INTO name VALUES (?1)", [name]).or_trouble()?;
    Ok(())
}

async fn names(writer: &Writer) -> String {
    let select = |db: &Connection| {
        db.query_row("SELECT coalesce(group_concat(it, ' ' ORDER BY it), '') FROM name", [], |r| {
            r.get(0)
        })
        .or_trouble()
    };
    writer.run(select).await.unwrap()
}

/// Holds the thread, so that what is sent meanwhile becomes one group; ends when told.
async fn hold(writer: &Writer) -> (impl FnOnce(), tokio::task::JoinHandle<()>) {
    let (release, wait): (_, Receiver<()>) = channel();
    let (begun, started) = oneshot::channel();
    let busy = writer.clone();
    let held = tokio::spawn(async move {
        let operation = move |_: &Connection| {
            begun.send(()).unwrap();
            wait.recv().map_err(|_| StoreError::Closed)
        };
        busy.run(operation).await.unwrap();
    });
    started.await.unwrap();
    (move || release.send(()).unwrap(), held)
}

/// Sends operations while the thread is held, and returns their answers.
async fn as_a_group<F>(writer: &Writer, operations: Vec<F>) -> Vec<Result<(), StoreError>>
where
    F: FnOnce(&Connection) -> Result<(), StoreError> + Send + 'static,
{
    let (release, held) = hold(writer).await;
    let mut answers = join_all(operations.into_iter().map(|operation| writer.run(operation)));
    // Everything is in the channel before the thread goes on.
    assert!(futures::poll!(&mut answers).is_pending(), "the thread is held");
    release();
    let answers = answers.await;
    held.await.unwrap();
    answers
}

fn named(name: &'static str) -> impl FnOnce(&Connection) -> Result<(), StoreError> + Send {
    move |db| {
        insert(db, name)?;
        match name {
            "undone" => insert(db, "a").map_err(|_| StoreError::Damaged { what: "test" }),
            "panics" => panic!("a defect in one operation"),
            _ => Ok(()),
        }
    }
}

#[tokio::test]
async fn a_failing_operation_undoes_itself_and_nobody_else() {
    let (_dir, writer) = writer(None);
    let answers = as_a_group(&writer, ["a", "undone", "b"].map(named).into()).await;
    assert!(
        matches!(answers[..], [Ok(()), Err(StoreError::Damaged { .. }), Ok(())]),
        "{answers:?}"
    );
    assert_eq!(names(&writer).await, "a b");
}

#[tokio::test]
async fn a_panicking_operation_undoes_itself_and_the_thread_lives_on() {
    let (_dir, writer) = writer(None);
    let answers = as_a_group(&writer, ["a", "panics", "b"].map(named).into()).await;
    assert!(matches!(answers[..], [Ok(()), Err(StoreError::Closed), Ok(())]), "{answers:?}");
    assert_eq!(names(&writer).await, "a b");
    writer.run(named("c")).await.unwrap();
    assert_eq!(names(&writer).await, "a b c");
}

#[tokio::test]
async fn operations_that_wait_together_share_a_commit() {
    let (dir, writer) = writer(None);
    let file = dir.path().join("writer.sqlite");
    // Another connection sees what is committed. None of the group sees any of the others there.
    let look = move |db: &Connection| {
        let outside = Connection::open(&file).or_trouble()?;
        let count = "SELECT count(*) FROM name";
        let ours: i64 = db.query_row(count, [], |r| r.get(0)).or_trouble()?;
        let committed: i64 = outside.query_row(count, [], |r| r.get(0)).or_trouble()?;
        assert_eq!(committed, 0, "a commit came between, after {ours} operations");
        insert(db, &ours.to_string())
    };
    let answers = as_a_group(&writer, vec![look; 5]).await;
    assert!(answers.iter().all(Result::is_ok), "{answers:?}");
    assert_eq!(names(&writer).await, "0 1 2 3 4");
}

#[tokio::test]
async fn a_full_disk_is_said_to_be_full_and_does_not_end_the_thread() {
    let (_dir, writer) = writer(Some(16));
    writer.run(named("a")).await.unwrap();
    let large = "x".repeat(1 << 20);
    let answer = writer.run(move |db| insert(db, &large)).await;
    assert!(matches!(answer, Err(StoreError::Full)), "{answer:?}");
    assert_eq!(names(&writer).await, "a");
    writer.run(named("b")).await.unwrap();
    assert_eq!(names(&writer).await, "a b");
}

#[tokio::test]
async fn an_operation_runs_to_its_end_though_its_caller_went_away() {
    let (_dir, writer) = writer(None);
    let (release, held) = hold(&writer).await;
    {
        let abandoned = writer.run(named("a"));
        tokio::pin!(abandoned);
        let sent = futures::poll!(&mut abandoned);
        assert!(sent.is_pending(), "the thread is held");
    }
    release();
    held.await.unwrap();
    assert_eq!(names(&writer).await, "a");
}

struct Still;

impl verst_kernel::Clock for Still {
    fn now(&self) -> verst_kernel::Timestamp {
        verst_kernel::Timestamp(0)
    }
}

#[tokio::test]
async fn what_survives_a_loss_of_power_is_as_it_was_asked_for() {
    for (durability, expected) in [(Durability::Full, 2), (Durability::Normal, 1)] {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("verst.sqlite");
        let store = Sqlite::open(&file, durability, std::sync::Arc::new(Still), &[]).unwrap();
        let ask = |db: &Connection| {
            let number = |name| db.pragma_query_value(None, name, |r| r.get::<_, i64>(0));
            let mode = db.pragma_query_value(None, "journal_mode", |r| r.get::<_, String>(0));
            let (synchronous, keys) = (number("synchronous"), number("foreign_keys"));
            Ok((mode.or_trouble()?, synchronous.or_trouble()?, keys.or_trouble()?))
        };
        let answer = store.writer.run(ask).await.unwrap();
        assert_eq!(answer, ("wal".to_owned(), expected, 1), "{durability:?}");
        // A reader is asked the same, and cannot write whatever it is asked.
        let write = |db: &Connection| db.execute("DELETE FROM work", []).or_trouble();
        assert!(store.readers.run(write).await.is_err());
    }
}
