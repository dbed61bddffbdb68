//! Why a command did nothing, and the exit code that says so to programs.

use std::error::Error as _;
use std::path::PathBuf;

use verst_adapters::data_dir::DataDirError;
use verst_kernel::{Failure, StoreError};
use verst_service::causes;
use verst_store::OpenError;
use verst_words::Arg;

use crate::tongue::Tongue;

/// A command that cannot be carried out.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// The data directory.
    Data(PathBuf, DataDirError),
    /// The database in it.
    Database(PathBuf, OpenError),
    /// The database on a server.
    Server(OpenError),
    /// The settings.
    Settings(PathBuf, String),
    /// A read or write of the database.
    Store(StoreError),
    /// Something that is needed before work makes sense.
    Needed(Failure),
    /// A sentence of its own, about how things are set up.
    Setup(&'static str, Vec<(&'static str, String)>),
    /// A sentence of its own, about what was typed.
    Usage(&'static str, Vec<(&'static str, String)>),
    /// A sentence of its own, about what was asked for.
    Cannot(&'static str, Vec<(&'static str, String)>),
}

impl Refusal {
    /// Some recordings have no text.
    pub(crate) const SOME_FAILED: u8 = 1;
    const USAGE: u8 = 2;
    /// Something that is needed is missing.
    pub(crate) const SETUP: u8 = 3;

    pub(crate) fn code(&self) -> u8 {
        match self {
            Self::Usage(..) => Self::USAGE,
            Self::Cannot(..) => Self::SOME_FAILED,
            Self::Data(..)
            | Self::Database(..)
            | Self::Server(_)
            | Self::Settings(..)
            | Self::Store(_)
            | Self::Setup(..)
            | Self::Needed(_) => Self::SETUP,
        }
    }

    pub(crate) fn sentence(&self, tongue: &Tongue) -> String {
        let owned: Vec<(&str, String)> = match self {
            Self::Needed(failure) => return tongue.failure(failure),
            Self::Setup(_, args) | Self::Usage(_, args) | Self::Cannot(_, args) => args.clone(),
            Self::Data(dir, error) => {
                let mut args = vec![("data", dir.display().to_string())];
                match error {
                    DataDirError::Held { holder } => args.push(("holder", holder.clone())),
                    DataDirError::Io(cause) => args.push(("cause", cause.to_string())),
                    DataDirError::Missing | DataDirError::Foreign => {}
                }
                args
            }
            Self::Database(dir, OpenError::FromTheFuture { found, known }) => vec![
                ("data", dir.display().to_string()),
                ("found", found.to_string()),
                ("known", known.to_string()),
            ],
            Self::Database(dir, error) => {
                vec![("data", dir.display().to_string()), ("cause", causes(error))]
            }
            // The sentence says already that it is about the server.
            Self::Server(error) => vec![("cause", causes(error.source().unwrap_or(error)))],
            Self::Settings(file, cause) => {
                vec![("file", file.display().to_string()), ("cause", cause.clone())]
            }
            Self::Store(error) => vec![("cause", causes(error))],
        };
        let args: Vec<(&str, Arg<'_>)> =
            owned.iter().map(|(name, text)| (*name, Arg::Text(text))).collect();
        tongue.say(self.key(), &args)
    }

    fn key(&self) -> &'static str {
        match self {
            Self::Setup(key, _) | Self::Usage(key, _) | Self::Cannot(key, _) => key,
            Self::Data(_, DataDirError::Held { .. }) => "cli-held",
            Self::Data(_, DataDirError::Missing) => "cli-no-installation",
            Self::Data(_, DataDirError::Foreign) => "cli-data-foreign",
            Self::Data(_, DataDirError::Io(_)) => "cli-data-unusable",
            Self::Database(_, OpenError::FromTheFuture { .. }) => "cli-database-future",
            Self::Database(_, OpenError::Outdated) | Self::Server(OpenError::Outdated) => {
                "cli-outdated"
            }
            Self::Database(..) => "cli-database-broken",
            Self::Server(OpenError::FromTheFuture { .. }) => "cli-server-future",
            Self::Server(_) => "cli-server-broken",
            Self::Settings(..) => "cli-settings-broken",
            Self::Store(_) | Self::Needed(_) => "cli-store-failed",
        }
    }
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}
