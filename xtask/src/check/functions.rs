//! The length of functions, counted as a reader counts: from `fn` to the closing brace.
//!
//! Clippy has a lint for it, which leaves out comments and blank lines and cannot tell tests from
//! the rest. A test may be longer: it tells a story in order.

use anyhow::Result;

use crate::finding::{Finding, Report};
use crate::project::Project;
use crate::rust::Source;

const LONGEST_LINES: usize = 100;
const LONGEST_TEST_LINES: usize = 150;

pub(crate) fn check(project: &Project) -> Result<Report> {
    let findings: Vec<Finding> = project.sources()?.iter().flat_map(judge).collect();
    Ok(findings.into())
}

fn judge(source: &Source) -> Vec<Finding> {
    let mut findings = Vec::new();
    for function in source.functions() {
        let limit = if function.among_tests { LONGEST_TEST_LINES } else { LONGEST_LINES };
        if function.lines > limit {
            findings.push(Finding::new(
                format!("{}:{}", source.path, function.line),
                format!("`{}` has {} lines, {limit} are the limit", function.name, function.lines),
            ));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(attribute: &str, lines: usize, fits: bool) {
        let body = "    work();\n".repeat(lines - 2);
        let text = format!("{attribute}\nfn long() {{\n{body}}}\n");
        let source = Source::parse("crates/a/src/lib.rs", &text).unwrap();
        assert_eq!(judge(&source).is_empty(), fits, "{attribute} {lines}");
    }

    #[test]
    fn a_test_may_be_longer_than_the_rest() {
        check("", 100, true);
        check("", 101, false);
        check("#[tokio::test]", 150, true);
        check("#[tokio::test]", 151, false);
    }
}
