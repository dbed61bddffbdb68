//! What is counted. Labels are lines, milestones, outcomes and causes: never a worker's name,
//! never anything of a recording.

use std::time::Duration;

use verst_kernel::{Depth, Undelivered};

/// Where counts go.
pub trait Meter: Send + Sync {
    /// A run of a step ended. The milestone is the one the work was taken from.
    fn step(&self, line: &str, milestone: &str, outcome: &'static str, took: Duration);
    /// Work was claimed.
    fn claim(&self, line: &str, milestone: &str);
    /// A notice did not reach anyone.
    fn undelivered(&self, cause: Undelivered);
    /// How much waits where, and for how long the oldest of it has (`None` when nothing waits).
    fn depth(&self, depth: &Depth, oldest_for: Option<Duration>);
}
