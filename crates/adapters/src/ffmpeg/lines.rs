//! Cuts a stream of bytes into lines without ever holding more than one short line: what a child
//! prints is bounded neither in length nor in count, and costs nothing here.
//!
//! **Invariant:** at most [`LONGEST`] bytes are kept; the rest of an over-long line is dropped.

const LONGEST: usize = 1024;

/// An unfinished line.
#[derive(Debug, Default)]
pub(super) struct Lines {
    line: Vec<u8>,
}

impl Lines {
    /// Takes the next bytes and gives every line that they complete, without its end.
    pub(super) fn push(&mut self, bytes: &[u8], mut each: impl FnMut(&[u8])) {
        for part in bytes.split_inclusive(|byte| matches!(byte, b'\n' | b'\r')) {
            let (text, ends) = match part.split_last() {
                Some((b'\n' | b'\r', text)) => (text, true),
                Some(_) | None => (part, false),
            };
            let room = LONGEST - self.line.len();
            self.line.extend_from_slice(&text[..text.len().min(room)]);
            if ends {
                self.finish(&mut each);
            }
        }
    }

    /// Gives the last line if it has no end.
    pub(super) fn finish(&mut self, mut each: impl FnMut(&[u8])) {
        if !self.line.is_empty() {
            each(&self.line);
            self.line.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(chunks: &[&str], expected: &[&str]) {
        let mut lines = Lines::default();
        let mut seen = Vec::new();
        for chunk in chunks {
            lines.push(chunk.as_bytes(), |line| {
                seen.push(String::from_utf8_lossy(line).into_owned());
            });
        }
        lines.finish(|line| seen.push(String::from_utf8_lossy(line).into_owned()));
        assert_eq!(seen, expected, "{chunks:?}");
    }

    #[test]
    fn lines_are_put_together_across_chunks() {
        check(&["a\nb", "c\r\n\nd"], &["a", "bc", "d"]);
        check(&["", "\n\n"], &[]);
        check(&["one\rtwo\r"], &["one", "two"]);
    }

    #[test]
    fn an_endless_line_is_cut() {
        let long = "x".repeat(5000);
        check(&[&long, &long, "\nok\n"], &[&"x".repeat(LONGEST), "ok"]);
    }
}
