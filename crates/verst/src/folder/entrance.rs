//! The answer to whoever put a file into the folder: its texts beside it, or why there are none.

use std::path::{Path, PathBuf};
use std::time::Duration;

use async_trait::async_trait;
use tracing::warn;
use verst_kernel::{NoticeKind, WorkId};
use verst_recordings::model::Source;
use verst_service::{Entrance, Letter, SendError};

use super::{beside, names, report};
use crate::settings::{After, FolderSettings};
use crate::tongue::Tongue;

/// Longer than a share takes that is there at all. The worker that tells waits no longer.
const PATIENCE: Duration = Duration::from_secs(30);

/// The folder as an entrance.
pub(crate) struct FolderEntrance {
    settings: FolderSettings,
    tongue: Tongue,
}

impl FolderEntrance {
    pub(crate) fn new(settings: FolderSettings, tongue: Tongue) -> Self {
        Self { settings, tongue }
    }
}

#[async_trait]
impl Entrance for FolderEntrance {
    fn source(&self) -> Source {
        Source::Folder
    }

    async fn send(&self, addressee: Option<&str>, letter: &Letter) -> Result<(), SendError> {
        let path = addressee.and_then(names::from_text).ok_or(SendError)?;
        let (settings, tongue, letter) =
            (self.settings.clone(), self.tongue.clone(), letter.clone());
        let id = letter.work;
        let written = tokio::task::spawn_blocking(move || {
            let place = locate(&settings, &path, letter.work);
            tell(&place, &letter, &settings, &tongue)
        });
        match tokio::time::timeout(PATIENCE, written).await {
            Ok(Ok(Ok(()))) => Ok(()),
            Ok(Ok(Err(failure))) => {
                let failure = failure.kind();
                warn!(work = %id, %failure, "nothing could be written into the watched folder");
                Err(SendError)
            }
            Ok(Err(_)) | Err(_) => Err(SendError),
        }
    }
}

/// Writes what there is to tell beside the file at `place`.
pub(super) fn tell(
    place: &Path,
    letter: &Letter,
    settings: &FolderSettings,
    tongue: &Tongue,
) -> std::io::Result<()> {
    match (&letter.kind, &letter.transcript) {
        (NoticeKind::Done, transcript) => {
            beside::remove_report(place);
            let Some(transcript) = transcript else { return Ok(()) };
            beside::write_texts(place, letter, transcript, &settings.formats, tongue)
        }
        (NoticeKind::Stopped(failure), _) => {
            beside::write_report(place, &report::stopped(letter.work, failure, tongue))
        }
    }
}

/// Where the file of a recording lies that came in under this path. It may have been moved, or be
/// about to be; where it is not found at all, its texts go where it was.
fn locate(settings: &FolderSettings, path: &Path, id: WorkId) -> PathBuf {
    let here = settings.root.join(path);
    let moved = settings.root.join(names::TAKEN).join(path);
    let numbered = moved.with_file_name(names::numbered(path.file_name().unwrap_or_default(), id));
    let places = match settings.after {
        After::Move => [&numbered, &moved, &here],
        After::Keep => [&here, &numbered, &moved],
    };
    places.into_iter().find(|place| place.is_file()).unwrap_or(&here).clone()
}
