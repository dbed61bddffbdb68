//! Downloads in lists and one by one: where they stand, what their torrents do, their files.

use reqwest::Method;
use serde_json::{Value, json as body};
use verst_testkit::Backend;
use verst_testkit::torrents::Torrent;

use crate::dock::ROUTE;
use crate::support::{Site, json, problem};

on_every_store!(
    pages_of_downloads_follow_each_other,
    a_download_shows_how_it_stands_and_what_its_torrent_does,
    every_owner_lists_what_they_sent,
);

async fn page(site: &Site, query: &str, token: &str) -> (Vec<i64>, Option<i64>) {
    let answer = site.bare(Method::GET, &format!("{ROUTE}?{query}")).bearer_auth(token);
    let page = json(answer.send().await.unwrap(), 200).await;
    let listed = page["downloads"].as_array().unwrap();
    (listed.iter().map(|it| it["id"].as_i64().unwrap()).collect(), page["next"].as_i64())
}

async fn pages_of_downloads_follow_each_other(backend: Backend) {
    let site = Site::docked(backend).await;
    let mut all = Vec::new();
    for name in ["a", "b", "c", "d", "e"] {
        all.push(site.download(name).await.1.0);
    }
    json(site.act(verst_service::WorkId(all[1]), "stop").await, 200).await;
    all.reverse();
    let (mut seen, mut query) = (Vec::new(), "limit=2".to_owned());
    loop {
        let (ids, next) = page(&site, &query, &site.token).await;
        seen.extend(ids);
        let Some(next) = next else { break };
        query = format!("limit=2&before={next}");
    }
    assert_eq!(seen, all);
    assert_eq!(page(&site, "state=stopped", &site.token).await.0, [all[3]]);
    assert_eq!(page(&site, "state=moving", &site.token).await.0.len(), 4);
    assert!(page(&site, "state=done", &site.token).await.0.is_empty());
}

async fn a_download_shows_how_it_stands_and_what_its_torrent_does(backend: Backend) {
    let site = Site::docked(backend).await;
    let (torrent, id) = site.download("film.mkv").await;
    let shown = site.shown(id).await;
    assert_eq!((&shown["state"], &shown["live"]), (&"caught".into(), &Value::Null));
    let dock = site.dock();
    dock.harbour.reach(id, "downloading").await;
    dock.server.change(torrent.v1.as_ref().unwrap(), |held| {
        held.state = verst_service::download::ClientState::Downloading;
        held.files[0].progress = 0.5;
        (held.down_rate, held.seeds) = (1234, 3);
    });
    dock.harbour.tick().await;
    let shown = site.shown(id).await;
    assert_eq!((&shown["state"], &shown["error_code"]), (&"downloading".into(), &Value::Null));
    let live = &shown["live"];
    assert_eq!((&live["state"], &live["percent"]), (&"downloading".into(), &50.into()));
    assert_eq!((&live["down_rate"], &live["seeds"]), (&1234.into(), &3.into()));
    let files = site.get(&format!("{ROUTE}/{id}/files")).send().await.unwrap();
    let files = json(files, 200).await;
    let only = body!({
        "index": 0, "path": "film.mkv", "size_bytes": torrent.size_bytes(),
        "wanted": true, "whole": false, "progress": 0.5,
    });
    assert_eq!(files, body!({ "files": [only], "total": 1, "next": null }));
    // What its torrent is not there for says so; stopped by our impatience, it is stuck.
    dock.harbour.give_up(id, "stalled").await;
    let shown = site.shown(id).await;
    assert_eq!((&shown["state"], &shown["error_code"]), (&"stuck".into(), &"stalled".into()));
    assert_eq!(
        (&shown["milestone"], &shown["stop"]["by"]),
        (&"downloading".into(), &"stuck".into())
    );
    dock.server.lose(torrent.v1.as_ref().unwrap());
    let files = site.get(&format!("{ROUTE}/{id}/files")).send().await.unwrap();
    assert_eq!(problem(files, 409).await, "torrent_gone");
    let journal = site.get(&format!("{ROUTE}/{id}/journal")).send().await.unwrap();
    let journal = json(journal, 200).await;
    let events: Vec<_> = journal.as_array().unwrap().iter().map(|it| &it["event"]).collect();
    assert_eq!(events, ["advanced", "stopped"]);
}

async fn every_owner_lists_what_they_sent(backend: Backend) {
    let site = Site::docked(backend).await;
    let (anna, boris) = (site.token_of("anna").await, site.token_of("boris").await);
    let mine = site.hand_in(&Torrent::sample("a"), &anna).await;
    let shared = site.hand_in(&Torrent::sample("b"), &anna).await;
    site.hand_in(&Torrent::sample("b"), &boris).await;
    assert_eq!(page(&site, "", &anna).await.0, [shared.0, mine.0]);
    assert_eq!(page(&site, "", &boris).await.0, [shared.0]);
    assert_eq!(page(&site, "", &site.token).await.0, [shared.0, mine.0]);
    // The number of a recording names no download.
    let recording = site.upload().await;
    let answer = site.get(&format!("{ROUTE}/{recording}")).send().await.unwrap();
    assert_eq!(problem(answer, 404).await, "no_such_download");
}

#[tokio::test]
async fn files_come_in_pages() {
    let site = Site::docked(Backend::Sqlite).await;
    let names: Vec<String> = (0..1005).map(|n| format!("{n:04}.txt")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let torrent = site.dock().made("many", &names);
    let id = site.hand_in(&torrent, &site.token).await;
    site.dock().harbour.reach(id, "downloading").await;
    let files = async |query: &str| {
        let answer = site.get(&format!("{ROUTE}/{id}/files{query}")).send().await.unwrap();
        json(answer, 200).await
    };
    let first = files("").await;
    assert_eq!(first["files"].as_array().unwrap().len(), 1000);
    assert_eq!((&first["total"], &first["next"]), (&1005.into(), &1000.into()));
    let rest = files("?from=1000").await;
    assert_eq!((rest["files"].as_array().unwrap().len(), &rest["next"]), (5, &Value::Null));
}
