//! Lifting a stop. Where going on could pay twice or ask in vain, the person has to choose.

use thiserror::Error;
use verst_kernel::{Lift, Lifted, StopReason, StoreError, WorkId};
use verst_recordings::model::Product as OfRecording;
use verst_recordings::{NORMALIZED, SUBMITTED, codes};

use crate::{Product, Service, WorkView};

/// How to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// With a new attempt, which a provider may charge for again.
    SubmitAgain,
    /// With the operation that was begun.
    KeepWaiting,
}

/// Why a stop was not lifted.
#[derive(Debug, Error)]
pub enum LiftError {
    /// The recogniser refused, or it is not known whether it began: the person has to say how to
    /// go on.
    #[error("a choice is needed: submit again or keep waiting")]
    ChoiceNeeded,
    /// It is about one part, and its provider cannot be asked what became of it: there is nothing to
    /// wait for, and the person has to say that the part is to be called for again.
    #[error("a part can only be submitted again")]
    OnlyAgain,
    /// There is no attempt to choose about at this milestone.
    #[error("there is no attempt to choose about")]
    NothingToChoose,
    /// It is not stopped.
    #[error("not stopped")]
    NotStopped,
    /// No such work.
    #[error("no such work")]
    Missing,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What lifting means for work that stands like this. Pure.
fn plan(work: &WorkView, choice: Option<Choice>) -> Result<Lift<Product>, LiftError> {
    let stop = work.stop.as_ref().ok_or(LiftError::NotStopped)?;
    let at_recogniser = work.milestone == SUBMITTED || work.milestone == NORMALIZED;
    let undecided = stop.reason == StopReason::Verdict
        && (work.milestone == SUBMITTED || stop.failure.code == codes::UNKNOWN_SUBMISSION);
    if work.milestone == SUBMITTED && codes::is_of_part(&stop.failure) {
        return match choice {
            Some(Choice::SubmitAgain) => {
                Ok(Lift { to: None, product: Some(OfRecording::CallAgain.into()) })
            }
            Some(Choice::KeepWaiting) | None => Err(LiftError::OnlyAgain),
        };
    }
    match choice {
        None if undecided => Err(LiftError::ChoiceNeeded),
        None => Ok(Lift { to: None, product: None }),
        Some(_) if !at_recogniser => Err(LiftError::NothingToChoose),
        Some(Choice::SubmitAgain) => {
            Ok(Lift { to: Some(NORMALIZED), product: Some(OfRecording::SubmitAgain.into()) })
        }
        Some(Choice::KeepWaiting) => {
            Ok(Lift { to: None, product: Some(OfRecording::KeepWaiting.into()) })
        }
    }
}

impl WorkView {
    /// Between what a person has to choose where the stop of a recording is to be lifted; nothing where
    /// it can simply be lifted.
    pub fn choices(&self) -> Vec<Choice> {
        if self.stop.is_none() || plan(self, None).is_ok() {
            return Vec::new();
        }
        let both = [Choice::SubmitAgain, Choice::KeepWaiting];
        both.into_iter().filter(|choice| plan(self, Some(*choice)).is_ok()).collect()
    }
}

impl Service {
    /// Lifts a stop in a person's name. The work goes on where it stood, or, with a new attempt,
    /// from `normalized`.
    pub async fn lift(
        &self,
        id: WorkId,
        person: &str,
        choice: Option<Choice>,
    ) -> Result<(), LiftError> {
        let view = self.ledger.view(id).await?.ok_or(LiftError::Missing)?;
        let lift = plan(&view.work, choice)?;
        match self.queue.lift(id, person, lift).await? {
            Lifted::Lifted => Ok(()),
            Lifted::NotStopped => Err(LiftError::NotStopped),
            Lifted::Missing => Err(LiftError::Missing),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::StopMark;
    use verst_kernel::{Failure, Timestamp};

    fn stopped(milestone: &str, reason: StopReason, code: &'static str) -> WorkView {
        WorkView {
            id: WorkId(1),
            milestone: milestone.into(),
            created_at: Timestamp(0),
            entered_at: Timestamp(0),
            ready_at: Timestamp(0),
            held: false,
            failures: 0,
            why: None,
            stop: Some(StopMark { at: Timestamp(0), reason, failure: Failure::new(code) }),
        }
    }

    /// Where the work would go on, or nowhere.
    fn check(work: &WorkView, choice: Option<Choice>) -> Option<String> {
        plan(work, choice).ok().map(|lift| lift.to.unwrap_or("here").to_owned())
    }

    #[test]
    fn a_verdict_about_an_attempt_needs_a_choice() {
        use StopReason::{Stuck, Verdict};
        let again = Some(Choice::SubmitAgain);
        let wait = Some(Choice::KeepWaiting);
        let unknown = stopped(NORMALIZED, Verdict, codes::UNKNOWN_SUBMISSION);
        let refused = stopped(SUBMITTED, Verdict, codes::RECOGNISER_REFUSED);
        for work in [&unknown, &refused] {
            assert_eq!(check(work, None), None);
            assert_eq!(check(work, again), Some(NORMALIZED.to_owned()));
            assert_eq!(check(work, wait), Some("here".to_owned()));
            assert_eq!(work.choices(), [Choice::SubmitAgain, Choice::KeepWaiting]);
        }
        let mut part = stopped(SUBMITTED, Verdict, codes::UNKNOWN_SUBMISSION);
        let stop = part.stop.as_mut().unwrap();
        stop.failure = codes::of_part(stop.failure.clone(), 2);
        assert_eq!(check(&part, again), Some("here".to_owned()), "the kept parts stay");
        for choice in [None, wait] {
            assert!(matches!(plan(&part, choice), Err(LiftError::OnlyAgain)), "{choice:?}");
        }
        assert_eq!(part.choices(), [Choice::SubmitAgain]);
        let stuck = stopped(SUBMITTED, Stuck, Failure::STUCK);
        assert_eq!(check(&stuck, None), Some("here".to_owned()));
        let damaged = stopped("uploaded", Verdict, codes::DAMAGED_FILE);
        assert_eq!(check(&damaged, None), Some("here".to_owned()));
        assert_eq!(check(&damaged, again), None);
        assert!(damaged.choices().is_empty());
    }
}
