//! What the stores have in common when they are opened: how durable a commit is, and why a
//! database is refused.
//!
//! **Invariant:** a database that a newer program has written is never touched.

use thiserror::Error;
use verst_kernel::StoreError;

/// What survives a loss of power.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// Every commit.
    Full,
    /// The database stays sound, the last commits may be lost.
    Normal,
}

/// Why the database was not opened.
#[derive(Debug, Error)]
pub enum OpenError {
    /// A newer binary has written it; this one would damage it.
    #[error("the database is of version {found}, this program knows versions up to {known}")]
    FromTheFuture {
        /// Version of the database.
        found: i64,
        /// The newest version this binary knows.
        known: usize,
    },
    /// The SQLite linked into this binary has a known defect.
    #[error("SQLite {0} can corrupt databases; at least 3.51.3 is needed")]
    DefectiveSqlite(&'static str),
    /// A migration failed; nothing was changed.
    #[error("the database could not be brought up to date")]
    Migration(#[source] rusqlite_migration::Error),
    /// The file could not be opened or is not a database.
    #[error("the database file could not be opened")]
    Sqlite(#[from] rusqlite::Error),
    /// The address of the server cannot be read.
    #[error("the address of the database is not understood")]
    Address(#[source] tokio_postgres::Error),
    /// The server is too old.
    #[error("PostgreSQL {0} is too old; at least 14 is needed")]
    OldPostgres(String),
    /// The database cannot hold every text.
    #[error("the database is encoded in {0}; it has to be created with ENCODING 'UTF8'")]
    Encoding(String),
    /// The server could not be reached or refused.
    #[error("the database server could not be used")]
    Postgres(#[from] tokio_postgres::Error),
    /// The store's threads could not be started.
    #[error("the store could not be started")]
    Store(#[from] StoreError),
}
