//! What a person does to a recording or a download by its number: stop, lift, retry, rename.

use std::sync::Arc;

use verst_adapters::log_entrance::LogEntrance;
use verst_kernel::WorkId;
use verst_service::{Choice, Edit, EditError, LiftError, StopAnswer, View};
use verst_words::Arg;

use crate::cli::{Lift, Place, Rename, Which};
use crate::downloads::{self, is_download};
use crate::house::{House, IfMissing};
use crate::refusal::Refusal;
use crate::tongue::Tongue;

pub(crate) async fn house(place: &Place) -> Result<House, Refusal> {
    House::visit(place, IfMissing::Refuse, Arc::new(LogEntrance)).await
}

/// The recording of this number. Where a download has it, that is said.
pub(crate) async fn found(house: &House, id: i64) -> Result<View, Refusal> {
    if let Some(view) = house.service.ledger.view(WorkId(id)).await? {
        return Ok(view);
    }
    let key = if is_download(house, id).await? { "cli-is-download" } else { "cli-missing" };
    Err(cannot(key, id))
}

/// Whom the journal names.
pub(crate) fn person() -> String {
    let user = std::env::var("USER").ok().filter(|user| !user.is_empty());
    user.unwrap_or_else(|| "cli".to_owned())
}

fn cannot(key: &'static str, id: i64) -> Refusal {
    Refusal::Cannot(key, vec![("id", id.to_string())])
}

pub(crate) async fn stop(args: Which, tongue: &Tongue) -> Result<u8, Refusal> {
    let house = house(&args.place).await?;
    if is_download(&house, args.id).await? {
        return downloads::stop(&house, args.id, tongue).await;
    }
    let view = found(&house, args.id).await?;
    let answer = house.service.stop(WorkId(args.id), &person()).await?;
    house.close().await;
    match answer {
        StopAnswer::Stopped(_) => say(tongue, "cli-was-stopped", args.id, &view),
        StopAnswer::AlreadyStopped => return Err(cannot("cli-already-stopped", args.id)),
        StopAnswer::Finished => return Err(cannot("cli-already-done", args.id)),
        StopAnswer::Missing => return Err(cannot("cli-missing", args.id)),
    }
    Ok(0)
}

pub(crate) async fn lift(args: Lift, tongue: &Tongue) -> Result<u8, Refusal> {
    let house = house(&args.place).await?;
    if is_download(&house, args.id).await? {
        return downloads::lift(&house, args.id, tongue).await;
    }
    let choice = match (args.submit_again, args.keep_waiting) {
        (true, _) => Some(Choice::SubmitAgain),
        (_, true) => Some(Choice::KeepWaiting),
        _ => None,
    };
    lift_recording(&house, args.id, choice, tongue).await
}

/// Puts a download on its way again; of a recording, that is to lift its stop.
pub(crate) async fn retry(args: Which, tongue: &Tongue) -> Result<u8, Refusal> {
    let house = house(&args.place).await?;
    if is_download(&house, args.id).await? {
        return downloads::retry(&house, args.id, tongue).await;
    }
    lift_recording(&house, args.id, None, tongue).await
}

async fn lift_recording(
    house: &House,
    id: i64,
    choice: Option<Choice>,
    tongue: &Tongue,
) -> Result<u8, Refusal> {
    match house.service.lift(WorkId(id), &person(), choice).await {
        Ok(()) => {
            let view = found(house, id).await?;
            say(tongue, "cli-was-lifted", id, &view);
            Ok(0)
        }
        Err(LiftError::ChoiceNeeded) => Err(cannot("cli-choice-needed", id)),
        Err(LiftError::OnlyAgain) => Err(cannot("cli-only-again", id)),
        Err(LiftError::NothingToChoose) => Err(cannot("cli-nothing-to-choose", id)),
        Err(LiftError::NotStopped) => Err(cannot("cli-not-stopped", id)),
        Err(LiftError::Missing) => Err(cannot("cli-missing", id)),
        Err(LiftError::Store(error)) => Err(error.into()),
    }
}

pub(crate) async fn rename(args: Rename, tongue: &Tongue) -> Result<u8, Refusal> {
    let house = house(&args.place).await?;
    found(&house, args.id).await?;
    let edit = Edit { title: Some(args.title), ..Edit::default() };
    match house.service.edit(WorkId(args.id), edit).await {
        Ok(()) => {}
        Err(EditError::Missing) => return Err(cannot("cli-missing", args.id)),
        Err(EditError::TooLong { limit, .. } | EditError::TooMany { limit, .. }) => {
            return Err(Refusal::Usage("cli-too-long", vec![("limit", limit.to_string())]));
        }
        Err(EditError::Store(error)) => return Err(error.into()),
    }
    tongue.err(&tongue.say("cli-renamed", &[("id", Arg::Text(&args.id.to_string()))]));
    Ok(0)
}

fn say(tongue: &Tongue, key: &str, id: i64, view: &View) {
    let milestone = tongue.milestone(&view.work.milestone);
    let id = id.to_string();
    tongue.err(&tongue.say(key, &[("id", Arg::Text(&id)), ("milestone", Arg::Text(&milestone))]));
}
