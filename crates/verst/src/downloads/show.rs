//! Everything about one download, for `verst show`.
//!
//! **Invariant:** the torrent client is asked once and waited for only shortly: one that is away keeps
//! nobody from what is known here.

use std::fmt::Write;
use std::time::Duration;

use tokio::time::timeout;
use verst_downloads::ports::{ClientError, Snapshot};
use verst_downloads::steps::client_failure;
use verst_service::{DownloadService, DownloadView};
use verst_words::Arg;

use super::list::{reason, size, state};
use super::{candidates, name, service};
use crate::house::House;
use crate::inspect::clean;
use crate::refusal::Refusal;
use crate::show::journal;
use crate::tongue::{Tongue, moment};

/// As long as somebody likes to wait for what is only an addition.
const CLIENT: Duration = Duration::from_secs(5);
/// Paths that are listed.
const PATHS: usize = 100;

/// Shows it. What `view` has was read just before.
pub(crate) async fn show(
    house: &House,
    view: &DownloadView,
    tongue: &Tongue,
) -> Result<(), Refusal> {
    let service = service(house)?;
    let entries = service.ledger.journal(view.work.id).await?;
    let mut text = format!("{}  {}\n\n", view.work.id, name(view));
    head(&mut text, view, tongue);
    let mut fact = |key: &str, value: &str| {
        let _ = writeln!(text, "{}: {value}", tongue.say(key, &[]));
    };
    fact("show-client", &client(service, view, tongue).await);
    for hash in view.download.hashes.iter() {
        fact("show-hash", &hash.to_string());
    }
    if !view.download.candidates.is_empty() {
        let _ = writeln!(text, "\n{}:", tongue.say("show-candidates", &[]));
        for line in candidates(view, tongue) {
            let _ = writeln!(text, "  {line}");
        }
    }
    let placed = &view.download.placed;
    if !placed.is_empty() {
        let _ = writeln!(text, "\n{}:", tongue.say("show-library", &[]));
        for placement in placed.iter().take(PATHS) {
            let _ = writeln!(text, "  {}", clean(&placement.target.join("/")));
        }
        let more = i64::try_from(placed.len().saturating_sub(PATHS)).unwrap_or(i64::MAX);
        if more > 0 {
            let _ = writeln!(text, "  {}", tongue.say("show-more", &[("count", Arg::Int(more))]));
        }
    }
    journal(&mut text, &entries, view.work.created_at, tongue);
    tongue.print(&text)
}

fn head(text: &mut String, view: &DownloadView, tongue: &Tongue) {
    let mut fact = |key: &str, value: &str| {
        let _ = writeln!(text, "{}: {value}", tongue.say(key, &[]));
    };
    fact("show-state", &state(view, tongue));
    if let Some(why) = reason(view) {
        let key = if view.work.stop.is_some() { "show-reason" } else { "show-waits" };
        fact(key, &tongue.failure(why));
    }
    if let Some(other) = view.download.merged_into {
        let other = Arg::Int(other.0);
        fact("show-merged", &tongue.say("show-merged-into", &[("id", other)]));
    }
    fact("show-taken", &moment(view.work.created_at));
    if let Some(size) = size(view) {
        fact("show-size", &size);
    }
}

/// What its torrent does now, in one line.
async fn client(service: &DownloadService, view: &DownloadView, tongue: &Tongue) -> String {
    let looked = timeout(CLIENT, service.torrent(&view.download.hashes)).await;
    match looked.unwrap_or(Err(ClientError::Unreachable)) {
        Ok(Some(torrent)) => does(&torrent, tongue),
        Ok(None) => tongue.say("show-client-none", &[]),
        Err(error) => tongue.failure(&client_failure(&error)),
    }
}

fn does(torrent: &Snapshot, tongue: &Tongue) -> String {
    let state = Arg::Text(torrent.state.in_short());
    let mut parts = vec![tongue.say("show-client-state", &[("state", state)])];
    parts.extend(torrent.percent().map(|percent| format!("{percent} %")));
    let kilobytes = |rate: u64| i64::try_from(rate / 1000).unwrap_or(i64::MAX);
    for (key, rate) in
        [("show-client-down", torrent.down_rate), ("show-client-up", torrent.up_rate)]
    {
        if rate > 0 {
            parts.push(tongue.say(key, &[("rate", Arg::Int(kilobytes(rate)))]));
        }
    }
    let counts = [("seeds", torrent.seeds), ("peers", torrent.peers)];
    let counts = counts.map(|(name, count)| (name, Arg::Int(i64::from(count))));
    parts.push(tongue.say("show-client-others", &counts));
    if let Some(eta) = torrent.eta {
        parts.push(tongue.say("show-client-eta", &[("time", Arg::Text(&tongue.length(eta)))]));
    }
    parts.join(", ")
}
