//! The file in the making: `….part` beside the target, and `….part.note`, which says of what it is.
//!
//! Whoever makes it holds the operating system's lock on it, so that two processes never write the
//! same file; the lock ends with the process however that ends.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tokio::io::{AsyncSeekExt, AsyncWriteExt};

use super::DownloadError;
use crate::disk;

/// More than any note has.
const NOTE_BYTES: u64 = 4096;

/// What the part is a part of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Note {
    /// The hash of the whole, in hexadecimal.
    pub(super) sha256: String,
    /// The size of the whole, if it is known.
    pub(super) size_bytes: Option<u64>,
    /// The server's name for this version.
    pub(super) version: Option<String>,
}

/// A part that this process alone writes.
#[derive(Debug)]
pub(super) struct Part {
    target: PathBuf,
    path: PathBuf,
    file: tokio::fs::File,
    bytes: u64,
    note: Option<Note>,
}

impl Part {
    /// Takes the part of a target up where it was left.
    pub(super) fn lock(target: &Path) -> Result<Self, DownloadError> {
        let path = beside(target, "part");
        loop {
            let mut options = OpenOptions::new();
            options.read(true).write(true).create(true).truncate(false).mode(0o644);
            let file = options.open(&path)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Err(DownloadError::Busy),
                Err(TryLockError::Error(error)) => return Err(error.into()),
            }
            // Another process may have finished it between our opening and our locking.
            let (ours, there) = (file.metadata()?, fs::metadata(&path).ok());
            if there.is_some_and(|there| there.ino() == ours.ino()) {
                let note = read_note(&beside(target, "part.note"));
                let bytes = if note.is_some() { ours.len() } else { 0 };
                let file = tokio::fs::File::from_std(file);
                return Ok(Self { target: target.to_owned(), path, file, bytes, note });
            }
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// How much is there. Nothing, if it is not known of what.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    pub(super) fn note(&self) -> Option<Note> {
        self.note.clone()
    }

    /// Forgets what is there.
    pub(super) async fn clear(&mut self) -> Result<(), DownloadError> {
        self.file.set_len(0).await?;
        (self.bytes, self.note) = (0, None);
        remove(&beside(&self.target, "part.note"))?;
        Ok(())
    }

    /// Says of what it is, before the first byte comes.
    pub(super) async fn begin(&mut self, note: Note) -> Result<(), DownloadError> {
        self.file.seek(std::io::SeekFrom::Start(self.bytes)).await?;
        if self.note.as_ref() != Some(&note) {
            let text = serde_json::to_vec(&note).map_err(std::io::Error::from)?;
            fs::write(beside(&self.target, "part.note"), text)?;
            self.note = Some(note);
        }
        Ok(())
    }

    pub(super) async fn append(&mut self, bytes: &[u8]) -> Result<(), DownloadError> {
        self.file.write_all(bytes).await?;
        self.bytes += u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        Ok(())
    }

    pub(super) async fn flush(&mut self) -> Result<(), DownloadError> {
        Ok(self.file.flush().await?)
    }

    /// Puts it in the target's place, its hash beside it first: what is there has always its hash.
    pub(super) async fn finish(&self) -> Result<(), DownloadError> {
        if let Some(note) = &self.note {
            keep_hash(&self.target, &note.sha256)?;
        }
        self.file.sync_all().await?;
        fs::rename(&self.path, &self.target)?;
        remove(&beside(&self.target, "part.note"))?;
        if let Some(directory) = self.target.parent() {
            File::open(directory)?.sync_all()?;
        }
        Ok(())
    }

    /// What its disk has; without limit where the system does not say.
    pub(super) fn free_bytes(&self) -> u64 {
        disk::free(&self.path).map_or(u64::MAX, |free| free.bytes)
    }
}

/// Writes the hash of a file beside it, as `sha256sum` reads it.
fn keep_hash(target: &Path, sha256: &str) -> std::io::Result<()> {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let (making, kept) = (beside(target, "sha256.part"), beside(target, "sha256"));
    let mut file = File::create(&making)?;
    writeln!(file, "{sha256}  {name}")?;
    file.sync_all()?;
    fs::rename(making, kept)
}

/// The path with something added to its last name.
pub(super) fn beside(target: &Path, what: &str) -> PathBuf {
    let mut name = target.as_os_str().to_owned();
    name.push(".");
    name.push(what);
    PathBuf::from(name)
}

fn read_note(path: &Path) -> Option<Note> {
    let mut text = Vec::new();
    File::open(path).ok()?.take(NOTE_BYTES).read_to_end(&mut text).ok()?;
    serde_json::from_slice(&text).ok()
}

fn remove(path: &Path) -> std::io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// The SHA-256 of a file in hexadecimal.
pub(super) async fn hash(path: PathBuf) -> Result<String, DownloadError> {
    let hashed = tokio::task::spawn_blocking(move || verst_engine::sha256(&path));
    Ok(hashed.await.map_err(std::io::Error::other)??)
}
