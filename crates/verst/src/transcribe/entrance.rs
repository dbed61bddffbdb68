//! The command line as an entrance: what becomes of a recording is told on standard error, above
//! the progress bar.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use verst_kernel::{Failure, NoticeKind, WorkId};
use verst_recordings::model::Source;
use verst_recordings::ports::Warning;
use verst_recordings::transcript::Transcript;
use verst_service::{Entrance, Letter, SendError};
use verst_words::Arg;

use crate::inspect::clean;
use crate::tongue::Tongue;

/// Units of the bar for one file.
pub(crate) const UNITS: u64 = 1000;

pub(crate) struct CliEntrance {
    tongue: Tongue,
    bar: ProgressBar,
    /// Whose end was told: the worker that brought it about and whoever follows both see it.
    told: Mutex<BTreeSet<WorkId>>,
}

impl CliEntrance {
    pub(crate) fn new(tongue: &Tongue) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        if let Ok(style) =
            ProgressStyle::with_template("{bar:24} {percent:>3}% {elapsed} {wide_msg}")
        {
            bar.set_style(style);
        }
        Self { tongue: tongue.clone(), bar, told: Mutex::default() }
    }

    /// Says a line above the bar.
    pub(crate) fn say(&self, line: &str) {
        self.bar.suspend(|| self.tongue.err(line));
    }

    /// Shows how far everything is.
    pub(crate) fn show(&self, position: u64, files: usize, message: String) {
        let files = u64::try_from(files).unwrap_or(u64::MAX);
        self.bar.set_length(files.saturating_mul(UNITS));
        self.bar.set_position(position);
        self.bar.set_message(message);
    }

    /// Removes the bar.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    /// What became of a recording, said once.
    pub(crate) fn ended(
        &self,
        id: WorkId,
        name: Option<&str>,
        outcome: Result<&Transcript, &Failure>,
        warnings: &[Warning],
    ) {
        if !self.told.lock().unwrap_or_else(PoisonError::into_inner).insert(id) {
            return;
        }
        let name = clean(name.unwrap_or("?"));
        let named = ("name", Arg::Text(&name));
        match outcome {
            Ok(text) if text.segments.is_empty() => {
                self.say(&self.tongue.say("cli-no-speech", &[named]));
            }
            Ok(text) => {
                let count = i64::try_from(text.segments.len()).unwrap_or(i64::MAX);
                self.say(&self.tongue.say("cli-done", &[named, ("segments", Arg::Int(count))]));
            }
            Err(failure) => {
                let reason = self.tongue.failure(failure);
                self.say(&self.tongue.say("cli-stopped", &[named, ("reason", Arg::Text(&reason))]));
            }
        }
        for warning in warnings {
            self.say(&format!("  {}", self.tongue.warning(warning)));
        }
    }
}

#[async_trait]
impl Entrance for CliEntrance {
    fn source(&self) -> Source {
        Source::Cli
    }

    async fn send(&self, _addressee: Option<&str>, letter: &Letter) -> Result<(), SendError> {
        let outcome = match (&letter.kind, &letter.transcript) {
            (NoticeKind::Done, Some(text)) => Ok(text),
            (NoticeKind::Stopped(failure), _) => Err(failure),
            (NoticeKind::Done, None) => return Err(SendError),
        };
        self.ended(letter.work, letter.name.as_deref(), outcome, &letter.warnings);
        Ok(())
    }
}
