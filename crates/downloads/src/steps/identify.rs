//! Leaves `completed`: finds out what its files are.

use verst_kernel::{Failure, Outcome, Visit};

use super::{Downloads, Trouble};
use crate::codes;
use crate::model::Product;
use crate::names::{self, Decision};

pub(super) async fn identify(
    line: &Downloads,
    visit: &Visit<'_>,
) -> Result<Outcome<Product>, Trouble> {
    let download = line.download(visit).await?;
    if let Some(filing) = download.filing {
        // A person has said it.
        return Ok(Outcome::Advance(Product::Filing(filing)));
    }
    let (torrent, files) = line.whole(&download.hashes).await?;
    let memory = line.store.memory().await?;
    let decide = move || names::decide(&torrent.name, &files, &memory);
    Ok(match line.compute(decide).await {
        Decision::Decided(filing) => Outcome::Advance(Product::Filing(filing)),
        Decision::Refuse(code) => Outcome::Verdict(Failure::new(code)),
        Decision::Ask(candidates) => {
            // If the claim is lost, so is the outcome.
            line.store.note(visit.claim, Product::Candidates(candidates)).await?;
            Outcome::Verdict(Failure::new(codes::NEEDS_CHOICE))
        }
    })
}
