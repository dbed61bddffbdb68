//! From the file to the server: everything arrives, or nothing.

#![expect(clippy::unwrap_used, reason = "a store that does not open fails its test")]

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use rusqlite::Connection;
use tokio_postgres::NoTls;
use verst_downloads::hash::InfoHash;
use verst_downloads::model::{NewDownload, Sender};
use verst_downloads::names::Memory;
use verst_downloads::ports::{DownloadStore, Given};
use verst_kernel::{
    Change, Event, Failure, Instance, Notes, NoticeKind, Queue, Settled, Stop, StopByPerson,
    StopReason, Wait, WorkId,
};
use verst_recordings::LINE;
use verst_recordings::corrections::Wording;
use verst_recordings::model::{Audio, NewRecording, Product, Source};
use verst_recordings::ports::{
    Admission, Call, Lanes, Part, RecordingStore, Ticket, Warning, Wish,
};
use verst_recordings::search::Query;
use verst_recordings::transcript::{Segment, Transcript};
use verst_service::Product as AnyProduct;
use verst_service::accounts::{
    AccountId, Accounts, Name, NewAccount, NewSession, Role, SessionLimits, Sessions,
};
use verst_service::{
    BotId, ChatId, Chats, Corrections, Edit, Filter, Inbound, Inbox, Ledger, NewShare, NewToken,
    Reworded, Shares, StatusMessage, Timestamp, Tokens, View, stages,
};
use verst_store::snapshot::{self, SnapshotError, Unfinished};
use verst_store::transfer::{Copied, CopyError, copy, is_occupied, save};
use verst_store::{Durability, Postgres, Sqlite};
use verst_testkit::{Schema, TestClock};

/// A file in which every table has rows.
struct Origin {
    file: PathBuf,
    store: Sqlite,
    _dir: tempfile::TempDir,
}

fn new(name: &str) -> NewRecording {
    NewRecording {
        source: Source::Telegram,
        reply_to: Some("chat-1".to_owned()),
        owner: Some("anna".to_owned()),
        original: format!("original/{:?}", name.as_bytes()),
        handle: Some(format!("cli:{:?}", name.as_bytes())),
        name: Some(name.to_owned()),
        size_bytes: 7,
        wish: Wish { language: Some("ru".to_owned()), model: None },
    }
}

fn change() -> Change<AnyProduct> {
    Change {
        advance: None,
        failures: 0,
        ready_in: Duration::from_secs(5),
        held_us: 17,
        run_held: false,
        wait: Wait::Over,
        tried: true,
        stop: None,
        why: Some(Failure::new("waiting_turn").int("ahead", 3)),
        last_failure: Some(Failure::new("ffmpeg_failed").term("status", "1")),
        product: None,
        journal: Some(("normalise", Event::Advanced)),
        notice: None,
    }
}

/// What a bot remembers.
async fn chats(store: &Sqlite, work: WorkId) {
    let (bot, chat) = (BotId(1), ChatId(-7));
    let body = "{\"update_id\": 5}".to_owned();
    let here = Instance("here".to_owned());
    store.hold_bot(bot, &here, Duration::from_mins(1)).await.unwrap().expect("nobody has it");
    store.receive(bot, vec![Inbound { id: 5, body }], 6).await.unwrap();
    store.meet(chat, Some("ru".to_owned())).await.unwrap();
    store.offer_link("c".to_owned(), "anna".to_owned(), Timestamp(i64::MAX)).await.unwrap();
    let said = "d".to_owned();
    let status = StatusMessage { work, chat, asked_in: 1, message: 2, sent_at: Timestamp(3), said };
    store.put_status_message(status).await.unwrap();
}

async fn origin() -> Origin {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("verst.sqlite");
    let clock = Arc::new(TestClock::default());
    let store = Sqlite::open(&file, Durability::Normal, clock, &stages()).unwrap();
    let here = Instance("here".to_owned());
    let ids = ["имя \"'; DROP TABLE work", "with\0nul", "stopped", "held", "gone"];
    let mut accepted = Vec::new();
    for name in ids {
        accepted.push(store.accept(new(name)).await.unwrap().id);
    }
    let first = store.claim(&here).await.unwrap().unwrap();
    let duration = Duration::from_millis(1234);
    let audio = Audio { key: "normalised/x".to_owned(), duration, level_db: Some(-20.625) };
    let warnings = vec![Warning::CutOff, Warning::TrackChosen { track: 2, of: 3 }];
    store.note(&first, Product::Normalised { audio, warnings }).await.unwrap();
    let opened = store.open_attempt(&first, "x", Lanes::Unlimited, duration).await.unwrap();
    let Admission::Opened(attempt) = opened else { panic!("{opened:?}") };
    store.keep_ticket(attempt, &Ticket("{\"a\": 1}".to_owned())).await.unwrap();
    let segment = Segment { start_ms: 1, end_ms: 2, text: "ёж 🦔".to_owned(), speaker: None };
    let segments = vec![segment];
    let part = Part { index: 0, segments: segments.clone(), language: Some("ru".to_owned()) };
    store.note(&first, Product::Part { attempt, part }).await.unwrap();
    let call = Call { index: 1, from_ms: 0, until_ms: 1234 };
    store.open_call(&first, attempt, call).await.unwrap().expect("it is held");
    let transcript = Transcript { segments, model: "m".to_owned(), language: None };
    let done = Change {
        advance: Some("done"),
        product: Some(Product::Transcribed { attempt, transcript }.into()),
        notice: Some(NoticeKind::Done),
        ..change()
    };
    assert!(matches!(store.settle(&first, &done).await.unwrap(), Settled::Done(Some(_))));
    let second = store.claim(&here).await.unwrap().unwrap();
    store.settle(&second, &change()).await.unwrap();
    let third = store.claim(&here).await.unwrap().unwrap();
    let failure = Failure::new("damaged_file");
    let stop = Some(Stop { reason: StopReason::Verdict, failure: failure.clone() });
    let stopped = Change { stop, notice: Some(NoticeKind::Stopped(failure)), ..change() };
    store.settle(&third, &stopped).await.unwrap();
    store.claim(&here).await.unwrap().expect("one is held while it is copied");
    let edit = Edit {
        title: Some("заголовок".to_owned()),
        topics: Some(vec!["тема".to_owned()]),
        ..Edit::default()
    };
    store.edit(accepted[1], edit).await.unwrap();
    let read = store.transcript(first.id()).await.unwrap().expect("it is done");
    let wording =
        Wording {
            index: 0, was: read.segments[0].text.clone(), text: Some("сказано".to_owned())
        };
    assert_eq!(store.reword(first.id(), wording, "anna").await.unwrap(), Reworded::Done);
    let token = |hash: &str| NewToken {
        name: "имя".to_owned(),
        owner: None,
        maker: None,
        hash: hash.to_owned(),
        expires_at: None,
    };
    chats(&store, accepted[0]).await;
    let anna = people(&store).await;
    store.add_token(NewToken { maker: Some(anna), ..token("b") }).await.unwrap();
    let share = NewShare {
        recording: accepted[0],
        hash: "share".to_owned(),
        by: "Анна".to_owned(),
        maker: Some(anna),
        lasts: Duration::from_hours(1),
    };
    store.add_share(share).await.unwrap().expect("it is made");
    let revoked = store.add_token(token("a")).await.unwrap();
    assert!(store.revoke_token(revoked, None).await.unwrap());
    assert!(store.offer_setup("setup".to_owned()).await.unwrap());
    assert!(matches!(
        store.stop(&here, accepted[4], "anna").await.unwrap(),
        StopByPerson::Stopped(_)
    ));
    assert!(store.remove(accepted[4]).await.unwrap());
    downloads(&store).await;
    // The highest number is given and gone: it must not be given again.
    let highest = store.accept(new("highest")).await.unwrap().id;
    assert!(store.remove(highest).await.unwrap());
    let db = Connection::open(&file).unwrap();
    // And one stands where no line of this program leads.
    db.execute_batch(
        "INSERT INTO milestone VALUES ('recordings', 'archived', 9, 'archive', 1);
         INSERT INTO work (id, line, milestone, created_at, entered_at, ready_at)
             VALUES (-4, 'recordings', 'archived', 0, 0, 9223372036854775807)",
    )
    .unwrap();
    Origin { file, store, _dir: dir }
}

/// Somebody who may come in, and does.
async fn people(store: &Sqlite) -> AccountId {
    let (name, sealed) = (Name::new("Анна").unwrap(), "sealed".to_owned());
    let new = NewAccount { name, sealed, role: Role::Owner };
    let account = store.add_account(new).await.unwrap().expect("the name is free");
    let hash = "hash".to_owned();
    let agent = "Браузер".to_owned();
    let new = NewSession { account, known_by: None, hash, agent, instead_of: None };
    store.open_session(new, SessionLimits::default()).await.unwrap().expect("it is opened");
    account
}

/// A magnet, and a torrent with bytes that are no text.
async fn downloads(store: &Sqlite) {
    store.watch("qbittorrent").await.unwrap();
    store.remember(&Memory::default()).await.unwrap();
    for (given, digit) in
        [(Given::Magnet("magnet:?".to_owned()), "a"), (Given::Torrent(vec![0, 255, 39]), "b")]
    {
        let sender =
            Sender { source: Source::Http, reply_to: None, owner: Some("анна".to_owned()) };
        let hashes = InfoHash::parse(&digit.repeat(64)).into_iter().collect();
        let new = NewDownload { sender, given, hashes, name: None, size_bytes: Some(7) };
        assert!(store.catch(new).await.unwrap().fresh);
    }
}

async fn views(store: &impl Ledger) -> Vec<View> {
    store.list(Filter { limit: 100, ..Filter::default() }).await.unwrap()
}

async fn open(schema: &Schema) -> Postgres {
    Postgres::open(schema.address(), Durability::Full, &stages()).await.unwrap()
}

#[tokio::test]
async fn every_table_arrives_row_for_row() {
    let (origin, schema) = (origin().await, Schema::create());
    let target = open(&schema).await;
    let copied = copy(&origin.file, &target).await.unwrap();
    let db = Connection::open(&origin.file).unwrap();
    let mut tables = db
        .prepare(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'
             AND name NOT IN ('milestone', 'home') AND name NOT LIKE 'card%'",
        )
        .unwrap();
    let tables: Vec<String> =
        tables.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap();
    assert_eq!(tables.len(), copied.len(), "each table of the schema is copied: {copied:?}");
    for name in tables {
        let rows: i64 =
            db.query_row(&format!("SELECT count(*) FROM {name}"), [], |r| r.get(0)).unwrap();
        let rows = u64::try_from(rows).unwrap();
        assert!(rows > 0, "{name} has something to copy");
        assert!(copied.iter().any(|c| *c == Copied { table: c.table, rows } && c.table == name));
    }

    let mut here = views(&origin.store).await;
    // The one character that a text of PostgreSQL cannot hold.
    for view in &mut here {
        if let Some(name) = &mut view.recording.given.name {
            *name = name.replace('\0', "\u{fffd}");
        }
    }
    assert_eq!(views(&target).await, here);
    for view in &here {
        let id = view.work.id;
        assert_eq!(target.journal(id).await.unwrap(), origin.store.journal(id).await.unwrap());
        let text = target.transcript(id).await.unwrap();
        assert_eq!(text, origin.store.transcript(id).await.unwrap());
    }
    let instance = Instance("here".to_owned());
    assert_eq!(target.leftover_notices(&instance).await.unwrap().len(), 2);
}

/// Rows are compared one after the other: what tells them apart is in the order of bytes on both
/// sides, whatever language the server sorts by.
#[tokio::test]
async fn both_stores_have_rows_in_the_same_order() {
    let schema = Schema::create();
    let _store = open(&schema).await;
    let (client, connection) = tokio_postgres::connect(schema.address(), NoTls).await.unwrap();
    tokio::spawn(connection);
    let sorted = "SELECT t.relname || '.' || a.attname
                  FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid
                      JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = ANY (i.indkey)
                      JOIN pg_collation c ON c.oid = a.attcollation
                  WHERE i.indisprimary AND t.relnamespace = current_schema()::regnamespace
                    AND t.relname <> 'milestone' AND c.collname <> 'C'";
    let found = client.query(sorted, &[]).await.unwrap();
    let columns: Vec<String> = found.iter().map(|row| row.get(0)).collect();
    assert_eq!(columns, [""; 0]);
}

/// Where each stem is kept differs between the two; what they find does not.
#[tokio::test]
async fn index_cards_are_made_anew() {
    let (origin, schema) = (origin().await, Schema::create());
    let target = open(&schema).await;
    copy(&origin.file, &target).await.unwrap();
    let words = || Filter {
        search: Some(Query::new("заголовки").unwrap()),
        limit: 100,
        ..Filter::default()
    };
    assert_eq!(target.list(words()).await.unwrap(), []);
    let mut renewed = 0;
    loop {
        match target.renew_cards(2).await.unwrap() {
            0 => break,
            count => renewed += count,
        }
    }
    assert_eq!(renewed, views(&target).await.len() as u64);
    let ids = |views: Vec<View>| views.into_iter().map(|view| view.work.id).collect::<Vec<_>>();
    let there = ids(target.list(words()).await.unwrap());
    assert_eq!(there, ids(origin.store.list(words()).await.unwrap()));
    assert_eq!(there.len(), 1);
}

#[tokio::test]
async fn numbers_go_on_where_they_were() {
    let (origin, schema) = (origin().await, Schema::create());
    let target = open(&schema).await;
    copy(&origin.file, &target).await.unwrap();
    let next = target.accept(new("next")).await.unwrap();
    assert_eq!(next.id, WorkId(10), "9 was given and is gone");
}

#[tokio::test]
async fn a_database_with_recordings_is_left_alone() {
    let (origin, schema) = (origin().await, Schema::create());
    let target = open(&schema).await;
    target.accept(new("theirs")).await.unwrap();
    let before = views(&target).await;
    let refused = copy(&origin.file, &target).await;
    assert!(matches!(refused, Err(CopyError::Occupied)), "{refused:?}");
    assert_eq!(views(&target).await, before);
}

#[tokio::test]
async fn a_copy_that_differs_is_not_kept() {
    let (origin, schema) = (origin().await, Schema::create());
    let target = open(&schema).await;
    schema.execute(
        "CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS
             $$ BEGIN NEW.segments := replace(NEW.segments, 'ёж', 'еж'); RETURN NEW; END $$;
         CREATE TRIGGER spoil BEFORE INSERT ON part FOR EACH ROW EXECUTE FUNCTION spoil()"
            .to_owned(),
    );
    let refused = copy(&origin.file, &target).await;
    assert!(matches!(refused, Err(CopyError::Differs { table: "part", row: 1 })), "{refused:?}");
    assert_eq!(views(&target).await, []);
    schema.execute("DROP TRIGGER spoil ON part".to_owned());
    schema.execute("ALTER TABLE part ADD COLUMN extra text".to_owned());
    let refused = copy(&origin.file, &target).await;
    assert!(matches!(refused, Err(CopyError::Columns { table: "part" })), "{refused:?}");
    schema.execute("ALTER TABLE part DROP COLUMN extra".to_owned());
    assert!(copy(&origin.file, &target).await.is_ok(), "and it can be tried again");
}

#[tokio::test]
async fn every_table_comes_back_row_for_row() {
    let (origin, schema) = (origin().await, Schema::create());
    let server = open(&schema).await;
    assert!(!is_occupied(&server).await.unwrap());
    let copied = copy(&origin.file, &server).await.unwrap();
    assert!(is_occupied(&server).await.unwrap());
    server.bind_objects("home-1".to_owned()).await.unwrap();

    let file = origin.file.with_file_name("back.sqlite");
    assert_eq!(save(&server, &file, &stages()).await.unwrap(), copied);
    let examined = snapshot::examine(&file).unwrap();
    assert_eq!((examined.rows, examined.home), (copied, Some("home-1".to_owned())));
    let clock = Arc::new(TestClock::default());
    let back = Sqlite::open(&file, Durability::Normal, clock, &stages()).unwrap();
    assert_eq!(views(&back).await, views(&server).await);
    for view in views(&server).await {
        let id = view.work.id;
        assert_eq!(back.journal(id).await.unwrap(), server.journal(id).await.unwrap());
        assert_eq!(back.transcript(id).await.unwrap(), server.transcript(id).await.unwrap());
    }
    assert_eq!(back.accept(new("next")).await.unwrap().id, WorkId(10), "9 was given and is gone");
}

#[tokio::test]
async fn a_database_in_which_nothing_was_given_yet_goes_there_and_back() {
    let dir = tempfile::tempdir().unwrap();
    let (first, second) = (Schema::create(), Schema::create());
    let (file, server) = (dir.path().join("empty.sqlite"), open(&first).await);
    let saved = save(&server, &file, &stages()).await.unwrap();
    assert!(saved.iter().all(|table| table.rows == 0));
    let other = open(&second).await;
    assert_eq!(copy(&file, &other).await.unwrap(), saved);
    assert_eq!(other.accept(new("first")).await.unwrap().id, WorkId(1));
}

#[tokio::test]
async fn a_file_is_taken_while_it_is_in_use_and_settles_in_elsewhere() {
    let origin = origin().await;
    let file = origin.file.with_file_name("taken.sqlite");
    snapshot::take(&origin.file, &file).unwrap();
    assert!(snapshot::take(&origin.file, &file).is_err(), "nothing is overwritten");
    let examined = snapshot::examine(&file).unwrap();
    assert!(snapshot::is_occupied(&file).unwrap());
    let keys: Vec<_> = examined.objects.iter().map(|named| named.key.as_str()).collect();
    assert!(keys.contains(&"normalised/x"), "{keys:?}");

    let (there, now) = (Instance("there".to_owned()), Timestamp(77));
    let stages = LINE.stages();
    snapshot::settle_in(&file, &stages, &there, "home-2", Unfinished::GoesOn).unwrap();
    let db = Connection::open(&file).unwrap();
    let number = |sql: &str| db.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!(number("SELECT count(*) FROM work WHERE holder = 'there'"), 1);
    assert_eq!(number("SELECT count(*) FROM session"), 0, "browsers sign in again");
    assert_eq!(number("SELECT count(*) FROM work WHERE holder <> 'there'"), 0);
    assert_eq!(number("SELECT count(*) FROM notice WHERE instance = 'there'"), 2);
    assert_eq!(number("SELECT count(*) FROM home WHERE objects = 'home-2'"), 1);

    // Of those under way one has a ticket, which it keeps, and one has its text, and begins nothing.
    let moving = "stopped_at IS NULL AND milestone <> 'done'";
    db.execute_batch(
        "INSERT INTO attempt (recording_id, recogniser, opened_at, ticket)
             SELECT id, 'x', 0, 't' FROM work WHERE holder = 'there';
         UPDATE work SET milestone = 'transcribed' WHERE id = 2",
    )
    .unwrap();
    let before = number(&format!("SELECT count(*) FROM work WHERE {moving}"));
    let fences = number("SELECT sum(fence) FROM work");
    snapshot::settle_in(&file, &stages, &there, "home-2", Unfinished::IsHeld("anna", now)).unwrap();
    assert_eq!(number(&format!("SELECT count(*) FROM work WHERE {moving}")), 1);
    let held = "SELECT count(*) FROM work WHERE stop_reason = 'person' AND stopped_at = 77
        AND stop_failure LIKE '%\"restored\"%' AND holder IS NULL";
    assert_eq!(number(held), before - 1);
    assert_eq!(number("SELECT sum(fence) FROM work"), fences + before - 1, "each fence grew");
    let told =
        "SELECT count(*) FROM journal WHERE at = 77 AND actor = 'anna' AND event = 'stopped'";
    assert_eq!(number(told), before - 1);
    assert_eq!(number("SELECT count(*) FROM attempt WHERE closed_at IS NULL AND ticket = 't'"), 1);
}

#[tokio::test]
async fn a_file_that_is_not_sound_or_not_ours_is_refused() {
    let origin = origin().await;
    let file = origin.file.with_file_name("taken.sqlite");
    let taken = || {
        let _ = std::fs::remove_file(&file);
        snapshot::take(&origin.file, &file).unwrap();
        Connection::open(&file).unwrap()
    };
    let settled = || {
        let (there, stages) = (Instance("there".to_owned()), LINE.stages());
        snapshot::settle_in(&file, &stages, &there, "home-2", Unfinished::GoesOn)
    };
    taken().execute_batch("PRAGMA user_version = 99").unwrap();
    let told = snapshot::examine(&file).unwrap_err().to_string();
    assert!(told.starts_with("the database is of version 99, this program knows"), "{told}");

    let dangling = "PRAGMA foreign_keys = OFF; DELETE FROM recording WHERE id = 1";
    taken().execute_batch(dangling).unwrap();
    let refused = snapshot::examine(&file);
    assert!(matches!(refused, Err(SnapshotError::Damaged(_))), "{refused:?}");

    for strange in [
        "CREATE TRIGGER spy AFTER UPDATE ON work BEGIN DELETE FROM recording; END",
        "CREATE TABLE more (x)",
        "DROP INDEX work_claim",
    ] {
        taken().execute_batch(strange).unwrap();
        assert!(matches!(settled(), Err(SnapshotError::Foreign)), "{strange}");
    }
    drop(taken());
    settled().unwrap();
    std::fs::write(&file, vec![b'x'; 9000]).unwrap();
    assert!(matches!(snapshot::examine(&file), Err(SnapshotError::Sqlite(_))));
}
