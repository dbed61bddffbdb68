//! The length of Rust files. A long file has two subjects and hides one of them.
//!
//! The middle length matters as much as the longest: without it every file may grow to the limit.

use anyhow::Result;

use crate::finding::{Finding, Report};
use crate::project::Project;

const LONGEST_LINES: usize = 600;
const MEDIAN_LINES: usize = 150;

pub(crate) fn check(project: &Project) -> Result<Report> {
    let mut sizes = Vec::new();
    for file in project.files_ending("rs") {
        sizes.push((file.to_owned(), project.read(file)?.lines().count()));
    }
    Ok(judge(&sizes).into())
}

fn judge(sizes: &[(String, usize)]) -> Vec<Finding> {
    let mut findings: Vec<Finding> = sizes
        .iter()
        .filter(|(_, lines)| *lines > LONGEST_LINES)
        .map(|(file, lines)| {
            Finding::new(file, format!("has {lines} lines, {LONGEST_LINES} are the limit"))
        })
        .collect();
    let own: Vec<usize> =
        sizes.iter().filter(|(file, _)| in_a_crates_src(file)).map(|(_, lines)| *lines).collect();
    let median = median(own);
    if median > MEDIAN_LINES {
        let what = format!("the middle file has {median} lines, {MEDIAN_LINES} are the limit");
        findings.push(Finding::new("crates/*/src", what));
    }
    findings
}

fn in_a_crates_src(file: &str) -> bool {
    let mut parts = file.split('/');
    parts.next() == Some("crates") && parts.nth(1) == Some("src")
}

/// The upper of the two middle values where there are two.
fn median(mut values: Vec<usize>) -> usize {
    values.sort_unstable();
    values.get(values.len() / 2).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(sizes: &[(&str, usize)], said: &[&str]) {
        let sizes: Vec<_> =
            sizes.iter().map(|(file, lines)| ((*file).to_owned(), *lines)).collect();
        let found: Vec<String> = judge(&sizes).iter().map(ToString::to_string).collect();
        assert_eq!(found, said);
    }

    #[test]
    fn the_longest_and_the_middle_file_are_limited() {
        check(&[], &[]);
        check(&[("crates/a/src/a.rs", 150), ("crates/a/tests/b.rs", 600)], &[]);
        check(
            &[("crates/a/tests/b.rs", 601)],
            &["crates/a/tests/b.rs: has 601 lines, 600 are the limit"],
        );
        check(
            &[("crates/a/src/a.rs", 10), ("crates/a/src/b.rs", 151), ("crates/b/src/c.rs", 200)],
            &["crates/*/src: the middle file has 151 lines, 150 are the limit"],
        );
    }
}
