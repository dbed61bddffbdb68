//! `verst delete`: for good, and only when it is said twice.

use clap::Args;
use verst_kernel::WorkId;
use verst_words::Arg;

use super::cannot;
use crate::acts::{found, house};
use crate::cli::Place;
use crate::downloads::{self, is_download};
use crate::refusal::Refusal;
use crate::tongue::Tongue;

#[derive(Args)]
pub(crate) struct Delete {
    /// Number of the recording or download, as listed
    id: i64,
    /// Really
    #[arg(long)]
    yes: bool,
    #[command(flatten)]
    place: Place,
}

pub(crate) async fn delete(args: Delete, tongue: &Tongue) -> Result<u8, Refusal> {
    let house = house(&args.place).await?;
    let download = is_download(&house, args.id).await?;
    if !download {
        found(&house, args.id).await?;
    }
    if !args.yes {
        let unsure = if download { "download-delete-unsure" } else { "cli-delete-unsure" };
        return Err(cannot(unsure, args.id));
    }
    if download {
        return downloads::delete(&house, args.id, tongue).await;
    }
    house.check_audio().await?;
    if !house.service.delete(WorkId(args.id)).await? {
        return Err(cannot("cli-missing", args.id));
    }
    tongue.err(&tongue.say("cli-deleted", &[("id", Arg::Text(&args.id.to_string()))]));
    Ok(0)
}
