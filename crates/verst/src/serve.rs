//! `verst serve`: works until it is told to stop.

use std::sync::Arc;
use std::time::Duration;

use metrics::gauge;
use tokio_util::sync::CancellationToken;
use verst_adapters::log_entrance::LogEntrance;
use verst_kernel::Failure;
use verst_recordings::codes;
use verst_recordings::ports::Wish;
use verst_runtime::Workers;
use verst_service::Filter;
use verst_words::Arg;

use crate::cli::Place;
use crate::folder;
use crate::house::{House, IfMissing};
use crate::refusal::Refusal;
use crate::signals;
use crate::sweep::sweep;
use crate::tongue::Tongue;
use crate::web::Web;

/// Between two clearings of what crashes leave.
const DAY: Duration = Duration::from_hours(24);

pub(crate) async fn serve(place: Place, tongue: &Tongue) -> Result<u8, Refusal> {
    // Before anything is counted.
    verst_web::counting();
    let house = House::work(&place, IfMissing::Make, Arc::new(LogEntrance), tongue).await?;
    let folder = house.settings.folder().ok().flatten();
    if let Some(folder) = &folder {
        folder::check_place(&house.path, &house.settings, folder)?;
    }
    let shutdown = CancellationToken::new();
    signals::listen(tongue, shutdown.clone())
        .map_err(|_| Refusal::Needed(Failure::new(codes::INTERRUPTED)))?;
    // First of all: loading a large model, to see that it is whole, takes seconds.
    let answering = match Web::listen(&house).await? {
        Some(web) => Some(web.start(&house, shutdown.clone(), tongue).await?),
        None => None,
    };
    tell_what_is_missing(&house, tongue).await?;
    let bot = house.bot.clone().map(|bot| tokio::spawn(bot.run(shutdown.clone())));
    let count = house.settings.workers();
    let workers = Workers::start(&house.runtime, count, shutdown.clone());
    gauge!("verst_workers").set(f64::from(u32::try_from(count).unwrap_or(u32::MAX)));
    let data = house.path.display().to_string();
    let count = Arg::Int(i64::try_from(count).unwrap_or(i64::MAX));
    tongue.err(&tongue.say("serve-ready", &[("data", Arg::Text(&data)), ("workers", count)]));
    tokio::select! {
        () = shutdown.cancelled() => {}
        () = sweep_daily(&house, tongue) => {}
        () = folder::watch(&house, folder.as_ref(), &house.tongue, &shutdown) => {}
    }
    workers.stop().await;
    if let Some(bot) = bot {
        let _ = bot.await;
    }
    if let Some(answering) = answering {
        // Its requests got the same time to end, meanwhile.
        let _ = answering.await;
    }
    house.close().await;
    tongue.err(&tongue.say("serve-ended", &[]));
    Ok(0)
}

/// What keeps recordings waiting is said at the start already. It is no reason not to take any in.
async fn tell_what_is_missing(house: &House, tongue: &Tongue) -> Result<(), Refusal> {
    let heard = house.recogniser.check(&Wish::default()).await;
    for trouble in [house.media.check().await.err(), heard.err()].into_iter().flatten() {
        tongue.err(&tongue.failure(&trouble));
    }
    let lacking = verst_engine::processor::lacking();
    if !lacking.is_empty() {
        let lacking = lacking.join(", ");
        tongue.err(&tongue.say("serve-processor", &[("lacking", Arg::Text(&lacking))]));
    }
    if house.left_behind() {
        let any = Filter { limit: 1, ..Filter::default() };
        if house.service.ledger.list(any).await?.is_empty() {
            tongue.err(&tongue.say("serve-left-behind", &[]));
        }
    }
    Ok(())
}

async fn sweep_daily(house: &House, tongue: &Tongue) {
    loop {
        sweep(house, tongue).await;
        tokio::time::sleep(DAY).await;
    }
}
