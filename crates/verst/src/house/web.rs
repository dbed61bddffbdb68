//! What the face over HTTP is given: which models there are, and whether everything works.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use tokio::time::timeout;
use verst_adapters::disk;
use verst_kernel::Failure;
use verst_recordings::codes;
use verst_recordings::ports::{Media, ObjectError, Recogniser, Wish};
use verst_service::{Finding, Health, Models, Service};
use verst_telegram::Bot;

use super::House;
use super::torrents::Torrents;
use crate::models::Shelf;

/// Longer than any part takes to answer that works.
const ANSWER: Duration = Duration::from_secs(10);
/// With less space than this, nothing large can be taken in.
const LITTLE_BYTES: u64 = 256 << 20;

impl House {
    /// What the face over HTTP is given.
    pub(crate) fn web(&self) -> verst_web::House {
        let vitals = Vitals {
            service: self.service.clone(),
            media: self.media.clone(),
            recogniser: self.recogniser.clone(),
            path: self.path.clone(),
            torrents: self
                .downloads
                .clone()
                .map(|downloads| Torrents::new(downloads, self.runtime.pulse.started_at())),
            bot: self.bot.clone(),
        };
        verst_web::House {
            service: self.service.clone(),
            downloads: self.downloads.clone(),
            models: Arc::new(Installed(Shelf::under(&self.path, &self.settings))),
            health: Arc::new(vitals),
            fetch: self.outward.clone(),
            metrics: verst_web::counting(),
        }
    }
}

/// The models that lie here.
struct Installed(Shelf);

#[async_trait]
impl Models for Installed {
    async fn installed(&self) -> Vec<String> {
        let here = self.0.clone();
        // A few files are looked for, on a disk that may have gone to sleep.
        let named = tokio::task::spawn_blocking(move || here.recognisers());
        named.await.unwrap_or_default()
    }
}

/// Everything that recordings and downloads need.
struct Vitals {
    service: Arc<Service>,
    media: Arc<dyn Media>,
    recogniser: Arc<dyn Recogniser>,
    path: PathBuf,
    /// The bot, if one is set.
    bot: Option<Arc<Bot>>,
    /// What downloads need, if there are any.
    torrents: Option<Torrents>,
}

#[async_trait]
impl Health for Vitals {
    async fn examine(&self) -> Vec<Finding> {
        let wish = Wish::default();
        let (database, objects, media, recogniser) = tokio::join!(
            timeout(ANSWER, self.service.queue.now()),
            timeout(ANSWER, self.service.objects.find_home()),
            timeout(ANSWER, self.media.check()),
            timeout(ANSWER, self.recogniser.check(&wish)),
        );
        let failed = |code| Some(Failure::new(code));
        let database = match database {
            Ok(Ok(_)) => None,
            Ok(Err(_)) | Err(_) => failed(codes::STORE_FAILED),
        };
        let objects = match objects {
            Ok(Ok(_)) => None,
            Ok(Err(ObjectError::Unreachable(_))) | Err(_) => failed(codes::OBJECTS_UNREACHABLE),
            Ok(Err(_)) => failed(codes::OBJECTS_FAILED),
        };
        let media = media.map_or_else(|_| failed(codes::FFMPEG_MISSING), Result::err);
        let recogniser = recogniser.map_or_else(|_| failed(codes::ENGINE_SILENT), Result::err);
        let finding = |part, trouble| Finding { part, trouble };
        let mut findings = vec![
            finding("database", database),
            finding("objects", objects),
            finding("ffmpeg", media),
            finding("recogniser", recogniser),
            finding("disk", self.disk()),
        ];
        if let Some(torrents) = &self.torrents {
            findings.extend(torrents.examine(ANSWER).await);
        }
        findings.extend(self.bot.as_ref().map(|bot| finding("telegram", bot.trouble())));
        findings
    }
}

impl Vitals {
    fn disk(&self) -> Option<Failure> {
        let little = disk::free(&self.path).is_some_and(|free| free.bytes < LITTLE_BYTES);
        little.then(|| Failure::new(codes::DISK_FULL))
    }
}
