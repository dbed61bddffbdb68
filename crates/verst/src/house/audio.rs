//! Where audio lies: in the data directory, in a directory that hosts share, or in a bucket.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use verst_adapters::data_dir::DataDir;
use verst_adapters::objects::{LocalObjects, RemoteObjects, bucket};
use verst_kernel::{Clock, Failure};
use verst_recordings::codes;
use verst_recordings::ports::{ObjectError, Objects, RecordingStore};

use crate::refusal::Refusal;
use crate::settings::{ObjectsAt, Settings};
use verst_service::causes;

/// The place, opened.
pub(crate) struct Audio {
    pub(crate) objects: Arc<dyn Objects>,
    /// As it is shown to people.
    pub(crate) shown: String,
    /// Whether it is the data directory's own, which no other installation can mean.
    own: bool,
    /// It, if it is one of this machine.
    directory: Option<PathBuf>,
}

impl Audio {
    /// Asks nothing of a bucket yet.
    pub(crate) fn open(
        settings: &Settings,
        dir: &DataDir,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, Refusal> {
        match settings.objects_at() {
            ObjectsAt::DataDir => Self::files(&dir.objects(), dir, clock, true),
            ObjectsAt::Directory(path) => {
                if !path.is_absolute() || !path.is_dir() {
                    return Err(unusable(&path, "not the absolute path of a directory"));
                }
                Self::files(&path, dir, clock, false)
            }
            ObjectsAt::Bucket(address, credentials) => {
                let store = bucket(&address, credentials)
                    .map_err(|error| unusable(Path::new(&address), &causes(&error)))?;
                let objects = Arc::new(RemoteObjects::new(store, dir.scratch(), clock));
                Ok(Self { objects, shown: address, own: false, directory: None })
            }
        }
    }

    fn files(
        root: &Path,
        dir: &DataDir,
        clock: Arc<dyn Clock>,
        own: bool,
    ) -> Result<Self, Refusal> {
        let files = LocalObjects::new(root, dir.scratch(), clock)
            .map_err(|_| Refusal::Needed(Failure::new(codes::OBJECTS_FAILED)))?;
        let (shown, directory) = (root.display().to_string(), Some(root.to_owned()));
        Ok(Self { objects: Arc::new(files), shown, own, directory })
    }

    /// Sees that the audio which the database's rows name lies here: not with another host, and
    /// not where the setting led before it was changed.
    pub(crate) async fn belongs_to(&self, database: &dyn RecordingStore) -> Result<(), Refusal> {
        if !self.own {
            let found = self.objects.find_home().await.map_err(|error| self.trouble(&error))?;
            if found.is_some() && !is_bound(database).await? {
                // Two databases in one place: each would clear away what the other's rows name.
                let objects = vec![("objects", self.shown.clone())];
                return Err(Refusal::Setup("cli-objects-taken", objects));
            }
        }
        self.bind(database).await
    }

    /// The directories that audio is read in: where it lies, or where it is downloaded to.
    pub(crate) fn near(&self, dir: &DataDir) -> Vec<PathBuf> {
        self.directory.iter().cloned().chain([dir.scratch()]).collect()
    }

    /// Whether it is the data directory's own.
    pub(crate) fn is_own(&self) -> bool {
        self.own
    }

    fn trouble(&self, error: &ObjectError) -> Refusal {
        unusable(Path::new(&self.shown), &causes(error))
    }

    /// Binds a database to the audio that is here, and sees that it is not bound elsewhere.
    pub(crate) async fn bind(&self, database: &dyn RecordingStore) -> Result<(), Refusal> {
        let here = self.objects.home().await.map_err(|error| self.trouble(&error))?;
        let meant = database.bind_objects(here.clone()).await?;
        if here == meant {
            return Ok(());
        }
        let args = vec![("objects", self.shown.clone()), ("home", meant)];
        Err(Refusal::Setup("cli-objects-elsewhere", args))
    }
}

fn unusable(place: &Path, cause: &str) -> Refusal {
    let args = vec![("objects", place.display().to_string()), ("cause", cause.to_owned())];
    Refusal::Setup("cli-objects-unusable", args)
}

/// Whether a database has its place. Another host may be about to give it one.
async fn is_bound(database: &dyn RecordingStore) -> Result<bool, Refusal> {
    for _ in 0..3 {
        if database.bound_objects().await?.is_some() {
            return Ok(true);
        }
        tokio::time::sleep(Duration::from_millis(300)).await;
    }
    Ok(false)
}
