//! Small things around the steps.

use std::path::PathBuf;
use std::time::Duration;

use async_trait::async_trait;
use verst_kernel::{Notice, Timestamp};

/// Passes on, after the commit, what a watch has to tell. Whoever is told runs apart from the watch,
/// which waits for nobody.
pub trait Announce: Send + Sync {
    /// Takes a notice to be told.
    fn announce(&self, notice: Notice);

    /// Takes that a look came to its end, for whoever counts.
    fn looked(&self, at: Timestamp);
}

/// Waits between two looks at what a client was asked to do.
#[async_trait]
pub trait Pauses: Send + Sync {
    /// Returns after so long.
    async fn pause(&self, length: Duration);
}

/// Where work of the processor is done that takes seconds: apart from whatever must not wait.
#[async_trait]
pub trait Bench: Send + Sync {
    /// Does it, to its end. A panic in it goes on to whoever asked.
    async fn work(&self, work: Box<dyn FnOnce() + Send>);
}

/// Where what the client calls a directory lies on this machine.
pub trait Places: Send + Sync {
    /// The directory here, if there is one.
    fn local(&self, remote: &str) -> Option<PathBuf>;
}
