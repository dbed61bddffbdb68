//! Whether the torrent client is being watched, as far as the database tells: any host can judge it.
//!
//! It asks no client. **Invariant:** a stumble is no trouble, and what one look after it mends, is told
//! as mended.

use std::time::Duration;

use verst_downloads::codes;
use verst_downloads::ports::Contact;
use verst_kernel::{Failure, Timestamp};

use crate::WorkView;

/// Looks that fail one after the other before it is trouble.
const STUMBLES: u32 = 3;
/// The next look is never further away than a minute; nobody is as busy for so long.
const LATE: Duration = Duration::from_mins(15);

/// The watch of a client as people see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WatchView {
    /// Its record.
    pub work: WorkView,
    /// How it is with the client.
    pub contact: Option<Contact>,
}

impl WatchView {
    /// Looks that failed since the last that did not.
    pub fn failed(&self) -> u32 {
        // A look that is under way has been counted, and has not failed.
        self.work.failures.saturating_sub(u32::from(self.work.held))
    }

    /// What is wrong with it now, judged by a process that has worked since `started_at`.
    pub fn trouble(&self, now: Timestamp, started_at: Timestamp) -> Option<Failure> {
        let failed = self.failed();
        if failed >= STUMBLES {
            let why = self.work.why.as_ref();
            let client = why.filter(|why| {
                [codes::CLIENT_UNREACHABLE, codes::CLIENT_REFUSES].contains(&why.code.as_ref())
            });
            let failing = || Failure::new(codes::WATCH_FAILING).int("times", i64::from(failed));
            return Some(client.cloned().unwrap_or_else(failing));
        }
        let late = now.since(self.work.ready_at.max(started_at));
        let minutes = i64::try_from(late.as_secs() / 60).unwrap_or(i64::MAX);
        let waits = !self.work.held && late > LATE;
        waits.then(|| Failure::new(codes::WATCH_LATE).int("minutes", minutes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use verst_kernel::WorkId;

    const MINUTE: i64 = 60_000_000;

    fn view(failures: u32, held: bool, why: &'static str) -> WatchView {
        let work = WorkView {
            id: WorkId(1),
            milestone: "watch".to_owned(),
            created_at: Timestamp(0),
            entered_at: Timestamp(0),
            ready_at: Timestamp(0),
            held,
            failures,
            why: Some(Failure::new(why)),
            stop: None,
        };
        WatchView { work, contact: None }
    }

    #[track_caller]
    fn check(view: &WatchView, now_min: i64, started_min: i64, expected: Option<&str>) {
        let (now, started) = (Timestamp(now_min * MINUTE), Timestamp(started_min * MINUTE));
        let trouble = view.trouble(now, started);
        assert_eq!(trouble.as_ref().map(|it| it.code.as_ref()), expected);
    }

    #[test]
    fn failures_in_a_row_are_trouble_and_the_look_under_way_is_none_of_them() {
        check(&view(0, false, "watching"), 1, 0, None);
        check(&view(2, false, "panicked"), 1, 0, None);
        check(&view(3, true, "panicked"), 1, 0, None);
        check(&view(3, false, "panicked"), 1, 0, Some("watch_failing"));
        check(&view(101, true, "store_failed"), 1, 0, Some("watch_failing"));
        check(&view(3, false, "client_refuses"), 1, 0, Some("client_refuses"));
    }

    #[test]
    fn a_look_that_nobody_takes_is_late_unless_all_have_just_started() {
        check(&view(0, false, "watching"), 15, 0, None);
        check(&view(0, false, "watching"), 16, 0, Some("watch_late"));
        check(&view(1, true, "watching"), 16, 0, None);
        check(&view(0, false, "watching"), 600, 590, None);
    }
}
