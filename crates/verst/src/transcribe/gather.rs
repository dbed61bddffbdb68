//! What a run is about: the files that were named, or whatever is unfinished.

use std::path::PathBuf;

use tokio_util::sync::CancellationToken;
use verst_kernel::{StopReason, StoreError, WorkId};
use verst_recordings::codes;
use verst_recordings::ports::Wish;
use verst_service::{Filter, View};
use verst_words::Arg;

use super::entrance::CliEntrance;
use super::input;
use super::output::Named;
use crate::acts::person;
use crate::cli::Transcribe;
use crate::house::House;
use crate::refusal::Refusal;
use crate::tongue::Tongue;

/// Recordings that are picked up when no file is named.
const AT_ONCE: u32 = 10_000;

/// What was gathered, in order.
pub(super) struct Gathered {
    pub(super) named: Vec<Named>,
    /// Whether every file had its turn before a signal came.
    pub(super) whole: bool,
}

pub(super) async fn gather(
    house: &House,
    args: &Transcribe,
    wish: &Wish,
    tongue: &Tongue,
    entrance: &CliEntrance,
    shutdown: &CancellationToken,
) -> Result<Gathered, Refusal> {
    if args.files.is_empty() {
        return unfinished(house).await;
    }
    let mut named = Vec::new();
    for file in &args.files {
        let taken = tokio::select! {
            biased;
            () = shutdown.cancelled() => return Ok(Gathered { named, whole: false }),
            taken = input::take_in(house, file, wish, shutdown) => taken,
        };
        let id = match taken {
            Ok(id) => {
                go_on(house, id).await?;
                Some(id)
            }
            Err(refusal) => {
                entrance.say(&refusal.sentence(file, tongue));
                None
            }
        };
        named.push(Named { file: file.clone(), id });
    }
    Ok(Gathered { named, whole: true })
}

async fn unfinished(house: &House) -> Result<Gathered, Refusal> {
    let filter = Filter { moving: true, before: None, limit: AT_ONCE };
    let views = house.service.ledger.list(filter).await?;
    if views.is_empty() {
        let data = house.path.display().to_string();
        return Err(Refusal::Cannot("cli-nothing-left", vec![("data", data)]));
    }
    let name = |view: View| {
        let file = view.recording.given.name.map(PathBuf::from).unwrap_or_default();
        Named { file, id: Some(view.work.id) }
    };
    Ok(Gathered { named: views.into_iter().rev().map(name).collect(), whole: true })
}

/// Naming a file again is asking for another try, except where only a decision or another file
/// would help. Audio that was missing has just been brought back.
async fn go_on(house: &House, id: WorkId) -> Result<(), Refusal> {
    let view = house.service.ledger.view(id).await?;
    let stop = view.and_then(|view: View| view.work.stop);
    if stop.is_some_and(|stop| {
        stop.reason != StopReason::Verdict || stop.failure.code == codes::AUDIO_MISSING
    }) {
        // What cannot be lifted stays stopped, and is told at the end.
        let _ = house.service.lift(id, &person(), None).await;
    }
    Ok(())
}

pub(super) async fn tell_about_others(
    house: &House,
    ids: &[WorkId],
    tongue: &Tongue,
) -> Result<(), StoreError> {
    let filter = Filter { moving: true, before: None, limit: AT_ONCE };
    let left = house.service.ledger.list(filter).await?;
    let count = left.iter().filter(|view| !ids.contains(&view.work.id)).count();
    if count > 0 {
        let data = house.path.display().to_string();
        let count = Arg::Int(i64::try_from(count).unwrap_or(i64::MAX));
        tongue.err(&tongue.say("cli-others-left", &[("count", count), ("data", Arg::Text(&data))]));
    }
    Ok(())
}
