//! What the store says about a claimed piece of work.

use crate::{Failure, Timestamp, WorkId};

/// The row of `work` as its holder reads it under the fence. None of it can change while the
/// fence is current, except through the holder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Which work.
    pub id: WorkId,
    /// Its line.
    pub line: String,
    /// The milestone it has reached.
    pub milestone: String,
    /// Since when: set by a change of milestone and by a return to work, by nothing else.
    pub entered_at: Timestamp,
    /// Microseconds at this milestone that patience does not count.
    pub held_us: i64,
    /// Since when it waits for a resource of ours, if its last run ended so.
    pub waiting_since: Option<Timestamp>,
    /// When this claim was made.
    pub claimed_at: Timestamp,
    /// When a run at this milestone last ended with an outcome other than "busy".
    pub tried_at: Option<Timestamp>,
    /// Claims since the last reset, this one included, less those given back.
    pub failures: u32,
    /// The last declared failure since the last reset.
    pub last_failure: Option<Failure>,
    /// The store's clock when this was read.
    pub now: Timestamp,
}

/// Why work was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// Too many runs failed or ended without an outcome.
    Failures,
    /// It stood at a milestone too long.
    Stuck,
    /// A step's verdict.
    Verdict,
    /// A person.
    Person,
}

impl StopReason {
    /// All reasons: the closed list of values in the schema.
    pub const ALL: [Self; 4] = [Self::Failures, Self::Stuck, Self::Verdict, Self::Person];

    /// Name in the schema and in logs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Failures => "failures",
            Self::Stuck => "stuck",
            Self::Verdict => "verdict",
            Self::Person => "person",
        }
    }

    /// The reason of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|r| r.name() == name)
    }
}

/// A stop mark, without its time: the store stamps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stop {
    /// Why.
    pub reason: StopReason,
    /// The machine text.
    pub failure: Failure,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_stored_and_found_by_its_name() {
        let names = StopReason::ALL.map(StopReason::name);
        assert_eq!(names, ["failures", "stuck", "verdict", "person"]);
        for reason in StopReason::ALL {
            assert_eq!(StopReason::from_name(reason.name()), Some(reason));
        }
        assert_eq!(StopReason::from_name("elsewhere"), None);
    }
}
