//! Standard input as a file, so that it can be hashed before it is taken in.

use std::io::Read;
use std::path::{Path, PathBuf};

use tokio_util::sync::CancellationToken;

use super::input::{NotTaken, too_large};
use crate::house::House;

/// A file in the making that goes with its owner. Left over, it goes at the next start.
pub(super) struct Spool(PathBuf);

impl Spool {
    /// Reads standard input to its end.
    pub(super) async fn fill(
        house: &House,
        shutdown: &CancellationToken,
    ) -> Result<Self, NotTaken> {
        let limit = house.service.largest_bytes;
        let spool = Self(house.service.objects.scratch());
        let (path, shutdown) = (spool.0.clone(), shutdown.clone());
        let copied = tokio::task::spawn_blocking(move || copy(&path, limit, &shutdown));
        match copied.await {
            Ok(Ok(size)) if size > limit => Err(too_large(limit)),
            Ok(Ok(_)) => Ok(spool),
            _ => Err(NotTaken::Unreadable),
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Spool {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Copies at most one byte more than the limit. A read that blocks is not interrupted; the process
/// ends over it.
fn copy(path: &Path, limit: u64, shutdown: &CancellationToken) -> std::io::Result<u64> {
    let mut to = std::fs::File::create(path)?;
    let mut from = std::io::stdin().lock().take(limit.saturating_add(1));
    let mut size = 0;
    loop {
        if shutdown.is_cancelled() {
            return Err(std::io::ErrorKind::ConnectionAborted.into());
        }
        match std::io::copy(&mut from.by_ref().take(1 << 20), &mut to)? {
            0 => return Ok(size),
            copied => size += copied,
        }
    }
}
