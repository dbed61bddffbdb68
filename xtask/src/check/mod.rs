//! The checks, in the order in which they run.
//!
//! Each is a function from the project to a report; none changes a file, and a failing one does
//! not keep the next from running, so that one run tells everything there is to mend.
//!
//! **Invariant:** every check says in one sentence what to do when it fails.

mod arrows;
mod commands;
mod files;
mod functions;
mod house;
mod licences;
mod lock;
mod metrics;
mod pages;
mod scenarios;
mod weight;

use std::process::ExitCode;

use anyhow::{Result, bail};

use crate::finding::Report;
use crate::project::Project;

/// A rule about the project's own source.
pub(crate) struct Check {
    name: &'static str,
    /// What must hold.
    rule: &'static str,
    /// What to do when it does not.
    remedy: &'static str,
    run: fn(&Project) -> Result<Report>,
}

/// Every rule the project holds about itself.
pub(crate) const CHECKS: &[Check] = &[
    Check {
        name: "format",
        rule: "every file is formatted",
        remedy: "run `cargo fmt --all`",
        run: commands::format,
    },
    Check {
        name: "clippy",
        rule: "clippy has nothing to say, about tests neither",
        remedy: "mend what clippy names; where it is wrong, `#[expect(lint, reason = \"...\")]`",
        run: commands::clippy,
    },
    Check {
        name: "docs",
        rule: "the documentation of every crate builds without a warning",
        remedy: "mend the links and tags that rustdoc names",
        run: commands::docs,
    },
    Check {
        name: "pages",
        rule: "generated pages say what the code says",
        remedy: "run `cargo xtask gen` and commit the pages it writes",
        run: pages::check,
    },
    Check {
        name: "arrows",
        rule: "crates depend only along the arrows that were decided",
        remedy: "move the code to the crate that may know it; a new arrow is a decision: give it \
                 a reason in ARCHITECTURE.md and a place in the table of xtask/src/check/arrows.rs",
        run: |project| Ok(arrows::check(project)),
    },
    Check {
        name: "licences",
        rule: "every dependency comes under a licence that suits this project",
        remedy: "choose another crate; a new licence is a decision: read it and add it to the \
                 list of xtask/src/check/licences.rs",
        run: |project| Ok(licences::check(project)),
    },
    Check {
        name: "lock",
        rule: "dependencies come from crates.io and none of them is banned",
        remedy: "`cargo tree --target all -i NAME` shows who brings it; turn off the feature or \
                 choose another crate",
        run: lock::check,
    },
    Check {
        name: "files",
        rule: "Rust files are short: at most 600 lines, the middle one at most 150",
        remedy: "split the file where it has two subjects",
        run: files::check,
    },
    Check {
        name: "functions",
        rule: "functions have at most 100 lines, tests and their helpers at most 150",
        remedy: "push the ifs up and the loops down, and name the parts",
        run: functions::check,
    },
    Check {
        name: "weight",
        rule: "no tracked file is over 1 MB, except in models/",
        remedy: "make the file when it is needed; what git has once tracked it carries for ever",
        run: weight::check,
    },
    Check {
        name: "metrics",
        rule: "dashboards and alerts speak of metrics that the code counts",
        remedy: "use the name that the code has, or count what the dashboard wants",
        run: metrics::check,
    },
    Check {
        name: "scenarios",
        rule: "every scenario of specs/ has a test, and every numbered test a scenario",
        remedy: "name the test after its scenario, `p02_1_...` for P02.1, and see that it runs",
        run: scenarios::check,
    },
    Check {
        name: "house",
        rule: "nothing is left to do in the code, and sentences in Russian stand in crates/words",
        remedy: "finish what is left; give a sentence a key in crates/words in both languages",
        run: house::check,
    },
];

/// Runs the named checks, or all of them.
pub(crate) fn run(project: &Project, names: &[&str]) -> Result<ExitCode> {
    if let Some(unknown) = names.iter().find(|name| CHECKS.iter().all(|it| it.name != **name)) {
        bail!("no check is called {unknown}; `cargo xtask check --list` names them");
    }
    let chosen = CHECKS.iter().filter(|it| names.is_empty() || names.contains(&it.name));
    let mut failed = Vec::new();
    for check in chosen {
        // A check that could not run has not passed; it must not hide those that come after it.
        let report = (check.run)(project).unwrap_or_else(|error| Report {
            findings: vec![crate::finding::Finding::new("could not run", format!("{error:#}"))],
            notes: Vec::new(),
        });
        if !print_report(check, &report) {
            failed.push(check.name);
        }
    }
    if failed.is_empty() {
        println!("\nAll checks passed.");
        return Ok(ExitCode::SUCCESS);
    }
    println!("\nFailed: {}. One alone: cargo xtask check {}", failed.join(", "), failed[0]);
    Ok(ExitCode::FAILURE)
}

/// Prints every check with its rule and remedy.
pub(crate) fn list() {
    for check in CHECKS {
        println!("{:10} {}\n{:10} if not: {}\n", check.name, check.rule, "", check.remedy);
    }
}

fn print_report(check: &Check, report: &Report) -> bool {
    let passed = report.findings.is_empty();
    println!("{:7} {:10} {}", if passed { "ok" } else { "FAILED" }, check.name, check.rule);
    for note in &report.notes {
        println!("        note: {note}");
    }
    for finding in &report.findings {
        println!("        {finding}");
    }
    if !passed {
        println!("        what to do: {}", check.remedy);
    }
    passed
}
