//! The checks that Cargo's own tools make: format, lints, documentation.
//!
//! They print their findings themselves, so the report only says that there were some. All use the
//! development profile and the features of a plain build: anything else would compile the C++ of
//! the recogniser a second time.

use anyhow::{Context as _, Result};

use crate::finding::{Finding, Report};
use crate::project::Project;

pub(crate) fn format(project: &Project) -> Result<Report> {
    run(project, &["fmt", "--all", "--check"], None)
}

pub(crate) fn clippy(project: &Project) -> Result<Report> {
    let words =
        ["clippy", "--workspace", "--all-targets", "--locked", "--quiet", "--", "-D", "warnings"];
    run(project, &words, None)
}

pub(crate) fn docs(project: &Project) -> Result<Report> {
    let words = ["doc", "--workspace", "--no-deps", "--locked", "--quiet"];
    run(project, &words, Some(("RUSTDOCFLAGS", "-D warnings")))
}

fn run(project: &Project, words: &[&str], variable: Option<(&str, &str)>) -> Result<Report> {
    let mut command = project.cargo();
    command.args(words).envs(variable);
    let status = command.status().context("cargo did not start")?;
    if status.success() {
        return Ok(Report::default());
    }
    let line = format!("`cargo {}` ended with {status}; its words stand above", words.join(" "));
    Ok(vec![Finding::new("cargo", line)].into())
}
