//! Downloads at the terminal: add, list, show, retry, choose, take back.

mod add;
pub(crate) mod args;
mod choose;
mod list;
mod one;
mod show;

pub(crate) use add::add;
pub(crate) use choose::choose;
pub(crate) use list::list;
pub(crate) use one::{delete, lift, retry, stop, unplace};
pub(crate) use show::show;

use verst_downloads::names::{Candidate, Kind};
use verst_downloads::ports::ClientError;
use verst_downloads::steps::client_failure;
use verst_kernel::WorkId;
use verst_service::{DownloadService, DownloadView};
use verst_words::Arg;

use crate::house::House;
use crate::inspect::clean;
use crate::refusal::Refusal;
use crate::tongue::Tongue;

/// The use cases, if there is a torrent client.
fn service(house: &House) -> Result<&DownloadService, Refusal> {
    let off = || Refusal::Setup("cli-downloads-off", Vec::new());
    house.downloads.as_deref().ok_or_else(off)
}

/// The download of this number, if there is one: numbers of recordings and downloads are one sequence.
pub(crate) async fn find(house: &House, id: i64) -> Result<Option<DownloadView>, Refusal> {
    let Some(service) = &house.downloads else { return Ok(None) };
    Ok(service.views.download_view(WorkId(id)).await?)
}

/// Whether there is a download of this number.
pub(crate) async fn is_download(house: &House, id: i64) -> Result<bool, Refusal> {
    Ok(find(house, id).await?.is_some())
}

fn cannot(key: &'static str, id: i64) -> Refusal {
    Refusal::Cannot(key, vec![("id", id.to_string())])
}

fn client(error: &ClientError) -> Refusal {
    Refusal::Needed(client_failure(error))
}

/// What it may be, a line each, numbered as they are chosen.
fn candidates(view: &DownloadView, tongue: &Tongue) -> Vec<String> {
    let line = |(candidate, number): (&Candidate, i64)| {
        let (title, year) = (clean(&candidate.title), candidate.year.map(|year| year.to_string()));
        let kind = match candidate.kind {
            Kind::Movie => "movie",
            Kind::Series => "series",
        };
        let number = number.to_string();
        let mut args = vec![
            ("number", Arg::Text(&number)),
            ("kind", Arg::Text(kind)),
            ("title", Arg::Text(&title)),
        ];
        args.extend(year.as_deref().map(|year| ("year", Arg::Text(year))));
        let key = if year.is_some() { "download-candidate" } else { "download-candidate-yearless" };
        tongue.say(key, &args)
    };
    view.download.candidates.iter().zip(1_i64..).map(line).collect()
}

/// Its name for a terminal.
fn name(view: &DownloadView) -> String {
    clean(view.download.name.as_deref().unwrap_or("?"))
}
