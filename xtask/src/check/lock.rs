//! What Cargo.lock may contain: packages of crates.io, and none that is banned.
//!
//! The lock file lists every platform and every feature, so a ban holds for builds that nobody
//! here makes. Several versions of one crate are only noted: the fix is seldom ours.

use std::collections::BTreeMap;

use anyhow::Result;

use crate::finding::{Finding, Report};
use crate::project::Project;

const CRATES_IO: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// Crates that must not come in, each with the reason.
const BANNED: [(&str, &str); 3] = [
    ("openssl", "the binary must build and run without the system's OpenSSL; use rustls"),
    ("openssl-sys", "the binary must build and run without the system's OpenSSL; use rustls"),
    ("native-tls", "the binary must build and run without the system's TLS; use rustls"),
];

/// A `[[package]]` of the lock file.
#[derive(Debug, Default, PartialEq, Eq)]
struct Locked {
    name: String,
    version: String,
    /// Nothing for the crates of this workspace.
    source: Option<String>,
}

pub(crate) fn check(project: &Project) -> Result<Report> {
    let locked = parse(&project.read("Cargo.lock")?);
    Ok(Report { findings: judge(&locked), notes: several_versions(&locked) })
}

/// Reads the three fields we need. Cargo writes this file, one field a line.
fn parse(text: &str) -> Vec<Locked> {
    let mut found: Vec<Locked> = Vec::new();
    for line in text.lines() {
        if line == "[[package]]" {
            found.push(Locked::default());
        }
        let (Some(package), Some((key, value))) = (found.last_mut(), line.split_once(" = ")) else {
            continue;
        };
        let value = value.trim_matches('"').to_owned();
        match key {
            "name" => package.name = value,
            "version" => package.version = value,
            "source" => package.source = Some(value),
            _ => {}
        }
    }
    found
}

fn judge(locked: &[Locked]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in locked {
        let place = format!("{} {}", package.name, package.version);
        if let Some((_, why)) = BANNED.iter().find(|(name, _)| *name == package.name) {
            findings.push(Finding::new(&place, format!("is banned: {why}")));
        }
        if let Some(source) = package.source.as_deref().filter(|it| *it != CRATES_IO) {
            findings.push(Finding::new(&place, format!("comes from {source}, not from crates.io")));
        }
    }
    findings
}

fn several_versions(locked: &[Locked]) -> Vec<String> {
    let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for package in locked {
        versions.entry(&package.name).or_default().push(&package.version);
    }
    let several = versions.iter().filter(|(_, all)| all.len() > 1);
    several.map(|(name, all)| format!("{name} is here in versions {}", all.join(" and "))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOCK: &str = r#"
version = 4

[[package]]
name = "syn"
version = "2.0.1"
source = "registry+https://github.com/rust-lang/crates.io-index"

[[package]]
name = "syn"
version = "3.0.1"
source = "git+https://example.org/syn#123"
dependencies = [
 "openssl",
]

[[package]]
name = "openssl"
version = "0.10.1"
source = "registry+https://github.com/rust-lang/crates.io-index"

[[package]]
name = "verst"
version = "0.1.0"
"#;

    #[test]
    fn foreign_sources_and_banned_names_are_found() {
        let found: Vec<String> = judge(&parse(LOCK)).iter().map(ToString::to_string).collect();
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].starts_with("syn 3.0.1: comes from git+"), "{found:?}");
        assert!(found[1].starts_with("openssl 0.10.1: is banned"), "{found:?}");
    }

    #[test]
    fn several_versions_are_noted() {
        assert_eq!(several_versions(&parse(LOCK)), ["syn is here in versions 2.0.1 and 3.0.1"]);
    }
}
