//! The metrics that dashboards and alerts speak of. A name that the code no longer counts makes an
//! empty panel, and an alert that never comes, and nobody is told.

use std::collections::BTreeSet;

use anyhow::Result;

use crate::finding::{Finding, Report};
use crate::project::Project;

const PREFIX: &str = "verst_";
/// What Prometheus adds to the name of a histogram.
const OF_HISTOGRAMS: [&str; 3] = ["_bucket", "_sum", "_count"];
const MACROS: [&str; 3] = ["counter!(\"", "gauge!(\"", "histogram!(\""];

pub(crate) fn check(project: &Project) -> Result<Report> {
    let mut counted = BTreeSet::new();
    for file in project.files_ending("rs").filter(|file| file.contains("/src/")) {
        counted.extend(counts(&project.read(file)?));
    }
    let mut findings = Vec::new();
    let watching = project.files_ending("json").chain(project.files_ending("yaml"));
    for file in watching.filter(|file| file.starts_with("deploy/")) {
        let text = project.read(file)?;
        for name in spoken_of(&text).into_iter().filter(|name| !counted.contains(name)) {
            findings.push(Finding::new(file, format!("`{name}` is counted nowhere")));
        }
    }
    Ok(findings.into())
}

/// The names that a source counts under.
fn counts(source: &str) -> BTreeSet<String> {
    let places = MACROS.iter().flat_map(|begin| source.split(begin).skip(1));
    places.filter_map(|rest| rest.split('"').next()).map(str::to_owned).collect()
}

/// The names of ours that stand before labels, or end a word in an expression.
fn spoken_of(text: &str) -> BTreeSet<String> {
    let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let words = text.split(|c: char| !part(c)).filter(|word| word.starts_with(PREFIX));
    // Names of secrets and volumes begin so too; metrics are counted in something.
    let units = ["_total", "_seconds", "_depth", "_uploads", "_workers", "_bytes"];
    let names = words.map(|word| {
        let end = OF_HISTOGRAMS.iter().find_map(|end| word.strip_suffix(end));
        end.unwrap_or(word).to_owned()
    });
    names.filter(|name| units.iter().any(|unit| name.ends_with(unit))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_spoken_of_is_what_is_counted() {
        let source = r#"counter!("verst_runs_total", "a" => b); histogram!("verst_run_seconds");"#;
        let counted = counts(source);
        let spoken = spoken_of(
            r#"{"expr": "rate(verst_run_seconds_bucket{a=\"b\"}[5m]) / verst_runs_total"} verst_database"#,
        );
        assert_eq!(spoken, counted);
        assert!(!counts("gauge!(\"verst_depth\")").is_superset(&spoken));
    }
}
