//! What a restored backup does to a data directory that is locked: sets aside what is there, and
//! puts another database in its place. It removes nothing that somebody could miss.

use std::fs::{self, DirBuilder, File};
use std::io::{self, ErrorKind};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use super::{DataDir, PARTS, privacy};

/// What SQLite keeps beside a file that is in use.
const BESIDE: [&str; 3] = ["-wal", "-shm", "-journal"];

impl DataDir {
    /// Moves the database and the objects into a new directory of this name here, and answers where
    /// that is. Nobody has the database open.
    pub fn set_aside(&self, name: &str) -> io::Result<PathBuf> {
        let aside = self.root.join(name);
        DirBuilder::new().mode(0o700).create(&aside)?;
        for moved in [privacy::DATABASE, "objects"] {
            match fs::rename(self.root.join(moved), aside.join(moved)) {
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        for part in PARTS {
            DirBuilder::new().recursive(true).mode(0o700).create(self.root.join(part))?;
        }
        File::open(&self.root)?.sync_all()?;
        Ok(aside)
    }

    /// Puts a database that is one file in the place of an empty one, durably. Nobody has either
    /// open.
    pub fn put_database(&self, staged: &Path) -> io::Result<()> {
        File::open(staged)?.sync_all()?;
        // The log of another file would be applied to this one.
        for suffix in BESIDE {
            match fs::remove_file(self.root.join(format!("{}{suffix}", privacy::DATABASE))) {
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        fs::rename(staged, self.root.join(privacy::DATABASE))?;
        File::open(&self.root)?.sync_all()
    }
}
