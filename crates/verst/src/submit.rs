//! `verst submit`: hands files in and is done. Whoever works there does the rest.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;
use verst_adapters::log_entrance::LogEntrance;
use verst_kernel::Failure;
use verst_recordings::codes;

use crate::cli::Submit;
use crate::house::{House, IfMissing};
use crate::inspect::clean;
use crate::intake::{self, wish};
use crate::refusal::Refusal;
use crate::signals;
use crate::tongue::Tongue;

pub(crate) async fn submit(args: Submit, tongue: &Tongue) -> Result<u8, Refusal> {
    let wish = wish(args.language.as_deref(), args.model.as_deref())?;
    let house = House::visit(&args.place, IfMissing::Make, Arc::new(LogEntrance)).await?;
    house.check_audio().await?;
    let shutdown = CancellationToken::new();
    let signal = signals::listen(tongue, shutdown.clone())
        .map_err(|_| Refusal::Needed(Failure::new(codes::INTERRUPTED)))?;
    let say = |line: &str| tongue.err(line);
    let taken = intake::take_in(&house, &args.files, &wish, tongue, say, &shutdown).await?;
    let mut all = true;
    for one in &taken.named {
        let Some(id) = one.id else {
            all = false;
            continue;
        };
        tongue.print(&format!("{id}\t{}\n", clean(&one.file.display().to_string())))?;
    }
    if !taken.whole {
        return Ok(signal.borrow().map_or(130, |ended| ended.0));
    }
    Ok(if all { 0 } else { Refusal::SOME_FAILED })
}
