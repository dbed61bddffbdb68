//! Something that changed, and what of it is for whom.
//!
//! **Invariant:** a listener hears of nothing that they could not look at.

use verst_service::{Caller, WorkId};

use super::item::{Audience, Item, Stands};

/// Something that changed.
#[derive(Debug)]
pub(crate) struct Change {
    id: WorkId,
    /// How it stands now; nothing if it is gone.
    item: Option<Item>,
    /// Those who could look at it before, if it was looked at.
    before: Option<Audience>,
}

/// What a listener is told of a change.
#[derive(Debug)]
pub(crate) enum Told<'a> {
    /// It stands so now.
    Stands(&'a Item),
    /// It is gone, or no longer for them, as one download of two that turned out to be the same.
    Gone(WorkId),
}

impl Change {
    pub(super) fn stands(item: Item, before: Option<Audience>) -> Self {
        Self { id: item.id(), item: Some(item), before }
    }

    pub(super) fn gone(id: WorkId, before: Audience) -> Self {
        Self { id, item: None, before: Some(before) }
    }

    pub(crate) fn id(&self) -> WorkId {
        self.id
    }

    /// What of it is for this caller.
    pub(crate) fn told_to(&self, caller: &Caller) -> Option<Told<'_>> {
        let seen = self.item.as_ref().filter(|item| item.audience().has(caller));
        let had = || self.before.as_ref().is_some_and(|before| before.has(caller));
        match seen {
            Some(item) => Some(Told::Stands(item)),
            None => had().then_some(Told::Gone(self.id)),
        }
    }
}
