//! The wiring: one data directory, its store, the road, the runtime. The only place that knows
//! which adapter stands behind which port.

mod audio;
mod database;
mod downloads;
mod place;
mod renewal;
mod telegram;
mod telling;
mod torrents;
mod web;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio_util::task::AbortOnDropHandle;
use verst_adapters::aftermath::RuntimeAftermath;
use verst_adapters::clock::SystemClock;
use verst_adapters::confine::Confinement;
use verst_adapters::data_dir::{DataDir, DataDirError};
use verst_adapters::engine::{EmbeddedRecogniser, EngineConfig};
use verst_adapters::ffmpeg::{Ffmpeg, MediaLimits};
use verst_adapters::meter::Metrics;
use verst_adapters::openai::OpenAiRecogniser;
use verst_adapters::outward::Outward;
use verst_adapters::passwords::Argon2id;
use verst_adapters::random::SystemRandom;
use verst_kernel::{Clock, Failure, Road, widen};
use verst_recordings::ports::{Media, Recogniser};
use verst_recordings::{Recordings, codes};
use verst_runtime::{Ailing, Alarm, Pulse, Running, Runtime};
use verst_service::{Chats, DownloadService, Entrance, Product, Service, TORRENT_CLIENT};
use verst_telegram::Bot;

pub(crate) use audio::Audio;
pub(crate) use database::Database;
pub(crate) use downloads::{client, shelves};
pub(crate) use place::{
    IfMissing, OPENING, data_path, loaded, settings, settings_file, visit, work_in,
};

use crate::cli::Place;
use crate::models::{self, Shelf};
use crate::refusal::Refusal;
use crate::settings::{Chosen, Settings};
use crate::tongue::Tongue;
use crate::webhook::Teller;
use downloads::{Faced, SecondRoad};
use telling::Telling;

/// A slice of 29 s takes seconds, also on slow machines; silence for this long is a fault.
const ENGINE_ANSWER: Duration = Duration::from_mins(5);

/// An installation with everything wired.
pub(crate) struct House {
    pub(crate) service: Arc<Service>,
    /// The use cases of downloads; `None` where no torrent client is set.
    pub(crate) downloads: Faced,
    /// The bot, which works where somebody runs it.
    pub(crate) bot: Option<Arc<Bot>>,
    /// What is known of its chats.
    pub(crate) chats: Arc<dyn Chats>,
    pub(crate) runtime: Arc<Runtime<Product>>,
    pub(crate) settings: Settings,
    pub(crate) media: Arc<dyn Media>,
    pub(crate) recogniser: Arc<dyn Recogniser>,
    teller: Option<Arc<Teller>>,
    /// What is written unasked is written in this language.
    pub(crate) tongue: Tongue,
    pub(crate) path: PathBuf,
    outward: Arc<Outward>,
    audio: Audio,
    dir: DataDir,
    /// What goes on beside the work; who only looks in has nothing of it.
    beside: Vec<AbortOnDropHandle<()>>,
}

/// The embedded recogniser as the settings describe it. It reads audio in these directories.
pub(crate) fn recogniser(
    settings: &Settings,
    shelf: &Shelf,
    audio: Vec<PathBuf>,
) -> Result<EmbeddedRecogniser, Refusal> {
    let program = std::env::current_exe()
        .map_err(|_| Refusal::Needed(Failure::new(codes::ENGINE_UNAVAILABLE)))?;
    let vad = models::named(models::VAD);
    Ok(EmbeddedRecogniser::new(EngineConfig {
        command: program,
        args: vec!["engine".into()],
        models: shelf.config(settings),
        audio,
        vad: shelf.file(models::VAD),
        vad_sha256: vad.and_then(|vad| vad.sha256.clone()),
        threads: settings.threads(),
        idle: settings.engine_idle(),
        answer_timeout: ENGINE_ANSWER,
        memory_limit_bytes: settings.engine_memory(),
        confinement: confinement(settings),
    }))
}

/// The recogniser at a server, as the settings describe it. Its files lie in `scratch`.
pub(crate) fn openai(settings: &Settings, scratch: PathBuf) -> OpenAiRecogniser {
    OpenAiRecogniser::new(settings.openai(scratch), media(settings))
}

/// All recognisers. The chosen one is the first and gets new recordings; the other goes on with
/// those that were begun with it.
fn recognisers(
    settings: &Settings,
    dir: &DataDir,
    shelf: &Shelf,
    audio: Vec<PathBuf>,
) -> Result<Vec<Arc<dyn Recogniser>>, Refusal> {
    let engine: Arc<dyn Recogniser> = Arc::new(recogniser(settings, shelf, audio)?);
    let openai: Arc<dyn Recogniser> = Arc::new(openai(settings, dir.scratch()));
    Ok(match settings.recogniser() {
        Chosen::Engine => vec![engine, openai],
        Chosen::OpenAi => vec![openai, engine],
    })
}

/// FFmpeg under the limits that the road's lease was computed with.
pub(crate) fn media(settings: &Settings) -> Ffmpeg {
    Ffmpeg::new(MediaLimits::default(), confinement(settings))
}

/// How children are confined.
pub(crate) fn confinement(settings: &Settings) -> Confinement {
    Confinement::by_this_program(settings.confine())
}

impl House {
    /// Locks and opens an installation to work in, and takes back what its former run left behind.
    pub(crate) async fn work(
        place: &Place,
        missing: IfMissing,
        entrance: Arc<dyn Entrance>,
        tongue: &Tongue,
    ) -> Result<Self, Refusal> {
        let (path, settings) = (data_path(place), settings(place)?);
        let dir = work_in(&path, missing, OPENING).await?;
        Self::work_with(path, settings, dir, entrance, tongue).await
    }

    async fn work_with(
        path: PathBuf,
        settings: Settings,
        dir: DataDir,
        entrance: Arc<dyn Entrance>,
        tongue: &Tongue,
    ) -> Result<Self, Refusal> {
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let database = Database::open(&settings, &dir, &path, clock.clone()).await?;
        database.lock(&dir, tongue).await?;
        let mut house =
            Self::wire(path, settings, dir, &database, clock, entrance, tongue.clone()).await?;
        house.check_audio().await?;
        house.runtime.recover().await?;
        house.beside.push(renewal::renew(house.service.ledger.clone()));
        if let Some(service) = &house.downloads {
            service.line.store.watch(TORRENT_CLIENT).await?;
        }
        Ok(house)
    }

    /// Opens an installation beside whoever works in it: to look, to hand in, to stop and to lift.
    pub(crate) async fn visit(
        place: &Place,
        missing: IfMissing,
        entrance: Arc<dyn Entrance>,
    ) -> Result<Self, Refusal> {
        let (path, settings) = (data_path(place), settings(place)?);
        let mut dir = visit(&path, missing).await?;
        if settings.database().is_some() {
            // A server takes its time, and sees by itself to who changes a schema.
            dir.release();
        }
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let database = Database::open(&settings, &dir, &path, clock.clone()).await?;
        dir.release();
        Self::wire(path, settings, dir, &database, clock, entrance, Tongue::new(None)).await
    }

    /// Works in an installation, or visits it if another process works in it. Who is taken for a
    /// worker and is none is found out by whoever follows.
    pub(crate) async fn work_or_visit(
        place: &Place,
        missing: IfMissing,
        entrance: Arc<dyn Entrance>,
        tongue: &Tongue,
    ) -> Result<Self, Refusal> {
        let (path, settings) = (data_path(place), settings(place)?);
        match work_in(&path, missing, Duration::ZERO).await {
            Err(Refusal::Data(_, DataDirError::Held { .. })) => {
                Self::visit(place, missing, entrance).await
            }
            dir => Self::work_with(path, settings, dir?, entrance, tongue).await,
        }
    }

    async fn wire(
        path: PathBuf,
        settings: Settings,
        dir: DataDir,
        database: &Database,
        clock: Arc<dyn Clock>,
        entrance: Arc<dyn Entrance>,
        tongue: Tongue,
    ) -> Result<Self, Refusal> {
        let store = database.store();
        let tongue = settings.lang().map_or(tongue, |lang| Tongue::new(Some(lang)));
        let audio = Audio::open(&settings, &dir, clock.clone())?;
        let media: Arc<dyn Media> = Arc::new(media(&settings));
        let shelf = Shelf::under(&path, &settings);
        let recognisers = recognisers(&settings, &dir, &shelf, audio.near(&dir))?;
        let recogniser = recognisers[0].clone();
        let road = Recordings {
            store: store.clone(),
            objects: audio.objects.clone(),
            media: media.clone(),
            recognisers,
            keep_originals: settings.keep_originals(),
        };
        let outward = Arc::new(Outward::new(settings.reach(), settings.outward_limits()));
        let (instance, told) = (dir.instance(), &tongue);
        let told_of = clock.clone();
        let voice = telegram::voice(&settings, &store)?;
        let entrances = telegram::beside(entrance, voice.as_ref(), &store);
        let telling = Telling::new(&settings, entrances, &store, &outward, told_of, instance, told);
        let downloads =
            settings.downloads().map_err(|error| Refusal::Settings(path.clone(), error))?;
        let second = SecondRoad::build(downloads, &store, clock)?;
        let roads = std::iter::once(widen(Arc::new(road) as Arc<dyn Road<_>>)).chain(second.roads);
        let runtime = Arc::new(Runtime {
            queue: store.clone(),
            roads: roads.collect(),
            herald: telling.herald,
            meter: Arc::new(Metrics),
            limits: settings.limits(),
            instance: dir.instance().clone(),
            pulse: Pulse::starting(store.now().await?),
            grace: settings.shutdown_grace(),
            running: Running::default(),
            alarm: Alarm::default(),
            ailing: Ailing::default(),
        });
        let service = Arc::new(Service {
            queue: store.clone(),
            recordings: store.clone(),
            ledger: store.clone(),
            objects: audio.objects.clone(),
            media: media.clone(),
            aftermath: Arc::new(RuntimeAftermath(runtime.clone())),
            instance: dir.instance().clone(),
            largest_bytes: settings.largest_bytes(),
            tokens: store.clone(),
            corrections: store.clone(),
            shares: store.clone(),
            accounts: store.clone(),
            sessions: store.clone(),
            session_limits: settings.session_limits(),
            passwords: Arc::new(Argon2id::default()),
            random: Arc::new(SystemRandom),
            paid: recogniser.profile().paid,
        });
        let beside = tokio::spawn(downloads::tell(runtime.clone(), second.told));
        let beside = AbortOnDropHandle::new(beside);
        let downloads = second.configured.then(|| {
            Arc::new(DownloadService {
                queue: store.clone(),
                views: store.clone(),
                ledger: store.clone(),
                line: second.line,
                board: second.board,
                fetch: outward.clone(),
                media: media.clone(),
                aftermath: service.aftermath.clone(),
                instance: dir.instance().clone(),
            })
        });
        let bot =
            voice.map(|voice| telegram::bot(voice, &service, downloads.as_ref(), &store, &outward));
        Ok(Self {
            service,
            downloads,
            bot,
            chats: store.clone(),
            runtime,
            settings,
            media,
            recogniser,
            teller: telling.teller,
            tongue,
            outward,
            path,
            audio,
            dir,
            beside: vec![beside],
        })
    }

    /// Ends what goes on beside the work. Whoever may have told something calls this at the end.
    pub(crate) async fn close(&self) {
        if let Some(teller) = &self.teller {
            teller.close(self.settings.webhook_grace()).await;
        }
    }

    /// Whether this process is the one that works here.
    pub(crate) fn works(&self) -> bool {
        self.dir.is_locked()
    }

    /// Whether nobody works here.
    pub(crate) fn is_vacant(&self) -> bool {
        !self.works() && self.dir.is_vacant()
    }

    /// Whether a database is in the data directory that the settings no longer speak of.
    pub(crate) fn left_behind(&self) -> bool {
        self.settings.database().is_some() && self.dir.has_database()
    }

    /// Where audio lies, as it is shown to people.
    pub(crate) fn audio_place(&self) -> &str {
        &self.audio.shown
    }

    /// Refuses to hand audio to a place where no worker would find it.
    pub(crate) async fn check_audio(&self) -> Result<(), Refusal> {
        self.audio.belongs_to(self.service.recordings.as_ref()).await
    }
}
