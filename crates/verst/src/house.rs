//! The wiring: one data directory, its store, the road, the runtime. The only place that knows
//! which adapter stands behind which port.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use verst_adapters::aftermath::RuntimeAftermath;
use verst_adapters::clock::SystemClock;
use verst_adapters::data_dir::DataDir;
use verst_adapters::engine::{EmbeddedRecogniser, EngineConfig};
use verst_adapters::ffmpeg::{Ffmpeg, MediaLimits};
use verst_adapters::meter::Metrics;
use verst_adapters::objects::LocalObjects;
use verst_kernel::{Clock, Failure, Herald};
use verst_recordings::model::Product;
use verst_recordings::ports::{Media, Objects, Recogniser};
use verst_recordings::{LINE, Recordings, codes};
use verst_runtime::{Ailing, Alarm, Pulse, Running, Runtime};
use verst_service::{Entrance, Post, Service};
use verst_store::{Postgres, Sqlite, Store};

use crate::cli::Place;
use crate::models;
use crate::refusal::Refusal;
use crate::settings::Settings;

/// A slice of 29 s takes seconds, also on slow machines; silence for this long is a fault.
const ENGINE_ANSWER: Duration = Duration::from_mins(5);

/// An installation, locked to this process.
pub(crate) struct House {
    pub(crate) service: Service,
    pub(crate) runtime: Arc<Runtime<Product>>,
    pub(crate) settings: Settings,
    pub(crate) media: Arc<dyn Media>,
    pub(crate) recogniser: Arc<dyn Recogniser>,
    pub(crate) path: PathBuf,
    /// Holds the lock.
    _dir: DataDir,
}

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

/// The settings that hold for this place.
pub(crate) fn settings(place: &Place) -> Result<Settings, Refusal> {
    let default = data_path(place).join("verst.toml");
    let file = place.config.clone().unwrap_or(default);
    Settings::read(&file, place.config.is_some()).map_err(|cause| Refusal::Settings(file, cause))
}

/// The embedded recogniser as the settings describe it.
pub(crate) fn recogniser(settings: &Settings) -> Result<EmbeddedRecogniser, Refusal> {
    let program = std::env::current_exe()
        .map_err(|_| Refusal::Needed(Failure::new(codes::ENGINE_UNAVAILABLE)))?;
    let models = models::directory(settings.models());
    let (vad, model) = (models.join(models::VAD.name), models.join(settings.model()));
    Ok(EmbeddedRecogniser::new(EngineConfig {
        command: program,
        args: vec!["engine".into()],
        vad_sha256: models::sha256_of(&vad),
        vad,
        model_sha256: models::sha256_of(&model),
        model,
        models,
        threads: settings.threads(),
        idle: settings.engine_idle(),
        answer_timeout: ENGINE_ANSWER,
        memory_limit_bytes: settings.engine_memory(),
    }))
}

/// FFmpeg under the limits that the road's lease was computed with.
pub(crate) fn media() -> Ffmpeg {
    Ffmpeg::new(MediaLimits::default())
}

impl House {
    /// Locks and opens an installation and takes back what its former run left behind.
    pub(crate) async fn open(
        place: &Place,
        missing: IfMissing,
        entrance: Arc<dyn Entrance>,
    ) -> Result<Self, Refusal> {
        let path = data_path(place);
        let settings = settings(place)?;
        let dir = match missing {
            IfMissing::Make => DataDir::open_or_create(&path),
            IfMissing::Refuse => DataDir::open(&path),
        }
        .map_err(|error| Refusal::Data(path.clone(), error))?;
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let stages = LINE.stages();
        let durability = settings.durability();
        let store: Arc<dyn Store> = match settings.database() {
            Some(server) => Arc::new(
                Postgres::open(server, durability, &stages).await.map_err(Refusal::Server)?,
            ),
            None => Arc::new(
                Sqlite::open(&dir.database(), durability, clock.clone(), &stages)
                    .map_err(|error| Refusal::Database(path.clone(), error))?,
            ),
        };
        let objects: Arc<dyn Objects> = Arc::new(
            LocalObjects::new(&dir.objects(), dir.scratch(), clock.clone())
                .map_err(|_| Refusal::Needed(Failure::new(codes::OBJECTS_FAILED)))?,
        );
        let media: Arc<dyn Media> = Arc::new(media());
        let recogniser: Arc<dyn Recogniser> = Arc::new(recogniser(&settings)?);
        let road = Recordings {
            store: store.clone(),
            objects: objects.clone(),
            media: media.clone(),
            recognisers: vec![recogniser.clone()],
            keep_originals: settings.keep_originals(),
        };
        let herald: Arc<dyn Herald> =
            Arc::new(Post { recordings: store.clone(), entrances: vec![entrance] });
        let runtime = Arc::new(Runtime {
            queue: store.clone(),
            roads: vec![Arc::new(road)],
            herald,
            meter: Arc::new(Metrics),
            limits: settings.limits(),
            instance: dir.instance().clone(),
            pulse: Pulse::starting(store.now().await?),
            grace: settings.shutdown_grace(),
            running: Running::default(),
            alarm: Alarm::default(),
            ailing: Ailing::default(),
        });
        let service = Service {
            queue: store.clone(),
            recordings: store.clone(),
            ledger: store,
            objects,
            media: media.clone(),
            aftermath: Arc::new(RuntimeAftermath(runtime.clone())),
            instance: dir.instance().clone(),
            largest_bytes: settings.largest_bytes(),
        };
        runtime.recover().await?;
        Ok(Self { service, runtime, settings, media, recogniser, path, _dir: dir })
    }
}
