//! Objects in a directory: written beside, synced, renamed.

use std::io;
use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures::StreamExt;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{Error, ObjectStoreExt};
use tokio_util::io::ReaderStream;
use verst_kernel::Clock;
use verst_recordings::ports::{Bytestream, LocalFile, ObjectError, ObjectInfo, Objects};

use super::stored::{Stored, io_trouble};
use super::unfinished;

/// What is written to a file at a time.
const PIECE_BYTES: usize = 256 * 1024;

/// Objects below one directory.
pub struct LocalObjects {
    files: Arc<LocalFileSystem>,
    stored: Stored,
    root: PathBuf,
    scratch: PathBuf,
}

impl LocalObjects {
    /// `root` and `scratch` exist; adopting is cheap if they are on one file system.
    pub fn new(
        root: &FilePath,
        scratch: PathBuf,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, ObjectError> {
        let files = LocalFileSystem::new_with_prefix(root).map_err(storage)?.with_fsync(true);
        let files = Arc::new(files);
        let stored = Stored::new(Arc::clone(&files) as _, clock, storage, PIECE_BYTES);
        Ok(Self { files, stored, root: root.to_owned(), scratch })
    }

    fn file(&self, key: &str) -> Result<PathBuf, ObjectError> {
        self.files.path_to_filesystem(&Path::from(key)).map_err(storage)
    }

    /// Copies a file of another file system, all or nothing.
    async fn copy(&self, key: &str, file: &FilePath) -> Result<(), ObjectError> {
        let source = tokio::fs::File::open(file).await.map_err(io_trouble)?;
        self.stored.put(key, ReaderStream::new(source).boxed(), u64::MAX).await?;
        tokio::fs::remove_file(file).await.map_err(io_trouble)
    }
}

fn storage(error: Error) -> ObjectError {
    ObjectError::Storage(Box::new(error))
}

#[async_trait]
impl Objects for LocalObjects {
    async fn put(
        &self,
        key: &str,
        source: Bytestream<'_>,
        limit_bytes: u64,
    ) -> Result<u64, ObjectError> {
        self.stored.in_place().await?;
        self.stored.put(key, source, limit_bytes).await
    }

    async fn adopt(&self, key: &str, file: &FilePath) -> Result<(), ObjectError> {
        self.stored.in_place().await?;
        let (from, to) = (file.to_owned(), self.file(key)?);
        let moved = tokio::task::spawn_blocking(move || {
            std::fs::File::open(&from)?.sync_all()?;
            if let Some(parent) = to.parent() {
                std::fs::create_dir_all(parent)?;
                std::fs::rename(&from, &to)?;
                std::fs::File::open(parent)?.sync_all()?;
            }
            Ok::<(), io::Error>(())
        });
        match moved.await.map_err(|e| ObjectError::Storage(Box::new(e)))? {
            Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
                self.copy(key, file).await
            }
            moved => moved.map_err(io_trouble),
        }
    }

    async fn local(&self, key: &str) -> Result<LocalFile, ObjectError> {
        if let Err(error) = self.files.head(&Path::from(key)).await {
            return Err(self.stored.absent(self.stored.trouble(error)).await);
        }
        Ok(LocalFile::kept(self.file(key)?))
    }

    async fn rename(&self, from: &str, to: &str) -> Result<(), ObjectError> {
        self.stored.rename(from, to).await
    }

    async fn delete(&self, key: &str) -> Result<(), ObjectError> {
        self.stored.delete(key).await
    }

    async fn list(&self, prefix: &str, limit: usize) -> Result<Vec<ObjectInfo>, ObjectError> {
        self.stored.list(prefix, limit).await
    }

    async fn clear_unfinished(&self, older: Duration) -> Result<(), ObjectError> {
        let (root, now) = (self.root.clone(), self.stored.clock.now());
        let cleared = tokio::task::spawn_blocking(move || unfinished::clear(&root, now, older));
        cleared.await.map_err(|e| ObjectError::Storage(Box::new(e)))?.map_err(io_trouble)
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
