//! A file's content: opened once, so that what is hashed is what is taken in.
//!
//! **Invariant:** only a regular file is read, never through a symbolic link, and never past the
//! length that it had when it was found.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::Path;

use futures::StreamExt;
use rustix::fs::{Mode, OFlags};
use sha2::{Digest, Sha256};
use tokio_util::io::ReaderStream;
use tokio_util::sync::CancellationToken;
use verst_recordings::ports::Bytestream;

use super::scan::Identity;

/// How much of the beginning is looked at.
const HEAD_BYTES: u64 = 4096;

/// An open file that is still what was found.
pub(super) struct Content {
    file: File,
    identity: Identity,
}

impl Content {
    /// Opens a file. [`io::ErrorKind::ResourceBusy`] if another has taken its place or it changed.
    pub(super) fn open(path: &Path, identity: Identity) -> io::Result<Self> {
        // A pipe that took the file's place would be waited for without an end.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = File::from(rustix::fs::open(path, flags, Mode::empty())?);
        let content = Self { file, identity };
        content.check()?;
        Ok(content)
    }

    /// The beginning, as long as is looked at.
    pub(super) fn head(&mut self) -> io::Result<Vec<u8>> {
        let mut head = Vec::new();
        self.file.by_ref().take(HEAD_BYTES).read_to_end(&mut head)?;
        self.file.rewind()?;
        Ok(head)
    }

    /// SHA-256 over the content, by which it is recognised under any name.
    pub(super) fn handle(&mut self, shutdown: &CancellationToken) -> io::Result<String> {
        let mut hash = Sha256::new();
        let mut buffer = vec![0; 1 << 20];
        let mut from = self.file.by_ref().take(self.identity.size_bytes);
        loop {
            if shutdown.is_cancelled() {
                return Err(io::ErrorKind::ConnectionAborted.into());
            }
            let count = from.read(&mut buffer)?;
            if count == 0 {
                break;
            }
            hash.update(&buffer[..count]);
        }
        self.check()?;
        self.file.rewind()?;
        Ok(format!("folder:{}", base16ct::lower::encode_string(&hash.finalize())))
    }

    /// The bytes, which end with an error if the file changed while they were read.
    pub(super) fn bytes(self) -> io::Result<Bytestream<'static>> {
        let (file, size) = (self.file.try_clone()?, self.identity.size_bytes);
        let reader = tokio::io::AsyncReadExt::take(tokio::fs::File::from_std(file), size);
        let end = futures::stream::once(async move { self.check() });
        let end = end.filter_map(|checked| futures::future::ready(checked.err().map(Err)));
        Ok(ReaderStream::with_capacity(reader, 1 << 20).chain(end).boxed())
    }

    fn check(&self) -> io::Result<()> {
        let meta = self.file.metadata()?;
        if meta.is_file() && Identity::of(&meta) == self.identity {
            return Ok(());
        }
        Err(io::ErrorKind::ResourceBusy.into())
    }
}
