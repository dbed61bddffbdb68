//! The file that is read: a thread per table, and a channel that is never longer than it has to be.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags, OptionalExtension};
use tokio::sync::mpsc;

use super::value::Value;

/// Rows that are read ahead.
const AHEAD: usize = 256;

/// Rows as they come.
pub(super) type Rows = mpsc::Receiver<rusqlite::Result<Vec<Value>>>;

/// A SQLite file.
pub(super) struct Source(PathBuf);

impl Source {
    pub(super) fn new(file: &Path) -> Self {
        Self(file.to_owned())
    }

    pub(super) fn file(&self) -> &Path {
        &self.0
    }

    /// The columns of a table, in the order of their names.
    pub(super) fn columns(&self, table: &str) -> rusqlite::Result<Vec<String>> {
        let db = open(&self.0)?;
        let mut select = db.prepare("SELECT name FROM pragma_table_info(?1) ORDER BY name")?;
        let names = select.query_map([table], |row| row.get(0))?;
        names.collect()
    }

    /// The rows of a query.
    pub(super) fn rows(&self, sql: String) -> Rows {
        let (send, rows) = mpsc::channel(AHEAD);
        let file = self.0.clone();
        tokio::task::spawn_blocking(move || {
            if let Err(error) = read(&file, &sql, &send) {
                // Whoever reads no more does not need to know.
                let _ = send.blocking_send(Err(error));
            }
        });
        rows
    }

    /// The highest number that a table has given to a row, gone rows included.
    pub(super) fn sequence(&self, table: &str) -> rusqlite::Result<Option<i64>> {
        let sql = "SELECT seq FROM sqlite_sequence WHERE name = ?1";
        open(&self.0)?.query_row(sql, [table], |row| row.get(0)).optional()
    }
}

fn open(file: &Path) -> rusqlite::Result<Connection> {
    Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY)
}

fn read(
    file: &Path,
    sql: &str,
    send: &mpsc::Sender<rusqlite::Result<Vec<Value>>>,
) -> rusqlite::Result<()> {
    let db = open(file)?;
    let mut select = db.prepare(sql)?;
    let width = select.column_count();
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        let values: rusqlite::Result<Vec<_>> =
            (0..width).map(|at| Value::stored(row.get_ref(at)?)).collect();
        if send.blocking_send(Ok(values?)).is_err() {
            break;
        }
    }
    Ok(())
}
