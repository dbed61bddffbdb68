//! Follows recordings until each is done or stopped, and shows how far they are.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use tokio_util::sync::CancellationToken;
use verst_kernel::{Failure, Stage, StoreError, WorkId};
use verst_recordings::{NORMALIZED, SUBMITTED, codes};
use verst_service::View;
use verst_words::Arg;

use super::entrance::{CliEntrance, UNITS};
use crate::house::House;
use crate::inspect::name;
use crate::tongue::Tongue;

/// How following ended.
pub(crate) enum Followed {
    /// Each recording is done or stopped.
    Ended,
    /// They wait for something that a person has to mend.
    Trouble(Failure),
    /// A signal came.
    Interrupted,
}

pub(crate) async fn follow(
    house: &House,
    ids: &[WorkId],
    tongue: &Tongue,
    entrance: &CliEntrance,
    shutdown: &CancellationToken,
) -> Result<Followed, StoreError> {
    let mut pending: BTreeSet<WorkId> = ids.iter().copied().collect();
    let mut told: BTreeMap<WorkId, u32> = BTreeMap::new();
    let mut first = true;
    loop {
        let mut position = u64::try_from(ids.len() - pending.len()).unwrap_or(0) * UNITS;
        let mut message = String::new();
        for id in pending.clone() {
            let Some(view) = house.service.ledger.view(id).await? else {
                pending.remove(&id);
                continue;
            };
            if view.work.stop.is_some() || view.work.milestone == Stage::FINAL {
                pending.remove(&id);
                position += UNITS;
                if first {
                    tell_old(house, &view, entrance).await?;
                }
                continue;
            }
            if let Some(why) = &view.work.why {
                if codes::awaits_person(&why.code) {
                    return Ok(Followed::Trouble(why.clone()));
                }
                tell_retry(&view, why, &mut told, tongue, entrance);
            }
            position += units(&view, house.runtime.running.fraction(id));
            if view.work.held && message.is_empty() {
                message = format!("{}: {}", name(&view), tongue.milestone(&view.work.milestone));
            }
        }
        first = false;
        if pending.is_empty() {
            return Ok(Followed::Ended);
        }
        if shutdown.is_cancelled() {
            return Ok(Followed::Interrupted);
        }
        if ids.len() > 1 {
            message = format!("{}/{} {message}", ids.len() - pending.len(), ids.len());
        }
        entrance.show(position, ids.len(), message);
        let pause = u64::try_from(pending.len()).unwrap_or(u64::MAX).clamp(200, 5000);
        tokio::select! {
            () = shutdown.cancelled() => {}
            () = tokio::time::sleep(Duration::from_millis(pause)) => {}
        }
    }
}

/// What had ended before this run is told by nobody else.
async fn tell_old(house: &House, view: &View, entrance: &CliEntrance) -> Result<(), StoreError> {
    let (given, warnings) = (&view.recording.given, &view.recording.warnings);
    if let Some(stop) = &view.work.stop {
        entrance.ended(given.name.as_deref(), Err(&stop.failure), warnings);
    } else if let Some(text) = house.service.recordings.transcript(view.work.id).await? {
        entrance.ended(given.name.as_deref(), Ok(&text), warnings);
    }
    Ok(())
}

/// Tells each failed attempt once.
fn tell_retry(
    view: &View,
    why: &Failure,
    told: &mut BTreeMap<WorkId, u32>,
    tongue: &Tongue,
    entrance: &CliEntrance,
) {
    let failures = view.work.failures;
    let waits = [codes::WAITING_TURN, codes::RECOGNISING, codes::AWAITING_TICKET];
    if view.work.held || failures == 0 || waits.contains(&why.code.as_ref()) {
        return;
    }
    if told.insert(view.work.id, failures) == Some(failures) {
        return;
    }
    let (name, reason) = (name(view), tongue.failure(why));
    entrance.say(&tongue.say(
        "cli-retry",
        &[
            ("name", Arg::Text(&name)),
            ("reason", Arg::Text(&reason)),
            ("failures", Arg::Int(failures.into())),
        ],
    ));
}

/// How far one recording is. Decoding is a small part of the way, recognition most of it.
fn units(view: &View, fraction: Option<f64>) -> u64 {
    let percent = view.work.why.as_ref().and_then(|why| match why.params.get("percent") {
        Some(verst_kernel::Value::Int(percent)) => u64::try_from(*percent).ok(),
        Some(verst_kernel::Value::Term(_)) | None => None,
    });
    match view.work.milestone.as_str() {
        NORMALIZED => 100,
        SUBMITTED => 100 + percent.unwrap_or(0).min(100) * 85 / 10,
        "transcribed" => 980,
        _ => {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "clamped to 0..=100 first"
            )]
            let done = (fraction.unwrap_or(0.0) * 100.0).clamp(0.0, 100.0) as u64;
            done
        }
    }
}
