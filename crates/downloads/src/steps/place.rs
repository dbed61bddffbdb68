//! Leaves `identified`: lays the files out in the library.

use verst_kernel::{Failure, Noted, Outcome, Visit};

use super::{Downloads, Trouble};
use crate::model::Product;
use crate::ports::LibraryError;
use crate::{codes, layout};

pub(super) async fn place(
    line: &Downloads,
    visit: &Visit<'_>,
) -> Result<Outcome<Product>, Trouble> {
    let download = line.download(visit).await?;
    let Some(filing) = download.filing else {
        return Ok(Outcome::Verdict(Failure::new(codes::NEEDS_CHOICE)));
    };
    let (torrent, files) = line.whole(&download.hashes).await?;
    let Some(downloaded) = line.places.local(&torrent.save_path) else {
        return Ok(Outcome::Verdict(Failure::new(codes::PLACE_UNKNOWN)));
    };
    let plan = match layout::plan(&filing, &files, line.preset, &line.roots) {
        Ok(plan) => plan,
        Err(error) => return Ok(Outcome::Verdict(Failure::new(error.code()))),
    };
    // Written before anything is linked, so that it can be taken back whatever happens now. If the
    // claim is lost, nothing is linked.
    if line.store.note(visit.claim, Product::Planned(plan.clone())).await? == Noted::Lost {
        return Ok(Outcome::Fail(Failure::new(codes::LIBRARY_FAILED)));
    }
    Ok(match line.library.place(downloaded, &plan, visit.supervisor).await {
        Ok(_) => Outcome::Advance(Product::Placed),
        Err(error) => refused(&error),
    })
}

/// Trouble that a person has to see to is a verdict; what may pass is tried again.
fn refused(error: &LibraryError) -> Outcome<Product> {
    let why = library_failure(error);
    match error {
        LibraryError::NoLibrary
        | LibraryError::SourceMissing { .. }
        | LibraryError::Taken { .. }
        | LibraryError::CrossDevice => Outcome::Verdict(why),
        LibraryError::Full | LibraryError::Interrupted | LibraryError::Failed(_) => {
            Outcome::Fail(why)
        }
    }
}

/// What a library's trouble is called.
pub fn library_failure(error: &LibraryError) -> Failure {
    match error {
        LibraryError::NoLibrary => Failure::new(codes::LIBRARY_MISSING),
        LibraryError::SourceMissing { file } => {
            Failure::new(codes::FILES_MISSING).int("file", i64::from(*file))
        }
        LibraryError::Taken { file } => {
            Failure::new(codes::NAME_TAKEN).int("file", i64::from(*file))
        }
        LibraryError::CrossDevice => Failure::new(codes::CROSS_DEVICE),
        LibraryError::Full => Failure::new(Failure::DISK_FULL),
        LibraryError::Interrupted | LibraryError::Failed(_) => Failure::new(codes::LIBRARY_FAILED),
    }
}
