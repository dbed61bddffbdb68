//! The audio that was handed in, for whoever wants to hear it.

use std::path::Path;

use thiserror::Error;
use verst_recordings::ports::{LocalFile, ObjectError};

use crate::{Service, View};

/// The audio, on this machine for as long as the value lives.
#[derive(Clone, Debug)]
pub struct Original {
    file: LocalFile,
    /// The name its sender gave it.
    pub name: Option<String>,
    /// Other audio has another one; letters and digits.
    pub tag: String,
}

impl Original {
    /// Where it is.
    pub fn path(&self) -> &Path {
        self.file.path()
    }
}

/// Why there is nothing to hear.
#[derive(Debug, Error)]
pub enum OriginalError {
    /// It was not kept.
    #[error("the original is gone")]
    Gone,
    /// It could not be read.
    #[error("the original could not be read")]
    Objects(#[source] ObjectError),
}

impl Service {
    /// The audio of a recording.
    pub async fn original(&self, view: &View) -> Result<Original, OriginalError> {
        if view.recording.original_deleted {
            return Err(OriginalError::Gone);
        }
        let given = &view.recording.given;
        let file = match self.objects.local(&given.original).await {
            Ok(file) => file,
            Err(ObjectError::Missing) => return Err(OriginalError::Gone),
            Err(error) => return Err(OriginalError::Objects(error)),
        };
        let tag = given.original.rsplit('/').next().unwrap_or_default().to_owned();
        Ok(Original { file, name: given.name.clone(), tag })
    }
}
