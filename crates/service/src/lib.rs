//! Use cases shared by every face: take in, list, inspect, stop, lift. Faces see this crate and
//! `words`, nothing below.
//!
//! **Invariant:** bytes are stored before the row that names them, so there is never a recording
//! without its audio; what a crash leaves behind is an unnamed object, which the sweep removes.

mod fetch;
mod intake;
mod lift;
mod post;
mod sweep;
mod views;

use std::sync::Arc;

use async_trait::async_trait;
use verst_kernel::{Instance, Notice, Queue, StopByPerson, StoreError, Undelivered, WorkId};
use verst_recordings::model::Product;
use verst_recordings::ports::{Media, Objects, RecordingStore};

pub use fetch::{Fetch, FetchError, Fetched};
pub use intake::{SubmitError, Upload};
pub use lift::{Choice, LiftError};
pub use post::{Entrance, Letter, Post, SendError};
pub use sweep::{SweepError, Swept};
pub use views::{Filter, Ledger, StopMark, View, WorkView};

/// What follows a person's stop in the process that runs the steps.
#[async_trait]
pub trait Aftermath: Send + Sync {
    /// Logs the stop, ends the run on this work if there is one here, and tells the sender.
    async fn stopped(&self, notice: &Notice) -> Result<(), Undelivered>;
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

/// The longest title, in bytes.
const TITLE_BYTES: usize = 512;

impl Service {
    /// Gives a recording a title; an empty one removes it. `false` when there is no such
    /// recording. Steps never write titles, so this holds whatever they do meanwhile.
    pub async fn rename(&self, id: WorkId, title: &str) -> Result<bool, StoreError> {
        let title = intake::cut(title.trim().to_owned(), TITLE_BYTES);
        self.ledger.set_title(id, (!title.is_empty()).then_some(title)).await
    }

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
