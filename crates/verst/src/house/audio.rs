//! Where audio lies: in the data directory, in a directory that hosts share, or in a bucket.

use std::path::Path;
use std::sync::Arc;

use verst_adapters::data_dir::DataDir;
use verst_adapters::objects::{LocalObjects, RemoteObjects, bucket};
use verst_kernel::{Clock, Failure};
use verst_recordings::codes;
use verst_recordings::ports::{ObjectError, Objects, RecordingStore};

use crate::refusal::{Refusal, chain};
use crate::settings::{ObjectsAt, Settings};

/// The place, opened.
pub(crate) struct Audio {
    pub(crate) objects: Arc<dyn Objects>,
    /// As it is shown to people.
    pub(crate) shown: String,
}

impl Audio {
    /// Asks nothing of a bucket yet.
    pub(crate) fn open(
        settings: &Settings,
        dir: &DataDir,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, Refusal> {
        match settings.objects_at() {
            ObjectsAt::DataDir => Self::files(&dir.objects(), dir, clock),
            ObjectsAt::Directory(path) => {
                if !path.is_absolute() || !path.is_dir() {
                    return Err(unusable(&path, "not the absolute path of a directory"));
                }
                Self::files(&path, dir, clock)
            }
            ObjectsAt::Bucket(address, credentials) => {
                let store = bucket(&address, credentials)
                    .map_err(|error| unusable(Path::new(&address), &chain(&error)))?;
                let objects = Arc::new(RemoteObjects::new(store, dir.scratch(), clock));
                Ok(Self { objects, shown: address })
            }
        }
    }

    fn files(root: &Path, dir: &DataDir, clock: Arc<dyn Clock>) -> Result<Self, Refusal> {
        let files = LocalObjects::new(root, dir.scratch(), clock)
            .map_err(|_| Refusal::Needed(Failure::new(codes::OBJECTS_FAILED)))?;
        Ok(Self { objects: Arc::new(files), shown: root.display().to_string() })
    }

    /// The place, as it is shown to people.
    pub(crate) fn shown(&self) -> &str {
        &self.shown
    }

    /// Sees that the audio which the database's rows name lies here: not with another host, and
    /// not where the setting led before it was changed.
    pub(crate) async fn belongs_to(&self, database: &dyn RecordingStore) -> Result<(), Refusal> {
        let trouble = |error: ObjectError| unusable(Path::new(&self.shown), &chain(&error));
        let here = self.objects.home().await.map_err(trouble)?;
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
