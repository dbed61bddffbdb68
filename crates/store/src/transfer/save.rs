//! From the server to a file: everything as of one moment.

use std::pin::pin;

use deadpool_postgres::{Client, Transaction};
use futures::TryStreamExt;
use rusqlite::Connection;
use tokio_postgres::IsolationLevel;

use super::sink::Sink;
use super::source::Source;
use super::target::{Columns, compare};
use super::value::Value;
use super::{Copied, CopyError, TABLES, Table};

/// Of no rules that ever were, so that they are made anew.
const CARDS: &str =
    "INSERT INTO card (recording_id, rules, places) SELECT id, 0, x'' FROM recording";

/// Reads every table in one snapshot, and compares the file with the same snapshot.
pub(super) async fn read_all(mut db: Client, file: Source) -> Result<Vec<Copied>, CopyError> {
    let snapshot = db.build_transaction().isolation_level(IsolationLevel::RepeatableRead);
    let tx = snapshot.read_only(true).start().await?;
    // However many rows there are, and however long the disk takes to write them.
    let patience = "SET LOCAL statement_timeout = 0;
        SET LOCAL idle_in_transaction_session_timeout = 0";
    tx.batch_execute(patience).await?;
    let columns = ["line", "name", "position", "step", "lease_us"].join(", ");
    let complete = format!("INSERT OR IGNORE INTO milestone ({columns}) VALUES (?, ?, ?, ?, ?)");
    pour(&tx, &file, &format!("SELECT {columns} FROM milestone"), complete).await?;
    let bound = "INSERT INTO home (one, objects) VALUES (?, ?)".to_owned();
    pour(&tx, &file, "SELECT one, objects FROM home", bound).await?;
    let mut copied = Vec::new();
    for table in TABLES {
        let Table { name, .. } = table;
        let columns = Columns::of(&tx, &file, table).await?;
        let names = &columns.names;
        let places = vec!["?"; names.split(',').count()].join(", ");
        let insert = format!("INSERT INTO {name} ({names}) VALUES ({places})");
        pour(&tx, &file, &format!("SELECT {names} FROM {name}"), insert).await?;
        let rows = compare(&tx, &file, table, &columns).await?;
        number(&tx, &file, table).await?;
        copied.push(Copied { table: name, rows });
    }
    tx.commit().await?;
    Connection::open(file.file())?.execute_batch(CARDS)?;
    Ok(copied)
}

/// Whatever a query gives goes into the file.
async fn pour(
    tx: &Transaction<'_>,
    file: &Source,
    select: &str,
    insert: String,
) -> Result<(), CopyError> {
    let mut rows = pin!(tx.query_raw(select, &[] as &[&str]).await?);
    let sink = Sink::open(file.file(), insert);
    while let Some(row) = rows.try_next().await? {
        let values: Result<Vec<_>, _> = (0..row.len()).map(|at| Value::copied(&row, at)).collect();
        if !sink.put(values?).await {
            break;
        }
    }
    sink.close().await
}

/// Numbers go on where the server's end: one that was given is never given again.
async fn number(
    tx: &Transaction<'_>,
    file: &Source,
    Table { name, .. }: Table,
) -> Result<(), CopyError> {
    if !file.columns(name)?.iter().any(|column| column == "id") {
        return Ok(());
    }
    let asked = format!("SELECT pg_get_serial_sequence('{name}', 'id')::text");
    let Some(sequence) = tx.query_one(&asked, &[]).await?.get::<_, Option<String>>(0) else {
        return Ok(());
    };
    let asked = format!("SELECT last_value, is_called FROM {sequence}");
    let row = tx.query_one(&asked, &[]).await?;
    // The last that was given, or else the first that will be.
    let given = row.get::<_, i64>(0) - i64::from(!row.get::<_, bool>(1));
    if given < 1 {
        return Ok(());
    }
    let db = Connection::open(file.file())?;
    let known = "UPDATE sqlite_sequence SET seq = ?2 WHERE name = ?1";
    if db.execute(known, (name, given))? == 0 {
        db.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?1, ?2)", (name, given))?;
    }
    Ok(())
}
