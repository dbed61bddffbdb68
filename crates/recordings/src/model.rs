//! The rows of the line and what its steps may write.
//!
//! **Invariant:** [`Product`] has no place for owner, title, summary or topics, so the pipeline
//! cannot write them.

use std::collections::BTreeMap;
use std::time::Duration;

use verst_kernel::{Failure, WorkId};

pub use verst_kernel::Source;

use crate::ports::{Call, Part, Ticket, Warning, Wish};
use crate::transcript::Transcript;

/// A recording to take in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewRecording {
    /// Where it came from.
    pub source: Source,
    /// Where the answer goes, in the entrance's own terms.
    pub reply_to: Option<String>,
    /// Whose it is.
    pub owner: Option<String>,
    /// The object that holds the bytes; no other recording ever has the same.
    pub original: String,
    /// How its entrance recognises what it took in before; at most one recording has it.
    pub handle: Option<String>,
    /// The name its sender gave it. Shown, never used as a path.
    pub name: Option<String>,
    /// Size of the object.
    pub size_bytes: u64,
    /// What the sender wants.
    pub wish: Wish,
}

/// What became of a recording to take in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// The recording.
    pub id: WorkId,
    /// Whether it is a new one; otherwise another has the same handle, and nothing was written.
    pub fresh: bool,
}

/// The normalised audio of a recording.
#[derive(Clone, Debug, PartialEq)]
pub struct Audio {
    /// The object.
    pub key: String,
    /// Duration of the decoded audio.
    pub duration: Duration,
    /// Root mean square level in dB relative to full scale; `None` for digital silence.
    pub level_db: Option<f64>,
}

/// A recording as it is stored.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    /// Identity, the same as that of its work.
    pub id: WorkId,
    /// What was taken in.
    pub given: NewRecording,
    /// Whether the bytes that were handed in are gone.
    pub original_deleted: bool,
    /// A title, once somebody gave one.
    pub title: Option<String>,
    /// A summary, once somebody gave one.
    pub summary: Option<String>,
    /// Topics that somebody gave it.
    pub topics: Vec<String>,
    /// The names that somebody gave to the speakers' labels.
    pub speakers: BTreeMap<String, String>,
    /// The normalised audio, from `normalized` until `done`.
    pub audio: Option<Audio>,
    /// Duration, from `normalized` on.
    pub duration: Option<Duration>,
    /// What a person should know about it.
    pub warnings: Vec<Warning>,
}

/// Identity of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttemptId(pub i64);

/// One attempt at recognition: written before the recogniser is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// Which.
    pub id: AttemptId,
    /// Who was asked.
    pub recogniser: String,
    /// The operation, once it is known.
    pub ticket: Option<Ticket>,
    /// Whether a person chose to go on waiting for a ticket that never came.
    pub awaited: bool,
}

/// Identity of a call on record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallId(pub i64);

/// A call for a part: written before it is made. One that is not answered was being made, or
/// nobody knows what became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordedCall {
    /// Which.
    pub id: CallId,
    /// What was, or is, asked for.
    pub call: Call,
    /// Whether its part is kept.
    pub answered: bool,
}

/// What a step, or a person who lifts a stop, writes besides the move.
#[derive(Clone, Debug, PartialEq)]
pub enum Product {
    /// The normalised audio is there.
    Normalised {
        /// Where and how long.
        audio: Audio,
        /// What to tell.
        warnings: Vec<Warning>,
    },
    /// The attempt has its ticket; nothing more to write.
    Submitted,
    /// The recogniser began: the ticket, should it not be kept yet. Written with the move, which
    /// is offered again until it is taken.
    Begun {
        /// Which attempt.
        attempt: AttemptId,
        /// The operation.
        ticket: Ticket,
    },
    /// The recogniser certainly did not begin: the intent is closed.
    AttemptClosed {
        /// Which.
        attempt: AttemptId,
        /// Why.
        failure: Failure,
    },
    /// A finished part.
    Part {
        /// Of which attempt.
        attempt: AttemptId,
        /// What was heard.
        part: Part,
    },
    /// A call came to nothing, or nobody will ever know what it came to: it is closed.
    CallClosed {
        /// Which.
        call: CallId,
        /// Why.
        failure: Failure,
    },
    /// A call was answered: its part, should it not be kept yet.
    Answered {
        /// Of which attempt.
        attempt: AttemptId,
        /// Which call.
        call: CallId,
        /// What was heard.
        part: Part,
    },
    /// Something that a person should know, added to what is told already.
    Warned {
        /// What to tell.
        warning: Warning,
    },
    /// The whole text.
    Transcribed {
        /// Of which attempt.
        attempt: AttemptId,
        /// The text.
        transcript: Transcript,
    },
    /// The normalised audio is gone.
    Finished {
        /// Whether the original is gone too.
        original_deleted: bool,
    },
    /// A person wants it transcribed once more, from its original. What was decoded and what was
    /// begun is given up; the text that is there stays until there is another.
    Again(Wish),
    /// A person wants a new attempt: the open one is closed.
    SubmitAgain,
    /// A person wants to wait for the open attempt's operation.
    KeepWaiting,
    /// A person wants the part whose call is open to be called for again: that call is closed, and
    /// the parts that are kept stay.
    CallAgain,
}
