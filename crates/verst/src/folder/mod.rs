//! The watched folder: what people put there is taken in, and answered there.
//!
//! A round looks at the whole folder. Events of the file system only make the next one come
//! sooner, so that a network share, which sends none, is served as well.
//!
//! **Invariant:** a round may be repeated, interrupted, or made by several hosts at once: content
//! is taken in once, whoever sees it and under whatever name.

mod beside;
mod content;
mod entrance;
mod moving;
mod names;
mod report;
mod scan;
mod settling;
mod take;
#[cfg(test)]
mod tests;
mod watch;
mod writers;

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio_util::sync::CancellationToken;
use tracing::{info, warn};
use verst_kernel::{Clock, Failure};
use verst_service::Service;
use verst_words::Arg;

use crate::settings::FolderSettings;
use crate::tongue::Tongue;
use scan::{Found, Identity, scan};
use settling::Settling;
use take::Dealt;

pub(crate) use entrance::FolderEntrance;
pub(crate) use watch::{check_place, watch};

/// Between two looks at a folder where nothing seems to happen.
const PERIOD: Duration = Duration::from_secs(30);

/// A folder and what is known of its files.
pub(crate) struct Folder<'a> {
    service: &'a Service,
    settings: &'a FolderSettings,
    tongue: &'a Tongue,
    clock: &'a dyn Clock,
    shutdown: CancellationToken,
    settling: Settling,
    /// Files that were dealt with and are still there.
    done: BTreeMap<PathBuf, Identity>,
    /// What was said already, so that it is not said at every round.
    gone: bool,
    unmovable: bool,
    unwritable: bool,
    waiting: Option<Failure>,
}

impl<'a> Folder<'a> {
    pub(crate) fn new(
        service: &'a Service,
        settings: &'a FolderSettings,
        tongue: &'a Tongue,
        clock: &'a dyn Clock,
        shutdown: CancellationToken,
    ) -> Self {
        Self {
            service,
            settings,
            tongue,
            clock,
            shutdown,
            settling: Settling::default(),
            done: BTreeMap::new(),
            gone: false,
            unmovable: false,
            unwritable: false,
            waiting: None,
        }
    }

    /// Looks at the folder and takes in what is ripe. Returns how long the next look may wait.
    pub(crate) async fn round(&mut self) -> Duration {
        let root = self.settings.root.clone();
        let scanned = tokio::task::spawn_blocking(move || scan(&root)).await;
        let found = match scanned {
            Ok(Ok(found)) => found,
            Ok(Err(error)) => {
                self.tell_gone(error.kind());
                return PERIOD;
            }
            Err(_) => return PERIOD,
        };
        self.tell_back();
        for file in self.ripe(found).await {
            if self.shutdown.is_cancelled() {
                break;
            }
            match self.take(&file).await {
                Dealt::Gone => self.settling.forget(&file.path),
                Dealt::Stays => {
                    self.settling.forget(&file.path);
                    self.done.insert(file.path, file.identity);
                }
                Dealt::Again => self.postpone(&file.path),
                Dealt::Waits(failure) => {
                    self.tell_waiting(failure);
                    return PERIOD;
                }
            }
            self.waiting = None;
        }
        self.settling.next(self.clock.now()).unwrap_or(PERIOD).min(PERIOD)
    }

    /// Of these files, those that have come to rest and that nobody writes to.
    async fn ripe(&mut self, found: Vec<Found>) -> Vec<Found> {
        let before = std::mem::take(&mut self.done);
        let (known, left): (Vec<Found>, Vec<Found>) =
            found.into_iter().partition(|file| before.get(&file.path) == Some(&file.identity));
        self.done = known.into_iter().map(|file| (file.path, file.identity)).collect();
        let mut ripe = self.settling.ripe(left, self.clock.now(), self.settings.settle);
        if ripe.is_empty() {
            return ripe;
        }
        let busy = tokio::task::spawn_blocking(writers::open_for_writing).await;
        let busy = busy.unwrap_or_default();
        let is_busy = |file: &Found| busy.contains(&file.node);
        for file in ripe.extract_if(.., |file| is_busy(file)) {
            self.postpone(&file.path);
        }
        ripe
    }

    fn postpone(&mut self, path: &Path) {
        let later = self.settings.settle.clamp(Duration::from_secs(1), settling::LONGEST);
        self.settling.postpone(path, self.clock.now().after(later));
    }

    fn tell_gone(&mut self, failure: ErrorKind) {
        if !std::mem::replace(&mut self.gone, true) {
            warn!(%failure, "the watched folder is not there; it is looked for again");
            self.say("folder-gone");
        }
    }

    fn tell_back(&mut self) {
        if std::mem::take(&mut self.gone) {
            info!("the watched folder is there again");
            self.say("folder-back");
        }
    }

    fn tell_unmovable(&mut self, failure: ErrorKind) {
        if !std::mem::replace(&mut self.unmovable, true) {
            warn!(%failure, "files of the watched folder cannot be moved; they stay");
            self.say("folder-unmovable");
        }
    }

    fn tell_unwritable(&mut self, failure: ErrorKind) {
        if !std::mem::replace(&mut self.unwritable, true) {
            warn!(%failure, "nothing can be written into the watched folder");
            self.say("folder-unwritable");
        }
    }

    fn tell_waiting(&mut self, failure: Failure) {
        if self.waiting.as_ref() != Some(&failure) {
            warn!(%failure, "files in the watched folder wait");
            let reason = self.tongue.failure(&failure);
            let folder = self.settings.root.display().to_string();
            let args = [("folder", Arg::Text(&folder)), ("reason", Arg::Text(&reason))];
            self.tongue.err(&self.tongue.say("folder-waiting", &args));
            self.waiting = Some(failure);
        }
    }

    fn say(&self, key: &str) {
        let folder = self.settings.root.display().to_string();
        self.tongue.err(&self.tongue.say(key, &[("folder", Arg::Text(&folder))]));
    }
}
