//! The port to where audio lies: a directory by default, an object store for many machines.
//!
//! Keys are ours, made of numbers and fixed words; a name given by a person is never part of one.

use std::path::{Path, PathBuf};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use futures::stream::BoxStream;
use thiserror::Error;

use super::LocalFile;

/// Bytes as they come in.
pub type Bytestream<'a> = BoxStream<'a, std::io::Result<Bytes>>;

/// Trouble with objects.
#[derive(Debug, Error)]
pub enum ObjectError {
    /// Nothing under that key.
    #[error("no such object")]
    Missing,
    /// The stream went past the limit; nothing was kept.
    #[error("larger than {limit_bytes} bytes")]
    TooLarge {
        /// The limit.
        limit_bytes: u64,
    },
    /// No space; nothing was kept.
    #[error("no space left for objects")]
    Full,
    /// The sender's stream broke; nothing was kept.
    #[error("the incoming bytes broke off")]
    Source(#[source] std::io::Error),
    /// The store of all objects refuses, or cannot be reached.
    #[error("the store of objects cannot be reached")]
    Unreachable(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// This object could not be read or written.
    #[error("objects could not be used")]
    Storage(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// An object as a listing shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectInfo {
    /// Its key.
    pub key: String,
    /// How long ago it was written.
    pub age: Duration,
}

/// Where audio lies.
#[async_trait]
pub trait Objects: Send + Sync {
    /// Writes a stream durably under `key` and returns its size in bytes. All or nothing.
    async fn put(
        &self,
        key: &str,
        source: Bytestream<'_>,
        limit_bytes: u64,
    ) -> Result<u64, ObjectError>;

    /// Moves a file made on this machine under `key`, durably.
    async fn adopt(&self, key: &str, file: &Path) -> Result<(), ObjectError>;

    /// The object as a file on this machine.
    async fn local(&self, key: &str) -> Result<LocalFile, ObjectError>;

    /// Gives an object another key.
    async fn rename(&self, from: &str, to: &str) -> Result<(), ObjectError>;

    /// Removes the object. One that is gone already is no error.
    async fn delete(&self, key: &str) -> Result<(), ObjectError>;

    /// Everything whose key starts with `prefix`, at most `limit`.
    async fn list(&self, prefix: &str, limit: usize) -> Result<Vec<ObjectInfo>, ObjectError>;

    /// Removes what a crash left of objects in the making, if nobody has written to it for so long.
    async fn clear_unfinished(&self, older: Duration) -> Result<(), ObjectError>;

    /// Which objects these are, if an id lies among them.
    async fn find_home(&self) -> Result<Option<String>, ObjectError>;

    /// The same; the id is made where there is none yet.
    async fn home(&self) -> Result<String, ObjectError>;

    /// A fresh path for a file in the making, from which `adopt` is cheap.
    fn scratch(&self) -> PathBuf;
}
