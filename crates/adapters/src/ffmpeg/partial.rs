//! An output that is not whole yet: `<output>.part`, next to where it will be. It is created by us,
//! so that the child follows no link that somebody left there, and trouble with the directory has
//! its exact name.
//!
//! The name is not flushed to disk here: whoever stores the object decides about durability.
//!
//! **Invariant:** the file is gone when the value is, unless [`Partial::finish`] returned.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use tokio::fs;
use verst_recordings::codes;
use verst_recordings::ports::MediaError;

use super::verdict::failed;

/// The unfinished file.
#[derive(Debug)]
pub(super) struct Partial {
    path: PathBuf,
}

impl Partial {
    /// Creates it empty in place of whatever an earlier run left.
    pub(super) async fn create(output: &Path) -> Result<Self, MediaError> {
        let mut name = output.as_os_str().to_owned();
        name.push(".part");
        let path = PathBuf::from(name);
        match fs::remove_file(&path).await {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(trouble(&error)),
            Ok(()) | Err(_) => {}
        }
        fs::File::create_new(&path).await.map_err(|error| trouble(&error))?;
        Ok(Self { path })
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Its size in bytes.
    pub(super) async fn size(&self) -> Result<u64, MediaError> {
        let metadata = fs::metadata(&self.path).await.map_err(|error| trouble(&error))?;
        Ok(metadata.len())
    }

    /// Gives it its final name.
    pub(super) async fn finish(self, output: &Path) -> Result<(), MediaError> {
        // On success nothing has the old name any more, so dropping `self` removes nothing.
        fs::rename(&self.path, output).await.map_err(|error| trouble(&error))
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        // Gone is gone; whatever else went wrong, the next run replaces the file.
        let _ = std::fs::remove_file(&self.path);
    }
}

fn trouble(error: &std::io::Error) -> MediaError {
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => failed(codes::DISK_FULL),
        _ => failed(codes::OBJECTS_FAILED),
    }
}
