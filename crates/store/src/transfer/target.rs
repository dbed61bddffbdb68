//! The database that is filled.

use std::pin::pin;

use deadpool_postgres::{Client, GenericClient, Transaction};
use futures::TryStreamExt;
use tokio_postgres::binary_copy::BinaryCopyInWriter;
use tokio_postgres::types::{ToSql, Type};

use super::source::Source;
use super::value::Value;
use super::{Copied, CopyError, PASSING, TABLES, Table};

/// Of no rules that ever were, so that they are made anew.
const CARDS: &str = "
    INSERT INTO card (recording_id, rules, places, stems) SELECT id, 0, '', '' FROM recording";

/// Copies, compares, and only then commits.
pub(super) async fn fill(mut db: Client, source: Source) -> Result<Vec<Copied>, CopyError> {
    let tx = db.transaction().await?;
    // However many rows there are, and whatever a host that was started too early is doing.
    tx.batch_execute("SET LOCAL statement_timeout = 0; LOCK TABLE work IN EXCLUSIVE MODE").await?;
    if is_occupied(&tx).await? {
        return Err(CopyError::Occupied);
    }
    tx.execute(&format!("DELETE FROM {PASSING}"), &[]).await?;
    milestones(&tx, &source).await?;
    let mut copied = Vec::new();
    for table in TABLES {
        let columns = Columns::of(&tx, &source, table).await?;
        write(&tx, &source, table, &columns).await?;
        let rows = compare(&tx, &source, table, &columns).await?;
        number(&tx, &source, table).await?;
        copied.push(Copied { table: table.name, rows });
    }
    tx.batch_execute(CARDS).await?;
    tx.commit().await?;
    Ok(copied)
}

pub(super) async fn is_occupied(db: &impl GenericClient) -> Result<bool, CopyError> {
    for Table { name, .. } in TABLES.into_iter().filter(|table| table.name != PASSING) {
        if db.query_opt(&format!("SELECT 1 FROM {name} LIMIT 1"), &[]).await?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Work may stand at milestones that this program no longer declares.
async fn milestones(tx: &Transaction<'_>, source: &Source) -> Result<(), CopyError> {
    let sql = "SELECT line, name, position, step, lease_us FROM milestone";
    let mut rows = source.rows(sql.to_owned());
    let complete = "INSERT INTO milestone (line, name, position, step, lease_us)
        VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING";
    while let Some(row) = rows.recv().await {
        let row = row?;
        let values: Vec<&(dyn ToSql + Sync)> = row.iter().map(|value| value as _).collect();
        tx.execute(complete, &values).await?;
    }
    Ok(())
}

/// The columns of a table, which both databases have.
pub(super) struct Columns {
    pub(super) names: String,
    types: Vec<Type>,
}

impl Columns {
    pub(super) async fn of(
        tx: &Transaction<'_>,
        source: &Source,
        table: Table,
    ) -> Result<Self, CopyError> {
        let names = source.columns(table.name)?;
        let all = tx.prepare(&format!("SELECT * FROM {}", table.name)).await?;
        let mut there: Vec<_> = all.columns().iter().map(|c| (c.name(), c.type_())).collect();
        there.sort_by_key(|(name, _)| *name);
        if !names.iter().map(String::as_str).eq(there.iter().map(|(name, _)| *name)) {
            return Err(CopyError::Columns { table: table.name });
        }
        let types = there.into_iter().map(|(_, kind)| kind.clone()).collect();
        Ok(Self { names: names.join(", "), types })
    }
}

async fn write(
    tx: &Transaction<'_>,
    source: &Source,
    Table { name, .. }: Table,
    columns: &Columns,
) -> Result<(), CopyError> {
    let names = &columns.names;
    let sink = tx.copy_in(&format!("COPY {name} ({names}) FROM STDIN BINARY")).await?;
    let mut writer = pin!(BinaryCopyInWriter::new(sink, &columns.types));
    let mut rows = source.rows(format!("SELECT {names} FROM {name}"));
    while let Some(row) = rows.recv().await {
        writer.as_mut().write_raw(row?).await?;
    }
    writer.finish().await?;
    Ok(())
}

/// Counts the rows that are the same on both sides, and finds the first that is not.
pub(super) async fn compare(
    tx: &Transaction<'_>,
    source: &Source,
    Table { name, key }: Table,
    columns: &Columns,
) -> Result<u64, CopyError> {
    let sql = format!("SELECT {} FROM {name} ORDER BY {key}", columns.names);
    let mut there = pin!(tx.query_raw(&sql, &[] as &[&str]).await?);
    let mut here = source.rows(sql);
    let mut same = 0;
    loop {
        let given = here.recv().await.transpose()?;
        let copied = there.try_next().await?;
        let differs = CopyError::Differs { table: name, row: same + 1 };
        match (given, copied) {
            (None, None) => return Ok(same),
            (Some(given), Some(copied)) => {
                let read: Result<Vec<_>, _> =
                    (0..copied.len()).map(|at| Value::copied(&copied, at)).collect();
                if given != read? {
                    return Err(differs);
                }
                same += 1;
            }
            _ => return Err(differs),
        }
    }
}

/// Numbers go on where the file's end: one that was given is never given again.
async fn number(
    tx: &Transaction<'_>,
    source: &Source,
    Table { name, .. }: Table,
) -> Result<(), CopyError> {
    if let Some(highest) = source.sequence(name)? {
        let sql = format!("SELECT setval(pg_get_serial_sequence('{name}', 'id'), $1)");
        tx.query_one(&sql, &[&highest]).await?;
    }
    Ok(())
}
