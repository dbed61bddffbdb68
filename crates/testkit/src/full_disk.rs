//! Objects on a disk that has no space left: everything is read to its end, and nothing is kept.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures::StreamExt;
use verst_recordings::ports::{Bytestream, LocalFile, ObjectError, ObjectInfo, Objects};

/// The objects of a world whose disk has just become full.
pub struct FullDisk(pub Arc<dyn Objects>);

#[async_trait]
impl Objects for FullDisk {
    async fn put(
        &self,
        _key: &str,
        mut source: Bytestream<'_>,
        _limit_bytes: u64,
    ) -> Result<u64, ObjectError> {
        while let Some(chunk) = source.next().await {
            chunk.map_err(ObjectError::Source)?;
        }
        Err(ObjectError::Full)
    }

    async fn adopt(&self, _key: &str, _file: &Path) -> Result<(), ObjectError> {
        Err(ObjectError::Full)
    }

    async fn local(&self, key: &str) -> Result<LocalFile, ObjectError> {
        self.0.local(key).await
    }

    async fn rename(&self, from: &str, to: &str) -> Result<(), ObjectError> {
        self.0.rename(from, to).await
    }

    async fn delete(&self, key: &str) -> Result<(), ObjectError> {
        self.0.delete(key).await
    }

    async fn list(&self, prefix: &str, limit: usize) -> Result<Vec<ObjectInfo>, ObjectError> {
        self.0.list(prefix, limit).await
    }

    async fn clear_unfinished(&self, older: Duration) -> Result<(), ObjectError> {
        self.0.clear_unfinished(older).await
    }

    async fn find_home(&self) -> Result<Option<String>, ObjectError> {
        self.0.find_home().await
    }

    async fn home(&self) -> Result<String, ObjectError> {
        self.0.home().await
    }

    fn scratch(&self) -> PathBuf {
        self.0.scratch()
    }
}
