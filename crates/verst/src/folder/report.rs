//! What a report says.

use verst_kernel::{Failure, WorkId};
use verst_words::Arg;

use crate::tongue::Tongue;

/// A file that was not taken in.
pub(super) fn refused(failure: &Failure, tongue: &Tongue) -> String {
    let reason = tongue.failure(failure);
    tongue.say("folder-report-refused", &[("reason", Arg::Text(&reason))]) + "\n"
}

/// A file that cannot be read.
pub(super) fn unreadable(tongue: &Tongue) -> String {
    tongue.say("folder-report-unreadable", &[]) + "\n"
}

/// A recording that was stopped.
pub(super) fn stopped(id: WorkId, failure: &Failure, tongue: &Tongue) -> String {
    let (reason, id) = (tongue.failure(failure), id.to_string());
    let args = [("id", Arg::Text(&id)), ("reason", Arg::Text(&reason))];
    tongue.say("folder-report-stopped", &args) + "\n"
}
