//! The link between work on a thread of its own and whoever waits for it.

use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::watch;
use verst_downloads::ports::LibraryError;

/// What both sides see of a piece of work.
pub(super) struct Run {
    ended: AtomicBool,
    progress: watch::Sender<f64>,
}

impl Run {
    pub(super) fn new() -> Self {
        Self { ended: AtomicBool::new(false), progress: watch::Sender::new(0.0) }
    }

    /// Asks the work to end.
    pub(super) fn end(&self) {
        self.ended.store(true, Ordering::Relaxed);
    }

    /// For the work: whether it may go on.
    pub(super) fn go_on(&self) -> Result<(), LibraryError> {
        if self.ended.load(Ordering::Relaxed) { Err(LibraryError::Interrupted) } else { Ok(()) }
    }

    /// For the work: how much of it is done, of how much. Less than a hundredth is not told.
    pub(super) fn tell(&self, done: f64, all: usize) {
        let fraction = done / f64::from(u32::try_from(all.max(1)).unwrap_or(u32::MAX));
        self.progress.send_if_modified(|told| {
            let news = fraction - *told >= 0.01;
            if news {
                *told = fraction;
            }
            news
        });
    }

    pub(super) fn progress(&self) -> watch::Receiver<f64> {
        self.progress.subscribe()
    }
}
