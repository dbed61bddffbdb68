//! Objects in a bucket that hosts share. Programs that read audio read files: what is asked for is
//! downloaded, and the last few are kept, because a recording is asked for once per slice.

use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures::{StreamExt, TryStreamExt};
use object_store::path::Path;
use object_store::{Error, ObjectStore, ObjectStoreExt};
use tokio::io::AsyncWriteExt;
use tokio_util::io::ReaderStream;
use verst_kernel::Clock;
use verst_recordings::ports::{Bytestream, LocalFile, ObjectError, ObjectInfo, Objects};

use super::cache::Cache;
use super::stored::{Stored, io_trouble};

/// S3 takes no smaller pieces, except as the last one.
const PIECE_BYTES: usize = 5 << 20;

/// Objects behind a network.
pub struct RemoteObjects {
    stored: Stored,
    scratch: PathBuf,
    cache: Cache,
}

impl RemoteObjects {
    /// `scratch` exists; what is downloaded goes there, four objects at most besides those in use.
    pub fn new(store: Arc<dyn ObjectStore>, scratch: PathBuf, clock: Arc<dyn Clock>) -> Self {
        let stored = Stored::new(store, clock, unreachable, PIECE_BYTES);
        Self { stored, scratch, cache: Cache::default() }
    }

    /// Downloads to a file of its own. A part of an object is never taken for the whole: its size
    /// is known, and a body that ends early is an error.
    async fn download(&self, key: &str) -> Result<LocalFile, ObjectError> {
        let trouble = |error| self.stored.trouble(error);
        let found = match self.stored.store.get(&Path::from(key)).await {
            Ok(found) => found,
            Err(error) => return Err(self.stored.absent(trouble(error)).await),
        };
        let size = found.meta.size;
        let file = LocalFile::temporary(self.scratch());
        let mut to = tokio::fs::File::create(file.path()).await.map_err(io_trouble)?;
        let mut chunks = found.into_stream();
        let mut written = 0_u64;
        while let Some(chunk) = chunks.try_next().await.map_err(trouble)? {
            to.write_all(&chunk).await.map_err(io_trouble)?;
            written += u64::try_from(chunk.len()).unwrap_or(0);
        }
        to.flush().await.map_err(io_trouble)?;
        if written == size {
            return Ok(file);
        }
        let cause = format!("{written} of {size} bytes came");
        Err(ObjectError::Unreachable(std::io::Error::other(cause).into()))
    }
}

/// Whatever else a bucket answers is about the bucket, and so about every recording.
fn unreachable(error: Error) -> ObjectError {
    ObjectError::Unreachable(Box::new(error))
}

#[async_trait]
impl Objects for RemoteObjects {
    async fn put(
        &self,
        key: &str,
        source: Bytestream<'_>,
        limit_bytes: u64,
    ) -> Result<u64, ObjectError> {
        self.cache.forget(key);
        self.stored.put(key, source, limit_bytes).await
    }

    async fn adopt(&self, key: &str, file: &FilePath) -> Result<(), ObjectError> {
        let source = tokio::fs::File::open(file).await.map_err(io_trouble)?;
        self.stored
            .put(key, ReaderStream::with_capacity(source, 1 << 20).boxed(), u64::MAX)
            .await?;
        // Under another name: the caller is done with the one it gave.
        let kept = LocalFile::temporary(self.scratch());
        tokio::fs::rename(file, kept.path()).await.map_err(io_trouble)?;
        self.cache.keep(key, kept);
        Ok(())
    }

    async fn local(&self, key: &str) -> Result<LocalFile, ObjectError> {
        if let Some(file) = self.cache.find(key) {
            return Ok(file);
        }
        let file = self.download(key).await?;
        self.cache.keep(key, file.clone());
        Ok(file)
    }

    async fn rename(&self, from: &str, to: &str) -> Result<(), ObjectError> {
        self.cache.forget(from);
        self.stored.rename(from, to).await
    }

    async fn delete(&self, key: &str) -> Result<(), ObjectError> {
        self.cache.forget(key);
        self.stored.delete(key).await
    }

    async fn list(&self, prefix: &str, limit: usize) -> Result<Vec<ObjectInfo>, ObjectError> {
        self.stored.list(prefix, limit).await
    }

    /// Those of a bucket are not to be listed through this client; the bucket's own rule ends them.
    async fn clear_unfinished(&self, _older: Duration) -> Result<(), ObjectError> {
        Ok(())
    }

    async fn find_home(&self) -> Result<Option<String>, ObjectError> {
        self.stored.read_home().await
    }

    async fn home(&self) -> Result<String, ObjectError> {
        self.stored.home().await
    }

    fn scratch(&self) -> PathBuf {
        self.scratch.join(format!("{:032x}", fastrand::u128(..)))
    }
}
