//! Rounds for as long as the service works: soon after something happened in the folder, and now
//! and then when nothing seems to.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use notify::event::{AccessKind, AccessMode};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use tokio::sync::Notify;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tracing::debug;
use verst_adapters::clock::SystemClock;

use super::{Folder, PERIOD};
use crate::house::House;
use crate::refusal::Refusal;
use crate::settings::{FolderSettings, ObjectsAt, Settings};
use crate::tongue::Tongue;

/// Between two rounds, however much happens: a file that grows makes an event with every piece.
const BREATH: Duration = Duration::from_secs(1);

/// Watches the folder of the settings. Never returns; without a folder it waits.
pub(crate) async fn watch(
    house: &House,
    settings: Option<&FolderSettings>,
    tongue: &Tongue,
    shutdown: &CancellationToken,
) {
    let Some(settings) = settings else { return std::future::pending().await };
    let mut folder = Folder::new(&house.service, settings, tongue, &SystemClock, shutdown.clone());
    let happened = Arc::new(Notify::new());
    let mut watcher = None;
    loop {
        // A folder that went and came back has to be watched anew; so has one that was not there.
        if watcher.is_none() || folder.gone {
            watcher = watcher_of(&settings.root, &happened);
        }
        let wait = folder.round().await;
        sleep(BREATH).await;
        // Whichever comes first; the time alone is reason enough to look.
        let _ = timeout(wait.saturating_sub(BREATH).min(PERIOD), happened.notified()).await;
    }
}

/// Refuses a folder in which Verst keeps its own files, or that lies among them: it would take in
/// what it has taken in.
pub(crate) fn check_place(
    data: &Path,
    settings: &Settings,
    watched: &FolderSettings,
) -> Result<(), Refusal> {
    let mut own = vec![data.to_owned()];
    if let ObjectsAt::Directory(path) = settings.objects_at() {
        own.push(path);
    }
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let folder = real(&watched.root);
    let inside = |own: &Path| folder.starts_with(own) || own.starts_with(&folder);
    match own.iter().find(|own| inside(&real(own))) {
        Some(own) => {
            let args = vec![
                ("folder", watched.root.display().to_string()),
                ("own", own.display().to_string()),
            ];
            Err(Refusal::Setup("folder-inside", args))
        }
        None => Ok(()),
    }
}

/// Tells when something happens below the folder. Where the system does not (a network share, too
/// many directories), rounds come by time alone.
fn watcher_of(root: &Path, happened: &Arc<Notify>) -> Option<RecommendedWatcher> {
    let happened = Arc::clone(happened);
    let made = notify::recommended_watcher(move |event: notify::Result<Event>| {
        // Looking is an event too, and would make the next look come at once.
        let looked = event.is_ok_and(|event| {
            let written = EventKind::Access(AccessKind::Close(AccessMode::Write));
            event.kind.is_access() && event.kind != written
        });
        if !looked {
            happened.notify_one();
        }
    });
    let watched = made.and_then(|mut watcher| {
        watcher.watch(root, RecursiveMode::Recursive)?;
        Ok(watcher)
    });
    watched.inspect_err(|failure| debug!(kind = ?failure.kind, "no events of the folder")).ok()
}
