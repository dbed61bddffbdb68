//! Bringing the schema up to date: forwards only, all in one transaction, one program at a time.
//!
//! **Invariant:** a migration that was released is never changed; the next one mends it.

use deadpool_postgres::{Client, GenericClient, Transaction};
use verst_kernel::Stage;

use super::rows::micros;
use crate::opening::{OpenError, Upgrade, Versions};

const MIGRATIONS: [&str; 6] = [
    include_str!("../../migrations/postgres/0001_first_road.sql"),
    include_str!("../../migrations/postgres/0002_second_road.sql"),
    include_str!("../../migrations/postgres/0003_accounts.sql"),
    include_str!("../../migrations/postgres/0004_telegram.sql"),
    include_str!("../../migrations/postgres/0005_corrections.sql"),
    include_str!("../../migrations/postgres/0006_shares.sql"),
];

/// Two hosts that start at the same moment do this one after the other.
const ALONE: &str =
    "SELECT pg_advisory_xact_lock(hashtextextended('verst:schema:' || current_schema(), 0))";

pub(super) async fn to_latest(
    db: &mut Client,
    stages: &[Stage],
    upgrade: Upgrade,
) -> Result<Versions, OpenError> {
    let tx = db.transaction().await?;
    // The limits are for a day's work; a migration of a large table takes what it takes.
    tx.batch_execute("SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0").await?;
    tx.execute(ALONE, &[]).await?;
    let found = found(&tx).await?;
    let versions = upgrade.judge(found, MIGRATIONS.len())?;
    for (version, migration) in (1_i64..).zip(MIGRATIONS) {
        if version <= found {
            continue;
        }
        tx.batch_execute(migration).await?;
        let applied = "INSERT INTO schema_version (version, applied_at) VALUES ($1, verst_now())";
        tx.execute(applied, &[&version]).await?;
    }
    if upgrade.declares(found) {
        declare(&tx, stages).await?;
    }
    tx.commit().await?;
    Ok(versions)
}

/// The version of the schema; zero for an empty one, which gets its table of versions.
async fn found(tx: &Transaction<'_>) -> Result<i64, OpenError> {
    let asked = tx.query_one("SELECT to_regclass('schema_version') IS NOT NULL", &[]).await?;
    if asked.get(0) {
        let row = tx.query_one("SELECT coalesce(max(version), 0) FROM schema_version", &[]).await?;
        return Ok(row.get(0));
    }
    tx.batch_execute(
        "CREATE TABLE schema_version (version bigint PRIMARY KEY, applied_at bigint NOT NULL)",
    )
    .await?;
    Ok(0)
}

/// Writes the declared milestones where they differ. Rows of milestones that are no longer declared
/// stay: work may stand at them, and whoever claims it stops it with a reason.
async fn declare(db: &impl GenericClient, stages: &[Stage]) -> Result<(), OpenError> {
    for stage in stages {
        db.execute(
            "INSERT INTO milestone AS known (line, name, position, step, lease_us)
             VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (line, name) DO UPDATE SET
                 position = excluded.position, step = excluded.step, lease_us = excluded.lease_us
             WHERE (known.position, known.step, known.lease_us)
                 IS DISTINCT FROM (excluded.position, excluded.step, excluded.lease_us)",
            &[
                &stage.line,
                &stage.name,
                &i64::try_from(stage.position).unwrap_or(i64::MAX),
                &stage.step,
                &micros(stage.lease),
            ],
        )
        .await?;
    }
    Ok(())
}
