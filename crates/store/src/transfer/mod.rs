//! All rows from one store to the other: from a SQLite file to an empty PostgreSQL database, and
//! from a PostgreSQL database to a new SQLite file. Each row is read back and compared.
//!
//! The two schemas have the same tables and columns. What is copied follows from them, so that a
//! table of a later migration is copied too, once it is named here.
//!
//! **Invariant:** where rows come from is only read, in one snapshot.

mod save;
mod sink;
mod source;
mod target;
mod value;

use std::path::Path;

use thiserror::Error;
use verst_kernel::{Stage, StoreError};

use crate::{OpenError, Postgres};
use source::Source;

/// Every table with rows of its own, parents first, and the order that tells its rows apart. Not
/// among them: `milestone`, which is completed, `home`, which a host binds, `schema_version`, and
/// `card`, which the two stores keep differently: whoever works next makes them anew.
pub(crate) const TABLES: [Table; 25] = [
    Table { name: "work", key: "id" },
    Table { name: "journal", key: "id" },
    Table { name: "notice", key: "id" },
    Table { name: "recording", key: "id" },
    Table { name: "attempt", key: "id" },
    Table { name: "call", key: "id" },
    Table { name: "part", key: "attempt_id, position" },
    Table { name: "transcript", key: "recording_id" },
    Table { name: "correction", key: "id" },
    Table { name: "download", key: "id" },
    Table { name: "download_hash", key: "hash, download_id" },
    Table { name: "download_sender", key: "id" },
    Table { name: "client", key: "id" },
    Table { name: "naming", key: "one" },
    Table { name: "discarded", key: "key" },
    Table { name: "account", key: "id" },
    Table { name: "session", key: "id" },
    Table { name: "token", key: "id" },
    Table { name: "share", key: "id" },
    Table { name: "setup", key: "hash" },
    Table { name: "bot", key: "id" },
    Table { name: "bot_update", key: "bot_id, id" },
    Table { name: "chat", key: "id" },
    Table { name: "chat_code", key: "hash" },
    Table { name: "chat_message", key: "work_id, chat_id" },
];

/// Of these, the one whose rows come and go with starts: they make no database occupied, and what a
/// first start showed is void once another database takes its place.
pub(crate) const PASSING: &str = "setup";

#[derive(Clone, Copy, Debug)]
pub(crate) struct Table {
    pub(crate) name: &'static str,
    key: &'static str,
}

/// How many rows of a table were copied and compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Copied {
    /// The table.
    pub table: &'static str,
    /// Its rows.
    pub rows: u64,
}

/// Why nothing was copied.
#[derive(Debug, Error)]
pub enum CopyError {
    /// The database on the server has recordings of its own.
    #[error("the database on the server is not empty")]
    Occupied,
    /// What was read back is not what was written.
    #[error("row {row} of {table} reads back differently")]
    Differs {
        /// The table.
        table: &'static str,
        /// Which row, from 1, in the order of the key.
        row: u64,
    },
    /// A table has other columns here than there.
    #[error("{table} has other columns in the two databases")]
    Columns {
        /// The table.
        table: &'static str,
    },
    /// The file.
    #[error("the database file could not be used")]
    File(#[from] rusqlite::Error),
    /// The file could not be made.
    #[error("the database file could not be made")]
    Made(#[from] OpenError),
    /// The server.
    #[error("the database server refused")]
    Server(#[from] tokio_postgres::Error),
    /// A connection to the server, or a thread.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Copies everything that is in the file. Both are up to date, and nobody works with either.
///
/// # Errors
/// Nothing is copied then.
pub async fn copy(file: &Path, to: &Postgres) -> Result<Vec<Copied>, CopyError> {
    let source = Source::new(file);
    to.on_connection(|db| async move { Ok(target::fill(db, source).await) }).await?
}

/// Copies everything that is on the server into a new file, as of one moment; whoever works there
/// goes on. The file is there and empty.
///
/// # Errors
/// What is in the file then is of no use.
pub async fn save(
    from: &Postgres,
    file: &Path,
    stages: &[Stage],
) -> Result<Vec<Copied>, CopyError> {
    let (file, stages) = (file.to_owned(), stages.to_owned());
    let made = file.clone();
    let schema = tokio::task::spawn_blocking(move || crate::sqlite::alone(&made, &stages));
    drop(schema.await.map_err(StoreError::database)??);
    from.on_connection(|db| async move { Ok(save::read_all(db, Source::new(&file)).await) }).await?
}

/// Whether any table has a row that somebody could miss.
pub async fn is_occupied(server: &Postgres) -> Result<bool, CopyError> {
    server.on_connection(|db| async move { Ok(target::is_occupied(&db).await) }).await?
}
