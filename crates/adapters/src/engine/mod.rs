//! The client of the embedded recogniser: `verst engine`, a child process spoken to in frames.
//!
//! A recognition here is an operation like one at a provider: `begin` plans it and gives the plan
//! as its ticket, and each `ask` hears one slice of it. So a restart loses at most a slice, and
//! the child may be ended at any time. It keeps no state of a recording and waits for nobody: when
//! the process is taken by another recording, that is said at once.
//!
//! *Invariant*: a process that has not answered its last request is never asked another.

mod asker;
mod ended;
mod memory;
mod model;
mod obstacle;
mod process;
mod reach;
mod share;
mod slot;
mod speakers;
mod ticket;

use std::path::{Path, PathBuf};
use std::time::Duration;

use async_trait::async_trait;
use verst_engine::protocol::ModelFile;
use verst_kernel::{Failure, Supervisor};
use verst_recordings::ports::{
    Begins, Begun, Codec, Hearing, Inquiry, Lanes, Obstacle, Part, Profile, Recogniser, Ticket,
    Warning, Wish,
};
use verst_recordings::transcript::Transcript;
use verst_recordings::{LONGEST, codes};

use crate::confine::Confinement;
use crate::unsupervised::Unsupervised;

use asker::Asker;
use model::Models;
use slot::Slot;
use ticket::{Kept, Next};

pub use memory::free_bytes as free_memory_bytes;
pub use model::{KnownModel, ModelsConfig};

/// Name in attempt rows and settings.
const NAME: &str = "embedded";

/// What counts as a short recording, of which one is heard beside a long one.
const SHORT: Duration = Duration::from_mins(5);

/// When to look again for a process that hears a slice of another recording.
const BUSY: Duration = Duration::from_millis(200);

/// Failures of a question that came to no process.
const UNASKED: [&str; 3] =
    [codes::INTERRUPTED, codes::ENGINE_UNAVAILABLE, codes::CONFINEMENT_MISSING];

/// How the engine is run.
#[derive(Clone, Debug)]
pub struct EngineConfig {
    /// The program.
    pub command: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// The models, and which is used for what.
    pub models: ModelsConfig,
    /// Where audio lies, as far as that is known.
    pub audio: Vec<PathBuf>,
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
    /// How it is kept from everything but models and audio.
    pub confinement: Confinement,
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
        Self {
            models: Models::new(config.models.clone()),
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
        let mut asker = self.asker(supervisor).ok_or(Obstacle::Busy { delay: BUSY })?;
        let language = wish.language.as_deref();
        let model = self.models.reference(wish.model.as_deref(), language);
        let checked = asker.check_language(&model, language).await?;
        let plan = asker.plan(audio, checked.longest_slice_ms).await?;
        let mut kept = Kept { model, language: None, diariser: self.models.diariser(), plan };
        let open = wish.model.is_none() && language.is_none();
        // A model that knows one language alone cannot tell which it is.
        if open && checked.languages.len() != 1 && self.models.differ_by_language() {
            asker.choose_by_language(&mut kept, audio, checked.longest_slice_ms).await?;
        }
        kept.ticket().map_err(Obstacle::Failed)
    }

    /// One bounded piece of work: a window or a slice.
    async fn go_on(
        &self,
        kept: &Kept,
        inquiry: &Inquiry<'_>,
        supervisor: &dyn Supervisor,
    ) -> Result<Hearing, Obstacle> {
        let (parts, audio) = (inquiry.parts, inquiry.audio);
        let index = u32::try_from(parts.len()).unwrap_or(u32::MAX);
        let windows = kept.windows();
        let told = &parts[..windows.len().min(parts.len())];
        let Some(next) = kept.next(parts.len()) else {
            return Ok(done(kept.transcript(parts), speakers::failed(told)));
        };
        let mut asker = self.asker(supervisor).ok_or(Obstacle::Busy { delay: BUSY })?;
        let part = match next {
            Next::Window { .. } if speakers::failed(told) => speakers::given_up(index),
            Next::Window { diariser, window } => {
                match asker.tell_apart(audio, diariser, window).await {
                    Ok(turns) => speakers::heard(index, &turns),
                    // No word about the speakers: there was nobody to ask.
                    Err(failure) if UNASKED.contains(&failure.code.as_ref()) => {
                        return Err(obstacle::obstacle(failure));
                    }
                    Err(failure) => {
                        tracing::warn!(code = %failure.code, "speakers cannot be told apart");
                        speakers::given_up(index)
                    }
                }
            }
            Next::Slice(slice) => {
                let turns = speakers::turns(&windows, told);
                let wished = inquiry.wish.language.clone().or_else(|| kept.language.clone());
                let language = wished.or_else(|| ticket::language(parts));
                let (segments, language) = asker.hear(audio, kept, slice, language).await?;
                Part { index, segments: speakers::named(segments, &turns), language }
            }
        };
        let progress = Some(kept.progress(parts.len() + 1));
        Ok(Hearing::Running { progress, part: Some(part) })
    }

    /// The right to ask the process, unless somebody else has it.
    fn asker<'a>(&'a self, supervisor: &'a dyn Supervisor) -> Option<Asker<'a>> {
        let turn = self.slot.take()?;
        Some(Asker {
            turn,
            models: &self.models,
            vad: &self.vad,
            threads: self.threads,
            supervisor,
        })
    }
}

/// The text, with a warning if its speakers are missing.
fn done(transcript: Transcript, speakers_failed: bool) -> Hearing {
    if speakers_failed {
        return Hearing::Marred { transcript, warning: Warning::SpeakersUnknown };
    }
    Hearing::Done(transcript)
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
            Ok(kept) => self.go_on(&kept, &inquiry, supervisor).await,
            // Not ours, and no later time makes it so.
            Err(failure) => Err(Obstacle::Refused(failure)),
        };
        heard.unwrap_or_else(Hearing::Obstacle)
    }

    async fn forget(&self, _ticket: &Ticket) {
        // At most the process hears a slice that nobody will ask for, which it lets go of itself.
    }

    async fn check(&self, wish: &Wish) -> Result<String, Failure> {
        let model = self.models.reference(wish.model.as_deref(), wish.language.as_deref());
        let Some(mut asker) = self.asker(&Unsupervised) else {
            // It is hearing something right now, so it can.
            return Ok(model::name(&model));
        };
        let checked = asker.check(&model).await?;
        checked.knows(wish.language.as_deref())?;
        Ok(format!("{}, {}", model::name(&model), checked.description))
    }
}

#[cfg(test)]
mod scripted_tests;
#[cfg(test)]
mod tests;
