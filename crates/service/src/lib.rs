//! Use cases shared by every face: take in, list, inspect, edit, stop, lift, transcribe again,
//! delete, and who may. Faces see this crate and `words`, nothing below.
//!
//! **Invariant:** bytes are stored before the row that names them, so there is never a recording
//! without its audio; what a crash leaves behind is an unnamed object, which the sweep removes.

pub mod accounts;
mod advice;
mod again;
mod caller;
mod catch;
mod causes;
mod chats;
mod corrections;
mod discard;
pub mod download;
mod download_views;
mod downloads;
mod edit;
mod fetch;
mod health;
mod intake;
mod lift;
mod models;
mod original;
mod post;
mod product;
mod search;
mod shares;
mod suggest;
mod surroundings;
mod sweep;
mod tokens;
mod views;
mod watching;

use std::sync::Arc;

use async_trait::async_trait;
use verst_kernel::{Notice, StopByPerson, Undelivered};
use verst_recordings::ports::{Media, Objects, RecordingStore};

use accounts::{Accounts, Passwords, SessionLimits, Sessions};
pub use advice::{Better, ModelAdvice};
pub use again::AgainError;
pub use caller::Caller;
pub use catch::{CatchError, Caught, Offer, catch};
pub use causes::causes;
pub use chats::{
    BotId, Chat, ChatId, Chats, Inbound, Inbox, LINK_CODE_LIVES, Pending, StatusMessage, link_chat,
    link_code,
};
pub use corrections::{Corrections, RewordError, Reworded, WORDING_CHARACTERS};
pub use download_views::{DownloadFilter, DownloadLedger, DownloadView};
pub use downloads::{
    ChooseError, DeleteError, DownloadService, TakeError, Taken, Torrent, UnplaceError,
};
pub use edit::{Edit, EditError};
pub use fetch::{Fetch, FetchError, Fetched, Small};
pub use health::{Finding, Health};
pub use intake::{Arrival, Received, SubmitError};
pub use lift::{Choice, LiftError};
pub use models::Models;
pub use original::{Original, OriginalError};
pub use post::{Entrance, Letter, Post, SendError};
pub use product::{Product, stages};
pub use search::Found;
pub use shares::{MOST_SHARE_DAYS, NewShare, SHARE_DAYS, Share, ShareError, ShareId, Shares};
pub use suggest::Suggestion;
pub use surroundings::{TORRENT_CLIENT, try_library};
pub use sweep::{SweepError, Swept};
pub use tokens::{Minted, NewToken, Random, Token, TokenId, Tokens};
pub use verst_downloads::model::Sender;
pub use verst_recordings::corrections::{Correction, CorrectionId, Wording};
pub use verst_recordings::exports::{Format, Sheet, export};
pub use verst_recordings::search::{Query, QueryError, Snippet, hits};
pub use views::{Filter, Glimpse, Ledger, State, StopMark, View, WorkView};
pub use watching::WatchView;

// What faces name of the crates below, which they do not see.
pub use verst_kernel::{
    Actor, Entry, Event, Failure, Instance, NoticeKind, Queue, StopReason, StoreError, Timestamp,
    Value, WorkId,
};
pub use verst_recordings::model::{Accepted, Source};
pub use verst_recordings::ports::{Bytestream, ObjectError, Warning, Wish};
pub use verst_recordings::transcript::Transcript;

/// What follows in the process that runs the steps when a person changes where work stands.
#[async_trait]
pub trait Aftermath: Send + Sync {
    /// Logs the stop, ends the run on this work if there is one here, and tells the sender.
    async fn stopped(&self, notice: &Notice) -> Result<(), Undelivered>;

    /// Ends the run on this work if there is one here: its claim is lost.
    async fn superseded(&self, id: WorkId);
}

/// The use cases with their ports.
pub struct Service {
    /// The queue.
    pub queue: Arc<dyn Queue<Product>>,
    /// The recordings' tables.
    pub recordings: Arc<dyn RecordingStore>,
    /// What people look at.
    pub ledger: Arc<dyn Ledger>,
    /// Where audio lies.
    pub objects: Arc<dyn Objects>,
    /// Knows at a glance what certainly is no media.
    pub media: Arc<dyn Media>,
    /// Does what follows a stop.
    pub aftermath: Arc<dyn Aftermath>,
    /// This installation.
    pub instance: Instance,
    /// The largest file that is taken in, in bytes.
    pub largest_bytes: u64,
    /// Who may come in.
    pub tokens: Arc<dyn Tokens>,
    /// What people put right in transcripts.
    pub corrections: Arc<dyn Corrections>,
    /// Links to recordings.
    pub shares: Arc<dyn Shares>,
    /// People with a password.
    pub accounts: Arc<dyn Accounts>,
    /// Browsers that are signed in.
    pub sessions: Arc<dyn Sessions>,
    /// How long they are.
    pub session_limits: SessionLimits,
    /// Hashes passwords.
    pub passwords: Arc<dyn Passwords>,
    /// Chance.
    pub random: Arc<dyn Random>,
    /// Whether the configured recogniser charges for what it does.
    pub paid: bool,
}

/// What became of a person's stop.
#[derive(Debug, PartialEq, Eq)]
pub enum StopAnswer {
    /// Stopped; whether the sender could be told.
    Stopped(Result<(), Undelivered>),
    /// It was stopped already.
    AlreadyStopped,
    /// It is done; there is nothing to stop.
    Finished,
    /// No such work.
    Missing,
}

impl Service {
    /// Stops work in a person's name: whoever holds it loses it, its run is ended, the sender is
    /// told after the mark is saved.
    pub async fn stop(&self, id: WorkId, person: &str) -> Result<StopAnswer, StoreError> {
        Ok(match self.queue.stop(&self.instance, id, person).await? {
            StopByPerson::Stopped(notice) => {
                StopAnswer::Stopped(self.aftermath.stopped(&notice).await)
            }
            StopByPerson::AlreadyStopped => StopAnswer::AlreadyStopped,
            StopByPerson::Finished => StopAnswer::Finished,
            StopByPerson::Missing => StopAnswer::Missing,
        })
    }
}
