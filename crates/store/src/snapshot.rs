//! A whole database as one SQLite file of its own: taken from one that is in use, examined, and
//! made another installation's.
//!
//! It refuses to repair: a file that is not sound is of no use to anybody.
//!
//! **Invariant:** what is handed over for use has exactly the schema that this program makes.

use std::path::Path;

use rusqlite::{Connection, OpenFlags, OptionalExtension, params};
use thiserror::Error;
use verst_kernel::{Failure, Instance, Stage, Timestamp};

use crate::codec;
use crate::opening::OpenError;
use crate::sqlite::{alone, known_version};
use crate::transfer::{Copied, PASSING, TABLES};

/// Bytes a second of decoded audio takes at most: 16-bit samples at 16 kHz.
const DECODED_PER_S: u64 = 32_000;

/// Why a file is no sound database.
#[derive(Debug, Error)]
pub enum SnapshotError {
    /// It is not sound inside.
    #[error("the database is damaged: {0}")]
    Damaged(String),
    /// It has tables, or lacks some, that no version of this program makes.
    #[error("the database is not one of Verst's")]
    Foreign,
    /// It could not be brought up to date.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// It could not be read or written.
    #[error("the database file could not be used")]
    Sqlite(#[from] rusqlite::Error),
}

/// An object that a row names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// Its key.
    pub key: String,
    /// How large it is, or at most, in bytes.
    pub about_bytes: u64,
}

/// What a file holds.
#[derive(Debug)]
pub struct Examined {
    /// Version of its schema.
    pub version: i64,
    /// How many rows each table has.
    pub rows: Vec<Copied>,
    /// Every object that its rows name: originals first.
    pub objects: Vec<Named>,
    /// Which objects these are, if the database is bound to any.
    pub home: Option<String>,
}

/// What becomes of work whose recognition may have been begun after the file was taken.
#[derive(Clone, Copy, Debug)]
pub enum Unfinished<'a> {
    /// It goes on.
    GoesOn,
    /// It is stopped in this person's name. What it has begun stays as it is, for when the stop is
    /// lifted.
    IsHeld(&'a str, Timestamp),
}

/// Copies a database that may be in use, as of one moment, into a new file. Whoever works with it
/// goes on. Blocking.
pub fn take(from: &Path, to: &Path) -> Result<(), SnapshotError> {
    let db = Connection::open_with_flags(from, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    db.busy_timeout(std::time::Duration::from_secs(10))?;
    let to = to.to_str().ok_or_else(|| rusqlite::Error::InvalidPath(to.to_owned()))?;
    db.execute("VACUUM INTO ?1", [to])?;
    Ok(())
}

/// Whether any table of a file has a row that somebody could miss. Blocking.
pub fn is_occupied(file: &Path) -> Result<bool, SnapshotError> {
    let db = Connection::open(file)?;
    Ok(rows(&db)?.iter().any(|table| table.rows > 0 && table.table != PASSING))
}

/// Reads a file from end to end and says what is in it; it is not changed. Blocking.
pub fn examine(file: &Path) -> Result<Examined, SnapshotError> {
    let db = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    db.pragma_update(None, "trusted_schema", false)?;
    let version: i64 = db.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let known = known_version();
    if usize::try_from(version).map_or(true, |version| version > known) {
        return Err(OpenError::FromTheFuture { found: version, known }.into());
    }
    let told: String = db.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
    if told != "ok" {
        return Err(SnapshotError::Damaged(told));
    }
    let dangling: Option<String> =
        db.query_row("PRAGMA foreign_key_check", [], |row| row.get(0)).optional()?;
    if let Some(table) = dangling {
        return Err(SnapshotError::Damaged(format!(
            "a row of {table} names one that is not there"
        )));
    }
    let home = db.query_row("SELECT objects FROM home", [], |row| row.get(0)).optional()?;
    Ok(Examined { version, rows: rows(&db)?, objects: objects(&db)?, home })
}

/// Brings a file up to date and makes it an installation's that will work with these objects: what
/// others held becomes its own, which its next start takes back. Blocking.
pub fn settle_in(
    file: &Path,
    stages: &[Stage],
    instance: &Instance,
    home: &str,
    unfinished: Unfinished<'_>,
) -> Result<(), SnapshotError> {
    let mut db = alone(file, stages)?;
    if schema(&db)? != schema(&alone(Path::new(":memory:"), stages)?)? {
        return Err(SnapshotError::Foreign);
    }
    let tx = db.transaction()?;
    tx.execute("UPDATE work SET holder = ?1 WHERE holder IS NOT NULL", [&instance.0])?;
    tx.execute("UPDATE notice SET instance = ?1", [&instance.0])?;
    tx.execute(&format!("DELETE FROM {PASSING}"), [])?;
    // What was ended since then must not come back to life.
    tx.execute("DELETE FROM session", [])?;
    tx.execute("DELETE FROM home", [])?;
    tx.execute("INSERT INTO home (one, objects) VALUES (1, ?1)", [home])?;
    if let Unfinished::IsHeld(person, now) = unfinished {
        hold(&tx, person, now)?;
    }
    tx.commit()?;
    Ok(())
}

/// As a person's stop does it: the fence grows, nobody holds it, the journal says who.
fn hold(db: &Connection, person: &str, now: Timestamp) -> rusqlite::Result<()> {
    let failure = codec::write_failure(&Failure::new(verst_recordings::codes::RESTORED));
    // What has its text begins nothing any more.
    let which = "stopped_at IS NULL AND milestone NOT IN ('transcribed', 'done')";
    db.execute(
        &format!(
            "INSERT INTO journal
                 (work_id, at, actor_kind, actor, event, milestone, duration_us, failure)
             SELECT id, ?1, 'person', ?2, 'stopped', milestone, 0, ?3
             FROM work WHERE {which}"
        ),
        params![now.0, person, failure],
    )?;
    db.execute(
        &format!(
            "UPDATE work SET fence = fence + 1, holder = NULL, claimed_at = NULL, lease_us = NULL,
                 stopped_at = ?1, stop_reason = 'person', stop_failure = ?2
             WHERE {which}"
        ),
        params![now.0, failure],
    )?;
    Ok(())
}

fn rows(db: &Connection) -> rusqlite::Result<Vec<Copied>> {
    let known = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ?1";
    let mut counted = Vec::new();
    for table in TABLES {
        // Of an earlier version, which had no such table yet.
        if db.query_row(known, [table.name], |row| row.get::<_, i64>(0))? == 0 {
            continue;
        }
        let sql = format!("SELECT count(*) FROM {}", table.name);
        let rows: i64 = db.query_row(&sql, [], |row| row.get(0))?;
        counted.push(Copied { table: table.name, rows: u64::try_from(rows).unwrap_or(0) });
    }
    Ok(counted)
}

fn objects(db: &Connection) -> rusqlite::Result<Vec<Named>> {
    let mut select = db.prepare(
        "SELECT original, size_bytes FROM recording WHERE original_deleted = 0
         UNION ALL
         SELECT audio_key, coalesce(duration_us, 0) / 1000000 * ?1
         FROM recording WHERE audio_key IS NOT NULL",
    )?;
    let named = select.query_map([i64::try_from(DECODED_PER_S).unwrap_or(0)], |row| {
        let about_bytes = u64::try_from(row.get::<_, i64>(1)?).unwrap_or(0);
        Ok(Named { key: row.get(0)?, about_bytes })
    })?;
    named.collect()
}

/// Every table, index and trigger with its text, apart from SQLite's own.
fn schema(db: &Connection) -> rusqlite::Result<Vec<(String, String)>> {
    let mut select = db.prepare(
        "SELECT type || ' ' || name, coalesce(sql, '') FROM sqlite_schema
         WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY 1",
    )?;
    let parts = select.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    parts.collect()
}
