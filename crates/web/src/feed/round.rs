//! One look at everything that moves, compared with the look before.
//!
//! **Invariant:** the first look only learns what there is; after it a change is told once, however it
//! was heard of.

use std::collections::{BTreeMap, HashMap, HashSet};

use tokio::time::Instant;
use verst_service::{DownloadFilter, Filter, State, StoreError, WorkId};

use super::Feed;
use super::change::Change;
use super::item::{Audience, Item, Seen, Stands};
use super::pace::{self, Heard};
use crate::downloads::live::Live;

/// Things in one read.
const PAGE: u32 = 500;

/// What the look before saw; nothing before the first one.
#[derive(Default)]
pub(super) struct Known(Option<HashMap<WorkId, Was>>);

struct Was {
    seen: Seen,
    heard: Heard,
}

impl Known {
    /// Those that are told for what their torrents do.
    fn due(&self, moving: &[Item], now: Instant) -> HashSet<WorkId> {
        let due = moving.iter().filter_map(|item| {
            let heard = &self.0.as_ref()?.get(&item.id())?.heard;
            let live = item.snapshot().map(Live::of);
            pace::is_due(heard, live.as_ref(), now).then_some((heard.at, item.id()))
        });
        pace::pick(due.collect()).into_iter().collect()
    }
}

impl Feed {
    /// Compares what moves with what did, and says what is different.
    pub(super) async fn look(&self, known: &mut Known) -> Result<(), StoreError> {
        // What was changed before the read is in it; what is changed from now on is for the next look.
        let mut nudged = std::mem::take(&mut self.state().nudged);
        let moving = match self.moving().await {
            Ok(moving) => moving,
            Err(error) => {
                self.state().nudged.append(&mut nudged);
                return Err(error);
            }
        };
        let now = Instant::now();
        let due = known.due(&moving, now);
        let first = known.0.is_none();
        let mut before = known.0.take().unwrap_or_default();
        let mut standing = HashMap::new();
        for item in moving {
            let (id, seen) = (item.id(), Seen::of(&item));
            let (was, nudge) = (before.remove(&id), nudged.remove(&id));
            let same = was.as_ref().map_or(first, |was| was.seen == seen);
            let tell = !same || nudge.is_some() || due.contains(&id);
            let audience = was.as_ref().map(|was| was.seen.audience.clone());
            let heard = match was {
                Some(Was { heard, .. }) if !tell => heard,
                _ => Heard { live: item.snapshot().map(Live::of), at: now },
            };
            standing.insert(id, Was { seen, heard });
            if tell {
                self.say(Change::stands(item, audience));
            }
        }
        known.0 = Some(standing);
        // What moves no longer is done, stopped or gone.
        let left = before.into_iter().map(|(id, was)| (id, was.seen.audience));
        self.tell_of(left.chain(nudged).collect()).await
    }

    /// Tells how each of these stands. Those that could not be read are for the next look.
    async fn tell_of(&self, mut left: BTreeMap<WorkId, Audience>) -> Result<(), StoreError> {
        while let Some((id, audience)) = left.pop_first() {
            match self.item(id).await {
                Ok(Some(item)) => self.say(Change::stands(item, Some(audience))),
                Ok(None) => self.say(Change::gone(id, audience)),
                Err(error) => {
                    left.insert(id, audience);
                    self.state().nudged.append(&mut left);
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    async fn item(&self, id: WorkId) -> Result<Option<Item>, StoreError> {
        if let Some(view) = self.0.service.ledger.view(id).await? {
            return Ok(Some(Item::Recording(Box::new(view))));
        }
        let Some(downloads) = &self.0.downloads else { return Ok(None) };
        let view = downloads.views.download_view(id).await?;
        Ok(view.map(|view| Item::Download(Box::new(view), downloads.live(id).map(Box::new))))
    }

    async fn moving(&self) -> Result<Vec<Item>, StoreError> {
        let (state, mut all) = (Some(State::Moving), Vec::new());
        let mut before = None;
        loop {
            let filter = Filter { state, before, limit: PAGE, ..Filter::default() };
            let page = self.0.service.ledger.list(filter).await?;
            let full = is_full(page.len());
            before = page.last().map(Stands::id);
            all.extend(page.into_iter().map(|view| Item::Recording(Box::new(view))));
            if !full {
                break;
            }
        }
        let Some(downloads) = &self.0.downloads else { return Ok(all) };
        before = None;
        loop {
            let filter = DownloadFilter { state, before, limit: PAGE, owner: None };
            let page = downloads.views.downloads(filter).await?;
            let full = is_full(page.len());
            before = page.last().map(Stands::id);
            all.extend(page.into_iter().map(|view| {
                let live = downloads.live(view.id()).map(Box::new);
                Item::Download(Box::new(view), live)
            }));
            if !full {
                return Ok(all);
            }
        }
    }
}

fn is_full(page: usize) -> bool {
    page >= usize::try_from(PAGE).unwrap_or(usize::MAX)
}
