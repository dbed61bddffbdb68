//! `verst transcribe`: hands files in, follows them, prints their text.

mod entrance;
mod follow;
mod output;
mod trouble;

use std::sync::Arc;

use tokio_util::sync::CancellationToken;
use verst_kernel::{Failure, StoreError, WorkId};
use verst_recordings::codes;
use verst_recordings::ports::Wish;
use verst_runtime::Workers;
use verst_service::{Filter, State, causes};
use verst_words::Arg;

use crate::cli::Transcribe;
use crate::house::{House, IfMissing};
use crate::intake::{self, AT_ONCE, Gathered, wish};
use crate::refusal::Refusal;
use crate::signals;
use crate::sweep::sweep;
use crate::tongue::Tongue;

use entrance::CliEntrance;
use follow::{Followed, Following};
use output::Output;
use trouble::Former;

pub(crate) async fn transcribe(args: Transcribe, tongue: &Tongue) -> Result<u8, Refusal> {
    let wish = wish(args.language.as_deref(), args.model.as_deref())?;
    let output = Output::of(&args)?;
    let missing = if args.files.is_empty() { IfMissing::Refuse } else { IfMissing::Make };
    let entrance = Arc::new(CliEntrance::new(tongue));
    let mut house = House::work_or_visit(&args.place, missing, entrance.clone(), tongue).await?;
    check(&house, &wish).await?;
    let shutdown = CancellationToken::new();
    let signal = signals::listen(tongue, shutdown.clone())
        .map_err(|_| Refusal::Needed(Failure::new(codes::INTERRUPTED)))?;

    sweep(&house, tongue).await;
    let mut former = Former::read(&house).await?;
    let mut workers = start(&house, &shutdown, tongue);
    let say = |line: &str| entrance.say(line);
    let gathered = if args.files.is_empty() {
        intake::unfinished(&house).await
    } else {
        intake::take_in(&house, &args.files, &wish, tongue, say, &shutdown).await
    };
    let Gathered { named, whole } = match gathered {
        Ok(gathered) => gathered,
        Err(refusal) => {
            stop(workers).await;
            return Err(refusal);
        }
    };
    let ids: Vec<WorkId> = named.iter().filter_map(|one| one.id).collect();
    let followed = loop {
        if whole && house.settings.workers() == 0 {
            // Legal: what was handed in is kept and waits for a run with workers. Nor has another
            // process here any, which reads the same settings.
            tongue.err(&tongue.say("cli-no-workers", &[]));
            return Ok(Refusal::SOME_FAILED);
        }
        let following = Following::new(&house, &ids, former, tongue, &entrance);
        let followed = following.through(&shutdown).await;
        if !matches!(followed, Followed::Vacant) {
            break followed;
        }
        // Whoever did the work is gone: somebody has to go on with it.
        let worked = House::work_or_visit(&args.place, missing, entrance.clone(), tongue).await;
        house = worked?;
        check(&house, &wish).await?;
        former = Former::read(&house).await?;
        workers = start(&house, &shutdown, tongue);
    };
    stop(workers).await;
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
    house.close().await;
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
        Followed::Ended | Followed::Interrupted | Followed::Vacant | Followed::Lost(_) => {
            tongue.err(&tongue.say("cli-interrupted", &[data]));
            return Ok(signal.borrow().map_or(130, |ended| ended.0));
        }
    }
    if !args.files.is_empty()
        && house.works()
        && let Err(error) = tell_about_others(&house, &ids, tongue).await
    {
        return Ok(lost(&error));
    }
    Ok(if written { 0 } else { Refusal::SOME_FAILED })
}

/// Whether what is needed is there: for the work, or only to hand in where another does it.
async fn check(house: &House, wish: &Wish) -> Result<(), Refusal> {
    if house.works() {
        let (media, recogniser) = tokio::join!(house.media.check(), house.recogniser.check(wish));
        return media.and(recogniser).map(drop).map_err(Refusal::Needed);
    }
    house.check_audio().await
}

/// Starts workers, unless another process has them.
fn start(house: &House, shutdown: &CancellationToken, tongue: &Tongue) -> Option<Workers> {
    if house.works() {
        let count = house.settings.workers();
        return Some(Workers::start(&house.runtime, count, shutdown.clone()));
    }
    let data = house.path.display().to_string();
    tongue.err(&tongue.say("cli-visiting", &[("data", Arg::Text(&data))]));
    None
}

async fn stop(workers: Option<Workers>) {
    if let Some(workers) = workers {
        workers.stop().await;
    }
}

/// Says that the store failed in the middle of the work: something may well have changed.
fn tell_lost(house: &House, error: &StoreError, tongue: &Tongue) -> u8 {
    let cause = causes(error);
    let data = house.path.display().to_string();
    let args = [("cause", Arg::Text(&cause)), ("data", Arg::Text(&data))];
    tongue.err(&tongue.say("cli-store-lost", &args));
    Refusal::SETUP
}

async fn tell_about_others(
    house: &House,
    ids: &[WorkId],
    tongue: &Tongue,
) -> Result<(), StoreError> {
    let filter = Filter { state: Some(State::Moving), limit: AT_ONCE, ..Filter::default() };
    let left = house.service.ledger.list(filter).await?;
    let count = left.iter().filter(|view| !ids.contains(&view.work.id)).count();
    if count > 0 {
        let data = house.path.display().to_string();
        let count = Arg::Int(i64::try_from(count).unwrap_or(i64::MAX));
        tongue.err(&tongue.say("cli-others-left", &[("count", count), ("data", Arg::Text(&data))]));
    }
    Ok(())
}
