//! The bytes of a file that somebody sent: from Telegram's server, or from the disk where a server on
//! this machine puts them.
//!
//! **Invariant:** a path that a server names is opened only beneath the directory that the owner set,
//! whatever links lie there, and only if it is a plain file.

use std::io;
use std::path::Path;

use bytes::Bytes;
use frankenstein::methods::GetFileParams;
use frankenstein::types::File;
use futures::{StreamExt, stream};
use thiserror::Error;
use tokio_util::io::ReaderStream;
use verst_service::Bytestream;

use super::{Api, ApiError, PATIENCE};

/// Why a file did not come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(crate) enum FileError {
    /// A call.
    #[error(transparent)]
    Api(#[from] ApiError),
    /// It lies where nobody said that files may be read.
    #[error("the file is not in the directory that is set")]
    Outside,
    /// It is not there.
    #[error("the file cannot be read")]
    Unreadable,
}

impl Api {
    /// The bytes of a file, as they are read. `files` is where a server on this machine puts them.
    pub(crate) async fn file(
        &self,
        id: &str,
        files: Option<&Path>,
    ) -> Result<Bytestream<'static>, FileError> {
        let params = GetFileParams::builder().file_id(id).build();
        let file: File = self.call("getFile", &params, PATIENCE).await?;
        let path = file.file_path.ok_or(ApiError::Unexpected)?;
        if path.starts_with('/') {
            let files = files.ok_or(FileError::Outside)?;
            return open(files, Path::new(&path)).await;
        }
        let plain = |part: &str| !part.is_empty() && part != "." && part != "..";
        if !path.split('/').all(plain) || path.contains(['?', '#', '\\', '%']) {
            return Err(ApiError::Unexpected.into());
        }
        let address = format!("{}/file/bot{}/{path}", self.base, self.token.secret());
        let asked = self.client.get(address).send();
        let response = tokio::time::timeout(PATIENCE, asked).await;
        let response = response.ok().and_then(Result::ok).ok_or(ApiError::Unreachable)?;
        match response.status().as_u16() {
            200 => {}
            status @ 500.. => return Err(ApiError::Server(status).into()),
            status => return Err(ApiError::Refused(status).into()),
        }
        let bytes = response.bytes_stream().map(|piece: reqwest::Result<Bytes>| {
            // The client's errors name the address.
            piece.map_err(|_| io::Error::from(io::ErrorKind::ConnectionAborted))
        });
        Ok(bytes.boxed())
    }
}

async fn open(files: &Path, path: &Path) -> Result<Bytestream<'static>, FileError> {
    let root = tokio::fs::canonicalize(files).await.map_err(|_| FileError::Outside)?;
    let found = tokio::fs::canonicalize(path).await.map_err(|_| FileError::Unreadable)?;
    if !found.starts_with(&root) {
        return Err(FileError::Outside);
    }
    let about = tokio::fs::metadata(&found).await.map_err(|_| FileError::Unreadable)?;
    if !about.is_file() {
        return Err(FileError::Unreadable);
    }
    let file = tokio::fs::File::open(&found).await.map_err(|_| FileError::Unreadable)?;
    Ok(ReaderStream::with_capacity(file, 64 * 1024).boxed())
}

/// A stream with what was read from it already put back before it.
pub(crate) fn again(head: Vec<u8>, rest: Bytestream<'static>) -> Bytestream<'static> {
    stream::iter([Ok(Bytes::from(head))]).chain(rest).boxed()
}
