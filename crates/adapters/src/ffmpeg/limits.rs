//! What one file may cost. Every child process of [`super::Ffmpeg`] runs under all of these; there
//! is no way to lift one.
//!
//! **Invariant:** a pass over a file ends within `longest / floor_rate + stall`, whatever the file
//! holds, so that a lease can be computed from these numbers.

use std::time::Duration;

use verst_recordings::{FLOOR_RATE, LONGEST};

/// Limits on decoding one file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MediaLimits {
    /// Longest recording that is taken, by its decoded duration.
    pub longest: Duration,
    /// Seconds of audio per second of wall time below which decoding counts as standing still.
    pub floor_rate: f64,
    /// How long decoding may stand still before the child is ended; also the limit for probing.
    pub stall: Duration,
    /// Address space of a child, in bytes.
    pub memory_bytes: u64,
    /// Size of the output, in bytes. Has to fit `longest` at 32,000 bytes a second.
    pub output_bytes: u64,
}

impl MediaLimits {
    /// Seconds that a child may compute for: twice what a pass may last, because the watch on its
    /// progress ends it first, and libraries have threads of their own.
    pub(super) fn cpu_s(&self) -> u64 {
        let pass = self.longest.div_f64(self.floor_rate.max(0.1)) + self.stall;
        (pass * 2).as_secs().saturating_add(1)
    }

    /// Upper bound for the run time of one `normalise`: a probe and two passes. Meant for a
    /// `floor_rate` of at least 0.1.
    pub fn longest_run(&self) -> Duration {
        let pass = self.longest.div_f64(self.floor_rate.max(0.1)) + self.stall;
        self.stall + pass * 2
    }
}

impl Default for MediaLimits {
    fn default() -> Self {
        Self {
            longest: LONGEST,
            floor_rate: f64::from(FLOOR_RATE),
            stall: Duration::from_mins(1),
            memory_bytes: 2 << 30,
            output_bytes: 4 << 30,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_run_follows_from_the_limits() {
        let run = MediaLimits::default().longest_run();
        assert_eq!(run, Duration::from_mins(1 + 2 * (48 + 1)));
    }

    #[test]
    fn the_default_output_fits_the_longest_recording() {
        let limits = MediaLimits::default();
        assert!(limits.output_bytes > (limits.longest.as_secs() + 1) * 32_000);
    }
}
