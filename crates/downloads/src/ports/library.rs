//! The media library: directories of links to what was downloaded.

use std::path::PathBuf;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use thiserror::Error;
use verst_kernel::Supervisor;

/// How names are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Preset {
    /// <https://jellyfin.org/docs/general/server/media/movies>
    #[default]
    Jellyfin,
    /// <https://support.plex.tv/articles/naming-and-organizing-your-movie-media-files/>
    Plex,
}

/// What is done where the library is on another file system than the download.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Link {
    /// Nothing: it is told.
    #[default]
    Fail,
    /// A copy, compared before it counts.
    Copy,
    /// A copy that shares its blocks, or nothing.
    Reflink,
}

/// One file and where it goes. Both are relative, their parts plain names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Placement {
    /// The file's index in the torrent.
    pub file: u32,
    /// Path below the download's directory.
    pub source: Vec<String>,
    /// Path below the library.
    pub target: Vec<String>,
    /// Bytes that it has.
    pub size_bytes: u64,
}

/// What became of a plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Filed {
    /// Files that were linked.
    pub linked: u64,
    /// Files that were copied.
    pub copied: u64,
    /// Files that were there already: the same ones.
    pub already: u64,
}

/// Why a plan was not carried out. Nothing of it is left but what was there before.
#[derive(Debug, Error)]
pub enum LibraryError {
    /// No library is configured, or it is not there.
    #[error("there is no library")]
    NoLibrary,
    /// A file is not where it should be, or is no plain file.
    #[error("a file of the download is missing")]
    SourceMissing {
        /// Its index.
        file: u32,
    },
    /// Something else has the name.
    #[error("something else is there already")]
    Taken {
        /// The index of the file that should have gone there.
        file: u32,
    },
    /// Another file system, and nothing is to be copied.
    #[error("the library is on another file system")]
    CrossDevice,
    /// The disk is full.
    #[error("the library's disk is full")]
    Full,
    /// It was to end.
    #[error("interrupted")]
    Interrupted,
    /// The file system refused.
    #[error("the library cannot be used")]
    Failed(#[source] std::io::Error),
}

/// The library.
#[async_trait]
pub trait Library: Send + Sync {
    /// Carries a plan out: never over another file, never outside, all of it or nothing. What was
    /// done already counts as done.
    async fn place(
        &self,
        downloaded: PathBuf,
        plan: &[Placement],
        supervisor: &dyn Supervisor,
    ) -> Result<Filed, LibraryError>;

    /// Takes it back: removes those targets that are still what was placed, and the directories that
    /// this leaves empty. Answers how many files went.
    async fn unplace(&self, downloaded: PathBuf, plan: &[Placement]) -> Result<u64, LibraryError>;

    /// Tries, with a file of its own, whether what is downloaded there can be linked here.
    async fn probe(&self, downloaded: PathBuf) -> Result<(), LibraryError>;
}
