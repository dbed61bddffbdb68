//! The models: which there are, which lie here, and `verst models`.
//!
//! What comes with Verst lies beside the program, what is pulled in the data directory; a name means
//! the first file of that name in either, in this order. *Invariant*: what is pulled has the hash
//! that was expected, or it is not there.

mod advice;
pub(crate) mod args;
mod by_language;
mod catalogue;
mod list;
mod pull;
mod remove;
mod shelf;
mod switch;

pub(crate) use advice::{advice, told};
pub(crate) use by_language::ByLanguage;
pub(crate) use catalogue::{Model, Role, known, named};
pub(crate) use shelf::Shelf;

use args::Models;

use crate::refusal::Refusal;
use crate::tongue::Tongue;

/// Whisper base: small, multilingual, for a first try.
pub(crate) const BUNDLED: &str = "whisper-base-q8_0.gguf";

/// Silero voice activity detection.
pub(crate) const VAD: &str = "ggml-silero-v6.2.0.bin";

pub(crate) async fn models(command: Models, tongue: &Tongue) -> Result<u8, Refusal> {
    match command {
        Models::List(place) => list::list(&place, tongue),
        Models::Pull(args) => pull::pull(args, tongue).await,
        Models::Remove(args) => remove::remove(&args, tongue),
        Models::Use(args) => switch::switch(&args, tongue),
    }
}
