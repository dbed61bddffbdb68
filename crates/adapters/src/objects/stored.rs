//! What is the same in a directory and in a bucket.

use std::io;
use std::time::Duration;

use futures::{StreamExt, TryStreamExt};
use object_store::buffered::BufWriter;
use object_store::path::Path;
use object_store::{Error, ObjectMeta, ObjectStore, ObjectStoreExt};
use std::sync::{Arc, OnceLock};
use tokio::io::AsyncWriteExt;
use verst_kernel::Clock;
use verst_recordings::ports::{Bytestream, ObjectError, ObjectInfo};

/// What an error of a store of objects means, apart from those that mean the same everywhere.
pub(super) type Rest = fn(Error) -> ObjectError;

/// Pieces of one object that are written at the same time.
const PIECES_AT_ONCE: usize = 2;

/// A store of objects and what its errors mean.
pub(super) struct Stored {
    /// What is kept in memory of an object in the making before it is written: many come in at once.
    pub(super) piece_bytes: usize,
    pub(super) store: Arc<dyn ObjectStore>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) rest: Rest,
    /// The id that lay among the objects when it was asked for.
    pub(super) known: OnceLock<String>,
}

impl Stored {
    pub(super) fn new(
        store: Arc<dyn ObjectStore>,
        clock: Arc<dyn Clock>,
        rest: Rest,
        piece_bytes: usize,
    ) -> Self {
        Self { piece_bytes, store, clock, rest, known: OnceLock::new() }
    }

    /// What it means that an object is not there. Where the id is gone too, it is not the object
    /// that is missing but the place: a directory that is not mounted, a bucket that was removed.
    pub(super) async fn absent(&self, error: ObjectError) -> ObjectError {
        match error {
            ObjectError::Missing => self.in_place().await.err().unwrap_or(error),
            error => error,
        }
    }

    /// Sees that the place is still the one it was: below the point where a directory is no longer
    /// mounted, files could be written as well.
    pub(super) async fn in_place(&self) -> Result<(), ObjectError> {
        let Some(known) = self.known.get() else { return Ok(()) };
        if self.read_home().await?.as_ref() == Some(known) {
            return Ok(());
        }
        Err(ObjectError::Unreachable(io::Error::other("the objects are gone").into()))
    }

    pub(super) fn trouble(&self, error: Error) -> ObjectError {
        if full(&error) {
            return ObjectError::Full;
        }
        match error {
            Error::NotFound { .. } => ObjectError::Missing,
            other => (self.rest)(other),
        }
    }

    /// Trouble of a writer, which wraps the store's own.
    fn writing(&self, error: io::Error) -> ObjectError {
        match error.downcast::<Error>() {
            Ok(error) => self.trouble(error),
            Err(error) => io_trouble(error),
        }
    }

    pub(super) async fn put(
        &self,
        key: &str,
        mut source: Bytestream<'_>,
        limit_bytes: u64,
    ) -> Result<u64, ObjectError> {
        let store = Arc::clone(&self.store);
        let mut writer = BufWriter::with_capacity(store, Path::from(key), self.piece_bytes)
            .with_max_concurrency(PIECES_AT_ONCE);
        let mut size = 0_u64;
        let copied: Result<(), ObjectError> = async {
            while let Some(chunk) = source.next().await {
                let chunk = chunk.map_err(ObjectError::Source)?;
                size = size.saturating_add(u64::try_from(chunk.len()).unwrap_or(u64::MAX));
                if size > limit_bytes {
                    return Err(ObjectError::TooLarge { limit_bytes });
                }
                writer.put(chunk).await.map_err(|error| self.trouble(error))?;
            }
            Ok(())
        }
        .await;
        if let Err(error) = copied {
            // What was staged goes; if even that fails, the sweep finds it, or the bucket's rule.
            let _ = writer.abort().await;
            return Err(error);
        }
        writer.shutdown().await.map_err(|error| self.writing(error))?;
        Ok(size)
    }

    pub(super) async fn rename(&self, from: &str, to: &str) -> Result<(), ObjectError> {
        let renamed = self.store.rename(&Path::from(from), &Path::from(to)).await;
        renamed.map_err(|error| self.trouble(error))
    }

    pub(super) async fn delete(&self, key: &str) -> Result<(), ObjectError> {
        match self.store.delete(&Path::from(key)).await.map_err(|error| self.trouble(error)) {
            Err(ObjectError::Missing) | Ok(()) => Ok(()),
            Err(error) => Err(error),
        }
    }

    pub(super) async fn list(
        &self,
        prefix: &str,
        limit: usize,
    ) -> Result<Vec<ObjectInfo>, ObjectError> {
        let now = self.clock.now();
        let prefix = Path::from(prefix);
        let listed = self.store.list(Some(&prefix)).take(limit);
        let listed: Vec<_> = listed.try_collect().await.map_err(|error| self.trouble(error))?;
        let info = |meta: ObjectMeta| {
            let written = meta.last_modified.timestamp_micros();
            let age = u64::try_from(now.0.saturating_sub(written)).unwrap_or(0);
            ObjectInfo { key: meta.location.to_string(), age: Duration::from_micros(age) }
        };
        Ok(listed.into_iter().map(info).collect())
    }
}

/// Whether "no space" or "over quota" stands anywhere in the chain of causes.
fn full(error: &(dyn std::error::Error + 'static)) -> bool {
    let mut next = Some(error);
    while let Some(cause) = next {
        if let Some(io) = cause.downcast_ref::<io::Error>()
            && no_space(io)
        {
            return true;
        }
        next = cause.source();
    }
    false
}

fn no_space(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge
    )
}

/// Trouble of this machine's disk.
pub(super) fn io_trouble(error: io::Error) -> ObjectError {
    if full(&error) { ObjectError::Full } else { ObjectError::Storage(Box::new(error)) }
}
