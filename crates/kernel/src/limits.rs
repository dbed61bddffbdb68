//! The numbers a person may set about patience and retries.

use std::time::Duration;

use crate::{Patience, Stage};

/// The longest pause of work that is never given up: whatever it waits for may be there again.
const NEVER_LONGER: Duration = Duration::from_mins(1);

/// Limits shared by all lines. Both patiences and the failure limit are settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How long work may stand at a milestone that our own step leaves.
    pub own_patience: Duration,
    /// How long work may stand at a milestone that waits for a foreign operation.
    pub foreign_patience: Duration,
    /// How many runs without an outcome or with a failure a milestone gets; the claim after the
    /// last one stops the work.
    pub failures: u32,
    /// Pause after the first failure; doubles with each further one.
    pub pause_base: Duration,
    /// The longest pause.
    pub pause_cap: Duration,
}

impl Limits {
    /// Those that hold at a milestone.
    pub(crate) fn at(&self, stage: &Stage) -> Self {
        let unlimited = stage.patience == Patience::Unlimited;
        let longest = if unlimited { NEVER_LONGER } else { Duration::MAX };
        Self { pause_cap: self.pause_cap.min(longest), ..self.clone() }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            own_patience: Duration::from_hours(1),
            foreign_patience: Duration::from_hours(24),
            failures: 6,
            pause_base: Duration::from_secs(5),
            pause_cap: Duration::from_mins(15),
        }
    }
}
