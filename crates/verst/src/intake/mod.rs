//! Taking in files from the command line, and what is unfinished.

mod input;
mod spool;

use std::path::PathBuf;

use tokio_util::sync::CancellationToken;
use verst_kernel::{StopReason, WorkId};
use verst_recordings::codes;
use verst_recordings::ports::Wish;
use verst_service::{Filter, State, View};

use crate::acts::person;
use crate::house::House;
use crate::refusal::Refusal;
use crate::tongue::Tongue;

/// Recordings that are picked up when no file is named.
pub(crate) const AT_ONCE: u32 = 10_000;

/// A file as it was named, and the recording it is. Equal files are one recording and still get a
/// text each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Named {
    /// The path that was typed, or the name that the recording came with.
    pub(crate) file: PathBuf,
    /// The recording; `None` when the file was refused.
    pub(crate) id: Option<WorkId>,
}

/// What was gathered, in order.
pub(crate) struct Gathered {
    pub(crate) named: Vec<Named>,
    /// Whether every file had its turn before a signal came.
    pub(crate) whole: bool,
}

/// What is wanted of files, checked.
pub(crate) fn wish(language: Option<&str>, model: Option<&str>) -> Result<Wish, Refusal> {
    if let Some(language) = language {
        let code = language.len() == 2 && language.bytes().all(|b| b.is_ascii_lowercase());
        if !code {
            let named = vec![("language", language.to_owned())];
            return Err(Refusal::Usage("cli-language-unknown", named));
        }
    }
    // A path must mean the same file when a later run from elsewhere goes on with it.
    let absolute = |model: &str| match std::path::absolute(model) {
        Ok(path) if model.contains('/') => path.to_string_lossy().into_owned(),
        _ => model.to_owned(),
    };
    Ok(Wish { language: language.map(str::to_owned), model: model.map(absolute) })
}

/// Takes in files until a signal comes. What is refused is said, and the next one has its turn.
pub(crate) async fn take_in(
    house: &House,
    files: &[PathBuf],
    wish: &Wish,
    tongue: &Tongue,
    say: impl Fn(&str),
    shutdown: &CancellationToken,
) -> Result<Gathered, Refusal> {
    let mut named = Vec::new();
    for file in files {
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
                say(&refusal.sentence(file, tongue));
                None
            }
        };
        named.push(Named { file: file.clone(), id });
    }
    Ok(Gathered { named, whole: true })
}

/// Everything that is neither done nor stopped.
pub(crate) async fn unfinished(house: &House) -> Result<Gathered, Refusal> {
    let filter = Filter { state: Some(State::Moving), limit: AT_ONCE, ..Filter::default() };
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
