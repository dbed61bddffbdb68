//! `verst again`: transcribe once more, with another model or in another language.

use clap::Args;
use verst_kernel::WorkId;
use verst_service::AgainError;
use verst_words::Arg;

use super::cannot;
use crate::acts::{house, person};
use crate::cli::Place;
use crate::intake;
use crate::refusal::Refusal;
use crate::tongue::Tongue;

#[derive(Args)]
pub(crate) struct Again {
    /// Number of the recording, as listed
    id: i64,
    /// Language spoken, as a two-letter code [default: detected]
    #[arg(long, short, value_name = "CODE")]
    language: Option<String>,
    /// Speech model: a name that “verst models list” shows, a file's name, or a path
    #[arg(long, short, value_name = "MODEL")]
    model: Option<String>,
    /// Even if it costs money
    #[arg(long)]
    yes: bool,
    #[command(flatten)]
    place: Place,
}

pub(crate) async fn again(args: Again, tongue: &Tongue) -> Result<u8, Refusal> {
    let wish = intake::wish(args.language.as_deref(), args.model.as_deref())?;
    let house = house(&args.place).await?;
    match house.service.again(WorkId(args.id), &person(), wish, args.yes).await {
        Ok(()) => {
            tongue.err(&tongue.say("cli-again", &[("id", Arg::Text(&args.id.to_string()))]));
            Ok(0)
        }
        Err(AgainError::OriginalGone) => Err(cannot("cli-again-no-original", args.id)),
        Err(AgainError::CostsMoney) => Err(cannot("cli-again-costs", args.id)),
        Err(AgainError::Missing) => Err(cannot("cli-missing", args.id)),
        Err(AgainError::Store(error)) => Err(error.into()),
    }
}
