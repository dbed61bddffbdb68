//! The client of the embedded recogniser: `verst engine`, a child process spoken to in frames.
//!
//! A recognition here is an operation like one at a provider: `begin` plans it and gives the plan
//! as its ticket, and each `ask` hears one slice of it. So a restart loses at most a slice, and
//! the child may be ended at any time. It keeps no state of a recording and waits for nobody: when
//! the process is taken by another recording, that is said at once.
//!
//! *Invariant*: a process that has not answered its last request is never asked another.

mod ended;
mod model;
mod obstacle;
mod process;
mod slot;
mod ticket;

use std::path::{Path, PathBuf};
use std::time::Duration;

use async_trait::async_trait;
use verst_engine::protocol::{ModelFile, Reply, Request};
use verst_kernel::{Failure, Supervisor};
use verst_recordings::ports::{
    Begins, Begun, Codec, Hearing, Inquiry, Lanes, Obstacle, Part, Profile, Recogniser, Ticket,
    Wish,
};
use verst_recordings::{LONGEST, codes};

use crate::unsupervised::Unsupervised;

use model::Models;
use obstacle::{obstacle, own, unexpected};
use slot::{Slot, Turn};
use ticket::Kept;

/// Name in attempt rows and settings.
const NAME: &str = "embedded";

/// What counts as a short recording, of which one is heard beside a long one.
const SHORT: Duration = Duration::from_mins(5);

/// When to look again for a process that hears a slice of another recording.
const BUSY: Duration = Duration::from_millis(200);

/// How the engine is run.
#[derive(Clone, Debug)]
pub struct EngineConfig {
    /// The program.
    pub command: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// Where models named without a path are.
    pub models: PathBuf,
    /// The model used where nobody asks for another.
    pub model: PathBuf,
    /// SHA-256 of that model in hexadecimal; `None` to use it unchecked.
    pub model_sha256: Option<String>,
    /// The voice-activity model.
    pub vad: PathBuf,
    /// SHA-256 of the voice-activity model; `None` to use it unchecked.
    pub vad_sha256: Option<String>,
    /// Threads to compute on; 0 for the library's choice.
    pub threads: u16,
    /// How long a process without work is kept.
    pub idle: Duration,
    /// How long a process may be silent while it works.
    pub answer_timeout: Duration,
    /// Limit on the process's address space.
    pub memory_limit_bytes: Option<u64>,
}

/// The recogniser in a process of our own.
#[derive(Debug)]
pub struct EmbeddedRecogniser {
    models: Models,
    vad: ModelFile,
    threads: u16,
    slot: Slot,
}

impl EmbeddedRecogniser {
    /// Starts nothing yet.
    pub fn new(config: EngineConfig) -> Self {
        crate::tether::prepare();
        Self {
            models: Models {
                directory: config.models.clone(),
                configured: config.model.clone(),
                sha256: config.model_sha256.clone(),
            },
            vad: ModelFile { path: config.vad.clone(), sha256: config.vad_sha256.clone() },
            threads: config.threads,
            slot: Slot::new(config),
        }
    }

    async fn plan(
        &self,
        audio: &Path,
        wish: &Wish,
        supervisor: &dyn Supervisor,
    ) -> Result<Ticket, Obstacle> {
        let mut turn = self.slot.take().ok_or(Obstacle::Busy { delay: BUSY })?;
        let model = self.models.reference(wish.model.as_deref());
        let checked = self
            .check_model(&mut turn, &model, supervisor)
            .await
            .map_err(|failure| obstacle(own(failure, self.models.whose(&model))))?;
        if let Some(language) = &wish.language
            && !checked.languages.is_empty()
            && !checked.languages.contains(language)
        {
            let failure = Failure::new(codes::LANGUAGE_UNSUPPORTED);
            return Err(Obstacle::Refused(failure.term("language", language)));
        }
        let request = Request::Plan {
            audio: audio.to_owned(),
            vad: self.vad.clone(),
            longest_slice_ms: checked.longest_slice_ms,
        };
        match turn.ask(&request, supervisor).await.map_err(obstacle)? {
            Reply::Planned(plan) => Kept { model, plan }.ticket().map_err(Obstacle::Failed),
            other => Err(obstacle(unexpected(other))),
        }
    }

    async fn hear(
        &self,
        kept: &Kept,
        inquiry: &Inquiry<'_>,
        supervisor: &dyn Supervisor,
    ) -> Result<Hearing, Obstacle> {
        let parts = inquiry.parts;
        let Some(slice) = kept.plan.slices.get(parts.len()) else {
            return Ok(Hearing::Done(kept.transcript(parts)));
        };
        let mut turn = self.slot.take().ok_or(Obstacle::Busy { delay: BUSY })?;
        let language = inquiry.wish.language.clone().or_else(|| ticket::language(parts));
        let request = Request::Hear {
            audio: inquiry.audio.to_owned(),
            model: self.models.file(&kept.model),
            slice: slice.clone(),
            language,
            whole: kept.plan.whole,
            threads: self.threads,
        };
        let (segments, language) = match turn.ask(&request, supervisor).await.map_err(obstacle)? {
            Reply::Heard { segments, language } => (segments, language),
            other => {
                let whose = self.models.whose(&kept.model);
                return Err(obstacle(own(unexpected(other), whose)));
            }
        };
        let segments = segments.into_iter().map(ticket::segment).collect();
        let index = u32::try_from(parts.len()).unwrap_or(u32::MAX);
        Ok(Hearing::Running {
            progress: Some(kept.progress(parts.len() + 1)),
            part: Some(Part { index, segments, language }),
        })
    }

    async fn check_model(
        &self,
        turn: &mut Turn,
        model: &str,
        supervisor: &dyn Supervisor,
    ) -> Result<Checked, Failure> {
        let request = Request::Check { model: self.models.file(model), vad: self.vad.clone() };
        match turn.ask(&request, supervisor).await? {
            Reply::Checked { description, languages, longest_slice_ms } => {
                Ok(Checked { description, languages, longest_slice_ms })
            }
            other => Err(unexpected(other)),
        }
    }
}

/// What a model says of itself.
struct Checked {
    description: String,
    languages: Vec<String>,
    longest_slice_ms: u64,
}

#[async_trait]
impl Recogniser for EmbeddedRecogniser {
    fn profile(&self) -> Profile {
        Profile {
            name: NAME,
            codec: Codec::Pcm16k,
            paid: false,
            begins: Begins::Here,
            lanes: Lanes::OldestAndShort { short: SHORT },
            poll_every: Duration::ZERO,
            longest: LONGEST,
        }
    }

    async fn begin(&self, audio: &Path, wish: &Wish, supervisor: &dyn Supervisor) -> Begun {
        match self.plan(audio, wish, supervisor).await {
            Ok(ticket) => Begun::Ticket(ticket),
            Err(obstacle) => Begun::NotBegun(obstacle),
        }
    }

    async fn ask(&self, inquiry: Inquiry<'_>, supervisor: &dyn Supervisor) -> Hearing {
        let heard = match Kept::read(inquiry.ticket) {
            Ok(kept) => self.hear(&kept, &inquiry, supervisor).await,
            // Not ours, and no later time makes it so.
            Err(failure) => Err(Obstacle::Refused(failure)),
        };
        heard.unwrap_or_else(Hearing::Obstacle)
    }

    async fn forget(&self, _ticket: &Ticket) {
        // Nothing runs between two calls, and the process keeps nothing of a recording.
    }

    async fn check(&self, wish: &Wish) -> Result<String, Failure> {
        let model = self.models.reference(wish.model.as_deref());
        let Some(mut turn) = self.slot.take() else {
            // It is hearing something right now, so it can.
            return Ok(model::name(&model));
        };
        let checked = self.check_model(&mut turn, &model, &Unsupervised).await?;
        Ok(format!("{}, {}", model::name(&model), checked.description))
    }
}

#[cfg(test)]
mod tests;
