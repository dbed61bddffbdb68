//! Downloads at the terminal: add, list, retry, choose, take back.

mod add;
pub(crate) mod args;
mod choose;
mod list;
mod one;

pub(crate) use add::add;
pub(crate) use choose::choose;
pub(crate) use list::list;
pub(crate) use one::{delete, lift, retry, stop, unplace};

use verst_downloads::ports::ClientError;
use verst_downloads::steps::client_failure;
use verst_kernel::WorkId;
use verst_service::{DownloadService, DownloadView};

use crate::house::House;
use crate::refusal::Refusal;

/// The use cases, if there is a torrent client.
fn service(house: &House) -> Result<&DownloadService, Refusal> {
    let off = || Refusal::Setup("cli-downloads-off", Vec::new());
    house.downloads.as_deref().ok_or_else(off)
}

/// The download of this number, if there is one: numbers of recordings and downloads are one sequence.
pub(crate) async fn is_download(house: &House, id: i64) -> Result<bool, Refusal> {
    let Some(service) = &house.downloads else { return Ok(false) };
    Ok(service.views.download_view(WorkId(id)).await?.is_some())
}

fn cannot(key: &'static str, id: i64) -> Refusal {
    Refusal::Cannot(key, vec![("id", id.to_string())])
}

fn client(error: &ClientError) -> Refusal {
    Refusal::Needed(client_failure(error))
}

/// Its name for a terminal.
fn name(view: &DownloadView) -> String {
    crate::inspect::clean(view.download.name.as_deref().unwrap_or("?"))
}
