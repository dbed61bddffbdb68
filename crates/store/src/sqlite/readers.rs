//! A small pool of read-only connections. Readers never wait for the writer (WAL), and cannot
//! write whatever they are asked.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::{Connection, OpenFlags};
use tokio::sync::Semaphore;
use verst_kernel::StoreError;

use super::{prepare, trouble};

/// Reads that run at the same time.
const CONNECTIONS: usize = 4;

#[derive(Clone)]
pub(super) struct Readers {
    path: Arc<PathBuf>,
    permits: Arc<Semaphore>,
    /// Connections that nobody uses now; opened when first needed.
    idle: Arc<Mutex<Vec<Connection>>>,
}

impl Readers {
    pub(super) fn new(path: PathBuf) -> Self {
        Self {
            path: Arc::new(path),
            permits: Arc::new(Semaphore::new(CONNECTIONS)),
            idle: Arc::default(),
        }
    }

    /// Runs `f` on a blocking thread.
    pub(super) async fn run<T, F>(&self, f: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    {
        let permit =
            Arc::clone(&self.permits).acquire_owned().await.map_err(|_| StoreError::Closed)?;
        let pool = self.clone();
        let read = tokio::task::spawn_blocking(move || {
            let connection = pool.take()?;
            let result = f(&connection);
            pool.idle.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
            drop(permit);
            result
        });
        read.await.map_err(StoreError::database)?
    }

    fn take(&self) -> Result<Connection, StoreError> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        if let Some(connection) = idle {
            return Ok(connection);
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection =
            Connection::open_with_flags(&*self.path, flags).map_err(|e| trouble(&e))?;
        prepare(&connection).map_err(|e| trouble(&e))?;
        Ok(connection)
    }
}
