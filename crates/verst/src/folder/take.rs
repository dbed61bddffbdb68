//! Taking in one file: recognised by its content, handed in, moved out of the way.
//!
//! **Invariant:** a file is handed in before it is moved. A crash in between leaves it where it
//! was, and its content says the next time that it was taken in already.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use tracing::info;
use verst_kernel::{Failure, NoticeKind, WorkId};
use verst_recordings::codes;
use verst_recordings::model::{Accepted, Source};
use verst_recordings::ports::{ObjectError, Wish};
use verst_service::{Arrival, Letter, SubmitError};

use super::content::Content;
use super::scan::Found;
use super::{Folder, beside, entrance, moving, names, report};
use crate::settings::After;

/// What became of a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Dealt {
    /// It is gone from its place.
    Gone,
    /// It stays, and nothing more is to be done until it changes.
    Stays,
    /// It is looked at again a little later.
    Again,
    /// Nothing can be taken in for now.
    Waits(Failure),
}

impl Folder<'_> {
    /// Deals with a file that has come to rest.
    pub(super) async fn take(&mut self, file: &Found) -> Dealt {
        let place = self.settings.root.join(&file.path);
        let accepted = match self.hand_in(file, &place).await {
            Ok(accepted) => accepted,
            Err(dealt) => return dealt,
        };
        // Whatever was wrong with it before is over.
        beside::remove_report(&place);
        let (place, dealt) = match self.settings.after {
            After::Keep => (Some(place), Dealt::Stays),
            After::Move => self.move_away(file, accepted.id).await,
        };
        if let Some(place) = place.filter(|_| !accepted.fresh) {
            self.tell_again(accepted.id, place).await;
        }
        dealt
    }

    /// Moves a file out of the way. Where it is now, if it was moved here and now.
    async fn move_away(&mut self, file: &Found, id: WorkId) -> (Option<PathBuf>, Dealt) {
        let (root, path, identity) = (self.settings.root.clone(), file.path.clone(), file.identity);
        match blocking(move || moving::move_taken(&root, &path, identity, id)).await {
            Ok(moved) => (moved, Dealt::Gone),
            Err(error) => {
                self.tell_unmovable(error.kind());
                (None, Dealt::Stays)
            }
        }
    }

    /// The recording that a file is, new or from before.
    async fn hand_in(&mut self, file: &Found, place: &Path) -> Result<Accepted, Dealt> {
        let (opened, identity) = (place.to_owned(), file.identity);
        let (mut content, head) = blocking(move || {
            let mut content = Content::open(&opened, identity)?;
            let head = content.head()?;
            Ok((content, head))
        })
        .await
        .map_err(|error| self.unread(error.kind(), place))?;
        let limit = self.service.largest_bytes;
        if file.identity.size_bytes > limit {
            let limit = i64::try_from(limit).unwrap_or(i64::MAX);
            let large = Failure::new(codes::TOO_LARGE).int("limit_bytes", limit);
            return Err(self.refused(&large, place));
        }
        if let Some(failure) = self.service.media.refuse(&head, file.identity.size_bytes) {
            return Err(self.refused(&failure, place));
        }
        let shutdown = self.shutdown.clone();
        let (content, handle) = blocking(move || {
            let handle = content.handle(&shutdown)?;
            Ok((content, handle))
        })
        .await
        .map_err(|error| self.unread(error.kind(), place))?;
        let known = self.service.recordings.by_handle(handle.clone()).await;
        if let Some(id) = known.map_err(|error| waits(&SubmitError::Store(error)))? {
            return Ok(Accepted { id, fresh: false });
        }
        let arrival = Arrival {
            source: Source::Folder,
            reply_to: Some(names::to_text(&file.path)),
            owner: None,
            name: file.path.file_name().map(|name| name.to_string_lossy().into_owned()),
            wish: Wish { language: self.settings.language.clone(), model: None },
            handle: Some(handle),
        };
        let bytes = content.bytes().map_err(|error| self.unread(error.kind(), place))?;
        match self.service.submit(arrival, bytes).await {
            Ok(accepted) => {
                if accepted.fresh {
                    info!(work = %accepted.id, "taken in from the watched folder");
                }
                Ok(accepted)
            }
            Err(SubmitError::Refused(failure)) => Err(self.refused(&failure, place)),
            Err(SubmitError::Objects(ObjectError::Source(error))) => {
                Err(self.unread(error.kind(), place))
            }
            Err(error) => Err(waits(&error)),
        }
    }

    /// Content that was taken in before and lies here again: what became of it is told here too.
    async fn tell_again(&mut self, id: WorkId, place: PathBuf) {
        // What cannot be read now is not told here; it was told where the recording came in first.
        let Ok(Some(view)) = self.service.ledger.view(id).await else { return };
        let (kind, transcript) = match view.work.stop {
            Some(stop) => (NoticeKind::Stopped(stop.failure), None),
            None => match self.service.recordings.transcript(id).await {
                Ok(Some(transcript)) => (NoticeKind::Done, Some(transcript)),
                Ok(None) | Err(_) => return,
            },
        };
        // Under the name that the sender's letter had, or the same text would differ from itself.
        let name = view.recording.given.name;
        let letter = Letter { work: id, name, kind, transcript, warnings: Vec::new() };
        let (settings, tongue) = (self.settings.clone(), self.tongue.clone());
        let told = blocking(move || entrance::tell(&place, &letter, &settings, &tongue)).await;
        if let Err(error) = told {
            self.tell_unwritable(error.kind());
        }
    }

    /// A file that will not be taken in as it is.
    fn refused(&mut self, failure: &Failure, place: &Path) -> Dealt {
        info!(%failure, "a file in the watched folder was not taken in");
        self.report(place, &report::refused(failure, self.tongue));
        Dealt::Stays
    }

    /// A file that could not be read to its end.
    pub(super) fn unread(&mut self, kind: ErrorKind, place: &Path) -> Dealt {
        match kind {
            ErrorKind::NotFound => Dealt::Gone,
            ErrorKind::PermissionDenied => {
                self.report(place, &report::unreadable(self.tongue));
                Dealt::Again
            }
            // It changes, it was replaced by a link, the service ends, or the disk has trouble.
            _ => Dealt::Again,
        }
    }

    fn report(&mut self, place: &Path, text: &str) {
        if let Err(error) = beside::write_report(place, text) {
            self.tell_unwritable(error.kind());
        }
    }
}

/// Nothing can be kept for now, and that is not the file's fault.
fn waits(error: &SubmitError) -> Dealt {
    Dealt::Waits(error.failure())
}

/// Runs what may wait for a disk or a share.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> std::io::Result<T> + Send + 'static,
) -> std::io::Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(std::io::Error::other)?
}
