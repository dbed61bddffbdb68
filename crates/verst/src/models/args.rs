//! What can be typed after `verst models`.

use clap::{Args, Subcommand};

use crate::cli::Place;

#[derive(Subcommand)]
pub(crate) enum Models {
    /// What there is, what lies here, what fits into memory, what is in use
    List(Place),
    /// Fetch models; what came of an earlier try is gone on with
    ///
    /// They are put into “models” in the data directory. The server is the setting
    /// “models_mirror”; HTTPS_PROXY and NO_PROXY are respected. Exit codes: 0 all are here, 1 some
    /// are not, 2 wrong usage, 3 something needed is missing, 129, 130 or 143 interrupted.
    Pull(Pull),
    /// Remove a model's file
    Remove(Remove),
    /// Use a model from the next start on: for everything, or for one language
    ///
    /// Writes the settings file and keeps what else stands in it.
    Use(Use),
}

#[derive(Args)]
pub(crate) struct Pull {
    /// Names, as listed
    #[arg(value_name = "NAME", required = true)]
    pub(crate) names: Vec<String>,
    /// SHA-256 the file must have, where neither the catalogue nor the server says it
    #[arg(long, value_name = "HASH")]
    pub(crate) sha256: Option<String>,
    #[command(flatten)]
    pub(crate) place: Place,
}

#[derive(Args)]
pub(crate) struct Remove {
    /// Name, as listed
    pub(crate) name: String,
    /// Also if it came with Verst or is in use
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) place: Place,
}

#[derive(Args)]
pub(crate) struct Use {
    /// Name, as listed
    pub(crate) name: String,
    /// Only for recordings in this language, as a two-letter code
    #[arg(long = "for", value_name = "CODE")]
    pub(crate) language: Option<String>,
    #[command(flatten)]
    pub(crate) place: Place,
}
