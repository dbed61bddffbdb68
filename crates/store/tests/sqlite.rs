//! What is true of the SQLite store alone: its file, its versions, its columns.

#![expect(clippy::unwrap_used, reason = "a store that does not open fails its test")]

use std::path::Path;
use std::sync::Arc;

use rusqlite::Connection;
use verst_kernel::Instance;
use verst_recordings::LINE;
use verst_recordings::model::{NewRecording, Source};
use verst_recordings::ports::{RecordingStore, Warning, Wish};
use verst_service::{Ledger, NewToken, Tokens};
use verst_store::{Durability, OpenError, Sqlite};
use verst_testkit::TestClock;

fn open(file: &Path, durability: Durability) -> Result<Sqlite, OpenError> {
    Sqlite::open(file, durability, Arc::new(TestClock::default()), &LINE.stages())
}

fn pragma<T: rusqlite::types::FromSql>(db: &Connection, name: &str) -> T {
    db.pragma_query_value(None, name, |row| row.get(0)).unwrap()
}

#[test]
fn a_database_from_the_future_is_refused_and_left_as_it_is() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("verst.sqlite");
    drop(open(&file, Durability::Full).unwrap());
    let known: i64 = {
        let db = Connection::open(&file).unwrap();
        let known = pragma(&db, "user_version");
        db.pragma_update(None, "user_version", known + 1).unwrap();
        // A newer program may have left this mode behind, too. Succeeds once the store's own
        // thread has closed the file.
        let mode = |db: &Connection| -> String {
            db.query_row("PRAGMA journal_mode = delete", [], |row| row.get(0)).unwrap_or_default()
        };
        while mode(&db) != "delete" {
            std::thread::yield_now();
        }
        known
    };
    let before = std::fs::read(&file).unwrap();
    let refused = open(&file, Durability::Full).err().expect("it must not be touched");
    let OpenError::FromTheFuture { found, known: ours } = refused else { panic!("{refused:?}") };
    assert_eq!((found, i64::try_from(ours).unwrap()), (known + 1, known));
    assert_eq!(std::fs::read(&file).unwrap(), before, "not a byte was changed");
}

#[test]
fn a_file_that_is_no_database_is_refused_and_left_as_it_is() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("verst.sqlite");
    let content = "not a database ".repeat(100);
    std::fs::write(&file, &content).unwrap();
    assert!(matches!(open(&file, Durability::Full), Err(OpenError::Sqlite(_))));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), content);
}

#[test]
fn opening_twice_brings_nothing_up_to_date_twice() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("verst.sqlite");
    let look = |db: &Connection| -> (i64, i64, String) {
        let schema = "SELECT count(*) FROM sqlite_schema";
        let objects = db.query_row(schema, [], |row| row.get(0)).unwrap();
        (pragma(db, "user_version"), objects, pragma(db, "journal_mode"))
    };
    drop(open(&file, Durability::Full).unwrap());
    let first = look(&Connection::open(&file).unwrap());
    drop(open(&file, Durability::Normal).unwrap());
    assert_eq!(look(&Connection::open(&file).unwrap()), first);
    assert_eq!(first.2, "wal");
    assert!(first.0 > 0 && first.1 > 0);
}

#[test]
fn milestones_are_declared_from_the_line() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("verst.sqlite");
    drop(open(&file, Durability::Full).unwrap());
    let db = Connection::open(&file).unwrap();
    db.execute("UPDATE milestone SET lease_us = 1, step = 'another'", []).unwrap();
    drop(open(&file, Durability::Full).unwrap());
    let mut select = db
        .prepare("SELECT name, step, lease_us FROM milestone WHERE line = ?1 ORDER BY position")
        .unwrap();
    let rows: Vec<(String, Option<String>, i64)> = select
        .query_map([LINE.name()], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    let declared: Vec<_> = LINE
        .stages()
        .into_iter()
        .map(|s| {
            let lease_us = i64::try_from(s.lease.as_micros()).unwrap();
            (s.name.to_owned(), s.step.map(str::to_owned), lease_us)
        })
        .collect();
    assert_eq!(rows, declared);
    db.pragma_update(None, "foreign_keys", true).unwrap();
    let strange = "INSERT INTO work (line, milestone, created_at, entered_at, ready_at)
                   VALUES ('recordings', 'nowhere', 0, 0, 0)";
    assert!(db.execute(strange, []).is_err(), "the list of milestones is closed");
}

/// Summary and topics have no reader yet; the columns must be left alone all the same.
#[tokio::test]
async fn no_step_touches_summary_and_topics() {
    use verst_kernel::{Notes, Queue};
    use verst_recordings::model::{Audio, NewRecording, Product, Source};
    use verst_recordings::ports::{Admission, Lanes, Part, Wish};
    use verst_recordings::transcript::Transcript;

    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("verst.sqlite");
    let store = open(&file, Durability::Full).unwrap();
    let id = store
        .accept(NewRecording {
            source: Source::Http,
            reply_to: None,
            owner: Some("anna".to_owned()),
            original: format!("original/{:016x}", fastrand::u64(..)),
            handle: None,
            name: None,
            size_bytes: 1,
            wish: Wish::default(),
        })
        .await
        .unwrap()
        .id;
    let claim = store.claim(&Instance("here".to_owned())).await.unwrap().unwrap();
    let db = Connection::open(&file).unwrap();
    let edit = "UPDATE recording SET title = 't', summary = 's', topics = '[]' WHERE id = ?1";
    assert_eq!(db.execute(edit, [id.0]).unwrap(), 1);

    let duration = std::time::Duration::from_secs(1);
    let opened = store.open_attempt(&claim, "x", Lanes::Unlimited, duration).await.unwrap();
    let Admission::Opened(attempt) = opened else { panic!("{opened:?}") };
    let audio = Audio { key: "normalised/x".to_owned(), duration, level_db: None };
    let part = Part { index: 0, segments: Vec::new(), language: None };
    for product in [
        Product::Normalised { audio, warnings: Vec::new() },
        Product::Submitted,
        Product::Warned { warning: Warning::SpeakersUnknown },
        Product::Part { attempt, part },
        Product::Transcribed { attempt, transcript: Transcript::default() },
        Product::KeepWaiting,
        Product::SubmitAgain,
        Product::Finished { original_deleted: true },
    ] {
        store.note(&claim, product).await.unwrap();
        let owned: (String, String, String, String) = db
            .query_row("SELECT owner, title, summary, topics FROM recording", [], |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
            })
            .unwrap();
        let owned = (&*owned.0, &*owned.1, &*owned.2, &*owned.3);
        assert_eq!(owned, ("anna", "t", "s", "[]"));
    }
}

/// Or a removal would read every row that might name the one that goes. Of notices there are never
/// many.
#[test]
fn what_names_a_row_that_may_go_is_found_by_an_index() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("verst.sqlite");
    let _store = open(&file, Durability::Normal).unwrap();
    let bare = "SELECT child.name || '.' || key.\"from\"
                FROM sqlite_schema child, pragma_foreign_key_list(child.name) key
                WHERE child.type = 'table' AND key.\"table\" <> 'milestone'
                  AND NOT EXISTS (
                      SELECT 1 FROM pragma_index_list(child.name) i, pragma_index_info(i.name) c
                      WHERE i.partial = 0 AND c.seqno = 0 AND c.name = key.\"from\")
                  AND NOT EXISTS (
                      SELECT 1 FROM pragma_table_info(child.name) c
                      WHERE c.pk = 1 AND c.name = key.\"from\")";
    let db = Connection::open(&file).unwrap();
    let mut select = db.prepare(bare).unwrap();
    let found = select.query_map([], |row| row.get(0)).unwrap();
    assert_eq!(found.collect::<Result<Vec<String>, _>>().unwrap(), ["notice.work_id"]);
}

/// Whoever is let in by it came in; what it was used for last is of less account.
#[tokio::test]
async fn a_token_opens_though_its_use_cannot_be_written() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("verst.sqlite");
    let store = open(&file, Durability::Normal).unwrap();
    let (name, hash) = ("phone".to_owned(), "a".to_owned());
    store
        .add_token(NewToken { name, owner: None, maker: None, hash, expires_at: None })
        .await
        .unwrap();
    let full = "CREATE TRIGGER full BEFORE UPDATE ON token BEGIN SELECT RAISE(ABORT, 'full'); END";
    Connection::open(&file).unwrap().execute_batch(full).unwrap();
    assert!(store.use_token("a").await.unwrap().is_some());
}

/// A search does not show them, so that nothing else would tell.
#[tokio::test]
async fn a_removal_leaves_no_stems_behind() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("verst.sqlite");
    let store = open(&file, Durability::Normal).unwrap();
    let new = NewRecording {
        source: Source::Http,
        reply_to: None,
        owner: None,
        original: "original/a".to_owned(),
        handle: None,
        name: Some("запись".to_owned()),
        size_bytes: 1,
        wish: Wish::default(),
    };
    let id = store.accept(new).await.unwrap().id;
    let db = Connection::open(&file).unwrap();
    let stems = || -> i64 {
        let count = "SELECT count(*) FROM card_stems WHERE card_stems MATCH '\"запис\"'";
        db.query_row(count, [], |row| row.get(0)).unwrap()
    };
    assert_eq!(stems(), 1);
    assert!(store.remove(id).await.unwrap());
    assert_eq!(stems(), 0);
}
