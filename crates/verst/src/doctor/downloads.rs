//! The torrent client and the library: whether the one lets us in and the other takes what it has.
//!
//! **Invariant:** nothing is added to the client, and what is tried in the library is taken back.

use std::sync::Arc;

use verst_adapters::clock::SystemClock;
use verst_downloads::ports::{About, Contact, TorrentClient};
use verst_downloads::steps::client_failure;
use verst_kernel::{StoreError, Timestamp};
use verst_service::{TORRENT_CLIENT, try_library};
use verst_store::Store;
use verst_words::Arg;

use super::Finding;
use crate::house::{client, shelves};
use crate::settings::{DownloadSettings, Settings};
use crate::tongue::{Tongue, moment};

/// Findings about both, if there is a client.
pub(super) async fn findings(settings: &Settings, tongue: &Tongue) -> Vec<(&'static str, Finding)> {
    // What the settings say wrongly was told when they were read.
    let Ok(settings) = settings.downloads() else { return Vec::new() };
    let Some(config) = settings.client.clone() else { return Vec::new() };
    let category = config.category.clone();
    let client = match client(config, Arc::new(SystemClock)) {
        Ok(client) => client,
        Err(refusal) => return vec![("doctor-qbittorrent", Err(refusal.sentence(tongue)))],
    };
    match client.about().await {
        Err(error) => vec![("doctor-qbittorrent", Err(tongue.failure(&client_failure(&error))))],
        Ok(about) => {
            let free = client.list().await.ok().and_then(|listing| listing.free_bytes);
            let told = told(&about, &category, free, tongue);
            let library = library(&about, &settings, tongue).await;
            vec![("doctor-qbittorrent", Ok(told)), ("doctor-library", library)]
        }
    }
}

fn told(about: &About, category: &str, free: Option<u64>, tongue: &Tongue) -> String {
    let key = match (category, about.has_category) {
        ("", _) => "doctor-category-none",
        (_, true) => "doctor-category-there",
        (_, false) => "doctor-category-later",
    };
    let mut parts = vec![about.version.clone(), tongue.say(key, &[("name", Arg::Text(category))])];
    parts.extend(free.map(|free| {
        let gib = i64::try_from(free >> 30).unwrap_or(i64::MAX);
        tongue.say("doctor-free", &[("free", Arg::Int(gib))])
    }));
    parts.join("; ")
}

async fn library(about: &About, settings: &DownloadSettings, tongue: &Tongue) -> Finding {
    let tried = try_library(about, &settings.paths, &shelves(settings)).await;
    tried.map_err(|failure| tongue.failure(&failure))?;
    let library = settings.library.display().to_string();
    let args = [("library", Arg::Text(&library)), ("from", Arg::Text(&about.save_path))];
    Ok(tongue.say("doctor-library-takes", &args))
}

/// A finding about the watch, if there ever was one. That nobody looks while nobody serves is well.
pub(super) async fn watch(
    store: &dyn Store,
    tongue: &Tongue,
) -> Result<Option<(&'static str, Finding)>, StoreError> {
    let Some(view) = store.watch_view(TORRENT_CLIENT).await? else { return Ok(None) };
    let now: Timestamp = store.now().await?;
    let silent = view.contact.and_then(Contact::silent_since);
    let finding = match view.trouble(now, now) {
        None => Ok(tongue.say("doctor-watch-well", &[])),
        Some(failure) => {
            let sentence = tongue.failure(&failure);
            let since = silent.map(moment);
            let args = since.as_deref().map(|since| [("since", Arg::Text(since))]);
            let since = args.map(|args| tongue.say("doctor-watch-silent", &args));
            Err(since.map_or(sentence.clone(), |since| format!("{sentence} {since}")))
        }
    };
    Ok(Some(("doctor-watch", finding)))
}
