//! Counts what is written to the tables of downloads, whoever writes it: by triggers in the database.
//!
//! The record by which a client is watched is claimed and settled at every look, and is not counted.

use std::path::Path;
use std::sync::Arc;

use rusqlite::Connection;

use crate::Schema;

/// The tables, and for each row whether it counts.
const TABLES: [(&str, &str); 7] = [
    ("work", "line = 'downloads'"),
    ("download", "true"),
    ("download_hash", "true"),
    ("download_sender", "true"),
    ("client", "true"),
    ("journal", "true"),
    ("notice", "true"),
];

const DEEDS: [(&str, &str); 3] = [("insert", "new"), ("update", "new"), ("delete", "old")];

/// What was written since it was made.
pub enum Writes {
    /// To a file.
    File(Connection),
    /// To a schema.
    Schema(Arc<Schema>),
}

impl Writes {
    /// To a store in this file.
    pub fn to_file(file: &Path) -> Self {
        let db = Connection::open(file).unwrap();
        let each = each(|name, deed, table, when| {
            format!(
                "CREATE TRIGGER {name} AFTER {deed} ON {table} WHEN {when} BEGIN
                     INSERT INTO test_writes (name) VALUES ('{name}');
                 END;"
            )
        });
        db.execute_batch(&format!("CREATE TABLE test_writes (name TEXT); {each}")).unwrap();
        Self::File(db)
    }

    /// To a store in this schema.
    pub fn to_schema(schema: &Arc<Schema>) -> Self {
        let each = each(|name, deed, table, when| {
            format!(
                "CREATE TRIGGER {name} AFTER {deed} ON {table} FOR EACH ROW WHEN ({when})
                     EXECUTE FUNCTION test_written();"
            )
        });
        schema.execute(format!(
            "CREATE TABLE test_writes (name text);
             CREATE FUNCTION test_written() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                 INSERT INTO test_writes VALUES (tg_name);
                 RETURN NULL;
             END $$; {each}"
        ));
        Self::Schema(schema.clone())
    }

    /// Rows that were written.
    pub fn count(&self) -> i64 {
        let asked = "SELECT count(*) FROM test_writes";
        match self {
            Self::File(db) => db.query_row(asked, [], |row| row.get(0)).unwrap(),
            Self::Schema(schema) => schema.ask(asked).unwrap().parse().unwrap(),
        }
    }
}

fn each(trigger: impl Fn(&str, &str, &str, &str) -> String) -> String {
    let all = TABLES.iter().flat_map(|(table, counts)| {
        DEEDS.iter().map(move |(deed, row)| (*table, *counts, *deed, *row))
    });
    let all = all.map(|(table, counts, deed, row)| {
        let when = if counts == "true" { counts.to_owned() } else { format!("{row}.{counts}") };
        trigger(&format!("test_{deed}_{table}"), deed, table, &when)
    });
    all.collect()
}
