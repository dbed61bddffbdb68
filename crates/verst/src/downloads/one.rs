//! What a person does to one download.

use verst_downloads::retry::RetryError;
use verst_kernel::WorkId;
use verst_service::{DeleteError, StopAnswer, Torrent, UnplaceError, causes};
use verst_words::Arg;

use super::{cannot, client, service};
use crate::acts::{house, person};
use crate::cli::Which;
use crate::house::House;
use crate::refusal::Refusal;
use crate::tongue::Tongue;

/// Puts a download to `downloading` again.
pub(crate) async fn retry(house: &House, id: i64, tongue: &Tongue) -> Result<u8, Refusal> {
    answer(service(house)?.retry(WorkId(id), &person()).await, id, tongue)
}

/// Lifts the stop of a download.
pub(crate) async fn lift(house: &House, id: i64, tongue: &Tongue) -> Result<u8, Refusal> {
    answer(service(house)?.lift(WorkId(id), &person()).await, id, tongue)
}

fn answer(retried: Result<(), RetryError>, id: i64, tongue: &Tongue) -> Result<u8, Refusal> {
    match retried {
        Ok(()) => {
            tongue.err(&tongue.say("download-retried", &[("id", Arg::Text(&id.to_string()))]));
            Ok(0)
        }
        Err(RetryError::Owned(other)) => {
            let args = vec![("id", id.to_string()), ("other", other.to_string())];
            Err(Refusal::Cannot("download-owned", args))
        }
        Err(RetryError::NotStopped) => Err(cannot("cli-not-stopped", id)),
        Err(RetryError::Missing) => Err(cannot("cli-download-missing", id)),
        Err(RetryError::Lost) => Err(cannot("download-lost", id)),
        Err(RetryError::Refused) => Err(cannot("download-refused", id)),
        Err(RetryError::NoRoom) => Err(cannot("download-no-room", id)),
        Err(RetryError::Client(error)) => Err(client(&error)),
        Err(RetryError::Store(error)) => Err(error.into()),
    }
}

/// Stops a download.
pub(crate) async fn stop(house: &House, id: i64, tongue: &Tongue) -> Result<u8, Refusal> {
    match service(house)?.stop(WorkId(id), &person()).await? {
        StopAnswer::Stopped(_) => {
            tongue.err(&tongue.say("download-was-stopped", &[("id", Arg::Text(&id.to_string()))]));
            Ok(0)
        }
        StopAnswer::AlreadyStopped => Err(cannot("cli-already-stopped", id)),
        StopAnswer::Finished => Err(cannot("cli-already-done", id)),
        StopAnswer::Missing => Err(cannot("cli-download-missing", id)),
    }
}

/// Forgets a download; its torrent stays.
pub(crate) async fn delete(house: &House, id: i64, tongue: &Tongue) -> Result<u8, Refusal> {
    match service(house)?.delete(WorkId(id), Torrent::Stays).await {
        Ok(true) => {
            tongue.err(&tongue.say("download-deleted", &[("id", Arg::Text(&id.to_string()))]));
            Ok(0)
        }
        Ok(false) => Err(cannot("cli-download-missing", id)),
        Err(DeleteError::Client(error)) => Err(client(&error)),
        Err(DeleteError::Store(error)) => Err(error.into()),
    }
}

pub(crate) async fn unplace(args: Which, tongue: &Tongue) -> Result<u8, Refusal> {
    let house = house(&args.place).await?;
    match service(&house)?.unplace(WorkId(args.id)).await {
        Ok(count) => {
            let (id, count) = (args.id.to_string(), i64::try_from(count).unwrap_or(i64::MAX));
            let args = [("id", Arg::Text(&id)), ("count", Arg::Int(count))];
            tongue.err(&tongue.say("download-unplaced", &args));
            Ok(0)
        }
        Err(UnplaceError::NotPlaced) => Err(cannot("download-not-placed", args.id)),
        Err(UnplaceError::OnItsWay) => Err(cannot("download-on-its-way", args.id)),
        Err(UnplaceError::Nowhere) => Err(cannot("download-nowhere", args.id)),
        Err(UnplaceError::Missing) => Err(cannot("cli-download-missing", args.id)),
        Err(UnplaceError::Library(error)) => {
            let args = vec![("id", args.id.to_string()), ("cause", causes(&error))];
            Err(Refusal::Cannot("download-unplace-failed", args))
        }
        Err(UnplaceError::Client(error)) => Err(client(&error)),
        Err(UnplaceError::Store(error)) => Err(error.into()),
    }
}
