//! What can be typed about backups.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::cli::Place;

#[derive(Args)]
pub(crate) struct Backup {
    /// A file that is not there yet, or a directory, in which the backup is named after the time
    #[arg(value_name = "FILE|DIR")]
    pub(crate) to: PathBuf,
    /// Make none: read this one from end to end and compare it with what it says of itself
    #[arg(long)]
    pub(crate) verify: bool,
    #[command(flatten)]
    pub(crate) place: Place,
}

#[derive(Args)]
pub(crate) struct Restore {
    /// The backup
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Set aside what the data directory holds; nothing of it is removed
    #[arg(long)]
    pub(crate) replace: bool,
    /// Do not ask before anything is set aside
    #[arg(long, requires = "replace")]
    pub(crate) yes: bool,
    /// What becomes of recordings that were under way [default: hold where a recogniser costs
    /// money, else go-on]
    #[arg(long, value_name = "HOW")]
    pub(crate) unfinished: Option<Unfinished>,
    #[command(flatten)]
    pub(crate) place: Place,
}

/// What becomes of recordings that were under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Unfinished {
    /// They go on
    GoOn,
    /// They are stopped; “verst lift” lets one go on
    Hold,
}
