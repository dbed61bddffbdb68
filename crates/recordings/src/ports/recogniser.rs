//! The port to whatever turns audio into text: an engine of ours or a provider outside.
//!
//! A recognition is a foreign operation. It is begun once, its ticket is kept, and it is asked
//! again and again until it is done.

use std::path::Path;
use std::time::Duration;

use async_trait::async_trait;
use verst_kernel::{Failure, Supervisor};

use super::{Codec, Warning};
use crate::codes;
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
    /// Where an operation begins.
    pub begins: Begins,
    /// How many recordings it works on at a time.
    pub lanes: Lanes,
    /// How long to wait before asking again when an operation still runs.
    pub poll_every: Duration,
    /// The longest recording it takes.
    pub longest: Duration,
}

/// Where an operation begins, and so what has to be on record before what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begins {
    /// Outside: `begin` calls a provider, once for the whole recording.
    Outside,
    /// Here: `begin` only plans, and may be repeated. What goes out is a [`Call`] for each part.
    Here,
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

/// One call outside: the part that it is to bring, and the stretch of the recording it hears. The
/// line puts it on record before it is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    /// The part's place in the operation, from zero.
    pub index: u32,
    /// Milliseconds from the start of the recording.
    pub from_ms: u64,
    /// Milliseconds from the start of the recording, after `from_ms`.
    pub until_ms: u64,
}

/// Answer to `call`.
#[derive(Clone, Debug, PartialEq)]
pub enum Called {
    /// What was heard.
    Heard(Part),
    /// The provider certainly did nothing: refused connection, 4xx, 429.
    NotMade(Obstacle),
    /// It is not known what the provider did: the connection broke after the request was sent, or
    /// its answer cannot be read.
    Unknown(Failure),
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
    /// The next part is to be had by this call, which the line puts on record and then makes.
    Next(Call),
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

/// What `ask` and `call` are given.
#[derive(Clone, Copy, Debug)]
pub struct Inquiry<'a> {
    /// Which operation.
    pub ticket: &'a Ticket,
    /// The normalised audio, on this machine.
    pub audio: &'a Path,
    /// What the sender wants.
    pub wish: &'a Wish,
    /// The parts kept so far, in order.
    pub parts: &'a [Part],
    /// The calls that brought them, one for each, where parts are had by calls.
    pub calls: &'a [Call],
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

    /// Makes a call that `ask` named, for a recogniser that names any. One that was
    /// sent and costs money is not broken off by an interruption: its answer is worth waiting for.
    async fn call(
        &self,
        _inquiry: Inquiry<'_>,
        _call: Call,
        _supervisor: &dyn Supervisor,
    ) -> Called {
        Called::NotMade(Obstacle::Refused(Failure::new(codes::RECOGNISER_REFUSED)))
    }

    /// Says that an operation's result is no longer wanted.
    async fn forget(&self, ticket: &Ticket);

    /// Whether it could serve now, for `doctor` and before a first submission: a short
    /// description, or the trouble.
    async fn check(&self, wish: &Wish) -> Result<String, Failure>;
}
