//! Who is told what became of a recording or a download: its sender, through the entrance it came by, and the
//! webhook.

use std::sync::Arc;

use verst_adapters::outward::Outward;
use verst_kernel::{Clock, Herald, Instance};
use verst_service::{Entrance, Post};

use crate::folder::FolderEntrance;
use crate::settings::Settings;
use crate::tongue::Tongue;
use crate::webhook::{Both, Known, Teller};
use verst_store::Store;

/// The herald, and the webhook that has to be closed at the end.
pub(super) struct Telling {
    pub(super) herald: Arc<dyn Herald>,
    pub(super) teller: Option<Arc<Teller>>,
}

impl Telling {
    /// Everybody that the settings name, besides these entrances.
    pub(super) fn new(
        settings: &Settings,
        mut entrances: Vec<Arc<dyn Entrance>>,
        store: &Arc<dyn Store>,
        outward: &Arc<Outward>,
        clock: Arc<dyn Clock>,
        instance: &Instance,
        tongue: &Tongue,
    ) -> Self {
        // What the settings say was checked when they were read.
        let folder = settings.folder().ok().flatten();
        let folder = folder.map(|folder| FolderEntrance::new(folder, tongue.clone()));
        entrances.extend(folder.map(|folder| Arc::new(folder) as Arc<dyn Entrance>));
        let webhook = settings.webhook().ok().flatten();
        let teller = webhook.map(|webhook| {
            let known = Known {
                ledger: store.clone(),
                recordings: store.clone(),
                downloads: store.clone(),
            };
            Arc::new(Teller::new(
                webhook,
                outward.clone(),
                clock,
                known,
                instance.clone(),
                tongue.clone(),
            ))
        });
        let post =
            Arc::new(Post { recordings: store.clone(), downloads: store.clone(), entrances });
        Self { herald: Arc::new(Both { teller: teller.clone(), post }), teller }
    }
}
