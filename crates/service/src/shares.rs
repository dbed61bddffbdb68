//! Links by which anybody may look at one recording, for a time.
//!
//! **Invariant:** who comes by a link changes nothing, and learns neither whose the recording is nor
//! what its sender called the file.

use std::time::Duration;

use async_trait::async_trait;
use thiserror::Error;
use verst_kernel::{StoreError, Timestamp, WorkId};
use verst_recordings::ports::Wish;

use crate::accounts::AccountId;
use crate::tokens::hash;
use crate::{Caller, Service, View};

/// How long a link lasts if nothing else is said.
pub const SHARE_DAYS: u32 = 30;
/// The longest that it lasts.
pub const MOST_SHARE_DAYS: u32 = 366;

/// Identity of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ShareId(pub i64);

/// A link, without its secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Share {
    /// Which.
    pub id: ShareId,
    /// Who made it.
    pub by: String,
    /// Since when.
    pub created_at: Timestamp,
    /// Until when.
    pub expires_at: Timestamp,
    /// Since when it opens nothing.
    pub revoked_at: Option<Timestamp>,
}

/// A link to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewShare {
    /// To what it leads.
    pub recording: WorkId,
    /// SHA-256 of its secret, in hexadecimal.
    pub hash: String,
    /// Who makes it.
    pub by: String,
    /// By which account.
    pub maker: Option<AccountId>,
    /// How long it lasts.
    pub lasts: Duration,
}

/// Keeps links. One opens nothing while the account that made it is disabled.
#[async_trait]
pub trait Shares: Send + Sync {
    /// Writes a link. `None` when there is no such recording, or it has a hundred that open it.
    async fn add_share(&self, new: NewShare) -> Result<Option<ShareId>, StoreError>;
    /// The newest thousand links to a recording, newest first, also those that open nothing.
    async fn shares(&self, of: WorkId) -> Result<Vec<Share>, StoreError>;
    /// Makes a link to this recording open nothing. `false` when there is none, or it did so already.
    async fn revoke_share(&self, of: WorkId, id: ShareId) -> Result<bool, StoreError>;
    /// To what the link of this hash leads, if it opens anything now.
    async fn open_share(&self, hash: &str) -> Result<Option<WorkId>, StoreError>;
}

/// Why no link was made.
#[derive(Debug, Error)]
pub enum ShareError {
    /// A link lasts from one to [`MOST_SHARE_DAYS`] days.
    #[error("not so many days")]
    Days,
    /// Enough links lead there.
    #[error("too many links")]
    TooMany,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Service {
    /// Makes a link to a recording that is there. Its secret is in the answer and nowhere else.
    pub async fn share(
        &self,
        caller: &Caller,
        id: WorkId,
        days: Option<u32>,
    ) -> Result<(ShareId, String), ShareError> {
        let days = days.unwrap_or(SHARE_DAYS);
        if !(1..=MOST_SHARE_DAYS).contains(&days) {
            return Err(ShareError::Days);
        }
        let secret = self.random.secret();
        let new = NewShare {
            recording: id,
            hash: hash(&secret),
            by: caller.name.clone(),
            maker: caller.account,
            lasts: Duration::from_hours(24) * days,
        };
        let made = self.shares.add_share(new).await?;
        made.map(|id| (id, secret)).ok_or(ShareError::TooMany)
    }

    /// What the link of this secret leads to, as far as it is shown to anybody.
    pub async fn shared(&self, secret: &str) -> Result<Option<View>, StoreError> {
        let Some(id) = self.shares.open_share(&hash(secret)).await? else { return Ok(None) };
        Ok(self.ledger.view(id).await?.map(bare))
    }
}

/// Without what is its owner's alone.
fn bare(mut view: View) -> View {
    let given = &mut view.recording.given;
    (given.owner, given.reply_to, given.handle, given.name) = (None, None, None, None);
    given.wish = Wish::default();
    (view.work.stop, view.work.why) = (None, None);
    view
}
