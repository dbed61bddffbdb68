//! Where a recording is quiet, as FFmpeg's `silencedetect` says in its log lines.
//!
//! **Invariant:** of the silences that begin within one step of time only the longest is kept, so
//! that a day of stuttering takes bounded memory.

use serde::{Deserialize, Serialize};

/// One silence is kept for each of these, in milliseconds.
const STEP_MS: u64 = 5000;

/// A stretch of a recording, in milliseconds from its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "(u64, u64)", into = "(u64, u64)")]
pub(crate) struct Span {
    pub(crate) start_ms: u64,
    pub(crate) end_ms: u64,
}

impl From<(u64, u64)> for Span {
    fn from((start_ms, end_ms): (u64, u64)) -> Self {
        Self { start_ms, end_ms }
    }
}

impl From<Span> for (u64, u64) {
    fn from(span: Span) -> Self {
        (span.start_ms, span.end_ms)
    }
}

impl Span {
    fn length_ms(self) -> u64 {
        self.end_ms.saturating_sub(self.start_ms)
    }
}

/// The silences so far, in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Silences {
    found: Vec<Span>,
    /// The one that has begun and not ended.
    open_ms: Option<u64>,
}

impl Silences {
    /// Reads one log line, such as `[silencedetect @ 0x5] [info] silence_end: 2.5 | silence_...`.
    /// Other lines are passed over.
    pub(super) fn read(&mut self, line: &str) {
        if !line.contains("[silencedetect @ ") {
            return;
        }
        let after = |key| line.split_once(key).and_then(|(_, rest)| rest.split_whitespace().next());
        if let Some(start_ms) = after("silence_start: ").and_then(millis) {
            self.open_ms = Some(start_ms);
        }
        if let Some(end_ms) = after("silence_end: ").and_then(millis)
            && let Some(start_ms) = self.open_ms.take()
        {
            self.add(Span { start_ms, end_ms });
        }
    }

    /// All of them. One that has not ended lasts to the end.
    pub(super) fn until(mut self, end_ms: u64) -> Vec<Span> {
        if let Some(start_ms) = self.open_ms.take() {
            self.add(Span { start_ms, end_ms });
        }
        self.found
    }

    fn add(&mut self, span: Span) {
        if span.length_ms() == 0 {
            return;
        }
        match self.found.last_mut() {
            Some(last) if last.start_ms / STEP_MS == span.start_ms / STEP_MS => {
                if last.length_ms() < span.length_ms() {
                    *last = span;
                }
            }
            Some(_) | None => self.found.push(span),
        }
    }
}

/// Seconds as FFmpeg writes them. The first silence may begin a little before the recording.
fn millis(seconds: &str) -> Option<u64> {
    let seconds = seconds.parse().ok().filter(|seconds: &f64| seconds.is_finite())?;
    let time = std::time::Duration::try_from_secs_f64(seconds.max(0.0)).ok()?;
    u64::try_from(time.as_millis()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(lines: &[&str], expected: &[(u64, u64)]) {
        let mut silences = Silences::default();
        for line in lines {
            silences.read(line);
        }
        let expected: Vec<Span> = expected.iter().map(|&span| span.into()).collect();
        assert_eq!(silences.until(60_000), expected, "{lines:?}");
    }

    #[test]
    fn silences_are_read_from_their_lines_only() {
        const START: &str = "[silencedetect @ 0x5579ff207640] [info] silence_start: ";
        const END: &str = "[silencedetect @ 0x5579ff207640] [info] silence_end: ";
        let start = |at: &str| format!("{START}{at}");
        let end = |at: &str| format!("{END}{at} | silence_duration: 0.5");
        let (a, b) = (start("-0.0065"), end("0.55"));
        check(&[&a, &b], &[(0, 550)]);
        let (c, d) = (start("7.25"), end("8"));
        check(&[&a, &b, &c, &d], &[(0, 550), (7250, 8000)]);
        check(&[&a, &b, &c], &[(0, 550), (7250, 60_000)]);
        // Two within five seconds: the longer one.
        let short = [start("9.5"), end("9.7")];
        check(&[&c, &d, &short[0], &short[1]], &[(7250, 8000)]);
        check(&["title: [silencedetect] silence_start: 3", &d], &[]);
        check(&[&start("nan"), &start("1e400"), &d], &[]);
    }
}
