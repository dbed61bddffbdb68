//! Index cards that earlier rules made: made anew beside the work, by whoever works here.
//!
//! **Invariant:** it never keeps work waiting for longer than a few cards take.

use std::sync::Arc;

use tokio_util::task::AbortOnDropHandle;
use verst_service::Ledger;

/// Cards of one transaction.
const BATCH: u32 = 10;

/// Goes on until all are made or the house is left; the next start goes on from there.
pub(super) fn renew(ledger: Arc<dyn Ledger>) -> AbortOnDropHandle<()> {
    AbortOnDropHandle::new(tokio::spawn(async move {
        let mut renewed = 0;
        loop {
            match ledger.renew_cards(BATCH).await {
                Ok(0) => break,
                Ok(count) => renewed += count,
                Err(error) => {
                    let error = &error as &dyn std::error::Error;
                    tracing::warn!(error, "index cards are left as they were until the next start");
                    break;
                }
            }
        }
        if renewed > 0 {
            tracing::info!(renewed, "index cards were made anew");
        }
    }))
}
