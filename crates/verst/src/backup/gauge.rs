//! How far it is, and whether it is to go on: passed to whatever moves bytes.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use indicatif::{ProgressBar, ProgressStyle};
use sha2::{Digest, Sha256};
use tokio_util::sync::CancellationToken;
use verst_adapters::disk;

use super::broken::Broken;
use super::manifest::Seal;

/// Space that is to stay free.
const MARGIN: u64 = 64 << 20;

/// Shared by everything that moves bytes for one command.
#[derive(Clone)]
pub(super) struct Gauge {
    bar: ProgressBar,
    shutdown: CancellationToken,
}

impl Gauge {
    /// Shows itself on a terminal and nowhere else.
    pub(super) fn new(shutdown: CancellationToken) -> Self {
        let style = ProgressStyle::with_template(
            "{msg} {wide_bar} {binary_bytes}/{binary_total_bytes} {eta}",
        );
        let bar = ProgressBar::new(0);
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self { bar, shutdown }
    }

    /// Begins something of about so many bytes.
    pub(super) fn begin(&self, what: String, bytes: u64) {
        self.bar.reset();
        self.bar.set_length(bytes);
        self.bar.set_message(what);
    }

    /// Moves on, unless a signal came.
    pub(super) fn moved(&self, bytes: u64) -> Result<(), Broken> {
        self.bar.inc(bytes);
        if self.shutdown.is_cancelled() { Err(Broken::Interrupted) } else { Ok(()) }
    }

    /// What an error of a stream means that this gauge may have ended.
    pub(super) fn meant(&self, error: io::Error) -> Broken {
        if self.shutdown.is_cancelled() { Broken::Interrupted } else { Broken::Io(error) }
    }

    pub(super) fn end(&self) {
        self.bar.finish_and_clear();
    }
}

/// Counts and hashes what is read.
pub(super) struct Sealing<R> {
    inner: R,
    gauge: Gauge,
    hash: Sha256,
    size: u64,
}

impl<R: Read> Sealing<R> {
    pub(super) fn new(inner: R, gauge: Gauge) -> Self {
        Self { inner, gauge, hash: Sha256::new(), size: 0 }
    }

    pub(super) fn seal(self) -> Seal {
        Seal { size: self.size, sha256: base16ct::lower::encode_string(&self.hash.finalize()) }
    }
}

impl<R: Read> Read for Sealing<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        let bytes = u64::try_from(read).unwrap_or(0);
        self.gauge.moved(bytes).map_err(|_| io::Error::other("interrupted"))?;
        self.hash.update(&buffer[..read]);
        self.size += bytes;
        Ok(read)
    }
}

pub(super) fn sha256(bytes: &[u8]) -> String {
    base16ct::lower::encode_string(&Sha256::digest(bytes))
}

/// Sees that there is room for so many bytes where a file or a directory is.
pub(super) fn room(place: &Path, bytes: u64) -> Result<(), Broken> {
    let Some(free) = disk::free(place) else { return Ok(()) };
    let needed = bytes.saturating_add(MARGIN);
    if free.bytes < needed { Err(Broken::NoSpace(needed, free.bytes)) } else { Ok(()) }
}

/// The size of a file; none if it is not there.
pub(super) fn size_of(file: &Path) -> u64 {
    File::open(file).and_then(|file| file.metadata()).map_or(0, |metadata| metadata.len())
}
