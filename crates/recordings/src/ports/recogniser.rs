//! The port to whatever turns audio into text: an engine of ours or a provider outside.
//!
//! A recognition is a foreign operation. It is begun once, its ticket is kept, and it is asked
//! again and again until it is done.

use std::path::Path;
use std::time::Duration;

use async_trait::async_trait;
use verst_kernel::{Failure, Supervisor};

use super::{Codec, Warning};
use crate::transcript::{Segment, Transcript};

/// What a recogniser wants and costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    /// Name in attempt rows and settings.
    pub name: &'static str,
    /// What to give it.
    pub codec: Codec,
    /// Whether beginning twice costs twice. A begin without an answer is then never repeated
    /// without a person.
    pub paid: bool,
    /// How many recordings it works on at a time.
    pub lanes: Lanes,
    /// How long to wait before asking again when an operation still runs.
    pub poll_every: Duration,
    /// The longest recording it takes.
    pub longest: Duration,
}

/// How many recordings may be in a recogniser at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lanes {
    /// As many as come.
    Unlimited,
    /// The oldest, and besides it the oldest of those no longer than `short`: neither a lecture
    /// nor an archive of five hundred starves a voice note.
    OldestAndShort {
        /// What counts as short.
        short: Duration,
    },
}

/// What the sender wants.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wish {
    /// ISO 639-1 code; `None` to detect it.
    pub language: Option<String>,
    /// Model by name or path; `None` for the configured one.
    pub model: Option<String>,
}

/// Identity of an operation, opaque to everyone but the recogniser that issued it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ticket(pub String);

/// A piece of a transcript that is finished before the rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Place in the operation, from zero; parts come in order.
    pub index: u32,
    /// What was said, in the time of the recording.
    pub segments: Vec<Segment>,
    /// The language it was heard in.
    pub language: Option<String>,
}

/// Answer to `begin`.
#[derive(Clone, Debug, PartialEq)]
pub enum Begun {
    /// The operation runs.
    Ticket(Ticket),
    /// It certainly was not begun: refused connection, 4xx, 429, our own engine is taken.
    NotBegun(Obstacle),
    /// It is not known whether it was begun: the connection broke after the request was sent.
    Unknown(Failure),
}

/// Why a recogniser does not serve now.
#[derive(Clone, Debug, PartialEq)]
pub enum Obstacle {
    /// Taken for the moment; `delay` is short.
    Busy {
        /// When to look again.
        delay: Duration,
    },
    /// The provider as a whole is in trouble (credentials, quota, a missing model): recordings
    /// wait, the owner is told.
    Paused {
        /// When to look again.
        delay: Duration,
        /// What the trouble is.
        failure: Failure,
    },
    /// This recording failed this time.
    Failed(Failure),
    /// This recording will never be taken.
    Refused(Failure),
}

/// Answer to `ask`.
#[derive(Clone, Debug, PartialEq)]
pub enum Hearing {
    /// It still runs.
    Running {
        /// Done so far, from 0 to 1, if known.
        progress: Option<f64>,
        /// A finished part to keep.
        part: Option<Part>,
    },
    /// The text is there.
    Done(Transcript),
    /// The text is there, and something about it should be told.
    Marred {
        /// The text.
        transcript: Transcript,
        /// What to tell.
        warning: Warning,
    },
    /// No text now.
    Obstacle(Obstacle),
}

/// What `ask` is given.
#[derive(Debug)]
pub struct Inquiry<'a> {
    /// Which operation.
    pub ticket: &'a Ticket,
    /// The normalised audio, on this machine.
    pub audio: &'a Path,
    /// What the sender wants.
    pub wish: &'a Wish,
    /// The parts kept so far, in order.
    pub parts: &'a [Part],
}

/// A recogniser.
#[async_trait]
pub trait Recogniser: Send + Sync {
    /// What it wants and costs.
    fn profile(&self) -> Profile;

    /// Begins an operation on the normalised audio.
    async fn begin(&self, audio: &Path, wish: &Wish, supervisor: &dyn Supervisor) -> Begun;

    /// Looks at an operation. May itself do one bounded piece of work.
    async fn ask(&self, inquiry: Inquiry<'_>, supervisor: &dyn Supervisor) -> Hearing;

    /// Says that an operation's result is no longer wanted.
    async fn forget(&self, ticket: &Ticket);

    /// Whether it could serve now, for `doctor` and before a first submission: a short
    /// description, or the trouble.
    async fn check(&self, wish: &Wish) -> Result<String, Failure>;
}
