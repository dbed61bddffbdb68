//! The data directory: everything an installation owns, locked to one process.
//!
//! The lock is the operating system's, on an open file: it ends with the process however that
//! ends, so there is no stale lock to break by hand.

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use thiserror::Error;
use verst_kernel::Instance;

/// Why a data directory was not opened.
#[derive(Debug, Error)]
pub enum DataDirError {
    /// Another process works in it.
    #[error("the data directory is in use by process {holder}")]
    Held {
        /// Its process id, as it wrote it down; `?` if it has not yet.
        holder: String,
    },
    /// There is no installation there, and none was to be made.
    #[error("no installation there")]
    Missing,
    /// It could not be made, read or written.
    #[error("the data directory cannot be used")]
    Io(#[from] io::Error),
}

/// A data directory that is locked to this process for as long as the value lives.
#[derive(Debug)]
pub struct DataDir {
    root: PathBuf,
    instance: Instance,
    /// Holds the lock.
    _lock: File,
}

impl DataDir {
    /// Locks the directory, making it first if it is not there.
    pub fn open_or_create(root: &Path) -> Result<Self, DataDirError> {
        // Recordings are private: nobody else's account may look in.
        DirBuilder::new().recursive(true).mode(0o700).create(root)?;
        Self::open(root)
    }

    /// Locks a directory that is there.
    pub fn open(root: &Path) -> Result<Self, DataDirError> {
        let root = match root.canonicalize() {
            Ok(root) => root,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(DataDirError::Missing);
            }
            Err(error) => return Err(error.into()),
        };
        let mut options = OpenOptions::new();
        let lock = options.read(true).write(true).create(true).truncate(false);
        let mut lock = lock.open(root.join("lock"))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut holder = String::new();
                lock.take(32).read_to_string(&mut holder)?;
                let holder = holder.trim().to_owned();
                let holder = if holder.is_empty() { "?".to_owned() } else { holder };
                return Err(DataDirError::Held { holder });
            }
            Err(TryLockError::Error(error)) => return Err(error.into()),
        }
        lock.set_len(0)?;
        lock.rewind()?;
        writeln!(lock, "{}", std::process::id())?;
        for part in ["objects/original", "objects/normalised", "scratch"] {
            fs::create_dir_all(root.join(part))?;
        }
        empty(&root.join("scratch"))?;
        let instance = instance(&root.join("instance"))?;
        Ok(Self { root, instance, _lock: lock })
    }

    /// Which installation this is; the same at every start.
    pub fn instance(&self) -> &Instance {
        &self.instance
    }

    /// The SQLite file.
    pub fn database(&self) -> PathBuf {
        self.root.join("verst.sqlite")
    }

    /// Where objects lie.
    pub fn objects(&self) -> PathBuf {
        self.root.join("objects")
    }

    /// Where files in the making lie. Emptied at every start.
    pub fn scratch(&self) -> PathBuf {
        self.root.join("scratch")
    }
}

/// Removes what a former process left unfinished; nothing in there is named by any row.
fn empty(scratch: &Path) -> io::Result<()> {
    for entry in fs::read_dir(scratch)? {
        let path = entry?.path();
        if path.is_file() {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}

/// Reads the instance's id, or makes one that survives a loss of power.
fn instance(path: &Path) -> io::Result<Instance> {
    match fs::read_to_string(path) {
        Ok(id) if !id.trim().is_empty() => return Ok(Instance(id.trim().to_owned())),
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    let id = format!("{:032x}", fastrand::u128(..));
    let making = path.with_extension("part");
    let mut file = File::create(&making)?;
    writeln!(file, "{id}")?;
    file.sync_all()?;
    fs::rename(making, path)?;
    Ok(Instance(id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_process_at_a_time_and_the_same_instance_each_time() {
        let dir = tempfile::tempdir().unwrap();
        let first = DataDir::open_or_create(dir.path()).unwrap();
        let id = first.instance().clone();
        let Err(DataDirError::Held { holder }) = DataDir::open(dir.path()) else {
            panic!("a second holder was let in");
        };
        assert_eq!(holder, std::process::id().to_string());
        drop(first);
        assert_eq!(DataDir::open(dir.path()).unwrap().instance(), &id);
    }

    #[test]
    fn nothing_is_made_where_nothing_is() {
        let dir = tempfile::tempdir().unwrap();
        let missing = dir.path().join("none");
        assert!(matches!(DataDir::open(&missing), Err(DataDirError::Missing)));
        assert!(!missing.exists());
    }

    #[test]
    fn leftovers_in_the_making_are_removed() {
        let dir = tempfile::tempdir().unwrap();
        let scratch = DataDir::open_or_create(dir.path()).unwrap().scratch();
        fs::write(scratch.join("half"), "x").unwrap();
        DataDir::open(dir.path()).unwrap();
        assert_eq!(fs::read_dir(scratch).unwrap().count(), 0);
    }
}
