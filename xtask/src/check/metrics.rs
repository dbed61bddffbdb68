//! The metrics that dashboards and alerts speak of. A name that the code no longer counts makes an
//! empty panel, and an alert that never comes, and nobody is told.

use std::collections::BTreeSet;
use std::path::Path;

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
    for file in project.files.iter().filter(|file| watches(file)) {
        let text = project.read(file)?;
        for name in spoken_of(&text).into_iter().filter(|name| !counted.contains(name)) {
            findings.push(Finding::new(file, format!("`{name}` is counted nowhere")));
        }
    }
    Ok(findings.into())
}

/// Dashboards and rules. In other files the names of secrets and volumes begin as metrics do.
fn watches(file: &str) -> bool {
    let name = file.strip_prefix("deploy/");
    name.is_some_and(|name| {
        name.starts_with("alerts") || Path::new(name).extension().is_some_and(|end| end == "json")
    })
}

/// The names that a source counts under. To describe one is not to count it.
fn counts(source: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for begin in MACROS {
        for (at, _) in source.match_indices(begin) {
            if !source[..at].ends_with("describe_") {
                names.extend(source[at + begin.len()..].split('"').next().map(str::to_owned));
            }
        }
    }
    names
}

/// The names of ours in it.
fn spoken_of(text: &str) -> BTreeSet<String> {
    let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let words = text.split(|c: char| !part(c)).filter(|word| word.starts_with(PREFIX));
    let name = |word: &str| {
        let end = OF_HISTOGRAMS.iter().find_map(|end| word.strip_suffix(end));
        end.unwrap_or(word).to_owned()
    };
    words.map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_spoken_of_is_what_is_counted() {
        let source = r#"counter!("verst_runs_total", "a" => b); histogram!("verst_run_seconds");"#;
        let counted = counts(source);
        let spoken = spoken_of(
            r#"{"expr": "rate(verst_run_seconds_bucket{a=\"b\"}[5m]) / verst_runs_total"}"#,
        );
        assert_eq!(spoken, counted);
        assert!(!counts("gauge!(\"verst_depth\")").is_superset(&spoken));
    }

    #[test]
    fn what_is_only_described_is_not_counted() {
        assert!(counts("describe_gauge!(\"verst_depth\", \"how much waits\")").is_empty());
    }

    #[test]
    fn a_name_of_any_unit_is_spoken_of() {
        assert_eq!(spoken_of("sum(verst_temperature_celsius)").len(), 1);
        assert!(watches("deploy/alerts.yaml") && watches("deploy/grafana.json"));
        assert!(!watches("deploy/compose.yaml") && !watches("docs/openapi.json"));
    }
}
