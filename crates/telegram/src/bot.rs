//! The bot: asks for updates, acts on them, keeps messages up to date, until it is told to stop.
//!
//! Dropped anywhere, it loses nothing: what came is kept, and goes on at the next start.
//!
//! **Invariant:** no trouble of Telegram's ends it or keeps recordings from going on.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use frankenstein::types::BotCommand;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use tracing::{info, warn};
use verst_service::{BotId, DownloadLedger, DownloadService, Failure, Fetch, Inbox, Service};

use crate::allow::Strangers;
use crate::api::{Api, ApiError};
use crate::codes;
use crate::config::Config;
use crate::eyes::Eyes;
use crate::voice::Voice;

/// Between two tries while Telegram is in trouble, at first and at last.
const PAUSES: (Duration, Duration) = (Duration::from_secs(1), Duration::from_mins(1));

/// What the bot is given.
pub struct House {
    /// The use cases of recordings.
    pub service: Arc<Service>,
    /// Those of downloads, where there is a torrent client.
    pub downloads: Option<Arc<DownloadService>>,
    /// What is known of downloads, also without one.
    pub views: Arc<dyn DownloadLedger>,
    /// Fetches recordings by address.
    pub fetch: Arc<dyn Fetch>,
    /// What came and has to be acted on.
    pub inbox: Arc<dyn Inbox>,
}

/// The bot.
pub struct Bot {
    pub(crate) voice: Arc<Voice>,
    pub(crate) house: House,
    pub(crate) eyes: Eyes,
    pub(crate) strangers: Mutex<Strangers>,
    /// Rung when something came.
    pub(crate) came: Notify,
    trouble: Mutex<Option<Failure>>,
}

/// Who the bot is.
#[derive(Clone, Debug)]
pub(crate) struct Me {
    pub(crate) id: BotId,
    pub(crate) name: String,
}

impl Bot {
    /// A bot that does nothing yet.
    pub fn new(voice: Arc<Voice>, house: House) -> Arc<Self> {
        let eyes = Eyes {
            ledger: house.service.ledger.clone(),
            downloads: house.views.clone(),
            live: house.downloads.clone(),
        };
        Arc::new(Self {
            voice,
            house,
            eyes,
            strangers: Mutex::default(),
            came: Notify::new(),
            trouble: Mutex::default(),
        })
    }

    /// What keeps it from hearing anything now.
    pub fn trouble(&self) -> Option<Failure> {
        self.trouble.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Works until it is told to stop.
    pub async fn run(self: Arc<Self>, end: CancellationToken) {
        let me = tokio::select! {
            me = self.introduction() => me,
            () = end.cancelled() => return,
        };
        info!("the bot answers");
        tokio::select! {
            () = end.cancelled() => {}
            () = self.poll(&me) => {}
            () = Arc::clone(&self).work(me.clone()) => {}
            () = self.board() => {}
        }
        let instance = &self.house.service.instance;
        let _ = self.house.inbox.release_bot(me.id, instance).await;
    }

    async fn introduction(&self) -> Me {
        let mut failures = 0;
        loop {
            match self.voice.api.get_me().await {
                Ok(user) => {
                    self.tell(None);
                    let id = BotId(i64::try_from(user.id).unwrap_or(i64::MAX));
                    let me = Me { id, name: user.username.unwrap_or_default() };
                    self.offer_commands().await;
                    return me;
                }
                Err(error) => self.rest(&error, &mut failures).await,
            }
        }
    }

    /// A list of commands that could not be shown is no reason for anything.
    async fn offer_commands(&self) {
        for language in [None, Some("ru")] {
            let words = self.voice.words(language);
            let command = |name: &str| {
                let description = words.say(&format!("telegram-command-{name}"), &[]);
                BotCommand::builder().command(name).description(description).build()
            };
            let commands = ["list", "find", "text", "link", "unlink", "help"].map(command);
            let _ = self.voice.api.set_commands(language, commands.to_vec()).await;
        }
    }

    /// Tells of trouble and waits, longer each time.
    pub(crate) async fn rest(&self, error: &ApiError, failures: &mut u32) {
        self.tell(Some(codes::trouble(error)));
        let grown = PAUSES.0 * 2_u32.saturating_pow((*failures).min(10));
        *failures = failures.saturating_add(1);
        let pause = match error {
            ApiError::SlowDown(pause) => (*pause).max(PAUSES.0),
            _ => grown.min(PAUSES.1),
        };
        tokio::time::sleep(pause).await;
    }

    pub(crate) fn tell(&self, trouble: Option<Failure>) {
        let mut told = self.trouble.lock().unwrap_or_else(PoisonError::into_inner);
        if *told != trouble {
            if let Some(failure) = &trouble {
                warn!(%failure, "the bot hears nothing; it tries again by itself");
            } else {
                info!("the bot hears again");
            }
            *told = trouble;
        }
    }
}

impl Voice {
    /// Asks Telegram who the bot is.
    pub async fn ask(config: Config) -> Result<String, Failure> {
        let trouble = |error: &ApiError| codes::trouble(error);
        let api = Api::new(config.api, config.token);
        let api = api.map_err(|_| trouble(&ApiError::Unreachable))?;
        let user = api.get_me().await.map_err(|error| trouble(&error))?;
        Ok(user.username.unwrap_or_default())
    }
}
