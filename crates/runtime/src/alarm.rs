//! Trouble that is the same for every recording is logged once in a while, not once for each.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use verst_kernel::Timestamp;

/// How long the same trouble stays quiet after it was logged.
const QUIET: Duration = Duration::from_mins(1);

/// When each kind of trouble was last logged. The kinds are failure codes: a closed, short list.
#[derive(Debug, Default)]
pub struct Alarm {
    rung: Mutex<HashMap<String, Timestamp>>,
}

impl Alarm {
    /// Whether this trouble is to be logged now.
    pub(crate) fn rings(&self, code: &str, now: Timestamp) -> bool {
        let mut rung = self.rung.lock().unwrap_or_else(PoisonError::into_inner);
        let quiet = rung.get(code).is_some_and(|at| now.since(*at) < QUIET && now >= *at);
        if !quiet {
            rung.insert(code.to_owned(), now);
        }
        !quiet
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_trouble_is_quiet_for_a_while_and_another_is_not() {
        let alarm = Alarm::default();
        let now = Timestamp(1_000_000_000);
        assert!(alarm.rings("disk_full", now));
        assert!(!alarm.rings("disk_full", now.after(QUIET / 2)));
        assert!(alarm.rings("model_missing", now.after(QUIET / 2)));
        assert!(alarm.rings("disk_full", now.after(QUIET)));
        assert!(alarm.rings("disk_full", Timestamp(0)), "a clock that stepped back hides nothing");
    }
}
