//! Taking in a file from the command line.
//!
//! A file is recognised by its content and what is wished of it, so that the same command, run
//! again, goes on with the recording it handed in before.

use std::fs::Metadata;
use std::io::Read;
use std::path::{Path, PathBuf};

use futures::StreamExt;
use sha2::{Digest, Sha256};
use tokio_util::io::ReaderStream;
use tokio_util::sync::CancellationToken;
use verst_kernel::{Failure, Stage, StoreError, WorkId};
use verst_recordings::codes;
use verst_recordings::model::Source;
use verst_recordings::ports::{Bytestream, ObjectError, Wish};
use verst_service::{Arrival, SubmitError};
use verst_words::Arg;

use super::spool::Spool;
use crate::house::House;
use crate::inspect::clean;
use crate::tongue::Tongue;

/// Why a file was not taken in.
pub(super) enum NotTaken {
    Unreadable,
    NotAFile,
    Refused(Failure),
}

impl NotTaken {
    pub(super) fn sentence(&self, file: &Path, tongue: &Tongue) -> String {
        let name = clean(&file.display().to_string());
        let named = ("name", Arg::Text(&name));
        match self {
            Self::Unreadable => tongue.say("cli-unreadable", &[named]),
            Self::NotAFile => tongue.say("cli-not-a-file", &[named]),
            Self::Refused(failure) => {
                let reason = tongue.failure(failure);
                tongue.say("cli-refused", &[named, ("reason", Arg::Text(&reason))])
            }
        }
    }
}

impl From<SubmitError> for NotTaken {
    fn from(error: SubmitError) -> Self {
        match error {
            SubmitError::Objects(ObjectError::Source(error))
                if error.kind() == std::io::ErrorKind::ResourceBusy =>
            {
                Self::Refused(Failure::new(codes::FILE_CHANGING))
            }
            error => Self::Refused(error.failure()),
        }
    }
}

impl From<StoreError> for NotTaken {
    fn from(error: StoreError) -> Self {
        SubmitError::Store(error).into()
    }
}

pub(super) fn too_large(limit: u64) -> NotTaken {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    NotTaken::Refused(Failure::new(codes::TOO_LARGE).int("limit_bytes", limit))
}

/// Takes in one file, or finds the recording it became before. `-` is standard input. Dropped when
/// the service ends, it leaves nothing but an unnamed object; what blocks meanwhile sees the token.
pub(super) async fn take_in(
    house: &House,
    file: &Path,
    wish: &Wish,
    shutdown: &CancellationToken,
) -> Result<WorkId, NotTaken> {
    if file == Path::new("-") {
        let spool = Spool::fill(house, shutdown).await?;
        return take_in_file(house, spool.path(), Some("stdin".to_owned()), wish, shutdown).await;
    }
    let name = file.file_name().map(|name| name.to_string_lossy().into_owned());
    take_in_file(house, file, name, wish, shutdown).await
}

async fn take_in_file(
    house: &House,
    file: &Path,
    name: Option<String>,
    wish: &Wish,
    shutdown: &CancellationToken,
) -> Result<WorkId, NotTaken> {
    let before = std::fs::metadata(file).map_err(|_| NotTaken::Unreadable)?;
    if !before.is_file() {
        return Err(NotTaken::NotAFile);
    }
    if before.len() > house.service.largest_bytes {
        return Err(too_large(house.service.largest_bytes));
    }
    let model = wish.model.as_deref().unwrap_or(house.settings.model());
    let wished = [wish.language.clone().unwrap_or_default(), model.to_owned()];
    let handle = handle(file.to_owned(), wished, shutdown.clone()).await?;
    if let Some(id) = house.service.recordings.by_handle(handle.clone()).await? {
        bring_back(house, id, file, before).await?;
        return Ok(id);
    }
    let arrival = Arrival {
        source: Source::Cli,
        reply_to: None,
        owner: None,
        name,
        wish: wish.clone(),
        handle: Some(handle),
    };
    Ok(house.service.submit(arrival, bytes(file, before).await?).await?.id)
}

/// Gives a recording that is not done its bytes again if they were lost.
async fn bring_back(
    house: &House,
    id: WorkId,
    file: &Path,
    before: Metadata,
) -> Result<(), NotTaken> {
    let view = house.service.ledger.view(id).await?;
    let unfinished = view.filter(|view| view.work.milestone != Stage::FINAL);
    let Some(original) = unfinished.map(|view| view.recording.given.original) else {
        return Ok(());
    };
    let original = original.as_str();
    if matches!(house.service.objects.local(original).await, Err(ObjectError::Missing)) {
        house.service.bring_back(original, bytes(file, before).await?).await?;
    }
    Ok(())
}

/// The file's bytes, which end with an error if it is no longer what it was.
async fn bytes(file: &Path, before: Metadata) -> Result<Bytestream<'static>, NotTaken> {
    let open = tokio::fs::File::open(file).await.map_err(|_| NotTaken::Unreadable)?;
    // The length is fixed before reading: a file that grows meanwhile must not be read for ever.
    let whole = file.to_owned();
    let bytes =
        ReaderStream::with_capacity(tokio::io::AsyncReadExt::take(open, before.len()), 1 << 20);
    let checked = bytes.chain(futures::stream::once(async move { unchanged(&whole, &before) }));
    let checked = checked.filter(|chunk| {
        let empty = chunk.as_ref().is_ok_and(bytes::Bytes::is_empty);
        futures::future::ready(!empty)
    });
    Ok(checked.boxed())
}

/// Ends the stream with an error if the file is not what it was.
fn unchanged(file: &Path, before: &Metadata) -> std::io::Result<bytes::Bytes> {
    let now = std::fs::metadata(file)?;
    if now.len() == before.len() && now.modified()? == before.modified()? {
        Ok(bytes::Bytes::new())
    } else {
        Err(std::io::ErrorKind::ResourceBusy.into())
    }
}

/// SHA-256 over the content and what is wished of it, with the model that would be used: after a
/// change of the settings the same file is another recording.
async fn handle(
    file: PathBuf,
    wished: [String; 2],
    shutdown: CancellationToken,
) -> Result<String, NotTaken> {
    let hashed = tokio::task::spawn_blocking(move || -> std::io::Result<String> {
        let mut from = std::fs::File::open(file)?;
        let mut hash = Sha256::new();
        let mut buffer = vec![0; 1 << 20];
        loop {
            if shutdown.is_cancelled() {
                return Err(std::io::ErrorKind::ConnectionAborted.into());
            }
            let n = from.read(&mut buffer)?;
            if n == 0 {
                break;
            }
            hash.update(&buffer[..n]);
        }
        for part in wished {
            // A length before each part keeps two different wishes from reading alike.
            hash.update(part.len().to_le_bytes());
            hash.update(part.as_bytes());
        }
        Ok(format!("cli:{}", base16ct::lower::encode_string(&hash.finalize())))
    });
    hashed.await.ok().and_then(Result::ok).ok_or(NotTaken::Unreadable)
}
