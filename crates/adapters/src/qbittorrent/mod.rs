//! The torrent client qBittorrent, 4.5 to 5.2, over its Web API.
//!
//! Versions answer the same question with other words, so a word decides nothing that can be looked
//! at. It refuses to judge a torrent: what it heard is handed on, in one form for all versions.
//! <https://github.com/qbittorrent/qBittorrent/wiki/WebUI-API-(qBittorrent-5.0)>
//!
//! **Invariant:** a torrent is named by a hash and never by a word: the client takes `all` for all.

mod about;
mod ask;
mod config;
mod door;
mod entry;
mod files;
mod paths;
mod picture;
mod session;
mod skew;
mod wire;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use bytes::Bytes;
use serde::Deserialize;
use tokio::sync::Mutex;
use tokio::time::Instant;
use verst_downloads::hash::InfoHash;
use verst_downloads::ports::{
    About, Added, ClientError, Given, Listing, Remove, TorrentClient, TorrentFile,
};
use verst_kernel::Clock;

use ask::Ask;
use picture::{News, Picture};
use session::{Answer, Session, trouble};

pub use config::{AnswerLimits, NoClient, QBittorrentConfig};
pub use paths::{BadPair, PathMap};

/// What the client calls a torrent by.
const KEY_DIGITS: usize = 40;

/// A qBittorrent.
pub struct QBittorrent {
    config: QBittorrentConfig,
    session: Session,
    clock: Arc<dyn Clock>,
    /// One asks at a time: an answer rests on the one before.
    picture: Mutex<Picture>,
    /// Whether it says `pause` and `resume`, as before 5.0.
    pauses: AtomicBool,
}

impl QBittorrent {
    /// Asks nobody yet.
    pub fn new(config: QBittorrentConfig, clock: Arc<dyn Clock>) -> Result<Self, NoClient> {
        let session = Session::new(&config)?;
        let (picture, pauses) = (Mutex::default(), AtomicBool::new(false));
        Ok(Self { config, session, clock, picture, pauses })
    }

    /// Does something with a torrent. Whether the client has it, it does not say.
    async fn act(&self, verb: &str, key: &InfoHash) -> Result<(), ClientError> {
        let ask = Ask::write(&format!("torrents/{verb}"), &[("hashes", name(key))]);
        done(&self.session.ask(&ask).await?)
    }

    /// The same under the name of 5.0 and later, or that of before, whichever it knows.
    async fn act_as(&self, verb: &str, before: &str, key: &InfoHash) -> Result<(), ClientError> {
        let pauses = self.pauses.load(Ordering::Relaxed);
        let (first, second) = if pauses { (before, verb) } else { (verb, before) };
        let acted = self.act(first, key).await;
        if acted != Err(ClientError::Missing) {
            return acted;
        }
        let acted = self.act(second, key).await;
        match acted {
            Ok(()) => self.pauses.store(!pauses, Ordering::Relaxed),
            Err(ClientError::Missing) => {
                return Err(ClientError::Unexpected("neither name of a verb is known"));
            }
            Err(_) => {}
        }
        acted
    }

    /// Unless it is there, there will be a torrent without a category.
    async fn make_category(&self) -> Result<(), ClientError> {
        let ask = Ask::write("torrents/createCategory", &[("category", &self.config.category)]);
        let answer = self.session.ask(&ask).await?;
        // There already.
        if answer.status == 409 { Ok(()) } else { done(&answer) }
    }

    fn addition(&self, given: &Given) -> Option<Ask> {
        let mut fields = vec![
            // A torrent that the client manages moves when somebody changes its category.
            ("autoTMM", "false".to_owned()),
            // Before 5.0, and from then on: what one does not know it ignores.
            ("paused", "false".to_owned()),
            ("stopped", "false".to_owned()),
            ("stopCondition", "None".to_owned()),
        ];
        if !self.config.category.is_empty() {
            fields.push(("category", self.config.category.clone()));
        }
        let file = match given {
            Given::Torrent(bytes) => Some(Bytes::from(bytes.clone())),
            Given::Magnet(link) => {
                // A line each: anything else than one magnet would be another addition.
                let one = link.starts_with("magnet:?") && !link.contains(['\n', '\r']);
                fields.push(("urls", one.then(|| link.clone())?));
                None
            }
        };
        Some(Ask::parts("torrents/add", fields, file))
    }
}

/// What the client knows a torrent by. A whole v2 hash it does not know.
fn name(key: &InfoHash) -> &str {
    &key.as_str()[..KEY_DIGITS]
}

fn done(answer: &Answer) -> Result<(), ClientError> {
    if matches!(answer.status, 200..=299) { Ok(()) } else { Err(trouble(answer.status)) }
}

/// From 5.2 on.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Counts {
    success_count: u64,
    pending_count: u64,
}

/// 200 `Ok.` or `Fails.` up to 5.1; from 5.2 on 200 with counts, 202 and 409. 415 is no torrent.
fn added(answer: &Answer) -> Result<Added, ClientError> {
    let body = answer.body.trim_ascii();
    match answer.status {
        200 if body == b"Ok." => Ok(Added::Taken),
        200 if body == b"Fails." => Ok(Added::NotTaken),
        200 => {
            let unreadable = |_| ClientError::Unexpected("an answer to an addition that is none");
            let counts: Counts = serde_json::from_slice(body).map_err(unreadable)?;
            let taken = counts.success_count + counts.pending_count > 0;
            Ok(if taken { Added::Taken } else { Added::NotTaken })
        }
        202 => Ok(Added::Taken),
        409 | 415 => Ok(Added::NotTaken),
        404 => Err(ClientError::Unexpected("no verb to add by")),
        status => Err(trouble(status)),
    }
}

#[async_trait]
impl TorrentClient for QBittorrent {
    async fn list(&self) -> Result<Listing, ClientError> {
        let mut picture = self.picture.lock().await;
        let login = self.session.login()?;
        let asked = picture.rid(login, Instant::now(), self.config.full_every);
        let query = [("rid", &*asked.to_string())];
        let ask = Ask::read("sync/maindata", &query, self.config.limits.listing_bytes);
        let answer = self.session.ask(&ask).await?;
        match answer.status {
            200 => {}
            404 => return Err(ClientError::Unexpected("no verb to list by")),
            status => return Err(trouble(status)),
        }
        let unreadable = |_| ClientError::Unexpected("a list of torrents that is none");
        let news: News = serde_json::from_slice(&answer.body).map_err(unreadable)?;
        let full = news.is_full();
        if let Some(date_s) = answer.date_s {
            picture.skew.hear(date_s, self.clock.now());
        }
        if !picture.take(news, asked, answer.login, Instant::now()) {
            return Err(ClientError::Unexpected("changes instead of everything"));
        }
        Ok(picture.listing(full))
    }

    async fn add(&self, given: &Given) -> Result<Added, ClientError> {
        let Some(ask) = self.addition(given) else { return Ok(Added::NotTaken) };
        if !self.config.category.is_empty() {
            self.make_category().await?;
        }
        added(&self.session.ask(&ask).await?)
    }

    async fn files(&self, key: &InfoHash) -> Result<Vec<TorrentFile>, ClientError> {
        let most_bytes = self.config.limits.files_bytes;
        let ask = Ask::read("torrents/files", &[("hash", name(key))], most_bytes);
        let answer = self.session.ask(&ask).await?;
        done(&answer)?;
        files::read(&answer.body)
    }

    async fn export(&self, key: &InfoHash) -> Result<Option<Vec<u8>>, ClientError> {
        let most_bytes = self.config.limits.torrent_bytes;
        let ask = Ask::read("torrents/export", &[("hash", name(key))], most_bytes);
        let answer = self.session.ask(&ask).await?;
        if answer.status == 409 {
            return Ok(None);
        }
        done(&answer)?;
        Ok(Some(answer.body))
    }

    async fn start(&self, key: &InfoHash) -> Result<(), ClientError> {
        self.act_as("start", "resume", key).await
    }

    async fn stop(&self, key: &InfoHash) -> Result<(), ClientError> {
        self.act_as("stop", "pause", key).await
    }

    async fn reannounce(&self, key: &InfoHash) -> Result<(), ClientError> {
        self.act("reannounce", key).await
    }

    async fn remove(&self, key: &InfoHash, data: Remove) -> Result<(), ClientError> {
        let files = if data == Remove::DeleteFiles { "true" } else { "false" };
        let fields = [("hashes", name(key)), ("deleteFiles", files)];
        done(&self.session.ask(&Ask::write("torrents/delete", &fields)).await?)
    }

    async fn about(&self) -> Result<About, ClientError> {
        let version = about::version(&self.session.ask(&Ask::short("app/version")).await?)?;
        let path = self.session.ask(&Ask::short("app/defaultSavePath")).await?;
        let save_path = about::save_path(&path)?;
        let most_bytes = self.config.limits.files_bytes;
        let ask = Ask::read("torrents/categories", &[], most_bytes);
        let known = about::categories(&self.session.ask(&ask).await?)?;
        let category = &self.config.category;
        let has_category = category.is_empty() || known.iter().any(|it| it == category);
        Ok(About { version, save_path, has_category })
    }
}
