//! What can be typed after `verst doctor`.

use clap::Args;

use crate::cli::Place;

#[derive(Args)]
pub(crate) struct Doctor {
    /// One JSON object on standard output, for scripts
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) place: Place,
}
