//! Objects in a local directory, through the `object_store` crate: written beside, synced, renamed.

use std::io;
use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures::{StreamExt, TryStreamExt};
use object_store::buffered::BufWriter;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{Error, ObjectStore, ObjectStoreExt};
use tokio::io::AsyncWriteExt;
use verst_kernel::Clock;
use verst_recordings::ports::{Bytestream, LocalFile, ObjectError, ObjectInfo, Objects};

/// Objects below one directory.
pub struct LocalObjects {
    store: Arc<LocalFileSystem>,
    scratch: PathBuf,
    clock: Arc<dyn Clock>,
}

impl LocalObjects {
    /// `root` and `scratch` exist and are on one file system.
    pub fn new(
        root: &FilePath,
        scratch: PathBuf,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, ObjectError> {
        let store = LocalFileSystem::new_with_prefix(root).map_err(storage)?.with_fsync(true);
        Ok(Self { store: Arc::new(store), scratch, clock })
    }

    fn file(&self, key: &str) -> Result<PathBuf, ObjectError> {
        self.store.path_to_filesystem(&Path::from(key)).map_err(storage)
    }
}

fn storage(error: Error) -> ObjectError {
    if full(&error) {
        return ObjectError::Full;
    }
    match error {
        Error::NotFound { .. } => ObjectError::Missing,
        other => ObjectError::Storage(Box::new(other)),
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

fn io_trouble(error: io::Error) -> ObjectError {
    if full(&error) { ObjectError::Full } else { ObjectError::Storage(Box::new(error)) }
}

#[async_trait]
impl Objects for LocalObjects {
    async fn put(
        &self,
        key: &str,
        mut source: Bytestream<'_>,
        limit_bytes: u64,
    ) -> Result<u64, ObjectError> {
        let store: Arc<dyn ObjectStore> = Arc::clone(&self.store) as _;
        let mut writer = BufWriter::new(store, Path::from(key));
        let mut size = 0_u64;
        let copied: Result<(), ObjectError> = async {
            while let Some(chunk) = source.next().await {
                let chunk = chunk.map_err(ObjectError::Source)?;
                size = size.saturating_add(u64::try_from(chunk.len()).unwrap_or(u64::MAX));
                if size > limit_bytes {
                    return Err(ObjectError::TooLarge { limit_bytes });
                }
                writer.put(chunk).await.map_err(storage)?;
            }
            Ok(())
        }
        .await;
        if let Err(error) = copied {
            // What was staged goes; if even that fails, the sweep of old objects finds it.
            let _ = writer.abort().await;
            return Err(error);
        }
        writer.shutdown().await.map_err(io_trouble)?;
        Ok(size)
    }

    async fn adopt(&self, key: &str, file: &FilePath) -> Result<(), ObjectError> {
        let (from, to) = (file.to_owned(), self.file(key)?);
        let moved = tokio::task::spawn_blocking(move || {
            std::fs::File::open(&from)?.sync_all()?;
            if let Some(parent) = to.parent() {
                std::fs::create_dir_all(parent)?;
                std::fs::rename(&from, &to)?;
                std::fs::File::open(parent)?.sync_all()?;
            }
            Ok(())
        });
        moved.await.map_err(|e| ObjectError::Storage(Box::new(e)))?.map_err(io_trouble)
    }

    async fn local(&self, key: &str) -> Result<LocalFile, ObjectError> {
        self.store.head(&Path::from(key)).await.map_err(storage)?;
        Ok(LocalFile::kept(self.file(key)?))
    }

    async fn delete(&self, key: &str) -> Result<(), ObjectError> {
        match self.store.delete(&Path::from(key)).await.map_err(storage) {
            Err(ObjectError::Missing) | Ok(()) => Ok(()),
            Err(error) => Err(error),
        }
    }

    async fn list(&self, prefix: &str, limit: usize) -> Result<Vec<ObjectInfo>, ObjectError> {
        let now = self.clock.now();
        let prefix = Path::from(prefix);
        let listed = self.store.list(Some(&prefix)).take(limit);
        let listed: Vec<_> = listed.try_collect().await.map_err(storage)?;
        let info = |meta: object_store::ObjectMeta| {
            let written = meta.last_modified.timestamp_micros();
            let age = u64::try_from(now.0.saturating_sub(written)).unwrap_or(0);
            ObjectInfo { key: meta.location.to_string(), age: Duration::from_micros(age) }
        };
        Ok(listed.into_iter().map(info).collect())
    }

    fn scratch(&self) -> PathBuf {
        self.scratch.join(format!("{:032x}", fastrand::u128(..)))
    }
}

#[cfg(test)]
#[path = "objects_tests.rs"]
mod tests;
