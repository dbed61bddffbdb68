//! A world with a bot in it, and people who write to it.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use async_trait::async_trait;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use verst_service::{
    DownloadService, Entrance, Fetch, FetchError, Fetched, Letter, SendError, Small, Source, WorkId,
};
use verst_telegram::{Bot, Config, House, TelegramEntrance, Voice};
use verst_testkit::telegram::{BotServer, Person, Sent};
use verst_testkit::torrents::{Dialect, ScriptedQBittorrent};
use verst_testkit::{Backend, Harbour, ScriptedProvider, Setup, World};

/// Who is on the list.
pub(crate) const ANNA: i64 = 700;
/// Another one.
pub(crate) const BOB: i64 = 800;
/// Who sees everything.
pub(crate) const ADMIN: i64 = 900;
/// A chat of several people that is on the list.
pub(crate) const GROUP: i64 = -100_500;
/// Where people reach the panel.
pub(crate) const PANEL: &str = "https://verst.example.org";

pub(crate) fn anna() -> Person {
    Person::alone(ANNA, "en")
}

/// Runs a story to its end; one that hangs has failed.
pub(crate) async fn in_time(story: impl Future<Output = ()>) {
    verst_testkit::in_time(Duration::from_mins(2), story).await;
}

/// Waits until something holds.
pub(crate) async fn until<F: Future<Output = bool>>(what: &str, holds: impl Fn() -> F) {
    let waited = tokio::time::timeout(Duration::from_secs(40), async {
        while !holds().await {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    });
    waited.await.unwrap_or_else(|_| panic!("waited in vain until {what}"));
}

/// An entrance that is there before the store that it needs.
#[derive(Default)]
struct Late(OnceLock<TelegramEntrance>);

#[async_trait]
impl Entrance for Late {
    fn source(&self) -> Source {
        Source::Telegram
    }

    async fn send(&self, addressee: Option<&str>, letter: &Letter) -> Result<(), SendError> {
        self.0.get().expect("the world is built").send(addressee, letter).await
    }
}

/// Nobody is asked for anything.
pub(crate) struct Offline;

#[async_trait]
impl Fetch for Offline {
    async fn fetch(&self, _: &str) -> Result<Fetched, FetchError> {
        Err(FetchError::Unreachable)
    }

    async fn fetch_small(&self, _: &str, _: usize) -> Result<Small, FetchError> {
        Err(FetchError::Unreachable)
    }
}

/// A torrent client by script, and the road of downloads.
pub(crate) struct Shore {
    pub(crate) client: ScriptedQBittorrent,
    pub(crate) harbour: Harbour,
    service: Arc<DownloadService>,
}

/// A world, a shore where a story needs one, and the bot between them and Telegram.
pub(crate) struct Scene {
    pub(crate) world: World,
    pub(crate) server: BotServer,
    shore: Option<Shore>,
    voice: Arc<Voice>,
    bot: Option<(Arc<Bot>, CancellationToken, JoinHandle<()>)>,
}

impl Scene {
    /// With steps by script.
    pub(crate) async fn scripted(backend: Backend) -> Self {
        Self::with(backend, Setup::default()).await
    }

    /// With the real road and a recogniser that says something short.
    pub(crate) async fn real(backend: Backend) -> Self {
        let recognisers = vec![Arc::new(ScriptedProvider::new(0)) as Arc<_>];
        Self::with(backend, Setup { recognisers, ..Setup::default() }).await
    }

    /// With downloads. Their road is walked by the harbour, and that of recordings by nobody.
    pub(crate) async fn ashore(backend: Backend) -> Self {
        let mut scene = Self::with(backend, Setup::default()).await;
        scene.kill().await;
        let client = ScriptedQBittorrent::start(Dialect::V5_1, scene.world.clock.clone());
        let entrances: Vec<Arc<dyn Entrance>> =
            vec![Arc::new(entrance(&scene.voice, &scene.world))];
        let harbour = Harbour::with_bot(&scene.world, &client, entrances).await;
        let service = harbour.service(Arc::new(Offline));
        scene.shore = Some(Shore { client, harbour, service });
        scene.start();
        scene
    }

    pub(crate) fn shore(&self) -> &Shore {
        self.shore.as_ref().unwrap()
    }

    pub(crate) async fn with(backend: Backend, setup: Setup) -> Self {
        let server = BotServer::start().await;
        let allow = format!("{ANNA}, {BOB}, {GROUP}");
        let files = std::env::temp_dir().display().to_string();
        let config =
            Config::new(BotServer::TOKEN, &server.url(), &allow, &ADMIN.to_string(), &files);
        let config = config.unwrap().within(Some(PANEL.to_owned()), 20 << 20);
        let late = Arc::new(Late::default());
        let world = World::new(backend, Setup { entrances: vec![late.clone()], ..setup });
        let voice = Voice::new(config, world.store.clone()).unwrap();
        late.0.set(entrance(&voice, &world)).ok().unwrap();
        let mut scene = Self { world, server, shore: None, voice, bot: None };
        scene.start();
        scene
    }

    /// The bot begins, or begins again.
    pub(crate) fn start(&mut self) {
        let house = House {
            service: self.world.service.clone(),
            downloads: self.shore.as_ref().map(|shore| shore.service.clone()),
            views: self.world.store.clone(),
            fetch: Arc::new(Offline),
            inbox: self.world.store.clone(),
        };
        let (bot, end) = (Bot::new(self.voice.clone(), house), CancellationToken::new());
        let running = tokio::spawn(bot.clone().run(end.clone()));
        self.bot = Some((bot, end, running));
    }

    /// The bot's process dies: wherever it is, nothing more is done.
    pub(crate) async fn kill(&mut self) {
        let (_, _, running) = self.bot.take().unwrap();
        running.abort();
        let _ = running.await;
    }

    pub(crate) fn trouble(&self) -> Option<String> {
        self.bot.as_ref().unwrap().0.trouble().map(|failure| failure.code.to_string())
    }

    /// The message in a chat that says this.
    pub(crate) async fn says(&self, chat: i64, what: &str) -> Sent {
        let found = || self.server.sent(chat).into_iter().find(|sent| sent.text.contains(what));
        let holds = || async { found().is_some() };
        let told = tokio::time::timeout(Duration::from_secs(30), until(what, holds)).await;
        assert!(told.is_ok(), "{what} is not said: {:?}", self.server.texts(chat));
        found().unwrap()
    }

    /// Waits until everything that was sent was acted on.
    pub(crate) async fn rests(&self) {
        until("everything was acted on", || async {
            let pending = self.world.store.pending(verst_service::BotId(123_456), 100).await;
            self.server.unconfirmed() == 0 && pending.unwrap().is_empty()
        })
        .await;
    }

    /// The numbers of all recordings and downloads, oldest first.
    pub(crate) async fn everything(&self) -> Vec<WorkId> {
        let filter = verst_service::Filter { limit: 100, ..verst_service::Filter::default() };
        let recordings = self.world.store.list(filter).await.unwrap();
        let filter = verst_service::DownloadFilter {
            limit: 100,
            ..verst_service::DownloadFilter::default()
        };
        let downloads = self.world.store.downloads(filter).await.unwrap();
        let mut ids: Vec<WorkId> = recordings.iter().map(|view| view.work.id).collect();
        ids.extend(downloads.iter().map(|view| view.work.id));
        ids.sort();
        ids
    }

    /// The only thing that there is.
    pub(crate) async fn only(&self) -> WorkId {
        until("there is one", || async { self.everything().await.len() == 1 }).await;
        self.everything().await[0]
    }
}

fn entrance(voice: &Arc<Voice>, world: &World) -> TelegramEntrance {
    let store = &world.store;
    TelegramEntrance::new(voice.clone(), store.clone(), store.clone(), store.clone())
}

impl Drop for Scene {
    fn drop(&mut self) {
        if let Some((_, _, running)) = self.bot.take() {
            running.abort();
        }
    }
}
