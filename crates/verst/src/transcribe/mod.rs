//! `verst transcribe`: hands files in, follows them, prints their text.

mod entrance;
mod follow;
mod gather;
mod input;
mod output;
mod publish;
mod spool;
mod trouble;

use std::sync::Arc;

use tokio_util::sync::CancellationToken;
use verst_kernel::{Failure, StoreError, WorkId};
use verst_recordings::codes;
use verst_recordings::ports::Wish;
use verst_runtime::Workers;
use verst_words::Arg;

use crate::cli::Transcribe;
use crate::house::{House, IfMissing};
use crate::refusal::Refusal;
use crate::signals;
use crate::tongue::Tongue;

use entrance::CliEntrance;
use follow::{Followed, Following};
use gather::{Gathered, gather, tell_about_others};
use output::Output;
use trouble::Former;

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

    sweep(&house, tongue).await;
    let former = Former::read(&house).await?;
    let workers = Workers::start(&house.runtime, house.settings.workers(), shutdown.clone());
    let gathered = gather(&house, &args, &wish, tongue, &entrance, &shutdown).await;
    let Gathered { named, whole } = match gathered {
        Ok(gathered) => gathered,
        Err(refusal) => {
            workers.stop().await;
            return Err(refusal);
        }
    };
    if whole && house.settings.workers() == 0 {
        // Legal: what was handed in is kept and waits for a run with workers.
        tongue.err(&tongue.say("cli-no-workers", &[]));
        return Ok(Refusal::SOME_FAILED);
    }
    let ids: Vec<WorkId> = named.iter().filter_map(|one| one.id).collect();
    let following = Following::new(&house, &ids, former, tongue, &entrance);
    let followed = following.through(&shutdown).await;
    workers.stop().await;
    entrance.finish();

    let lost = |error: &StoreError| tell_lost(&house, error, tongue);
    if let Followed::Lost(error) = &followed {
        return Ok(lost(error));
    }
    // Whatever keeps some from their text, those that have one get it.
    let written = match output.write(&house, &named, tongue).await {
        Ok(written) => written,
        Err(error) => return Ok(lost(&error)),
    };
    let data = house.path.display().to_string();
    let data = ("data", Arg::Text(&data));
    match followed {
        Followed::Ended if whole => {}
        Followed::Trouble(failure) => {
            let reason = tongue.failure(&failure);
            let args = [("reason", Arg::Text(&reason)), data];
            tongue.err(&tongue.say("cli-waiting-trouble", &args));
            return Ok(Refusal::SETUP);
        }
        Followed::Ended | Followed::Interrupted | Followed::Lost(_) => {
            tongue.err(&tongue.say("cli-interrupted", &[data]));
            return Ok(signal.borrow().map_or(130, |ended| ended.0));
        }
    }
    if !args.files.is_empty()
        && let Err(error) = tell_about_others(&house, &ids, tongue).await
    {
        return Ok(lost(&error));
    }
    Ok(if written { 0 } else { Refusal::SOME_FAILED })
}

/// Says that the store failed in the middle of the work: something may well have changed.
fn tell_lost(house: &House, error: &StoreError, tongue: &Tongue) -> u8 {
    let links = std::iter::successors(Some(error as &dyn std::error::Error), |link| link.source());
    let cause = links.map(ToString::to_string).collect::<Vec<_>>().join(": ");
    let data = house.path.display().to_string();
    let args = [("cause", Arg::Text(&cause)), ("data", Arg::Text(&data))];
    tongue.err(&tongue.say("cli-store-lost", &args));
    Refusal::SETUP
}

/// Clears what crashes left. A person hears of originals that no row names: they were accepted
/// once, so this can mean that the database is not the one they were accepted into.
async fn sweep(house: &House, tongue: &Tongue) {
    match house.service.sweep().await {
        Ok(swept) if swept.set_aside > 0 => {
            let data = house.path.display().to_string();
            let count = Arg::Int(i64::try_from(swept.set_aside).unwrap_or(i64::MAX));
            let args = [("count", count), ("data", Arg::Text(&data))];
            tongue.err(&tongue.say("cli-set-aside", &args));
        }
        Ok(_) => {}
        Err(failure) => {
            tracing::warn!(%failure, "objects could not be swept; the next start tries again");
        }
    }
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
