//! Counts into the `metrics` facade; whoever installs a recorder exports them.

use std::time::Duration;

use metrics::{counter, gauge, histogram};
use verst_kernel::{Depth, Undelivered};
use verst_runtime::Meter;

/// The meter of a running service.
#[derive(Clone, Copy, Debug, Default)]
pub struct Metrics;

impl Meter for Metrics {
    fn step(&self, line: &str, milestone: &str, outcome: &'static str, took: Duration) {
        let (line, milestone) = (line.to_owned(), milestone.to_owned());
        counter!("verst_steps_total", "line" => line.clone(), "milestone" => milestone.clone(),
                 "outcome" => outcome)
        .increment(1);
        histogram!("verst_step_seconds", "line" => line, "milestone" => milestone)
            .record(took.as_secs_f64());
    }

    fn claim(&self, line: &str, milestone: &str) {
        counter!("verst_claims_total", "line" => line.to_owned(),
                 "milestone" => milestone.to_owned())
        .increment(1);
    }

    fn undelivered(&self, cause: Undelivered) {
        counter!("verst_undelivered_total", "cause" => cause.name()).increment(1);
    }

    fn depth(&self, depth: &Depth, oldest_for: Option<Duration>) {
        let labels = [("line", depth.line.clone()), ("milestone", depth.milestone.clone())];
        #[expect(clippy::cast_precision_loss, reason = "a gauge is a float")]
        gauge!("verst_queue_depth", &labels).set(depth.waiting as f64);
        let age = oldest_for.unwrap_or_default().as_secs_f64();
        gauge!("verst_queue_oldest_seconds", &labels).set(age);
    }
}
