//! Leaves `caught`: has the torrent in the client.

use std::time::Duration;

use verst_kernel::{Failure, Outcome, Visit};

use super::ensure::Ensured;
use super::{Downloads, Trouble, client_trouble};
use crate::codes;
use crate::model::Product;

/// When to look for room again.
const ROOM: Duration = Duration::from_mins(1);

pub(super) async fn add(line: &Downloads, visit: &Visit<'_>) -> Result<Outcome<Product>, Trouble> {
    let download = line.download(visit).await?;
    let ensured = line.desk().ensure(&download.hashes, &download.given, download.size_bytes).await;
    Ok(match ensured {
        Ok(Ensured::Adopted | Ensured::Added) => Outcome::Advance(Product::Added),
        Ok(Ensured::Refused) => Outcome::Fail(Failure::new(codes::ADD_REFUSED)),
        Ok(Ensured::NoRoom) => {
            Outcome::Busy { delay: ROOM, why: Failure::new(codes::NO_ROOM), trouble: false }
        }
        Err(error) => client_trouble(&error),
    })
}
