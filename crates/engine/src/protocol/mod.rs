//! The conversation between the service and the engine: one request, then its replies.
//!
//! A frame is a 32-bit little-endian length and that many bytes of JSON. There is at most one
//! request at a time and no identity on it: a client that gives up on an answer ends the process,
//! so a late answer can never be taken for the next one. It carries paths and texts, no audio.
//!
//! *Invariant*: every request is answered by any number of [`Reply::Working`] and then exactly one
//! other reply.

mod frame;

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::plan::{Piece, Plan, Slice};
pub use frame::{FRAME_LIMIT_BYTES, FrameError, LENGTH_BYTES, decode, encode, length, read, write};

/// A model's file is not there. These are failure codes of the recordings line; the engine does
/// not depend on that crate, and the client checks that they agree.
pub const MODEL_MISSING: &str = "model_missing";
/// A model's file is not what it should be: wrong hash, broken, or of another kind.
pub const MODEL_DAMAGED: &str = "model_damaged";
/// The model does not know the language in the parameter `language`.
pub const LANGUAGE_UNSUPPORTED: &str = "language_unsupported";
/// The engine could not do it; the parameter `reason` is a term from a closed set.
pub const ENGINE_FAILED: &str = "engine_failed";

/// Parameter of [`MODEL_MISSING`] and [`MODEL_DAMAGED`]: absent for the recogniser's model.
pub const MODEL_ROLE: &str = "model";
/// Its value for the voice-activity model.
pub const ROLE_VAD: &str = "vad";
/// Its value for the diarising model.
pub const ROLE_DIARISER: &str = "diariser";

/// The most audio in a slice where the model does not ask for less: Whisper hears 30 s at a time,
/// and a second is left so that rounding never makes a second window of it.
pub const LONGEST_SLICE_MS: u64 = 29_000;

/// The most audio in which speakers are told apart at once: half an hour takes two hundred megabytes.
pub const LONGEST_WINDOW_MS: u64 = 30 * 60 * 1000;

/// A model to load.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelFile {
    /// Where it is.
    pub path: PathBuf,
    /// What its SHA-256 must be, in hexadecimal; `None` to load it unchecked.
    pub sha256: Option<String>,
}

/// What the engine can be asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Request {
    /// Find the speech in a recording.
    Plan {
        /// Headerless signed 16-bit little-endian samples, 16 kHz, one channel.
        audio: PathBuf,
        /// A voice-activity model.
        vad: ModelFile,
        /// The most audio in a slice, in milliseconds.
        longest_slice_ms: u64,
    },
    /// Transcribe one slice of a plan.
    Hear {
        /// As in `Plan`.
        audio: PathBuf,
        /// A speech recognition model.
        model: ModelFile,
        /// The slice.
        slice: Slice,
        /// The slice that will be asked for next, to be heard beside this one by a second copy of
        /// the model.
        next: Option<Slice>,
        /// ISO 639-1 code; `None` to detect it.
        language: Option<String>,
        /// The plan's `whole`.
        whole: bool,
        /// How many threads to compute each slice on; 0 for the library's choice.
        threads: u16,
        /// Whether the words of each segment are wanted, where the model gives them times.
        #[serde(default)]
        words: bool,
    },
    /// Tell the speakers of a stretch apart.
    Diarise {
        /// As in `Plan`.
        audio: PathBuf,
        /// A diarising model.
        model: ModelFile,
        /// The stretch, at most [`LONGEST_WINDOW_MS`].
        window: Piece,
        /// As in `Hear`.
        threads: u16,
    },
    /// Load the models and say what the recogniser is.
    Check {
        /// A speech recognition model.
        model: ModelFile,
        /// A voice-activity model.
        vad: ModelFile,
    },
}

/// A stretch of speech, in the time of the recording.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Segment {
    /// Milliseconds from the start of the recording.
    pub start_ms: u64,
    /// Milliseconds from the start of the recording; never before `start_ms`.
    pub end_ms: u64,
    /// What was said, not empty, without surrounding whitespace.
    pub text: String,
    /// Its words, if they were asked for and the model gives them times.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<Word>,
}

/// A word, in the time of the recording.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Word {
    /// Milliseconds from the start of the recording.
    pub start_ms: u64,
    /// Milliseconds from the start of the recording; never before `start_ms`.
    pub end_ms: u64,
    /// The word with what is written at it, not empty.
    pub text: String,
}

/// A stretch in which one speaker speaks, in the time of the recording. Others may speak at the same
/// time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// Milliseconds from the start of the recording.
    pub start_ms: u64,
    /// Milliseconds from the start of the recording; after `start_ms`.
    pub end_ms: u64,
    /// Which speaker of this window, from 1.
    pub speaker: u32,
}

/// A parameter of a failure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Param {
    /// A number.
    Int(i64),
    /// A short term.
    Term(String),
}

/// What the engine answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// It is still at work; sent now and then while a long recording is planned or a slice heard.
    Working {
        /// Audio looked through so far, in milliseconds.
        done_ms: u64,
        /// Length of the recording in milliseconds; 0 where it is not known how far it is.
        total_ms: u64,
    },
    /// To `Plan`.
    Planned(Plan),
    /// To `Hear`.
    Heard {
        /// In order of time.
        segments: Vec<Segment>,
        /// The language asked for, else the one detected. `None` when nothing was heard, so that
        /// noise before the first words does not decide the language of a recording.
        language: Option<String>,
    },
    /// To `Diarise`.
    Diarised {
        /// In order of their starts.
        turns: Vec<Turn>,
    },
    /// To `Check`.
    Checked {
        /// Family, variant and backend, for a person.
        description: String,
        /// The languages it knows; empty when it does not say.
        languages: Vec<String>,
        /// The most audio it takes in a call, in milliseconds: for `Plan`.
        longest_slice_ms: u64,
    },
    /// To any request.
    Failed {
        /// One of the constants of this module.
        code: String,
        /// Parameters by name.
        params: BTreeMap<String, Param>,
    },
}
