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

/// Which version of the schema a database had when it was opened, and has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Versions {
    /// Before; 0 for a new one.
    pub found: i64,
    /// Now.
    pub now: i64,
}

/// Which schemas may be brought up to date.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Upgrade {
    /// Any earlier one.
    Any,
    /// Only one that is not there yet: another process may be working in one that is.
    Empty,
}

impl Upgrade {
    /// What is to be done with a schema of this version.
    pub(crate) fn judge(self, found: i64, known: usize) -> Result<Versions, OpenError> {
        let now = i64::try_from(known).unwrap_or(i64::MAX);
        match self {
            _ if found > now => Err(OpenError::FromTheFuture { found, known }),
            Self::Empty if found > 0 && found < now => Err(OpenError::Outdated),
            Self::Any | Self::Empty => Ok(Versions { found, now }),
        }
    }

    /// Whether the milestones are written: by whoever works with them, and into a new schema.
    pub(crate) fn declares(self, found: i64) -> bool {
        matches!(self, Self::Any) || found == 0
    }
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
    /// It is of an earlier version, and is left so because another process may be working in it.
    #[error("the database is of an earlier version; `verst migrate` brings it up to date")]
    Outdated,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_visitor_changes_no_schema_that_is_there() {
        assert!(matches!(Upgrade::Empty.judge(1, 2), Err(OpenError::Outdated)));
        assert_eq!(Upgrade::Empty.judge(0, 2).unwrap(), Versions { found: 0, now: 2 });
        assert_eq!(Upgrade::Empty.judge(2, 2).unwrap(), Versions { found: 2, now: 2 });
        assert_eq!(Upgrade::Any.judge(1, 2).unwrap(), Versions { found: 1, now: 2 });
        for upgrade in [Upgrade::Any, Upgrade::Empty] {
            let refused = upgrade.judge(3, 2);
            assert!(matches!(refused, Err(OpenError::FromTheFuture { found: 3, known: 2 })));
        }
    }
}
