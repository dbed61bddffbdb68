//! Who asks, and what they may see.
//!
//! **Invariant:** to those who may not see a thing it does not exist.

use verst_kernel::{StoreError, WorkId};
use verst_recordings::model::Recording;

use crate::{Service, View};

/// Whoever asks through a face.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// For the journal.
    pub name: String,
    /// Whose things they see, and to whom belongs what they hand in. `None`: they see all, and
    /// what they hand in belongs to nobody.
    pub owner: Option<String>,
}

impl Caller {
    /// Whether this recording exists for them.
    pub fn sees(&self, recording: &Recording) -> bool {
        self.sees_of([&recording.given.owner])
    }

    /// Whether what belongs to these exists for them. Nobody in particular is `None`.
    pub fn sees_of<'a>(&self, owners: impl IntoIterator<Item = &'a Option<String>>) -> bool {
        self.owner.is_none() || owners.into_iter().any(|owner| *owner == self.owner)
    }
}

impl Service {
    /// A recording, if it exists for the caller.
    pub async fn look(&self, caller: &Caller, id: WorkId) -> Result<Option<View>, StoreError> {
        let view = self.ledger.view(id).await?;
        Ok(view.filter(|view| caller.sees(&view.recording)))
    }
}
