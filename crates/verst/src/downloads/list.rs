//! `verst downloads`: what there is and where it stands, one line each.

use verst_downloads::codes;
use verst_kernel::{Failure, WorkId};
use verst_service::{DownloadFilter, DownloadView, State};
use verst_words::Arg;

use super::args::Downloads;
use super::{name, service};
use crate::acts::house;
use crate::inspect::table;
use crate::refusal::Refusal;
use crate::tongue::Tongue;

pub(crate) async fn list(args: Downloads, tongue: &Tongue) -> Result<u8, Refusal> {
    let house = house(&args.place).await?;
    let service = service(&house)?;
    // One more than shown tells whether there are more.
    let filter = DownloadFilter {
        state: args.pages.moving.then_some(State::Moving),
        before: args.pages.before.map(WorkId),
        limit: args.pages.limit.saturating_add(1),
        owner: None,
    };
    let mut found = service.views.downloads(filter).await?;
    let more = found.len() > args.pages.limit as usize;
    found.truncate(args.pages.limit as usize);
    let Some(last) = found.last() else {
        tongue.err(&tongue.say("cli-downloads-empty", &[]));
        return Ok(0);
    };
    let before = last.work.id.to_string();
    let heads =
        ["download-list-id", "download-list-state", "download-list-size", "download-list-name"];
    let mut rows = vec![heads.map(|key| tongue.say(key, &[])).to_vec()];
    rows.extend(found.iter().map(|view| row(view, tongue)));
    tongue.print(&table(&rows))?;
    for view in &found {
        if let Some(reason) = reason(view) {
            tongue.err(&format!("{}: {}", view.work.id, tongue.failure(reason)));
        }
    }
    if more {
        tongue.err(&tongue.say("cli-downloads-more", &[("before", Arg::Text(&before))]));
    }
    Ok(0)
}

fn row(view: &DownloadView, tongue: &Tongue) -> Vec<String> {
    let size = size(view).unwrap_or_default();
    vec![view.work.id.to_string(), state(view, tongue), size, name(view)]
}

/// How large it is, once that is known.
pub(super) fn size(view: &DownloadView) -> Option<String> {
    view.download.size_bytes.map(|bytes| format!("{} MB", bytes / 1_000_000))
}

/// Why it stands, or what it waits for.
pub(super) fn reason(view: &DownloadView) -> Option<&Failure> {
    let stop = view.work.stop.as_ref().map(|stop| &stop.failure);
    stop.or(view.work.why.as_ref())
}

pub(super) fn state(view: &DownloadView, tongue: &Tongue) -> String {
    let milestone = tongue.milestone(&view.work.milestone);
    let key = match &view.work.stop {
        None => "download-state-moving",
        Some(stop) if stop.failure.code == codes::STALLED => "download-state-stuck",
        Some(_) => "download-state-failed",
    };
    tongue.say(key, &[("milestone", Arg::Text(&milestone))])
}
