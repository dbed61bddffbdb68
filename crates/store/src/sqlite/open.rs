//! Opening the file: library version, durability, migrations, the table of milestones.

use std::path::Path;
use std::sync::Arc;

use rusqlite::{Connection, params};
use rusqlite_migration::{M, Migrations};
use verst_kernel::{Clock, Stage};

use super::readers::Readers;
use super::writer::Writer;
use super::{Sqlite, prepare};
use crate::opening::{Durability, OpenError, Upgrade};

const MIGRATIONS: &[M<'static>] = &[
    M::up(include_str!("../../migrations/sqlite/0001_first_road.sql")),
    M::up(include_str!("../../migrations/sqlite/0002_second_road.sql")),
    M::up(include_str!("../../migrations/sqlite/0003_accounts.sql")),
    M::up(include_str!("../../migrations/sqlite/0004_telegram.sql")),
    M::up(include_str!("../../migrations/sqlite/0005_corrections.sql")),
    M::up(include_str!("../../migrations/sqlite/0006_shares.sql")),
];

/// Earlier versions can corrupt a WAL file with several connections:
/// <https://sqlite.org/wal.html#walresetbug>.
const OLDEST_SQLITE: i32 = 3_051_003;

impl Sqlite {
    /// Opens or creates the database, brings it up to date and declares the lines' milestones.
    /// Blocking.
    pub fn open(
        path: &Path,
        durability: Durability,
        clock: Arc<dyn Clock>,
        stages: &[Stage],
    ) -> Result<Self, OpenError> {
        Self::connect(path, durability, clock, stages, Upgrade::Any)
    }

    /// The same beside a process that may be working there: changes no schema that is there.
    pub fn visit(
        path: &Path,
        durability: Durability,
        clock: Arc<dyn Clock>,
        stages: &[Stage],
    ) -> Result<Self, OpenError> {
        Self::connect(path, durability, clock, stages, Upgrade::Empty)
    }

    fn connect(
        path: &Path,
        durability: Durability,
        clock: Arc<dyn Clock>,
        stages: &[Stage],
        upgrade: Upgrade,
    ) -> Result<Self, OpenError> {
        if rusqlite::version_number() < OLDEST_SQLITE {
            return Err(OpenError::DefectiveSqlite(rusqlite::version()));
        }
        let mut connection = Connection::open(path)?;
        prepare(&connection)?;
        let migrations = Migrations::from_slice(MIGRATIONS);
        let found = connection.pragma_query_value(None, "user_version", |r| r.get(0))?;
        let versions = upgrade.judge(found, MIGRATIONS.len())?;
        connection.pragma_update(None, "journal_mode", "wal")?;
        connection.pragma_update(
            None,
            "synchronous",
            match durability {
                Durability::Full => "FULL",
                Durability::Normal => "NORMAL",
            },
        )?;
        migrations.to_latest(&mut connection).map_err(OpenError::Migration)?;
        if upgrade.declares(found) {
            declare(&mut connection, stages)?;
        }
        Ok(Self {
            writer: Writer::start(connection)?,
            readers: Readers::new(path.to_owned()),
            clock,
            bell: Arc::default(),
            versions,
        })
    }
}

/// Opens or makes a file that nobody else has open, and brings it up to date. It stays one file,
/// without a log beside it.
pub(crate) fn alone(path: &Path, stages: &[Stage]) -> Result<Connection, OpenError> {
    let mut connection = Connection::open(path)?;
    prepare(&connection)?;
    connection.pragma_update(None, "journal_mode", "delete")?;
    let found = connection.pragma_query_value(None, "user_version", |r| r.get(0))?;
    Upgrade::Any.judge(found, MIGRATIONS.len())?;
    let migrations = Migrations::from_slice(MIGRATIONS);
    migrations.to_latest(&mut connection).map_err(OpenError::Migration)?;
    declare(&mut connection, stages)?;
    Ok(connection)
}

/// The newest version of the schema that this program knows.
pub(crate) fn known_version() -> usize {
    MIGRATIONS.len()
}

/// Writes the declared milestones. Rows of milestones that are no longer declared stay: work may
/// stand at them, and whoever claims it stops it with a reason.
fn declare(connection: &mut Connection, stages: &[Stage]) -> rusqlite::Result<()> {
    let tx = connection.transaction()?;
    for stage in stages {
        tx.execute(
            "INSERT INTO milestone (line, name, position, step, lease_us) VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT (line, name) DO UPDATE SET
                 position = excluded.position, step = excluded.step, lease_us = excluded.lease_us",
            params![
                stage.line,
                stage.name,
                i64::try_from(stage.position).unwrap_or(i64::MAX),
                stage.step,
                i64::try_from(stage.lease.as_micros()).unwrap_or(i64::MAX),
            ],
        )?;
    }
    tx.commit()
}
