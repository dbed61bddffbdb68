//! Why a backup was not made, or is of no use, and how that is told.

use std::io;
use std::path::Path;

use verst_recordings::ports::ObjectError;
use verst_store::OpenError;
use verst_store::snapshot::SnapshotError;
use verst_store::transfer::CopyError;

use crate::refusal::Refusal;
use verst_service::causes;

/// Why it came to nothing.
#[derive(Debug)]
pub(super) enum Broken {
    /// It is no backup of Verst's.
    NotOne,
    /// A newer version has written it.
    Future,
    /// It ends before its end.
    CutOff,
    /// This member is not what it has to be.
    Damaged(String),
    /// The database in it, or the one that was to be copied.
    Snapshot(SnapshotError),
    /// The rows of a server could not be copied.
    Copy(CopyError),
    /// This object could not be read or put in place.
    Object(String, ObjectError),
    /// There is too little space: bytes that are needed, and bytes that are free.
    NoSpace(u64, u64),
    /// A file could not be read or written.
    Io(io::Error),
    /// A signal came.
    Interrupted,
    /// Something else that has its own sentence.
    Refused(Refusal),
}

impl Broken {
    /// What a person is told, of this file.
    pub(super) fn refusal(self, file: &Path) -> Refusal {
        let said = |key, cause: Option<String>| {
            let mut args = vec![("file", file.display().to_string())];
            args.extend(cause.map(|cause| ("cause", cause)));
            Refusal::Cannot(key, args)
        };
        match self {
            Self::NotOne | Self::Snapshot(SnapshotError::Foreign) => said("backup-not-one", None),
            Self::Future | Self::Snapshot(SnapshotError::Open(OpenError::FromTheFuture { .. })) => {
                said("backup-future", None)
            }
            Self::CutOff => said("backup-cut-off", None),
            Self::Damaged(member) => said("backup-damaged", Some(member)),
            Self::Snapshot(error) => said("backup-database", Some(causes(&error))),
            Self::Copy(error) => said("backup-database", Some(causes(&error))),
            Self::Object(key, ObjectError::Full) => {
                said("backup-full", Some(format!("objects/{key}")))
            }
            Self::Object(key, error) => {
                said("backup-object", Some(format!("{key}: {}", causes(&error))))
            }
            Self::NoSpace(needed, free) => {
                let mib = |bytes: u64| bytes.div_ceil(1 << 20).to_string();
                let args = vec![
                    ("file", file.display().to_string()),
                    ("needed", mib(needed)),
                    ("free", mib(free)),
                ];
                Refusal::Cannot("backup-no-space", args)
            }
            Self::Io(error) if error.kind() == io::ErrorKind::StorageFull => {
                said("backup-full", Some(error.to_string()))
            }
            Self::Io(error) => said("backup-file", Some(error.to_string())),
            Self::Interrupted => said("backup-interrupted", None),
            Self::Refused(refusal) => refusal,
        }
    }
}

impl From<io::Error> for Broken {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<SnapshotError> for Broken {
    fn from(error: SnapshotError) -> Self {
        Self::Snapshot(error)
    }
}

impl From<CopyError> for Broken {
    fn from(error: CopyError) -> Self {
        Self::Copy(error)
    }
}

impl From<Refusal> for Broken {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

/// Runs what blocks on a thread for that.
pub(super) async fn blocking<T: Send + 'static>(
    f: impl FnOnce() -> Result<T, Broken> + Send + 'static,
) -> Result<T, Broken> {
    tokio::task::spawn_blocking(f).await.map_err(io::Error::other)?
}
