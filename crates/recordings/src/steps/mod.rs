//! The steps, one file each. A step looks, and says what it saw as a value.

mod call;
mod finish;
mod normalise;
mod poll;
mod submit;

pub(crate) use finish::finish;
pub(crate) use normalise::normalise;
pub(crate) use poll::poll;
pub(crate) use submit::submit;

use std::time::Duration;

use verst_kernel::{Failure, Outcome};

use crate::codes;
use crate::lanes;
use crate::model::Product;
use crate::ports::Obstacle;

pub(crate) type Ended = Result<Outcome<Product>, crate::road::Trouble>;

/// A step's way to end when it notices that its claim is lost: whatever it says, settling will
/// find the same and say nothing to anyone.
fn lost() -> Outcome<Product> {
    Outcome::Fail(Failure::new(codes::INTERRUPTED))
}

/// When to look again whether a person has mended what every recording waits for.
const MENDED: Duration = Duration::from_secs(30);

/// What a failure that may pass means for the recording.
pub(crate) fn failed(failure: Failure) -> Outcome<Product> {
    if codes::awaits_person(&failure.code) {
        Outcome::Busy { delay: MENDED, why: failure, trouble: true }
    } else {
        Outcome::Fail(failure)
    }
}

/// So many others come first.
fn waiting_turn(ahead: u64) -> Outcome<Product> {
    let count = i64::try_from(ahead).unwrap_or(i64::MAX);
    Outcome::Busy {
        delay: lanes::wait(ahead),
        why: Failure::new(codes::WAITING_TURN).int("ahead", count),
        trouble: false,
    }
}

/// Why a recogniser did not do what was asked, for the record.
fn reason(obstacle: &Obstacle) -> Failure {
    match obstacle {
        Obstacle::Busy { .. } => Failure::new(codes::WAITING_TURN),
        Obstacle::Paused { failure, .. }
        | Obstacle::Failed(failure)
        | Obstacle::Refused(failure) => failure.clone(),
    }
}

/// What a recogniser's obstacle means for the recording.
fn obstructed(obstacle: Obstacle) -> Outcome<Product> {
    match obstacle {
        Obstacle::Busy { delay } => {
            Outcome::Busy { delay, why: Failure::new(codes::WAITING_TURN), trouble: false }
        }
        Obstacle::Paused { delay, failure } => Outcome::Busy { delay, why: failure, trouble: true },
        Obstacle::Failed(failure) => failed(failure),
        Obstacle::Refused(failure) => Outcome::Verdict(failure),
    }
}
