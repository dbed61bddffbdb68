//! From an outcome to a change of the stored row. Total and pure.

use std::time::Duration;

use crate::held::{absent, waited};
use crate::pause::pause;
use crate::time::micros;
use crate::{
    Event, Failure, Limits, NoticeKind, Outcome, Roll, Stage, Standing, Stop, StopReason, Timestamp,
};

/// A change that a store applies in one transaction under the fence. Times are relative: the
/// store adds its own clock, so that on a shared database one clock decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change<P> {
    /// The milestone reached; resets entered-time, held time and tried-time.
    pub advance: Option<&'static str>,
    /// The failure count from now on.
    pub failures: u32,
    /// When the work may be claimed again, counted from now.
    pub ready_in: Duration,
    /// Added to the time that patience does not count.
    pub held_us: i64,
    /// Whether the time of this run itself is added too: it brought a finished part.
    pub run_held: bool,
    /// What becomes of the wait for a resource of ours.
    pub wait: Wait,
    /// Whether this run counts as a try at this milestone.
    pub tried: bool,
    /// The stop mark to set.
    pub stop: Option<Stop>,
    /// What is waited for, for people.
    pub why: Option<Failure>,
    /// The last declared failure from now on.
    pub last_failure: Option<Failure>,
    /// What the step writes besides.
    pub product: Option<P>,
    /// The journal row: the step and what happened.
    pub journal: Option<(&'static str, Event)>,
    /// What must be told after the commit.
    pub notice: Option<NoticeKind>,
}

/// What becomes of a wait for a resource of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    /// It is over, or there was none.
    Over,
    /// It begins, or begins anew, now.
    Begins,
    /// It goes on as if this claim had not been.
    GoesOn,
}

/// A change that releases the claim and alters nothing else.
fn release<P>(standing: &Standing) -> Change<P> {
    Change {
        advance: None,
        failures: standing.failures,
        ready_in: Duration::ZERO,
        held_us: 0,
        run_held: false,
        wait: Wait::Over,
        tried: true,
        stop: None,
        why: None,
        last_failure: None,
        product: None,
        journal: None,
        notice: None,
    }
}

/// What follows from `outcome`. `started_at` is the store's clock when this process started.
pub fn settle<P>(
    standing: &Standing,
    stage: &Stage,
    outcome: Outcome<P>,
    limits: &Limits,
    started_at: Timestamp,
    roll: Roll,
) -> Change<P> {
    let waited = waited(standing);
    let held_us = micros(waited.saturating_add(absent(standing, started_at)));
    let base = release(standing);
    match outcome {
        Outcome::Advance(product) => Change {
            advance: stage.next,
            failures: 0,
            product: Some(product),
            journal: stage.step.map(|step| (step, Event::Advanced)),
            notice: (stage.next == Some(Stage::FINAL)).then_some(NoticeKind::Done),
            ..base
        },
        Outcome::Defer { delay, why, product } => Change {
            failures: 0,
            ready_in: delay,
            held_us,
            // Patience limits waiting; a run that brings a part of the result is the work itself.
            run_held: product.is_some(),
            why: Some(why),
            product,
            ..base
        },
        Outcome::Busy { delay, why, trouble: _ } => Change {
            failures: standing.failures.saturating_sub(1),
            ready_in: delay,
            held_us: micros(waited),
            wait: Wait::Begins,
            tried: false,
            why: Some(why),
            last_failure: standing.last_failure.clone(),
            ..base
        },
        Outcome::Fail(failure) => Change {
            ready_in: pause(standing.failures, &limits.at(stage), roll),
            held_us,
            why: Some(failure.clone()),
            last_failure: Some(failure),
            ..base
        },
        Outcome::Verdict(failure) => {
            stop(standing, stage, Stop { reason: StopReason::Verdict, failure })
        }
    }
}

/// Stops the work: a guard's answer, or a verdict. The milestone stays.
pub fn stop<P>(standing: &Standing, stage: &Stage, stop: Stop) -> Change<P> {
    Change {
        last_failure: Some(stop.failure.clone()),
        notice: Some(NoticeKind::Stopped(stop.failure.clone())),
        journal: stage.step.map(|step| (step, Event::Stopped)),
        stop: Some(stop),
        ..release(standing)
    }
}

/// Gives an attempt back because our own service stops: as if the claim had not been.
pub fn give_back<P>(standing: &Standing) -> Change<P> {
    Change {
        failures: standing.failures.saturating_sub(1),
        wait: Wait::GoesOn,
        tried: false,
        last_failure: standing.last_failure.clone(),
        ..release(standing)
    }
}

#[cfg(test)]
#[path = "settle_tests.rs"]
mod tests;
