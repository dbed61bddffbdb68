//! A library whose disk a test fills up, and clears.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use verst_adapters::library::Shelves;
use verst_downloads::ports::{Filed, Library, LibraryError, Placement};
use verst_kernel::Supervisor;

pub(crate) struct Crammed {
    pub(crate) shelves: Shelves,
    pub(crate) full: AtomicBool,
}

#[async_trait]
impl Library for Crammed {
    async fn place(
        &self,
        downloaded: PathBuf,
        plan: &[Placement],
        supervisor: &dyn Supervisor,
    ) -> Result<Filed, LibraryError> {
        if self.full.load(Ordering::SeqCst) {
            return Err(LibraryError::Full);
        }
        self.shelves.place(downloaded, plan, supervisor).await
    }

    async fn unplace(&self, downloaded: PathBuf, plan: &[Placement]) -> Result<u64, LibraryError> {
        self.shelves.unplace(downloaded, plan).await
    }

    async fn probe(&self, downloaded: PathBuf) -> Result<(), LibraryError> {
        self.shelves.probe(downloaded).await
    }
}
