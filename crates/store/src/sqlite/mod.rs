//! SQLite: one writer thread, a read-only pool, everything in one file.

mod accounts;
mod attempts;
mod calls;
mod cards;
mod chats;
mod corrections;
mod download_views;
mod downloads;
mod follow;
mod inbox;
mod open;
mod products;
mod queue;
mod readers;
mod recordings;
mod rows;
mod sessions;
mod shares;
mod sync;
mod tokens;
mod views;
mod writer;

#[cfg(test)]
mod schedule_tests;
#[cfg(test)]
mod search_tests;
#[cfg(test)]
mod writer_tests;

use std::sync::Arc;

use rusqlite::{Connection, ErrorCode};
use tokio::sync::Notify;
use verst_kernel::{Clock, StoreError};

use crate::opening::Versions;
pub use crate::opening::{Durability, OpenError};
pub(crate) use open::{alone, known_version};
use readers::Readers;
use writer::Writer;

/// The store on one SQLite file.
#[derive(Clone)]
pub struct Sqlite {
    writer: Writer,
    readers: Readers,
    clock: Arc<dyn Clock>,
    /// Rung after a commit that made work ready.
    bell: Arc<Notify>,
    versions: Versions,
}

impl Sqlite {
    /// Which version the schema had, and has.
    pub fn versions(&self) -> Versions {
        self.versions
    }
}

/// Settings that hold for a connection, not for the file.
fn prepare(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(std::time::Duration::from_secs(10))?;
    connection.set_prepared_statement_cache_capacity(128);
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "trusted_schema", false)
}

/// What an error of the driver means to a caller.
fn trouble(error: &rusqlite::Error) -> StoreError {
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => StoreError::Full,
        Some(ErrorCode::ConstraintViolation | ErrorCode::TypeMismatch | ErrorCode::TooBig) => {
            StoreError::Refused(Box::new(std::io::Error::other(error.to_string())))
        }
        _ => StoreError::database(std::io::Error::other(error.to_string())),
    }
}

/// Shorthand for queries: a driver's error as the store's.
trait Driver<T> {
    fn or_trouble(self) -> Result<T, StoreError>;
}

impl<T> Driver<T> for rusqlite::Result<T> {
    fn or_trouble(self) -> Result<T, StoreError> {
        self.map_err(|error| trouble(&error))
    }
}
