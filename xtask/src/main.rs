//! Chores of the workspace: `cargo xtask check` and `cargo xtask gen`.
//!
//! What a person would otherwise have to remember at review stands here as a function: which crate
//! may know which, how long a file may grow, which licences may come in. It refuses to change
//! anything under `check`, and to look anything up on the network: a check that depends on the
//! day it runs is not a check.
//!
//! **Invariant:** every rule the project holds about its own source is one row of [`check::CHECKS`].

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command-line tool prints")]

mod check;
mod finding;
mod gen_pages;
mod graph;
mod project;
mod rust;

use std::process::ExitCode;

use anyhow::{Result, bail};

use project::Project;

const HELP: &str = "\
Chores of the workspace.

  cargo xtask check            every check, in order; fails if one of them does
  cargo xtask check NAME...    only these
  cargo xtask check --list     what is checked, and what to do when it fails
  cargo xtask gen              write the generated pages anew
";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    // Printed here and not by returning it: a backtrace of this tool helps nobody.
    chore(&words).unwrap_or_else(|error| {
        eprintln!("xtask: {error:#}");
        ExitCode::FAILURE
    })
}

fn chore(words: &[&str]) -> Result<ExitCode> {
    match words {
        [] | ["help" | "-h" | "--help"] => print!("{HELP}"),
        ["check", "--list"] => check::list(),
        ["check", names @ ..] => return check::run(&Project::open()?, names),
        ["gen"] => gen_pages::write(&Project::open()?)?,
        _ => bail!("no chore is called `{}`\n\n{HELP}", words.join(" ")),
    }
    Ok(ExitCode::SUCCESS)
}
