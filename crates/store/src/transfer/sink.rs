//! The file that is written: a thread per table, and a channel that is never longer than it has to
//! be.

use std::path::Path;

use rusqlite::{Connection, params_from_iter};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use verst_kernel::StoreError;

use super::CopyError;
use super::value::Value;

/// Rows that wait to be written.
const AHEAD: usize = 256;

/// A table of a SQLite file that rows go into.
pub(super) struct Sink {
    rows: mpsc::Sender<Vec<Value>>,
    written: JoinHandle<rusqlite::Result<()>>,
}

impl Sink {
    /// Writes what an `INSERT` wants, row for row.
    pub(super) fn open(file: &Path, insert: String) -> Self {
        let (rows, queue) = mpsc::channel(AHEAD);
        let file = file.to_owned();
        let written = tokio::task::spawn_blocking(move || write(&file, &insert, queue));
        Self { rows, written }
    }

    /// Takes a row. `false` when none is taken any more: `close` says why.
    pub(super) async fn put(&self, row: Vec<Value>) -> bool {
        self.rows.send(row).await.is_ok()
    }

    /// Waits until all that was taken is in the file.
    pub(super) async fn close(self) -> Result<(), CopyError> {
        drop(self.rows);
        Ok(self.written.await.map_err(StoreError::database)??)
    }
}

fn write(file: &Path, insert: &str, mut queue: mpsc::Receiver<Vec<Value>>) -> rusqlite::Result<()> {
    let mut db = Connection::open(file)?;
    db.pragma_update(None, "foreign_keys", true)?;
    // Of a file that is not whole nothing is kept, so nothing in it has to survive a crash.
    db.pragma_update(None, "synchronous", "OFF")?;
    let tx = db.transaction()?;
    let mut statement = tx.prepare(insert)?;
    while let Some(row) = queue.blocking_recv() {
        statement.execute(params_from_iter(row))?;
    }
    drop(statement);
    tx.commit()
}
