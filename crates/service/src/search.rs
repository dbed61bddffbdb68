//! Searching: a page of recordings, newest first, and where in them it was said.

use verst_kernel::StoreError;
use verst_recordings::search::{Snippet, snippet};

use crate::{Filter, Service, View};

/// A recording that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// What it is and where it stands.
    pub view: View,
    /// Where it was said, in order: two places at most, and none where it is found by its title, its
    /// name or what was written about it.
    pub snippets: Vec<Snippet>,
    /// Where it was written, if it is in the summary.
    pub summary: Option<Snippet>,
}

impl Service {
    /// What a filter finds, newest first. Without words it is a list without snippets.
    pub async fn find(&self, filter: Filter) -> Result<Vec<Found>, StoreError> {
        let query = filter.search.clone();
        let views = self.ledger.list(filter).await?;
        let mut found: Vec<Found> = views
            .into_iter()
            .map(|view| Found { view, snippets: Vec::new(), summary: None })
            .collect();
        let Some(query) = query else { return Ok(found) };
        let ids = found.iter().map(|it| it.view.work.id).collect();
        let glimpses = self.ledger.glimpses(ids, query.clone()).await?;
        for one in &mut found {
            let id = one.view.work.id;
            let mine = glimpses.iter().filter(|glimpse| glimpse.id == id);
            one.snippets = mine.filter_map(|glimpse| snippet(&glimpse.segments, &query)).collect();
            let summary = one.view.recording.summary.as_deref();
            one.summary = summary.and_then(|text| Snippet::of(text, &query));
        }
        Ok(found)
    }
}
