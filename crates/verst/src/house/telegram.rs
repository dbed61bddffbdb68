//! The bot, if a token is set.

use std::sync::Arc;

use verst_adapters::outward::Outward;
use verst_service::{DownloadService, Entrance, Service};
use verst_store::Store;
use verst_telegram::{Bot, House, TelegramEntrance, Voice};

use crate::refusal::Refusal;
use crate::settings::Settings;

/// What speaks for the bot, before there is anything that it could do.
pub(super) fn voice(
    settings: &Settings,
    store: &Arc<dyn Store>,
) -> Result<Option<Arc<Voice>>, Refusal> {
    // What the settings say was checked when they were read.
    let Some(config) = settings.telegram().ok().flatten() else { return Ok(None) };
    let voice = Voice::new(config, store.clone());
    let refused = |error| Refusal::Setup("cli-no-bot", vec![("cause", causes(error))]);
    voice.map(Some).map_err(refused)
}

fn causes(error: impl std::error::Error) -> String {
    verst_service::causes(&error)
}

/// Through which senders are answered: as before, and by the bot if there is one.
pub(super) fn beside(
    entrance: Arc<dyn Entrance>,
    voice: Option<&Arc<Voice>>,
    store: &Arc<dyn Store>,
) -> Vec<Arc<dyn Entrance>> {
    let bot = voice.map(|voice| {
        let (ledger, downloads, queue) = (store.clone(), store.clone(), store.clone());
        Arc::new(TelegramEntrance::new(voice.clone(), ledger, downloads, queue)) as _
    });
    std::iter::once(entrance).chain(bot).collect()
}

/// The bot, which does nothing yet.
pub(super) fn bot(
    voice: Arc<Voice>,
    service: &Arc<Service>,
    downloads: Option<&Arc<DownloadService>>,
    store: &Arc<dyn Store>,
    outward: &Arc<Outward>,
) -> Arc<Bot> {
    let house = House {
        service: service.clone(),
        downloads: downloads.cloned(),
        views: store.clone(),
        fetch: outward.clone(),
        inbox: store.clone(),
    };
    Bot::new(voice, house)
}
