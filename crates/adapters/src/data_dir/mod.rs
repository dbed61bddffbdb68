//! The data directory: everything an installation owns, locked to one process.
//!
//! The lock is the operating system's, on an open file: it ends with the process however that
//! ends, so there is no stale lock to break by hand.
//!
//! It refuses a directory that is somebody else's: what is no installation, and not as good as
//! empty either, is left exactly as it is.

mod ground;
mod leftovers;
mod privacy;
mod replace;

use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use thiserror::Error;
use verst_kernel::Instance;

use ground::Ground;

/// Directories that an installation has.
const PARTS: [&str; 3] = ["objects/original", "objects/normalised", "scratch"];

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
    /// There is no installation there, and none is made among what is there.
    #[error("the directory holds other files")]
    Foreign,
    /// It could not be made, read or written.
    #[error("the data directory cannot be used")]
    Io(#[from] io::Error),
}

/// A data directory that is locked to this process for as long as the value lives.
#[derive(Debug)]
pub struct DataDir {
    root: PathBuf,
    instance: Instance,
    /// Held by whoever works here; by a visitor until it is done with opening.
    lock: Option<File>,
    /// Shared by visitors for as long as they are here, or held against them.
    visiting: Option<File>,
}

impl DataDir {
    /// Locks an installation, making it first where there is nothing yet.
    pub fn open_or_create(root: &Path) -> Result<Self, DataDirError> {
        let root = match root.canonicalize() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                // Recordings are private: nobody else's account may look in.
                DirBuilder::new().recursive(true).mode(0o700).create(root)?;
                root.canonicalize()?
            }
            other => other?,
        };
        match ground::survey(&root)? {
            Ground::Installation | Ground::Vacant => Self::enter(root),
            Ground::Foreign => Err(DataDirError::Foreign),
        }
    }

    /// Locks an installation that is there.
    pub fn open(root: &Path) -> Result<Self, DataDirError> {
        let root = match root.canonicalize() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(DataDirError::Missing);
            }
            other => other?,
        };
        match ground::instance(&root)? {
            Some(_) => Self::enter(root),
            None => Err(DataDirError::Missing),
        }
    }

    /// Opens it beside a process that may be working there. Where nobody works, nobody can begin
    /// before [`release`](Self::release) is called.
    pub fn visit(root: &Path, make: bool) -> Result<Self, DataDirError> {
        let entered = if make { Self::open_or_create(root) } else { Self::open(root) };
        let held = match entered {
            Err(held @ DataDirError::Held { .. }) => held,
            Err(error) => return Err(error),
            Ok(mut dir) => {
                dir.visiting = Some(visiting(&dir.root)?);
                return Ok(dir);
            }
        };
        let root = root.canonicalize()?;
        // Whoever holds the lock has made it an installation, or is about to: it is worth to come
        // again.
        let Some(instance) = ground::instance(&root)? else { return Err(held) };
        let visiting = Some(visiting(&root)?);
        Ok(Self { root, instance, lock: None, visiting })
    }

    /// Whether nobody else can begin to work here.
    pub fn is_locked(&self) -> bool {
        self.lock.is_some()
    }

    /// Whether nobody works here and anybody could begin to.
    pub fn is_vacant(&self) -> bool {
        let lock = OpenOptions::new().read(true).write(true).open(self.root.join(ground::LOCK));
        lock.is_ok_and(|lock| lock.try_lock().is_ok())
    }

    /// Keeps visitors out for as long as the value lives. `false` when one is here.
    pub fn keep_visitors_out(&mut self) -> io::Result<bool> {
        let file = visitors(&self.root)?;
        match file.try_lock() {
            Ok(()) => self.visiting = Some(file),
            Err(TryLockError::WouldBlock) => return Ok(false),
            Err(TryLockError::Error(error)) => return Err(error),
        }
        Ok(true)
    }

    /// Lets somebody else begin to work here.
    pub fn release(&mut self) {
        self.lock = None;
    }

    /// The only place that writes; what is there is known to be ours to write in.
    fn enter(root: PathBuf) -> Result<Self, DataDirError> {
        let mut options = OpenOptions::new();
        let lock = options.read(true).write(true).create(true).truncate(false);
        let mut lock = lock.open(root.join(ground::LOCK))?;
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
        // Before anything else is made: from here on this is an installation.
        let instance = match ground::instance(&root)? {
            Some(instance) => instance,
            None => ground::found(&root)?,
        };
        let dir = Self { root, instance, lock: Some(lock), visiting: None };
        for part in PARTS {
            DirBuilder::new().recursive(true).mode(0o700).create(dir.root.join(part))?;
        }
        privacy::restrict(&dir.root)?;
        // What visitors are making is nobody's leftover.
        let visitors = visitors(&dir.root)?;
        if visitors.try_lock().is_ok() {
            leftovers::clear_scratch(&dir.scratch())?;
        }
        Ok(dir)
    }

    /// Which installation this is; the same at every start.
    pub fn instance(&self) -> &Instance {
        &self.instance
    }

    /// The SQLite file, which is made empty first if it is not there: SQLite would make it
    /// readable for everybody who can enter the directory, and its companions take after it.
    pub fn database(&self) -> PathBuf {
        let file = self.root.join(privacy::DATABASE);
        // If it is there, good; whatever else is wrong, SQLite says it better.
        let _ = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&file);
        file
    }

    /// Whether there is a SQLite file with something in it.
    pub fn has_database(&self) -> bool {
        std::fs::metadata(self.root.join(privacy::DATABASE)).is_ok_and(|file| file.len() > 0)
    }

    /// Where objects lie.
    pub fn objects(&self) -> PathBuf {
        self.root.join("objects")
    }

    /// Where files in the making lie. Emptied of ours at every start.
    pub fn scratch(&self) -> PathBuf {
        self.root.join("scratch")
    }
}

/// The file that visitors share the lock of.
fn visitors(root: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    let file = options.read(true).write(true).create(true).truncate(false);
    file.open(root.join(ground::VISITORS))
}

/// Comes in as one of them. Whoever clears leftovers keeps them waiting for a moment.
fn visiting(root: &Path) -> io::Result<File> {
    let file = visitors(root)?;
    file.lock_shared()?;
    Ok(file)
}

#[cfg(test)]
mod tests;
