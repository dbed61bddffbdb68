//! PostgreSQL: a pool of connections, the database's clock, many hosts on one queue.
//!
//! Every operation runs on threads of the store's own and to its end, even if the caller goes away
//! half-way: a claim nobody knows of would be lost until its lease ends. It refuses to repeat
//! anything by itself. A connection that breaks during a commit leaves it unknown whether the
//! change was applied: the caller gets an error and may say it again, and a settle that had been
//! applied then answers `Lost`, because the fence has moved. Its notice stays behind and is counted
//! at the next start, never told twice.
//!
//! **Invariant:** a verb with a fence compares it while it holds the row's lock, in the transaction
//! that writes.

mod accounts;
mod attempts;
mod bell;
mod calls;
mod cards;
mod chats;
mod corrections;
mod download_views;
mod downloads;
mod follow;
mod inbox;
mod instance;
mod migrate;
mod open;
mod products;
mod queue;
mod recordings;
mod rows;
mod search;
mod sessions;
mod shares;
mod tokens;
mod views;

use std::future::Future;
use std::io::{Error, ErrorKind};
use std::sync::Arc;
use std::time::Duration;

use deadpool_postgres::{Client, GenericClient, Pool, PoolError};
use tokio::runtime::Runtime;
use tokio::time::timeout;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Config, Row};
use tokio_postgres_rustls::MakeRustlsConnect;
use verst_kernel::StoreError;

use crate::opening::Versions;
use bell::Bell;

/// The longest an operation may take, waiting for a connection included. The server's own limits
/// are shorter; this one is for a server that no longer answers at all.
const LONGEST: Duration = Duration::from_mins(1);

/// The store on one PostgreSQL database.
#[derive(Clone)]
pub struct Postgres {
    pool: Pool,
    /// Rung when work may be ready, here and on other hosts.
    bell: Arc<Bell>,
    threads: Arc<Threads>,
    /// How a connection apart from the pool is made.
    connect: (Config, MakeRustlsConnect),
    versions: Versions,
}

/// Where connections and operations live. They end with the last handle to the store.
struct Threads(Option<Runtime>);

impl Threads {
    fn start() -> Result<Self, Error> {
        let mut threads = tokio::runtime::Builder::new_multi_thread();
        threads.worker_threads(2).thread_name("postgres").enable_all();
        threads.build().map(|runtime| Self(Some(runtime)))
    }

    /// Runs `f` to its end.
    async fn run<T, F>(&self, f: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, StoreError>> + Send + 'static,
    {
        let runtime = self.0.as_ref().ok_or(StoreError::Closed)?;
        runtime.spawn(f).await.map_err(StoreError::database)?
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        // Waiting for them is not possible where the last handle may be dropped: on any thread.
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

impl Postgres {
    /// Which version the schema had, and has.
    pub fn versions(&self) -> Versions {
        self.versions
    }

    /// Runs one operation on a connection of the pool.
    async fn run<T, F, R>(&self, f: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(Client) -> R + Send + 'static,
        R: Future<Output = Result<T, StoreError>> + Send,
    {
        let pool = self.pool.clone();
        let work = async move { f(pool.get().await.or_trouble()?).await };
        let overdue = |_| Err(StoreError::database(Error::from(ErrorKind::TimedOut)));
        self.threads.run(async move { timeout(LONGEST, work).await.unwrap_or_else(overdue) }).await
    }
}

pub(crate) use rows::text;

impl Postgres {
    /// Runs what may take as long as it has to, on a connection of the pool.
    pub(crate) async fn on_connection<T, F, R>(&self, f: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(Client) -> R + Send + 'static,
        R: Future<Output = Result<T, StoreError>> + Send,
    {
        let pool = self.pool.clone();
        self.threads.run(async move { f(pool.get().await.or_trouble()?).await }).await
    }
}

/// Parameters of a statement.
type Values<'a> = &'a [&'a (dyn ToSql + Sync)];

async fn all(
    db: &impl GenericClient,
    sql: &str,
    values: Values<'_>,
) -> Result<Vec<Row>, StoreError> {
    let statement = db.prepare_cached(sql).await.or_trouble()?;
    db.query(&statement, values).await.or_trouble()
}

async fn maybe(
    db: &impl GenericClient,
    sql: &str,
    values: Values<'_>,
) -> Result<Option<Row>, StoreError> {
    let statement = db.prepare_cached(sql).await.or_trouble()?;
    db.query_opt(&statement, values).await.or_trouble()
}

async fn one(db: &impl GenericClient, sql: &str, values: Values<'_>) -> Result<Row, StoreError> {
    let statement = db.prepare_cached(sql).await.or_trouble()?;
    db.query_one(&statement, values).await.or_trouble()
}

async fn execute(
    db: &impl GenericClient,
    sql: &str,
    values: Values<'_>,
) -> Result<u64, StoreError> {
    let statement = db.prepare_cached(sql).await.or_trouble()?;
    db.execute(&statement, values).await.or_trouble()
}

/// What an error of the driver means to a caller. A server's error keeps its code and message and
/// loses its details, which quote the row: the text of a recording has no place in a log.
fn trouble(error: tokio_postgres::Error) -> StoreError {
    match error.as_db_error() {
        Some(told) if *told.code() == SqlState::DISK_FULL => StoreError::Full,
        Some(told) => {
            let code = told.code().code();
            let text = format!("{} {code}: {}", told.severity(), told.message());
            // Values out of range, broken rules of the schema, rows beyond any limit.
            let refused = ["22", "23", "54"].iter().any(|class| code.starts_with(class));
            let cause = Error::other(text);
            if refused { StoreError::Refused(Box::new(cause)) } else { StoreError::database(cause) }
        }
        None => StoreError::database(error),
    }
}

/// Shorthand for queries: a driver's error as the store's.
trait Driver<T> {
    fn or_trouble(self) -> Result<T, StoreError>;
}

impl<T> Driver<T> for Result<T, tokio_postgres::Error> {
    fn or_trouble(self) -> Result<T, StoreError> {
        self.map_err(trouble)
    }
}

impl<T> Driver<T> for Result<T, PoolError> {
    fn or_trouble(self) -> Result<T, StoreError> {
        self.map_err(|error| match error {
            PoolError::Backend(error) => trouble(error),
            PoolError::Closed => StoreError::Closed,
            other => StoreError::database(other),
        })
    }
}
