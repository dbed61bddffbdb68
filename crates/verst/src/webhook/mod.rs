//! The webhook of this installation: which notices become events, and what stands in them.
//!
//! **Invariant:** a notice is offered once, right after it was taken from the store and before the
//! sender is answered; whatever becomes of the event, the sender's letter is as it would have been.

mod download;
mod payload;
#[cfg(test)]
mod tests;
mod trial;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use tracing::warn;
use verst_adapters::outward::Outward;
use verst_adapters::webhook::{Event, Webhook};
use verst_kernel::{Clock, Herald, Instance, Notice, NoticeKind, StoreError, Undelivered};
use verst_recordings::ports::RecordingStore;
use verst_service::{DownloadLedger, Ledger};

use crate::settings::WebhookSettings;
use crate::tongue::Tongue;
use payload::{About, Recorded};

pub(crate) use trial::{Hook, hook, trouble};

/// The webhook with all it takes to tell about a recording or a download.
pub(crate) struct Teller {
    webhook: Webhook,
    settings: WebhookSettings,
    known: Known,
    instance: Instance,
    tongue: Tongue,
}

/// Where it reads what it tells.
pub(crate) struct Known {
    pub(crate) ledger: Arc<dyn Ledger>,
    pub(crate) recordings: Arc<dyn RecordingStore>,
    pub(crate) downloads: Arc<dyn DownloadLedger>,
}

impl Teller {
    pub(crate) fn new(
        settings: WebhookSettings,
        outward: Arc<Outward>,
        clock: Arc<dyn Clock>,
        known: Known,
        instance: Instance,
        tongue: Tongue,
    ) -> Self {
        let webhook = Webhook::new(settings.config.clone(), outward, clock);
        Self { webhook, settings, known, instance, tongue }
    }

    /// Makes an event of a notice, if such events are wanted, and hands it over.
    async fn offer(&self, notice: &Notice) {
        let wanted = match notice.kind {
            NoticeKind::Done => self.settings.done,
            NoticeKind::Stopped(_) => self.settings.stopped,
        };
        if !wanted {
            return;
        }
        match self.event(notice).await {
            Ok(Some(event)) => self.webhook.offer(event),
            // Deleted meanwhile: nobody wants to hear of it.
            Ok(None) => {}
            Err(failure) => {
                let work = notice.work;
                warn!(%work, %failure, "no webhook: what it is about could not be read");
            }
        }
    }

    async fn event(&self, notice: &Notice) -> Result<Option<Event>, StoreError> {
        let Some(view) = self.known.ledger.view(notice.work).await? else {
            let download = self.known.downloads.download_view(notice.work).await?;
            return Ok(download.map(|view| self.say(notice, About::Download(&view))));
        };
        let transcript = match notice.kind {
            NoticeKind::Done => self.known.recordings.transcript(notice.work).await?,
            NoticeKind::Stopped(_) => None,
        };
        let (transcript, with_text) = (transcript.as_ref(), self.settings.text);
        let recorded = Recorded { view: &view, transcript, with_text };
        Ok(Some(self.say(notice, About::Recording(recorded))))
    }

    fn say(&self, notice: &Notice, about: About<'_>) -> Event {
        let id = format!("{}_{}", self.instance.0, notice.id.0);
        let (kind, public_url) = (&notice.kind, self.settings.public_url.as_str());
        let told = payload::Told { id: &id, kind, about, public_url };
        Event { body: payload::body(&told, &self.tongue), id }
    }

    /// Ends deliveries; those that are under way have this long.
    pub(crate) async fn close(&self, grace: Duration) {
        self.webhook.close(grace).await;
    }
}

/// The herald that tells the webhook besides the sender.
pub(crate) struct Both {
    pub(crate) teller: Option<Arc<Teller>>,
    pub(crate) post: Arc<dyn Herald>,
}

#[async_trait]
impl Herald for Both {
    async fn tell(&self, notice: &Notice) -> Result<(), Undelivered> {
        if let Some(teller) = &self.teller {
            teller.offer(notice).await;
        }
        self.post.tell(notice).await
    }
}
