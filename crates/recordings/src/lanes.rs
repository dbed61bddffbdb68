//! Who may enter a recogniser that works on few recordings at a time. Pure.
//!
//! One lane takes the oldest recording whatever its length, the other the oldest short one, so
//! that neither a lecture nor an archive of five hundred starves a voice note or the rest.

use std::time::Duration;

/// A lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// For the oldest recording.
    Oldest,
    /// For the oldest short recording.
    Short,
}

impl Lane {
    /// Name in the schema.
    pub fn name(self) -> &'static str {
        match self {
            Self::Oldest => "oldest",
            Self::Short => "short",
        }
    }
}

/// What the store sees at the moment of the decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Whether another recording is in the lane for the oldest.
    pub oldest_taken: bool,
    /// Whether another recording is in the lane for short ones.
    pub short_taken: bool,
    /// Recordings that wait and are older.
    pub older: u64,
    /// Those of them that are short.
    pub older_short: u64,
    /// Whether this one is short.
    pub short: bool,
}

/// The decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// Enter.
    Enter(Lane),
    /// Wait for so many others.
    Wait(u64),
}

/// Whether this recording may enter now.
pub fn turn(facts: Facts) -> Turn {
    if facts.older == 0 && !facts.oldest_taken {
        return Turn::Enter(Lane::Oldest);
    }
    if facts.short && facts.older_short == 0 && !facts.short_taken {
        return Turn::Enter(Lane::Short);
    }
    Turn::Wait(if facts.short { facts.older_short } else { facts.older })
}

/// How long to wait before asking for a turn again. In proportion to the number ahead, so that
/// five hundred waiting recordings cost some thirty claims a second and the next in line comes at once.
pub fn wait(ahead: u64) -> Duration {
    let turns = u32::try_from(ahead.saturating_add(1)).unwrap_or(u32::MAX);
    Duration::from_millis(250).saturating_mul(turns).min(Duration::from_mins(1))
}

/// Files up to this size count as small when they wait to be decoded: half an hour of a voice
/// message.
pub const SMALL_BYTES: u64 = 4 << 20;

/// Whether a recording may be decoded now, with so many of its kind ahead of it. Decoded audio is
/// large, so few recordings are decoded before the recogniser gets to them: two large ones, which
/// also leaves workers free for the small, and as many small ones as fit into little space.
pub fn may_decode(size_bytes: u64, ahead: u64) -> bool {
    ahead < if size_bytes > SMALL_BYTES { 2 } else { 32 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(
        oldest_taken: bool,
        short_taken: bool,
        older: u64,
        older_short: u64,
        short: bool,
    ) -> Turn {
        turn(Facts { oldest_taken, short_taken, older, older_short, short })
    }

    #[test]
    fn the_oldest_enters_whatever_its_length() {
        assert_eq!(check(false, false, 0, 0, false), Turn::Enter(Lane::Oldest));
        assert_eq!(check(false, true, 0, 0, true), Turn::Enter(Lane::Oldest));
        assert_eq!(check(true, false, 0, 0, false), Turn::Wait(0));
    }

    #[test]
    fn a_short_one_passes_long_ones_but_not_older_short_ones() {
        assert_eq!(check(true, false, 9, 0, true), Turn::Enter(Lane::Short));
        assert_eq!(check(false, false, 9, 0, true), Turn::Enter(Lane::Short));
        assert_eq!(check(true, false, 9, 2, true), Turn::Wait(2));
        assert_eq!(check(true, true, 9, 0, true), Turn::Wait(0));
        assert_eq!(check(true, false, 9, 0, false), Turn::Wait(9));
    }

    #[test]
    fn few_are_decoded_ahead_of_the_recogniser() {
        let large = SMALL_BYTES + 1;
        assert!(may_decode(large, 1) && !may_decode(large, 2));
        assert!(may_decode(SMALL_BYTES, 31) && !may_decode(SMALL_BYTES, 32));
    }

    #[test]
    fn waiting_grows_with_the_number_ahead_up_to_a_minute() {
        assert_eq!(wait(0), Duration::from_millis(250));
        assert_eq!(wait(3), Duration::from_secs(1));
        assert_eq!(wait(u64::MAX), Duration::from_mins(1));
    }
}
