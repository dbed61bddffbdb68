//! A qBittorrent that follows a script, over HTTP as the real ones speak it.
//!
//! Nothing in it happens by itself: metadata arrives, data moves and torrents vanish when a test
//! says so. Statuses, words, cookies, sessions, bans and changes are those of the version it speaks.

mod addition;
mod dialect;
mod held;
mod routes;
mod sync;
mod world;

use std::net::TcpListener;
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::JoinHandle;
use std::time::Duration;

use axum::extract::{DefaultBodyLimit, Request};
use axum::routing::any;
use axum::{Router, serve};
use tokio::sync::Notify;
use verst_adapters::qbittorrent::QBittorrentConfig;
use verst_downloads::hash::{Hashes, InfoHash};
use verst_kernel::Clock;

use super::Torrent;
use crate::Gate;
use world::World;

pub use dialect::Dialect;
pub use held::{Held, HeldFile};

/// What happens to a question instead of a good answer.
#[derive(Clone, Debug)]
pub enum Trick {
    /// This status and text.
    Say(u16, String),
    /// Nothing is done, and no answer comes.
    Never,
    /// It is done, and no answer comes.
    Unheard,
    /// It is done when the gate is opened.
    Hold(Gate),
}

/// Something that was done with a torrent, whoever asked for it over HTTP.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deed {
    /// An addition, whether or not it was there already.
    Added(Hashes),
    /// `start`, `stop`, `recheck` or `reannounce`, of one that is there.
    Did(String, InfoHash),
    /// A removal of one that was there.
    Removed {
        /// What it was called.
        hashes: Hashes,
        /// Whether its files went, too.
        files: bool,
    },
}

/// The client, gone with the value.
pub struct ScriptedQBittorrent {
    port: u16,
    world: Arc<Mutex<World>>,
    running: Mutex<Option<Running>>,
}

struct Running {
    end: Arc<Notify>,
    thread: JoinHandle<()>,
}

impl ScriptedQBittorrent {
    /// Starts one that has no torrents, whose clock is this one.
    pub fn start(dialect: Dialect, clock: Arc<dyn Clock>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let world = Arc::new(Mutex::new(World::new(dialect, clock, port)));
        let running = Mutex::new(Some(run(listener, &world)));
        Self { port, world, running }
    }

    fn world(&self) -> MutexGuard<'_, World> {
        self.world.lock().unwrap()
    }

    /// Its address, as it stands in settings.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Who logs in, and with which password.
    pub fn login(&self) -> (String, String) {
        let world = self.world();
        (world.user.clone(), world.password.clone())
    }

    /// How it is spoken with: with a login, a short patience, and changes rather than everything.
    pub fn config(&self) -> QBittorrentConfig {
        let (user, password) = self.login();
        let timeout = Duration::from_secs(20);
        QBittorrentConfig { user, password, timeout, ..QBittorrentConfig::at(&self.url()) }
    }

    /// The key that opens it instead, in 5.2.
    pub fn api_key(&self) -> String {
        self.world().api_key.clone()
    }

    /// Ends it: nobody listens, and what was asked is not answered.
    pub fn stop(&self) {
        if let Some(running) = self.running.lock().unwrap().take() {
            running.end.notify_one();
            running.thread.join().unwrap();
        }
    }

    /// Starts it again where it was, with its torrents and without its sessions.
    pub fn start_again(&self) {
        self.stop();
        self.world().forget_sessions();
        let listener = TcpListener::bind(("127.0.0.1", self.port)).unwrap();
        *self.running.lock().unwrap() = Some(run(listener, &self.world));
    }

    /// Forgets who is logged in.
    pub fn expire_sessions(&self) {
        self.world().forget_sessions();
    }

    /// Takes another password from now on.
    pub fn set_password(&self, password: &str) {
        password.clone_into(&mut self.world().password);
    }

    /// Downloads to another directory by itself from now on.
    pub fn set_save_path(&self, path: &str) {
        path.clone_into(&mut self.world().save_path);
    }

    /// Whether this host is shut out.
    pub fn is_banned(&self) -> bool {
        self.world().banned
    }

    /// Shuts this host out.
    pub fn ban(&self) {
        let mut world = self.world();
        world.forget_sessions();
        world.banned = true;
    }

    /// The end of a ban.
    pub fn pardon(&self) {
        self.world().pardon();
    }

    /// Lets this host in without a login.
    pub fn let_all_in(&self) {
        self.world().lets_all_in = true;
    }

    /// Sets its clock so far ahead of the one it was given.
    pub fn clock_ahead(&self, seconds: i64) {
        self.world().ahead_s = seconds;
    }

    /// `connected`, `firewalled` or `disconnected`.
    pub fn set_connection(&self, status: &str) {
        status.clone_into(&mut self.world().connection);
    }

    /// Room on its disk.
    pub fn set_free_bytes(&self, bytes: i64) {
        self.world().free_bytes = bytes;
    }

    /// What happens to the next question with this verb (`torrents/add`; `*` for any).
    pub fn play(&self, verb: &str, trick: Trick) {
        self.world().tricks.push_back((verb.to_owned(), trick));
    }

    /// Has a torrent, as if somebody had added it by hand just now.
    pub fn put(&self, torrent: &Torrent) {
        let mut world = self.world();
        let mut held = Held::magnet((None, None), "");
        held.learn(torrent);
        let now_s = world.now_s();
        (held.added_on_s, held.last_activity_s) = (now_s, now_s);
        world.hold(held);
    }

    /// Changes the torrent that is called so. It is called anew if its hashes change.
    pub fn change(&self, hash: &InfoHash, change: impl FnOnce(&mut Held)) {
        let mut world = self.world();
        let key = world.find(hash).expect("the torrent is there");
        let mut held = world.torrents.remove(&key).unwrap();
        change(&mut held);
        world.hold(held);
    }

    /// Its metadata arrives. A hybrid is called by its v2 hash from then on.
    pub fn learn(&self, torrent: &Torrent) {
        let hash = torrent.v1.as_ref().or(torrent.v2.as_ref()).expect("a torrent has a hash");
        self.change(hash, |held| held.learn(torrent));
    }

    /// It is no longer there.
    pub fn lose(&self, hash: &InfoHash) {
        let mut world = self.world();
        let key = world.find(hash).expect("the torrent is there");
        world.torrents.remove(&key);
    }

    /// The torrent that is called so.
    pub fn held(&self, hash: &InfoHash) -> Option<Held> {
        let world = self.world();
        world.find(hash).and_then(|key| world.torrents.get(&key).cloned())
    }

    /// How many torrents it has.
    pub fn count(&self) -> usize {
        self.world().torrents.len()
    }

    /// What was done with torrents over HTTP, in order.
    pub fn deeds(&self) -> Vec<Deed> {
        self.world().deeds.clone()
    }

    /// Additions over HTTP that named this hash.
    pub fn additions(&self, hash: &InfoHash) -> usize {
        let named = |deed: &Deed| matches!(deed, Deed::Added(hashes) if hashes.contains(hash));
        self.world().deeds.iter().filter(|deed| named(deed)).count()
    }

    /// The verbs that were asked with, in order.
    pub fn heard(&self) -> Vec<String> {
        self.world().heard.clone()
    }

    /// How often somebody tried to log in.
    pub fn logins(&self) -> usize {
        self.world().heard.iter().filter(|verb| *verb == "auth/login").count()
    }
}

impl Drop for ScriptedQBittorrent {
    fn drop(&mut self) {
        if let Some(running) = self.running.get_mut().unwrap().take() {
            running.end.notify_one();
            let _ = running.thread.join();
        }
    }
}

/// A runtime of its own: with its end everything that is asked ends without an answer.
fn run(listener: TcpListener, world: &Arc<Mutex<World>>) -> Running {
    let (world, end) = (Arc::clone(world), Arc::new(Notify::new()));
    let ended = Arc::clone(&end);
    let thread = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            listener.set_nonblocking(true).unwrap();
            let listener = tokio::net::TcpListener::from_std(listener).unwrap();
            let answer = any(move |request: Request| routes::answer(Arc::clone(&world), request));
            let router = Router::new().fallback(answer).layer(DefaultBodyLimit::disable());
            tokio::select! {
                () = ended.notified() => {}
                served = serve(listener, router) => served.unwrap(),
            }
        });
    });
    Running { end, thread }
}
