//! `verst transcribe`: hands files in, follows them, prints their text.

mod entrance;
mod follow;
mod input;
mod output;

use std::sync::Arc;

use tokio_util::sync::CancellationToken;
use verst_kernel::{Failure, StopReason, WorkId};
use verst_recordings::codes;
use verst_recordings::ports::Wish;
use verst_runtime::Workers;
use verst_service::{Filter, View};
use verst_words::Arg;

use crate::acts::person;
use crate::cli::Transcribe;
use crate::house::{House, IfMissing};
use crate::refusal::Refusal;
use crate::signals;
use crate::tongue::Tongue;

use entrance::CliEntrance;
use follow::{Followed, follow};
use output::Output;

/// Recordings that are picked up when no file is named.
const AT_ONCE: u32 = 10_000;

pub(crate) async fn transcribe(args: Transcribe, tongue: &Tongue) -> Result<u8, Refusal> {
    let wish = wish(&args)?;
    let output = Output::of(&args)?;
    let missing = if args.files.is_empty() { IfMissing::Refuse } else { IfMissing::Make };
    let entrance = Arc::new(CliEntrance::new(tongue));
    let house = House::open(&args.place, missing, entrance.clone()).await?;
    house.media.check().await.map_err(Refusal::Needed)?;
    house.recogniser.check(&wish).await.map_err(Refusal::Needed)?;
    let shutdown = CancellationToken::new();
    let signal = signals::listen(tongue, shutdown.clone())
        .map_err(|_| Refusal::Needed(Failure::new(codes::INTERRUPTED)))?;

    if let Err(failure) = house.service.sweep().await {
        tracing::warn!(%failure, "unnamed objects could not be swept; the next start tries again");
    }
    let workers = Workers::start(&house.runtime, house.settings.workers(), shutdown.clone());
    let (ids, refused) = gather(&house, &args, &wish, tongue, &entrance, &shutdown).await?;
    if house.settings.workers() == 0 {
        // Legal: what was handed in is kept and waits for a run with workers.
        tongue.err(&tongue.say("cli-no-workers", &[]));
        return Ok(Refusal::SOME_FAILED);
    }
    let followed = follow(&house, &ids, tongue, &entrance, &shutdown).await;
    workers.stop().await;
    entrance.finish();

    let data = house.path.display().to_string();
    match followed? {
        Followed::Ended => {}
        Followed::Trouble(failure) => {
            let reason = tongue.failure(&failure);
            let args = [("reason", Arg::Text(&reason)), ("data", Arg::Text(&data))];
            tongue.err(&tongue.say("cli-waiting-trouble", &args));
            return Ok(Refusal::SETUP);
        }
        Followed::Interrupted => {
            tongue.err(&tongue.say("cli-interrupted", &[("data", Arg::Text(&data))]));
            return Ok(signal.borrow().map_or(130, |ended| ended.0));
        }
    }
    let written = output.write(&house, &ids, tongue).await?;
    if !args.files.is_empty() {
        tell_about_others(&house, &ids, tongue).await?;
    }
    Ok(if refused || !written { Refusal::SOME_FAILED } else { 0 })
}

fn wish(args: &Transcribe) -> Result<Wish, Refusal> {
    if let Some(language) = &args.language {
        let code = language.len() == 2 && language.bytes().all(|b| b.is_ascii_lowercase());
        if !code {
            let named = vec![("language", language.clone())];
            return Err(Refusal::Usage("cli-language-unknown", named));
        }
    }
    // A path must mean the same file when a later run from elsewhere goes on with it.
    let absolute = |model: &String| match std::path::absolute(model) {
        Ok(path) if model.contains('/') => path.to_string_lossy().into_owned(),
        _ => model.clone(),
    };
    Ok(Wish { language: args.language.clone(), model: args.model.as_ref().map(absolute) })
}

/// The recordings this run is about, in order, and whether a file was refused.
async fn gather(
    house: &House,
    args: &Transcribe,
    wish: &Wish,
    tongue: &Tongue,
    entrance: &CliEntrance,
    shutdown: &CancellationToken,
) -> Result<(Vec<WorkId>, bool), Refusal> {
    if args.files.is_empty() {
        let filter = Filter { moving: true, before: None, limit: AT_ONCE };
        let mut ids: Vec<WorkId> =
            house.service.ledger.list(filter).await?.iter().map(|v| v.work.id).collect();
        ids.reverse();
        if ids.is_empty() {
            let data = house.path.display().to_string();
            return Err(Refusal::Cannot("cli-nothing-left", vec![("data", data)]));
        }
        return Ok((ids, false));
    }
    let mut ids = Vec::new();
    let mut refused = false;
    for file in &args.files {
        if shutdown.is_cancelled() {
            break;
        }
        match input::take_in(house, file, wish).await {
            Ok(id) => {
                go_on(house, id).await?;
                if !ids.contains(&id) {
                    ids.push(id);
                }
            }
            Err(refusal) => {
                refused = true;
                entrance.say(&refusal.sentence(file, tongue));
            }
        }
    }
    Ok((ids, refused))
}

/// Naming a file again is asking for another try, except where only a decision or another file
/// would help.
async fn go_on(house: &House, id: WorkId) -> Result<(), Refusal> {
    let view = house.service.ledger.view(id).await?;
    let stop = view.and_then(|view: View| view.work.stop);
    if stop.is_some_and(|stop| stop.reason != StopReason::Verdict) {
        // What cannot be lifted stays stopped, and is told at the end.
        let _ = house.service.lift(id, &person(), None).await;
    }
    Ok(())
}

async fn tell_about_others(house: &House, ids: &[WorkId], tongue: &Tongue) -> Result<(), Refusal> {
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
