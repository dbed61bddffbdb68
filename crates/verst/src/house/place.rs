//! Where an installation is, and who may work there.

use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::time::{Instant, sleep};
use verst_adapters::data_dir::{DataDir, DataDirError};

use crate::cli::Place;
use crate::refusal::Refusal;
use crate::settings::{Loaded, Settings};

/// A visitor holds the directory for as long as it takes to open a file. A worker that comes
/// meanwhile waits for that.
pub(crate) const OPENING: Duration = Duration::from_secs(3);

/// Whether a data directory that is not there is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IfMissing {
    Make,
    Refuse,
}

/// The data directory that is meant.
pub(crate) fn data_path(place: &Place) -> PathBuf {
    let var = |name| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    place.data.clone().unwrap_or_else(|| {
        let share = var("XDG_DATA_HOME")
            .or_else(|| var("HOME").map(|home| home.join(".local/share")))
            .unwrap_or_else(|| PathBuf::from("."));
        share.join("verst")
    })
}

/// The settings file that is meant.
pub(crate) fn settings_file(place: &Place) -> PathBuf {
    place.config.clone().unwrap_or_else(|| data_path(place).join("verst.toml"))
}

/// The settings that hold for this place, with their sources.
pub(crate) fn loaded(place: &Place) -> Result<Loaded, Refusal> {
    let file = settings_file(place);
    Settings::read(&file, place.config.is_some()).map_err(|cause| Refusal::Settings(file, cause))
}

/// The settings that hold for this place.
pub(crate) fn settings(place: &Place) -> Result<Settings, Refusal> {
    loaded(place).map(|loaded| loaded.settings)
}

/// Locks the directory for this process to work in. [`Refusal::Data`] with
/// [`DataDirError::Held`] when another holds it for longer than `patience`.
pub(crate) async fn work_in(
    path: &Path,
    missing: IfMissing,
    patience: Duration,
) -> Result<DataDir, Refusal> {
    once_free(path, patience, || match missing {
        IfMissing::Make => DataDir::open_or_create(path),
        IfMissing::Refuse => DataDir::open(path),
    })
    .await
}

/// Comes in beside whoever works there. Who has just begun to is waited for.
pub(crate) async fn visit(path: &Path, missing: IfMissing) -> Result<DataDir, Refusal> {
    once_free(path, OPENING, || DataDir::visit(path, missing == IfMissing::Make)).await
}

/// Tries until nobody is in the way.
async fn once_free(
    path: &Path,
    patience: Duration,
    enter: impl Fn() -> Result<DataDir, DataDirError>,
) -> Result<DataDir, Refusal> {
    let begun = Instant::now();
    loop {
        match enter() {
            Err(DataDirError::Held { .. }) if begun.elapsed() < patience => {
                sleep(Duration::from_millis(50)).await;
            }
            entered => return entered.map_err(|error| Refusal::Data(path.to_owned(), error)),
        }
    }
}
