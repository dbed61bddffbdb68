//! A part that is had by a call outside, within the poll: the rule that nothing is paid for twice.
//!
//! **Invariant:** a call is on record before it is made. One that has no answer is made again by
//! itself only where that costs nothing; elsewhere a person decides.

use std::time::Duration;

use verst_kernel::{Failure, Noted, Outcome, Visit};

use super::poll::percent;
use super::{Ended, failed, lost, obstructed, reason};
use crate::codes;
use crate::model::{AttemptId, Product, RecordedCall};
use crate::ports::{Call, Called, Inquiry, Obstacle, Recogniser};
use crate::road::{Recordings, Trouble};

/// What a call is made with.
pub(super) struct Errand<'a> {
    pub(super) attempt: AttemptId,
    pub(super) inquiry: Inquiry<'a>,
    pub(super) call: Call,
    /// Length of the recording.
    pub(super) total: Duration,
}

/// The calls whose parts are kept.
pub(super) fn answered(recorded: &[RecordedCall]) -> Vec<Call> {
    recorded.iter().filter(|it| it.answered).map(|it| it.call).collect()
}

/// Looks for a call that was made, or was about to be, and has no answer. `Some` ends the step.
pub(super) async fn unanswered(
    line: &Recordings,
    visit: &Visit<'_>,
    recogniser: &dyn Recogniser,
    recorded: &[RecordedCall],
) -> Result<Option<Outcome<Product>>, Trouble> {
    let Some(open) = recorded.iter().find(|it| !it.answered) else { return Ok(None) };
    if recogniser.profile().paid {
        return Ok(Some(unknown(open.call)));
    }
    let closed = Product::CallClosed { call: open.id, failure: Failure::new(codes::INTERRUPTED) };
    let noted = line.store.note(visit.claim, closed).await?;
    Ok((noted == Noted::Lost).then(lost))
}

/// Puts a call on record and makes it.
pub(super) async fn make(
    line: &Recordings,
    visit: &Visit<'_>,
    recogniser: &dyn Recogniser,
    errand: Errand<'_>,
) -> Ended {
    let Errand { attempt, inquiry, call, total } = errand;
    let Some(id) = line.store.open_call(visit.claim, attempt, call).await? else {
        return Ok(lost());
    };
    let (outcome, failure) = match recogniser.call(inquiry, call, visit.supervisor).await {
        Called::Heard(part) => {
            // Kept at once and whoever holds the claim by now. Should this one write fail, the
            // part still goes with the deferral.
            let _ = line.store.keep_answer(attempt, id, &part).await;
            let share = millis(call.until_ms).div_duration_f64(total.max(Duration::from_millis(1)));
            let why = Failure::new(codes::RECOGNISING).int("percent", percent(share));
            let product = Some(Product::Answered { attempt, call: id, part });
            return Ok(Outcome::Defer { delay: Duration::ZERO, why, product });
        }
        Called::Unknown(_) if recogniser.profile().paid => return Ok(unknown(call)),
        Called::Unknown(failure) => (failed(failure.clone()), failure),
        Called::NotMade(obstacle) => {
            let obstacle = of_part(obstacle, call);
            let failure = reason(&obstacle);
            (obstructed(obstacle), failure)
        }
    };
    let closed = Product::CallClosed { call: id, failure };
    let noted = line.store.note(visit.claim, closed).await?;
    Ok(if noted == Noted::Lost { lost() } else { outcome })
}

/// Nobody knows whether this call was paid for.
fn unknown(call: Call) -> Outcome<Product> {
    Outcome::Verdict(codes::of_part(Failure::new(codes::UNKNOWN_SUBMISSION), call.index))
}

/// A refusal is about this part: a person may have it called for again and keep the others.
fn of_part(obstacle: Obstacle, call: Call) -> Obstacle {
    match obstacle {
        Obstacle::Refused(failure) => Obstacle::Refused(codes::of_part(failure, call.index)),
        other => other,
    }
}

fn millis(ms: u64) -> Duration {
    Duration::from_millis(ms)
}
