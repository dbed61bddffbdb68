//! A harbour whose client follows a script, a bot that delivers, and films to download.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use verst_adapters::qbittorrent::QBittorrent;
use verst_downloads::hash::InfoHash;
use verst_downloads::ports::ClientState;
use verst_kernel::{Actor, Event, NoticeKind, WorkId};
use verst_recordings::model::Source;
use verst_service::Entrance;
use verst_testkit::torrents::{Dialect, Held, ScriptedQBittorrent, Torrent};
use verst_testkit::{Backend, Harbour, Mailbox, TestClock};

use crate::common::HOUR;

/// A film's release, which is read without a doubt.
pub(crate) const FILM: &str = "Some.Film.2019.1080p.BluRay.x264-GROUP.mkv";

/// Longer than a harbour waits for metadata.
pub(crate) const PAST_MAGNET: Duration = Duration::from_hours(49);
/// Longer than a harbour waits for data.
pub(crate) const PAST_STUCK: Duration = Duration::from_hours(73);

/// A harbour and who is around it.
pub(crate) struct Shore {
    pub(crate) harbour: Harbour,
    pub(crate) client: ScriptedQBittorrent,
    pub(crate) bot: Arc<Mailbox>,
}

impl Shore {
    pub(crate) async fn new(backend: Backend, dialect: Dialect) -> Self {
        let clock = Arc::new(TestClock::default());
        let client = ScriptedQBittorrent::start(dialect, clock.clone());
        let adapter = Arc::new(QBittorrent::new(client.config(), clock.clone()).unwrap());
        let bot = Arc::new(Mailbox::new(Source::Telegram));
        let entrances: Vec<Arc<dyn Entrance>> = vec![bot.clone()];
        let harbour = Harbour::new(backend, adapter, clock, entrances).await;
        Self { harbour, client, bot }
    }

    /// A magnet that was taken in and given to the client, where it has no metadata yet.
    pub(crate) async fn magnet(&self, torrent: &Torrent) -> WorkId {
        let id = self.harbour.magnet(torrent).await;
        self.harbour.reach(id, "downloading").await;
        self.harbour.tick().await;
        id
    }

    /// The same, given up because no metadata came.
    pub(crate) async fn given_up_magnet(&self, torrent: &Torrent) -> WorkId {
        let id = self.magnet(torrent).await;
        self.harbour.elapse(PAST_MAGNET).await;
        self.harbour.work().await;
        assert_eq!(self.harbour.state(id).await, "failed/magnet_timeout");
        id
    }

    /// A torrent that was taken in by its bytes and is coming.
    pub(crate) async fn coming(&self, torrent: &Torrent) -> WorkId {
        let id = self.harbour.bytes(torrent).await;
        self.harbour.reach(id, "downloading").await;
        self.change(torrent, |held| held.state = ClientState::Downloading);
        self.harbour.tick().await;
        id
    }

    /// The same, given up because no data came.
    pub(crate) async fn stuck(&self, torrent: &Torrent) -> WorkId {
        let id = self.coming(torrent).await;
        self.change(torrent, |held| held.state = ClientState::StalledDl);
        self.harbour.elapse(PAST_STUCK).await;
        self.harbour.work().await;
        assert_eq!(self.harbour.state(id).await, "stuck");
        id
    }

    pub(crate) fn change(&self, torrent: &Torrent, change: impl FnOnce(&mut Held)) {
        self.client.change(hash(torrent), change);
    }

    /// Data comes at this moment.
    pub(crate) fn let_data_come(&self, torrent: &Torrent, bytes: u64) {
        let now_s = self.harbour.now().0 / 1_000_000;
        self.change(torrent, |held| {
            held.received_bytes += bytes;
            held.last_activity_s = now_s;
        });
    }

    /// What the client downloads to.
    pub(crate) fn downloads(&self) -> PathBuf {
        let downloads = self.harbour.dir().join("downloads");
        std::fs::create_dir_all(&downloads).unwrap();
        downloads
    }

    /// A torrent of a file that lies where the client will have downloaded it to.
    pub(crate) fn film(&self, name: &str) -> Torrent {
        let path = self.downloads().join(name);
        std::fs::write(&path, name.repeat(1000)).unwrap();
        Torrent::v1(&path, None)
    }

    /// All of it is there.
    pub(crate) fn complete(&self, torrent: &Torrent) {
        let downloads = self.downloads().to_str().unwrap().to_owned();
        self.change(torrent, |held| {
            held.save_path = downloads;
            held.complete();
        });
    }

    /// How often it was added over HTTP.
    pub(crate) fn additions(&self, torrent: &Torrent) -> usize {
        self.client.additions(hash(torrent))
    }

    /// Codes of the stops that the sender was told about, in order. Being done is `done`.
    pub(crate) fn told(&self, id: WorkId) -> Vec<String> {
        let letters = self.bot.letters().into_iter().filter(|(_, letter)| letter.work == id);
        letters
            .map(|(addressee, letter)| {
                assert_eq!(addressee.as_deref(), Some("chat-1"));
                match letter.kind {
                    NoticeKind::Done => "done".to_owned(),
                    NoticeKind::Stopped(failure) => failure.code.to_string(),
                }
            })
            .collect()
    }

    /// What happened to it, as `event milestone`, and a person's name before what a person did.
    pub(crate) async fn story(&self, id: WorkId) -> Vec<String> {
        let entries = self.harbour.journal(id).await.into_iter();
        entries
            .map(|entry| {
                let who = match &entry.actor {
                    Actor::Step(_) => String::new(),
                    Actor::Person(name) => format!("{name} "),
                };
                format!("{who}{} {}", entry.event.name(), entry.milestone)
            })
            .collect()
    }

    /// So many hours of ticks.
    pub(crate) async fn hours(&self, hours: u32) {
        for _ in 0..hours {
            self.harbour.elapse(HOUR).await;
            self.harbour.work().await;
        }
    }
}

/// Whether a story has this event at this milestone, by a step.
pub(crate) fn has(story: &[String], event: Event, milestone: &str) -> bool {
    story.contains(&format!("{} {milestone}", event.name()))
}

pub(crate) fn hash(torrent: &Torrent) -> &InfoHash {
    torrent.v1.as_ref().expect("a v1 hash")
}
