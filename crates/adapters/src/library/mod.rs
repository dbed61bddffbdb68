//! The media library: a directory of links to what was downloaded.
//!
//! It works on a thread of its own and never follows a symbolic link, neither in a download nor in the
//! library. It refuses to replace anything, and to make the library itself.
//!
//! **Invariant:** a plan is carried out as a whole or not at all; only a process that is killed leaves
//! a part, which the next run completes.

mod beneath;
mod copy;
mod order;
mod part;
mod place;
mod probe;
mod run;
mod same;
#[cfg(test)]
mod tests;
mod trouble;
mod unplace;

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use tokio::task::{JoinHandle, spawn_blocking};
use verst_downloads::layout::Roots;
use verst_downloads::ports::{Filed, Library, LibraryError, Link, Placement};
use verst_kernel::Supervisor;

use self::run::Run;
use crate::unsupervised::Unsupervised;

/// A library in a directory.
pub struct Shelves {
    root: PathBuf,
    roots: Roots,
    link: Link,
}

impl Shelves {
    /// `root` is there whenever something is placed; `roots` are the directories below it that stay
    /// when they are empty.
    pub fn new(root: PathBuf, roots: Roots, link: Link) -> Self {
        Self { root, roots, link }
    }
}

/// Ends the work of a future that is dropped.
struct Ending(Arc<Run>);

impl Drop for Ending {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// Waits for work and passes on what is said meanwhile, in both directions.
async fn attend<T>(
    run: Arc<Run>,
    mut work: JoinHandle<Result<T, LibraryError>>,
    supervisor: &dyn Supervisor,
) -> Result<T, LibraryError> {
    let mut progress = run.progress();
    let ending = Ending(run);
    let mut interruption = supervisor.interruption();
    let mut asked = false;
    loop {
        tokio::select! {
            done = &mut work => {
                return done.map_err(|error| LibraryError::Failed(io::Error::other(error)))?;
            }
            () = &mut interruption, if !asked => {
                asked = true;
                ending.0.end();
            }
            Ok(()) = progress.changed() => {
                let fraction = *progress.borrow_and_update();
                supervisor.progress(fraction);
            }
        }
    }
}

#[async_trait]
impl Library for Shelves {
    async fn place(
        &self,
        downloaded: PathBuf,
        plan: &[Placement],
        supervisor: &dyn Supervisor,
    ) -> Result<Filed, LibraryError> {
        let (root, link, plan) = (self.root.clone(), self.link, plan.to_vec());
        let run = Arc::new(Run::new());
        let watched = Arc::clone(&run);
        let work = spawn_blocking(move || place::place(&root, &downloaded, link, &plan, &run));
        attend(watched, work, supervisor).await
    }

    async fn unplace(&self, downloaded: PathBuf, plan: &[Placement]) -> Result<u64, LibraryError> {
        let (root, roots, link) = (self.root.clone(), self.roots.clone(), self.link);
        let plan = plan.to_vec();
        let run = Arc::new(Run::new());
        let watched = Arc::clone(&run);
        let work =
            spawn_blocking(move || unplace::unplace(&root, &downloaded, &roots, link, &plan, &run));
        attend(watched, work, &Unsupervised).await
    }

    async fn probe(&self, downloaded: PathBuf) -> Result<(), LibraryError> {
        let (root, roots, link) = (self.root.clone(), self.roots.clone(), self.link);
        let run = Arc::new(Run::new());
        let watched = Arc::clone(&run);
        let work = spawn_blocking(move || probe::probe(&root, &downloaded, &roots, link, &run));
        attend(watched, work, &Unsupervised).await
    }
}
