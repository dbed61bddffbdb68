//! When a message may be changed. Telegram lets a bot say little in one chat, and says when it was
//! too much.
//!
//! **Invariant:** a pure function of what the message says, what it is to say, and the times; times
//! are counted from the start of the loop that asks.

use std::time::Duration;

/// Between two changes in one chat.
pub(crate) const BETWEEN: Duration = Duration::from_secs(3);

/// What is known of a chat's pace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pace {
    /// When something was last changed in it.
    pub(crate) last: Option<Duration>,
    /// Until when Telegram wants to hear nothing.
    pub(crate) silent_until: Option<Duration>,
}

/// What becomes of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Edit {
    /// It is changed.
    Now,
    /// It says so already.
    Nothing,
    /// It may be changed after this time.
    Wait(Duration),
}

/// Whether a message that says `said` is changed to `wanted` now.
pub(crate) fn decide(said: &str, wanted: &str, pace: Pace, now: Duration) -> Edit {
    if said == wanted {
        return Edit::Nothing;
    }
    let paced = pace.last.map(|last| last + BETWEEN);
    match paced.max(pace.silent_until) {
        Some(until) if until > now => Edit::Wait(until.saturating_sub(now)),
        _ => Edit::Now,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_changes_when_it_has_something_new_to_say_and_may() {
        let at = Duration::from_secs;
        let pace = |last, silent_until| Pace { last, silent_until };
        let check = |said, pace, now| decide(said, "new", pace, at(now));
        assert_eq!(check("new", pace(None, None), 0), Edit::Nothing);
        assert_eq!(check("new", pace(Some(at(0)), Some(at(60))), 1), Edit::Nothing);
        assert_eq!(check("old", pace(None, None), 0), Edit::Now);
        assert_eq!(check("old", pace(Some(at(10)), None), 12), Edit::Wait(at(1)));
        assert_eq!(check("old", pace(Some(at(10)), None), 13), Edit::Now);
        assert_eq!(check("old", pace(Some(at(10)), Some(at(40))), 20), Edit::Wait(at(20)));
        assert_eq!(check("old", pace(Some(at(10)), Some(at(11))), 12), Edit::Wait(at(1)));
        assert_eq!(check("old", pace(None, Some(at(40))), 40), Edit::Now);
    }
}
