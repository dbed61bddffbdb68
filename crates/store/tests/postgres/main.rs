//! What is true of the PostgreSQL store alone: its versions, its connections, its bell, its columns.

#![expect(clippy::unwrap_used, reason = "a store that does not open fails its test")]

mod hashes;
mod races;

use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use futures::future::join_all;
use tokio::time::timeout;
use tokio_postgres::{Client, NoTls};
use verst_kernel::{
    Change, Event, Failure, Instance, Noted, Notes, NoticeKind, Queue, Settled, StoreError, WorkId,
};
use verst_recordings::LINE;
use verst_recordings::model::{Audio, NewRecording, Product, Source};
use verst_recordings::ports::{Admission, Call, Lanes, Part, RecordingStore, Wish};
use verst_recordings::search::{Card, Query};
use verst_recordings::transcript::{Segment, Transcript};
use verst_service::Product as AnyProduct;
use verst_service::{Edit, Filter, Ledger, NewToken, Tokens};
use verst_store::{Durability, OpenError, Postgres};
use verst_testkit::{Schema, release};

/// No condition here takes longer than a moment; this is for a test that waits in vain.
const PATIENCE: Duration = Duration::from_secs(30);

async fn open(schema: &Schema) -> Result<Postgres, OpenError> {
    Postgres::open(schema.address(), Durability::Full, &LINE.stages()).await
}

/// A connection of the test's own, which sees what the store wrote.
async fn look(schema: &Schema) -> Client {
    let (client, connection) = tokio_postgres::connect(schema.address(), NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

async fn accept(store: &Postgres) -> Result<WorkId, StoreError> {
    let new = NewRecording {
        source: Source::Http,
        reply_to: None,
        owner: Some("anna".to_owned()),
        original: format!("original/{:016x}", fastrand::u64(..)),
        handle: None,
        name: Some("na\0me".to_owned()),
        size_bytes: 1,
        wish: Wish::default(),
    };
    store.accept(new).await.map(|accepted| accepted.id)
}

fn advance(milestone: &'static str) -> Change<AnyProduct> {
    Change { advance: Some(milestone), ..release() }
}

#[tokio::test]
async fn a_database_from_the_future_is_refused_and_left_as_it_is() {
    let schema = Schema::create();
    drop(open(&schema).await.unwrap());
    let db = look(&schema).await;
    let add = "INSERT INTO schema_version SELECT max(version) + 1, 0 FROM schema_version";
    db.execute(add, &[]).await.unwrap();
    db.execute("DELETE FROM milestone", &[]).await.unwrap();
    let refused = open(&schema).await.err().expect("it must not be touched");
    let OpenError::FromTheFuture { found, known } = refused else { panic!("{refused:?}") };
    assert_eq!(found, i64::try_from(known).unwrap() + 1);
    let declared = db.query_one("SELECT count(*) FROM milestone", &[]).await.unwrap();
    assert_eq!(declared.get::<_, i64>(0), 0, "nothing was written");
}

#[tokio::test]
async fn hosts_that_start_at_the_same_moment_bring_it_up_to_date_once() {
    let schema = Schema::create();
    let stores = join_all((0..5).map(|_| open(&schema))).await;
    let stores: Vec<Postgres> = stores.into_iter().map(Result::unwrap).collect();
    let db = look(&schema).await;
    let versions = db.query_one("SELECT count(*) FROM schema_version", &[]).await.unwrap();
    let now = stores[0].versions().now;
    assert_eq!(versions.get::<_, i64>(0), now);
    let id = accept(&stores[0]).await.unwrap();
    assert!(stores[4].view(id).await.unwrap().is_some());
}

#[tokio::test]
async fn milestones_are_declared_from_the_line() {
    let schema = Schema::create();
    drop(open(&schema).await.unwrap());
    let db = look(&schema).await;
    db.execute("UPDATE milestone SET lease_us = 1, step = 'another'", &[]).await.unwrap();
    drop(open(&schema).await.unwrap());
    let select = "SELECT name, step, lease_us FROM milestone WHERE line = $1 ORDER BY position";
    let rows = db.query(select, &[&LINE.name()]).await.unwrap();
    let rows: Vec<(String, Option<String>, i64)> =
        rows.iter().map(|row| (row.get(0), row.get(1), row.get(2))).collect();
    let declared: Vec<_> = LINE
        .stages()
        .into_iter()
        .map(|s| {
            let lease_us = i64::try_from(s.lease.as_micros()).unwrap();
            (s.name.to_owned(), s.step.map(str::to_owned), lease_us)
        })
        .collect();
    assert_eq!(rows, declared);
    let strange = "INSERT INTO work (line, milestone, created_at, entered_at, ready_at)
                   VALUES ('recordings', 'nowhere', 0, 0, 0)";
    assert!(db.execute(strange, &[]).await.is_err(), "the list of milestones is closed");
}

#[tokio::test]
async fn the_clock_is_the_servers() {
    let schema = Schema::create();
    let store = open(&schema).await.unwrap();
    let db = look(&schema).await;
    let asked = "SELECT extract(epoch FROM clock_timestamp())::float8 * 1e6";
    let before: f64 = db.query_one(asked, &[]).await.unwrap().get(0);
    let now = store.now().await.unwrap().0;
    let after: f64 = db.query_one(asked, &[]).await.unwrap().get(0);
    // A double holds these to a fraction of a microsecond.
    #[expect(clippy::cast_precision_loss, reason = "microseconds of this century fit a double")]
    let now = now as f64;
    assert!(before - 1.0 <= now && now <= after + 1.0, "{before} {now} {after}");
}

#[tokio::test]
async fn a_ring_wakes_another_host() {
    let schema = Schema::create();
    let (here, there) = (open(&schema).await.unwrap(), open(&schema).await.unwrap());
    // The listener rings once when it stands.
    timeout(PATIENCE, there.work_arrived()).await.unwrap();
    accept(&here).await.unwrap();
    timeout(PATIENCE, there.work_arrived()).await.expect("the other host is told");
}

#[tokio::test]
async fn lost_connections_are_replaced_and_the_bell_rings_again() {
    let schema = Schema::create();
    let named = format!("{}&application_name={}", schema.address(), schema.name());
    let open = || Postgres::open(&named, Durability::Full, &[]);
    let (here, there) = (open().await.unwrap(), open().await.unwrap());
    let db = look(&schema).await;
    timeout(PATIENCE, there.work_arrived()).await.unwrap();
    here.now().await.unwrap();
    let cut = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
               WHERE application_name = $1";
    let row = db.query_one(cut, &[&schema.name()]).await.unwrap();
    assert!(row.get::<_, i64>(0) >= 3, "two pools and two listeners, less what is not there yet");
    // The first operation may still meet a connection whose end was not noticed; no later one may.
    let _ = here.now().await;
    timeout(PATIENCE, async {
        while here.now().await.is_err() {}
        there.work_arrived().await;
    })
    .await
    .expect("both connect again, and the listener says so");
}

#[tokio::test]
async fn a_settle_that_was_applied_and_not_answered_is_lost_when_repeated() {
    let schema = Schema::create();
    let store = open(&schema).await.unwrap();
    let id = accept(&store).await.unwrap();
    let here = Instance("here".to_owned());
    let claim = store.claim(&here).await.unwrap().unwrap();
    let change = Change {
        product: Some(Product::Finished { original_deleted: false }.into()),
        journal: Some(("finish", Event::Advanced)),
        notice: Some(NoticeKind::Done),
        ..advance("done")
    };
    // The caller goes away before the answer comes: the operation goes on to its end.
    let asked = store.settle(&claim, &change);
    assert!(timeout(Duration::ZERO, asked).await.is_err());
    timeout(PATIENCE, async {
        while store.view(id).await.unwrap().unwrap().work.milestone != "done" {}
    })
    .await
    .unwrap();
    assert_eq!(store.settle(&claim, &change).await.unwrap(), Settled::Lost);
    assert_eq!(store.journal(id).await.unwrap().len(), 1);
    assert_eq!(store.leftover_notices(&here).await.unwrap().len(), 1, "left, to be counted");
}

/// Or a removal would read every row that might name the one that goes.
#[tokio::test]
async fn what_names_a_row_that_may_go_is_found_by_an_index() {
    let schema = Schema::create();
    let _store = open(&schema).await.unwrap();
    let bare = "SELECT conrelid::regclass::text FROM pg_constraint c
                WHERE contype = 'f' AND connamespace = current_schema()::regnamespace
                  AND confrelid <> 'milestone'::regclass
                  AND NOT EXISTS (SELECT 1 FROM pg_index i
                                  WHERE i.indrelid = c.conrelid AND i.indkey[0] = c.conkey[1]
                                    AND i.indpred IS NULL)";
    let found = look(&schema).await.query(bare, &[]).await.unwrap();
    let tables: Vec<String> = found.iter().map(|row| row.get(0)).collect();
    assert_eq!(tables, [""; 0]);
}

/// Whoever is let in by it came in; what it was used for last is of less account.
#[tokio::test]
async fn a_token_opens_though_its_use_cannot_be_written() {
    let schema = Schema::create();
    let store = open(&schema).await.unwrap();
    let (name, hash) = ("phone".to_owned(), "a".to_owned());
    store
        .add_token(NewToken { name, owner: None, maker: None, hash, expires_at: None })
        .await
        .unwrap();
    schema.execute("ALTER TABLE token ADD CHECK (last_used_at IS NULL)".to_owned());
    assert!(store.use_token("a").await.unwrap().is_some());
}

/// Summary and topics have no reader yet; the columns must be left alone all the same.
#[tokio::test]
async fn no_step_touches_summary_and_topics() {
    let schema = Schema::create();
    let store = open(&schema).await.unwrap();
    let id = accept(&store).await.unwrap();
    let claim = store.claim(&Instance("here".to_owned())).await.unwrap().unwrap();
    let db = look(&schema).await;
    let edit = "UPDATE recording SET title = 't', summary = 's', topics = '[]' WHERE id = $1";
    assert_eq!(db.execute(edit, &[&id.0]).await.unwrap(), 1);
    let duration = Duration::from_secs(1);
    let opened = store.open_attempt(&claim, "x", Lanes::Unlimited, duration).await.unwrap();
    let Admission::Opened(attempt) = opened else { panic!("{opened:?}") };
    let audio = Audio { key: "normalised/x".to_owned(), duration, level_db: None };
    let part = Part { index: 0, segments: Vec::new(), language: None };
    for product in [
        Product::Normalised { audio, warnings: Vec::new() },
        Product::Submitted,
        Product::Part { attempt, part },
        Product::Transcribed { attempt, transcript: Transcript::default() },
        Product::KeepWaiting,
        Product::SubmitAgain,
        Product::Finished { original_deleted: true },
    ] {
        store.note(&claim, product).await.unwrap();
        let row = db
            .query_one("SELECT owner, title, summary, topics, name FROM recording", &[])
            .await
            .unwrap();
        let owned: Vec<&str> = (0..5).map(|place| row.get(place)).collect();
        assert_eq!(owned, ["anna", "t", "s", "[]", "na\u{fffd}me"]);
    }
}

/// The server's details quote the row, and a row holds what people said.
#[tokio::test]
async fn an_error_does_not_repeat_what_was_to_be_written() {
    let schema = Schema::create();
    let store = Arc::new(open(&schema).await.unwrap());
    schema.execute("ALTER TABLE recording ADD CHECK (title <> 'secret words')".to_owned());
    let id = accept(&store).await.unwrap();
    let edit = Edit { title: Some("secret words".to_owned()), ..Edit::default() };
    let error = store.edit(id, edit).await.unwrap_err();
    assert!(matches!(error, StoreError::Refused(_)), "{error:?}");
    let told = format!("{error:?}");
    assert!(told.contains("23514") && !told.contains("secret words"), "{told}");
}

#[tokio::test]
async fn a_server_that_is_not_there_is_said_at_once() {
    let address = "postgres://nobody@127.0.0.1:1/none";
    let refused = Postgres::open(address, Durability::Full, &[]).await.err();
    assert!(matches!(refused, Some(OpenError::Postgres(_))), "{refused:?}");
}

#[tokio::test]
async fn whoever_asks_for_tls_gets_no_connection_without() {
    // A server that has none says so with one letter:
    // https://www.postgresql.org/docs/15/protocol-flow.html#PROTOCOL-FLOW-SSL
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = server.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in server.incoming() {
            let mut stream = stream.unwrap();
            let mut request = [0; 8];
            stream.read_exact(&mut request).unwrap();
            stream.write_all(b"N").unwrap();
        }
    });
    let address = format!("postgres://a:b@127.0.0.1:{port}/verst?sslmode=verify-full");
    let refused = Postgres::open(&address, Durability::Full, &[]).await.err();
    assert!(matches!(refused, Some(OpenError::Postgres(_))), "{refused:?}");
}

/// The server's certificate is signed by nobody whom this process trusts. One that is trusted is
/// shown with a process of its own, because what is trusted is a variable of the process.
#[tokio::test]
async fn a_certificate_of_a_stranger_is_refused() {
    let schema = Schema::create();
    let db = look(&schema).await;
    let ssl = db.query_one("SELECT current_setting('ssl')", &[]).await.unwrap();
    assert_eq!(ssl.get::<_, String>(0), "on", "scripts/postgres starts a server with TLS");
    let address = format!("{}&sslmode=require", schema.address());
    let refused = Postgres::open(&address, Durability::Full, &[]).await.err();
    let Some(OpenError::Postgres(error)) = refused else { panic!("{refused:?}") };
    assert!(format!("{error:?}").contains("UnknownIssuer"), "{error:?}");
}

#[tokio::test]
async fn one_process_of_an_installation_at_a_time() {
    let schema = Schema::create();
    let here = Instance("here".to_owned());
    let (first, second) = (open(&schema).await.unwrap(), open(&schema).await.unwrap());
    assert!(first.lock_instance(&here).await.unwrap());
    assert!(!second.lock_instance(&here).await.unwrap());
    assert!(second.lock_instance(&Instance("there".to_owned())).await.unwrap());
    let other = Schema::create();
    let elsewhere = open(&other).await.unwrap();
    assert!(elsewhere.lock_instance(&here).await.unwrap(), "another database on the same server");
    drop(first);
    timeout(PATIENCE, async { while !second.lock_instance(&here).await.unwrap() {} })
        .await
        .expect("the lock ends with its process");
}

#[tokio::test]
async fn the_lock_of_an_installation_is_had_back_when_its_session_was_lost() {
    let schema = Schema::create();
    let here = Instance("here".to_owned());
    let named = format!("{}&application_name={}", schema.address(), schema.name());
    let first = Postgres::open(&named, Durability::Full, &[]).await.unwrap();
    assert!(first.lock_instance(&here).await.unwrap());
    let db = look(&schema).await;
    let locks = "SELECT a.pid FROM pg_locks l JOIN pg_stat_activity a USING (pid)
                 WHERE l.locktype = 'advisory' AND l.granted AND a.application_name = $1";
    let held: i32 = db.query_one(locks, &[&schema.name()]).await.unwrap().get(0);
    db.execute("SELECT pg_terminate_backend($1)", &[&held]).await.unwrap();
    timeout(PATIENCE, async {
        loop {
            let now = db.query_opt(locks, &[&schema.name()]).await.unwrap();
            if now.is_some_and(|row| row.get::<_, i32>(0) != held) {
                break;
            }
        }
    })
    .await
    .expect("another session has the lock");
    let second = open(&schema).await.unwrap();
    assert!(!second.lock_instance(&here).await.unwrap());
}

#[tokio::test]
async fn a_visitor_changes_no_schema_that_is_there() {
    let schema = Schema::create();
    let visit = || Postgres::visit(schema.address(), Durability::Full, &[]);
    let stages = LINE.stages();
    let made = Postgres::visit(schema.address(), Durability::Full, &stages).await.unwrap();
    assert_eq!(made.versions().found, 0, "an empty database is nobody's, and is made");
    accept(&made).await.unwrap();
    let now = visit().await.unwrap().versions();
    assert_eq!(now.found, now.now);
}
