//! What was found, as a terminal shows it: below each recording where in it the words were said.
//!
//! **Invariant:** hits are in bold on a terminal only; what goes to a file or another program is
//! text alone.

use std::io::IsTerminal;

use verst_recordings::search::{Query, QueryError, Snippet};
use verst_service::Found;

use crate::inspect::clean;
use crate::refusal::Refusal;

const BOLD: (&str, &str) = ("\u{1b}[1m", "\u{1b}[0m");
const PLAIN: (&str, &str) = ("", "");

/// What is looked for.
pub(crate) fn query(typed: &str) -> Result<Query, Refusal> {
    Query::new(typed).map_err(|error| {
        let (key, limit) = match error {
            QueryError::Empty => ("search-empty", 0),
            QueryError::TooLong { limit_bytes } => ("search-too-long", limit_bytes),
            QueryError::TooManyWords { limit } => ("search-too-many-words", limit),
            QueryError::ShortBeginning { least } => ("search-short-beginning", least),
        };
        Refusal::Usage(key, vec![("limit", limit.to_string())])
    })
}

/// The lines below a recording.
pub(crate) fn lines(found: &Found) -> String {
    let marks = if std::io::stdout().is_terminal() { BOLD } else { PLAIN };
    let said = found.snippets.iter().map(|it| (time(it.start_ms), it));
    let written = found.summary.iter().map(|it| (String::new(), it));
    let line = |(time, snippet)| format!("{time:>12}  {}\n", marked(snippet, marks));
    said.chain(written).map(line).collect::<Vec<_>>().concat()
}

fn marked(snippet: &Snippet, (begin, end): (&str, &str)) -> String {
    let pieces = snippet
        .pieces()
        .map(|(text, hit)| if hit { format!("{begin}{}{end}", clean(text)) } else { clean(text) });
    pieces.collect()
}

/// `M:SS`, with hours where there are any.
fn time(ms: u64) -> String {
    let s = ms / 1000;
    match s / 3600 {
        0 => format!("{}:{:02}", s / 60, s % 60),
        hours => format!("{hours}:{:02}:{:02}", s / 60 % 60, s % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hits_are_marked_and_nothing_steers_the_terminal() {
        let text = "о «Договоре»\u{1b}[2J".to_owned();
        let snippet = Snippet { text, hits: std::iter::once(5..21).collect(), start_ms: 0 };
        assert_eq!(marked(&snippet, BOLD), "о «\u{1b}[1mДоговоре\u{1b}[0m»\u{fffd}[2J");
        assert_eq!(marked(&snippet, PLAIN), "о «Договоре»\u{fffd}[2J");
    }

    #[test]
    fn times_have_hours_where_there_are_any() {
        assert_eq!([0, 61_999, 3_600_000].map(time), ["0:00", "1:01", "1:00:00"]);
    }
}
