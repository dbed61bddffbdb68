//! Taking in a file from the command line.
//!
//! A file is recognised by its content and what is wished of it, so that the same command, run
//! again, goes on with the recording it handed in before.

use std::fmt::Write;
use std::fs::Metadata;
use std::io::Read;
use std::path::{Path, PathBuf};

use futures::StreamExt;
use sha2::{Digest, Sha256};
use tokio_util::io::ReaderStream;
use verst_kernel::{Failure, StoreError, WorkId};
use verst_recordings::codes;
use verst_recordings::model::Source;
use verst_recordings::ports::Wish;
use verst_service::{SubmitError, Upload};
use verst_words::Arg;

use crate::house::House;
use crate::inspect::clean;
use crate::tongue::Tongue;

/// Why a file was not taken in.
pub(crate) enum NotTaken {
    Unreadable,
    NotAFile,
    Refused(Failure),
}

impl NotTaken {
    pub(crate) fn sentence(&self, file: &Path, tongue: &Tongue) -> String {
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
        Self::Refused(error.failure())
    }
}

impl From<StoreError> for NotTaken {
    fn from(error: StoreError) -> Self {
        SubmitError::Store(error).into()
    }
}

/// Takes in one file, or finds the recording it became before. `-` is standard input.
pub(crate) async fn take_in(house: &House, file: &Path, wish: &Wish) -> Result<WorkId, NotTaken> {
    if file != Path::new("-") {
        let name = file.file_name().map(|name| name.to_string_lossy().into_owned());
        return take_in_file(house, file, name, wish).await;
    }
    let spool = house.service.objects.scratch();
    let taken = match spool_stdin(spool.clone(), house.service.largest_bytes).await {
        Ok(()) => take_in_file(house, &spool, Some("stdin".to_owned()), wish).await,
        Err(not_taken) => Err(not_taken),
    };
    // Left over, it goes at the next start.
    let _ = std::fs::remove_file(&spool);
    taken
}

async fn spool_stdin(spool: PathBuf, limit: u64) -> Result<(), NotTaken> {
    let copied = tokio::task::spawn_blocking(move || {
        let mut to = std::fs::File::create(spool)?;
        std::io::copy(&mut std::io::stdin().lock().take(limit.saturating_add(1)), &mut to)
    });
    match copied.await {
        Ok(Ok(size)) if size > limit => {
            let limit = i64::try_from(limit).unwrap_or(i64::MAX);
            Err(NotTaken::Refused(Failure::new(codes::TOO_LARGE).int("limit_bytes", limit)))
        }
        Ok(Ok(_)) => Ok(()),
        _ => Err(NotTaken::Unreadable),
    }
}

async fn take_in_file(
    house: &House,
    file: &Path,
    name: Option<String>,
    wish: &Wish,
) -> Result<WorkId, NotTaken> {
    let before = std::fs::metadata(file).map_err(|_| NotTaken::Unreadable)?;
    if !before.is_file() {
        return Err(NotTaken::NotAFile);
    }
    let key = key(file.to_owned(), wish.clone()).await?;
    if let Some(id) = house.service.recordings.by_original(format!("original/{key}")).await? {
        return Ok(id);
    }
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
    let upload = Upload {
        source: Source::Cli,
        reply_to: None,
        owner: None,
        name,
        wish: wish.clone(),
        key,
        bytes: checked.boxed(),
    };
    match house.service.submit(upload).await {
        Err(SubmitError::Objects(verst_recordings::ports::ObjectError::Source(error)))
            if error.kind() == std::io::ErrorKind::ResourceBusy =>
        {
            Err(NotTaken::Refused(Failure::new(codes::FILE_CHANGING)))
        }
        Err(error) => Err(error.into()),
        Ok(id) => Ok(id),
    }
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

/// SHA-256 over the content and the wish.
async fn key(file: PathBuf, wish: Wish) -> Result<String, NotTaken> {
    let hashed = tokio::task::spawn_blocking(move || -> std::io::Result<String> {
        let mut from = std::fs::File::open(file)?;
        let mut hash = Sha256::new();
        let mut buffer = vec![0; 1 << 20];
        loop {
            let n = from.read(&mut buffer)?;
            if n == 0 {
                break;
            }
            hash.update(&buffer[..n]);
        }
        for part in [wish.language, wish.model] {
            // A length before each part keeps two different wishes from reading alike.
            let part = part.unwrap_or_default();
            hash.update(part.len().to_le_bytes());
            hash.update(part.as_bytes());
        }
        let mut hex = String::new();
        for byte in hash.finalize() {
            let _ = write!(hex, "{byte:02x}");
        }
        Ok(hex)
    });
    hashed.await.ok().and_then(Result::ok).ok_or(NotTaken::Unreadable)
}
