//! Where a store stands: how it is opened, opened again, emptied, and looked at past its ports.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use verst_store::Store;

use rusqlite::Connection;
use rusqlite::types::ValueRef;
use serde_json::Value;
use tokio::runtime::Handle;
use tokio_postgres::{Client, NoTls, Statement};
use verst_kernel::Clock;
use verst_store::{Durability, Postgres, Sqlite};
use verst_testkit::{Schema, TestClock};

use crate::given;
use crate::tables::{QUERIES, Row, Tables};

pub(crate) trait Ground {
    fn clock(&self) -> &TestClock;
    fn store(&self) -> Arc<dyn Store>;
    /// The store of another process, which takes the place of the one before.
    fn reopen(&mut self);
    /// Removes every row, and sets the clock to the start.
    fn clear(&mut self);
    fn tables(&self) -> Tables;
}

/// A file.
pub(crate) struct File {
    dir: tempfile::TempDir,
    clock: Arc<TestClock>,
    store: Arc<Sqlite>,
    db: Connection,
}

impl File {
    pub(crate) fn new() -> Self {
        let (dir, clock) = (tempfile::tempdir().unwrap(), Arc::default());
        let store = open(dir.path(), &clock);
        let db = Connection::open(dir.path().join("verst.sqlite")).unwrap();
        db.pragma_update(None, "foreign_keys", true).unwrap();
        Self { dir, clock, store, db }
    }
}

fn open(dir: &Path, clock: &Arc<TestClock>) -> Arc<Sqlite> {
    let (file, clock) = (dir.join("verst.sqlite"), clock.clone());
    Arc::new(Sqlite::open(&file, Durability::Normal, clock, &verst_service::stages()).unwrap())
}

impl Ground for File {
    fn clock(&self) -> &TestClock {
        &self.clock
    }

    fn store(&self) -> Arc<dyn Store> {
        self.store.clone()
    }

    fn reopen(&mut self) {
        self.store = open(self.dir.path(), &self.clock);
    }

    fn clear(&mut self) {
        // Everything else hangs on the work.
        let clear = "DELETE FROM transcript; DELETE FROM work; DELETE FROM discarded; DELETE FROM sqlite_sequence";
        self.db.execute_batch(clear).unwrap();
        set_back(&self.clock);
    }

    fn tables(&self) -> Tables {
        let rows = |(table, sql): (&str, _)| (table.to_owned(), sqlite_rows(&self.db, sql));
        QUERIES.into_iter().map(rows).collect()
    }
}

fn sqlite_rows(db: &Connection, sql: &str) -> Vec<Row> {
    let mut select = db.prepare_cached(sql).unwrap();
    let names: Vec<String> = select.column_names().into_iter().map(str::to_owned).collect();
    let mut found = select.query([]).unwrap();
    let mut rows = Vec::new();
    while let Some(row) = found.next().unwrap() {
        let cells = names.iter().enumerate().filter_map(|(place, name)| {
            let cell = match row.get_ref(place).unwrap() {
                ValueRef::Null => return None,
                ValueRef::Integer(number) => number.to_string(),
                ValueRef::Real(number) => number.to_string(),
                ValueRef::Text(text) | ValueRef::Blob(text) => {
                    String::from_utf8(text.to_vec()).unwrap()
                }
            };
            Some((name.clone(), cell))
        });
        rows.push(cells.collect());
    }
    rows
}

/// A schema on the tests' server.
pub(crate) struct Server {
    schema: Arc<Schema>,
    clock: TestClock,
    store: Arc<Postgres>,
    db: Client,
    /// Every table in one answer.
    look: Statement,
}

impl Server {
    pub(crate) async fn new() -> Self {
        let (schema, clock) = (Schema::create(), TestClock::default());
        let store = schema.open(&clock);
        let (db, connection) = tokio_postgres::connect(schema.address(), NoTls).await.unwrap();
        tokio::spawn(connection);
        let each = QUERIES.map(|(table, sql)| {
            format!("'{table}', (SELECT coalesce(json_agg(t), '[]') FROM ({sql}) t)")
        });
        let look = format!("SELECT json_build_object({})::text", each.join(", "));
        let look = db.prepare(&look).await.unwrap();
        Self { schema, clock, store, db, look }
    }
}

impl Ground for Server {
    fn clock(&self) -> &TestClock {
        &self.clock
    }

    fn store(&self) -> Arc<dyn Store> {
        self.store.clone()
    }

    fn reopen(&mut self) {
        self.store = self.schema.open(&self.clock);
    }

    fn clear(&mut self) {
        let tables = QUERIES.map(|(table, _)| table).join(", ");
        self.schema.execute(format!("TRUNCATE {tables} RESTART IDENTITY CASCADE"));
        set_back(&self.clock);
    }

    fn tables(&self) -> Tables {
        let asked = self.db.query_one(&self.look, &[]);
        let found: String = Handle::current().block_on(asked).unwrap().get(0);
        let Value::Object(tables) = serde_json::from_str(&found).unwrap() else {
            panic!("an object was built: {found}")
        };
        tables.into_iter().map(|(table, rows)| (table, postgres_rows(rows))).collect()
    }
}

fn postgres_rows(rows: Value) -> Vec<Row> {
    let rows: Vec<serde_json::Map<String, Value>> = serde_json::from_value(rows).unwrap();
    let cell = |(name, value)| match value {
        Value::Null => None,
        Value::String(text) => Some((name, text)),
        other => Some((name, other.to_string())),
    };
    rows.into_iter().map(|row| row.into_iter().filter_map(cell).collect()).collect()
}

fn set_back(clock: &TestClock) {
    let ahead = clock.now().0 - given::START;
    let by = Duration::from_micros(ahead.unsigned_abs());
    if ahead > 0 { clock.step_back(by) } else { clock.pass(by) }
}
