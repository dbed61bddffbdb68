//! A schema of its own on the tests' PostgreSQL server, with a clock that a test moves.
//!
//! It refuses to go on without a server: a test that was not run has shown nothing.
//!
//! **Invariant:** two tests never share a schema, and none is left behind by a test that ended.

use std::env;
use std::sync::{Arc, Mutex, mpsc};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use tokio_postgres::{NoTls, SimpleQueryMessage};
use verst_kernel::Timestamp;
use verst_store::{Durability, Postgres};

use crate::TestClock;

/// The variable that names the server.
const SERVER: &str = "VERST_TEST_POSTGRES";

/// A statement, and where to say that it is done, with the first value it gave.
type Order = (String, mpsc::Sender<Option<String>>);

/// A schema, gone with its last handle.
pub struct Schema {
    name: String,
    address: String,
    orders: Mutex<Option<mpsc::Sender<Order>>>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Schema {
    /// Makes an empty one.
    pub fn create() -> Arc<Self> {
        let server = env::var(SERVER).unwrap_or_else(|_| {
            panic!("{SERVER} is not set: export {SERVER}=\"$(scripts/postgres start)\"")
        });
        let name = format!("test_{:016x}", fastrand::u64(..));
        let mark = if server.contains('?') { '&' } else { '?' };
        let address = format!("{server}{mark}options=-csearch_path%3D{name}");
        let (orders, queue) = mpsc::channel();
        let made = name.clone();
        let thread = thread::spawn(move || serve(&server, &made, &queue));
        let schema = Self {
            name,
            address,
            orders: Mutex::new(Some(orders)),
            thread: Mutex::new(Some(thread)),
        };
        schema.execute("SELECT 1".to_owned());
        Arc::new(schema)
    }

    /// What it is called, like nothing else on the server.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where a store finds it.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Opens a store in it that goes by this clock.
    pub fn open(self: &Arc<Self>, clock: &TestClock) -> Arc<Postgres> {
        // A runtime of its own: the test that asks stands in one already.
        let store = thread::scope(|scope| {
            let opened = scope.spawn(|| {
                let stages = verst_service::stages();
                let open = Postgres::open(&self.address, Durability::Full, &stages);
                runtime().block_on(open).unwrap()
            });
            opened.join().unwrap()
        });
        self.execute(
            "CREATE TABLE IF NOT EXISTS test_clock (now bigint);
             CREATE OR REPLACE FUNCTION verst_now() RETURNS bigint LANGUAGE sql VOLATILE
                 AS 'SELECT now FROM test_clock';
             INSERT INTO test_clock SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM test_clock)"
                .to_owned(),
        );
        let schema = Arc::clone(self);
        clock.lead(move |Timestamp(now)| {
            schema.execute(format!("UPDATE test_clock SET now = {now}"));
        });
        Arc::new(store)
    }

    /// Puts the clock of every process on this schema forward, as a machine that was set right.
    pub fn put_forward(&self, by: Duration) {
        let us = by.as_micros();
        self.execute(format!(
            "CREATE TABLE IF NOT EXISTS test_skew (us bigint);
             INSERT INTO test_skew SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM test_skew);
             UPDATE test_skew SET us = us + {us};
             CREATE OR REPLACE FUNCTION verst_now() RETURNS bigint LANGUAGE sql VOLATILE
                 AS 'SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint
                         + (SELECT us FROM test_skew)'"
        ));
    }

    /// Executes a statement and waits for it. Fails the test if the server does.
    pub fn execute(&self, sql: String) {
        self.order(sql);
    }

    /// The first value of a query, as text; `None` if it has no row, or no value there.
    pub fn ask(&self, sql: &str) -> Option<String> {
        self.order(sql.to_owned())
    }

    fn order(&self, sql: String) -> Option<String> {
        let (done, answer) = mpsc::channel();
        let orders = self.orders.lock().unwrap();
        orders.as_ref().unwrap().send((sql, done)).unwrap();
        answer.recv().expect("the tests' PostgreSQL server refuses; its words are above")
    }
}

impl Drop for Schema {
    fn drop(&mut self) {
        drop(self.orders.lock().unwrap().take());
        if let Some(thread) = self.thread.lock().unwrap().take() {
            let _ = thread.join();
        }
    }
}

fn runtime() -> Runtime {
    Builder::new_current_thread().enable_all().build().unwrap()
}

/// A connection on a thread of its own, so that a test may wait for it wherever it stands.
fn serve(server: &str, name: &str, orders: &mpsc::Receiver<Order>) {
    runtime().block_on(async {
        let (client, connection) = tokio_postgres::connect(server, NoTls).await.unwrap();
        let connection = tokio::spawn(connection);
        client
            .batch_execute(&format!("CREATE SCHEMA {name}; SET search_path = {name}"))
            .await
            .unwrap();
        while let Ok((sql, done)) = orders.recv() {
            let messages = client.simple_query(&sql).await.unwrap();
            let first = messages.iter().find_map(|message| match message {
                SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
                _ => None,
            });
            let _ = done.send(first);
        }
        // Connections of a store that is being closed may hold locks for a moment longer.
        let drop = format!("SET lock_timeout = '5s'; DROP SCHEMA {name} CASCADE");
        let _ = client.batch_execute(&drop).await;
        connection.abort();
    });
}
