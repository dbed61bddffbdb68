//! How far a child has come: FFmpeg's `-progress` lines, and the watch that decides when a child
//! stands still. Pure: time is an input, nothing is ended from here.
//!
//! **Invariant:** a watch that is heard for `t` of wall time has seen at least
//! `(t - stall) * floor_rate` of audio.

use std::time::Duration;

/// The output time in a line of `-progress`, if the line holds one.
///
/// FFmpeg writes `key=value` lines; `out_time_us` is in microseconds and `N/A` before the first
/// packet. Source: `print_report` in FFmpeg's fftools.
pub(super) fn out_time(line: &[u8]) -> Option<Duration> {
    let value = line.strip_prefix(b"out_time_us=")?;
    let micros: i64 = std::str::from_utf8(value).ok()?.trim().parse().ok()?;
    u64::try_from(micros).ok().map(Duration::from_micros)
}

/// Decides until when a child may go on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Watch {
    floor_rate: f64,
    stall: Duration,
    /// When the child was last on schedule, and how much it had done by then.
    mark: (Duration, Duration),
    done: Duration,
    last: Duration,
}

impl Watch {
    /// A watch for a child that starts at wall time zero.
    pub(super) fn new(floor_rate: f64, stall: Duration) -> Self {
        let zero = Duration::ZERO;
        Self { floor_rate, stall, mark: (zero, zero), done: zero, last: zero }
    }

    /// The child reported the output time `out` at wall time `at`. Timestamps that jump back (a
    /// stream that changes its format midway) neither help nor harm.
    pub(super) fn heard(&mut self, at: Duration, out: Duration) {
        self.done += out.saturating_sub(self.last);
        self.last = out;
        let did = self.done.saturating_sub(self.mark.1).as_secs_f64();
        if did > 0.0 && did >= self.floor_rate * at.saturating_sub(self.mark.0).as_secs_f64() {
            self.mark = (at, self.done);
        }
    }

    /// The wall time at which the child has stood still for too long.
    pub(super) fn deadline(&self) -> Duration {
        self.mark.0 + self.stall
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn s(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn out_time_is_read_from_its_line_only() {
        let cases: [(&[u8], Option<Duration>); 6] = [
            (b"out_time_us=6061474", Some(Duration::from_micros(6_061_474))),
            (b"out_time_us=0\r", Some(Duration::ZERO)),
            (b"out_time_us=N/A", None),
            (b"out_time_us=-9223372036854775807", None),
            (b"out_time=00:00:06.061474", None),
            (b"progress=end", None),
        ];
        for (line, expected) in cases {
            assert_eq!(out_time(line), expected, "{}", String::from_utf8_lossy(line));
        }
    }

    /// Feeds (wall, out) pairs and compares the deadline.
    fn check(heard: &[(u64, u64)], deadline: u64) {
        let mut watch = Watch::new(30.0, s(60));
        for (at, out) in heard {
            watch.heard(s(*at), s(*out));
        }
        assert_eq!(watch.deadline(), s(deadline), "{heard:?}");
    }

    #[test]
    fn below_the_floor_rate_counts_as_none() {
        check(&[], 60);
        check(&[(1, 30)], 61);
        check(&[(1, 29)], 60);
        check(&[(1, 300), (10, 301)], 61);
        // Slow for a while, then ahead of the floor again.
        check(&[(1, 30), (20, 31), (40, 3000)], 100);
        check(&[(1, 30), (2, 30), (3, 30)], 61);
    }

    #[test]
    fn a_jump_back_is_a_fresh_start_and_not_a_stall() {
        check(&[(1, 100), (2, 10), (3, 200)], 63);
    }
}
