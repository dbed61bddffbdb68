//! What the commands' few words stand for, the same for the store and for the model.

use std::time::Duration;

use verst_kernel::{Failure, Instance, Limits, PauseOf, Roll, Stage, pause};
use verst_recordings::LINE;
use verst_recordings::model::{Audio, NewRecording, Source};
use verst_recordings::ports::{Call, Lanes, Part, Warning, Wish};
use verst_recordings::transcript::Transcript;

/// When every sequence begins, in microseconds.
pub(crate) const START: i64 = 1_800_000_000_000_000;
/// Where what begins anew begins.
pub(crate) const FIRST: &str = "uploaded";
pub(crate) const PERSON: &str = "anna";
pub(crate) const RECOGNISER: &str = "engine";
pub(crate) const TICKET: &str = "ticket";
pub(crate) const SMALL_BYTES: u64 = 1000;
/// What a lane for short recordings takes.
pub(crate) const SHORT: Duration = Duration::from_mins(1);

/// Few failures are allowed, so that a short sequence gets beyond them.
pub(crate) fn limits() -> Limits {
    Limits { failures: 1, ..Limits::default() }
}

/// Chance is the caller's in every port: without it both sides come to the same times.
pub(crate) const ROLL: Roll = Roll(0);

pub(crate) fn pauses() -> PauseOf {
    std::sync::Arc::new(|failures| pause(failures, &limits(), ROLL))
}

pub(crate) fn instance(place: usize) -> Instance {
    Instance(format!("host-{place}"))
}

pub(crate) fn stage(milestone: &str) -> Stage {
    let mut stages = LINE.stages().into_iter();
    stages.find(|stage| stage.name == milestone).expect("a milestone of the line")
}

/// The recording that is handed in as this one, from 1.
pub(crate) fn recording(small: bool, number: i64) -> NewRecording {
    NewRecording {
        source: Source::Telegram,
        reply_to: Some("chat-1".to_owned()),
        owner: None,
        original: format!("original/{number}"),
        handle: None,
        name: Some("name".to_owned()),
        size_bytes: if small { SMALL_BYTES } else { SMALL_BYTES + 1 },
        wish: Wish::default(),
    }
}

pub(crate) fn audio(seconds: u32) -> (Audio, Vec<Warning>) {
    let duration = Duration::from_secs(seconds.into());
    let audio = Audio { key: format!("normalised/{seconds}"), duration, level_db: Some(-20.5) };
    (audio, vec![Warning::CutOff])
}

/// What a step adds to the warnings.
pub(crate) const WARNING: Warning = Warning::SpeakersUnknown;

pub(crate) fn part(index: u32) -> Part {
    Part { index, segments: Vec::new(), language: Some("en".to_owned()) }
}

pub(crate) fn call(index: u32) -> Call {
    Call { index, from_ms: 0, until_ms: 1000 }
}

pub(crate) fn transcript() -> Transcript {
    Transcript { language: None, model: "base".to_owned(), segments: Vec::new() }
}

pub(crate) fn not_begun() -> Failure {
    Failure::new("not_begun")
}

pub(crate) fn lanes(limited: bool) -> Lanes {
    if limited { Lanes::OldestAndShort { short: SHORT } } else { Lanes::Unlimited }
}

pub(crate) fn duration(short: bool) -> Duration {
    if short { SHORT } else { SHORT * 10 }
}
