//! What people do to downloads: retry, stop, lift, take out of the library, delete.

use reqwest::Method;
use serde_json::{Value, json as body};
use verst_testkit::Backend;
use verst_testkit::torrents::Deed;

use crate::dock::ROUTE;
use crate::support::{Site, json, problem};

on_every_store!(
    what_was_given_up_is_retried,
    a_download_is_stopped_and_lifted,
    data_is_deleted_only_when_it_is_asked_for_twice,
    what_is_in_the_library_is_taken_out_and_laid_out_again,
);

async fn what_was_given_up_is_retried(backend: Backend) {
    let site = Site::docked(backend).await;
    let (torrent, id) = site.download("film.mkv").await;
    let dock = site.dock();
    dock.harbour.reach(id, "downloading").await;
    assert_eq!(problem(site.act(id, "retry").await, 409).await, "not_stopped");
    dock.harbour.give_up(id, "stalled").await;
    dock.server.stop();
    assert_eq!(problem(site.act(id, "retry").await, 503).await, "client_unreachable");
    assert_eq!(site.shown(id).await["state"], "stuck");
    dock.server.start_again();
    let shown = json(site.act(id, "retry").await, 200).await;
    assert_eq!((&shown["state"], &shown["stop"]), (&"downloading".into(), &Value::Null));
    assert_eq!(dock.server.additions(torrent.v1.as_ref().unwrap()), 1);
    // Another has the torrent by now: which one, is told to those who may see it.
    dock.harbour.give_up(id, "stalled").await;
    let anna = site.token_of("anna").await;
    let other = site.hand_in(&torrent, &anna).await;
    assert_ne!(other, id);
    let answer = json(site.act(id, "retry").await, 409).await;
    assert_eq!(answer["code"], "owned_by_other");
    assert_eq!(answer["params"], body!({ "download": other.0 }));
}

async fn a_download_is_stopped_and_lifted(backend: Backend) {
    let site = Site::docked(backend).await;
    let (torrent, id) = site.download("film.mkv").await;
    let hash = torrent.v1.clone().unwrap();
    let dock = site.dock();
    dock.harbour.reach(id, "downloading").await;
    let shown = json(site.act(id, "stop").await, 200).await;
    assert_eq!((&shown["state"], &shown["milestone"]), (&"failed".into(), &"downloading".into()));
    assert_eq!(shown["stop"]["by"], "person");
    let stopped = Deed::Did("stop".to_owned(), hash);
    assert!(dock.server.deeds().contains(&stopped), "{:?}", dock.server.deeds());
    assert_eq!(problem(site.act(id, "stop").await, 409).await, "already_stopped");
    let shown = json(site.act(id, "lift").await, 200).await;
    assert_eq!((&shown["state"], &shown["stop"]), (&"downloading".into(), &Value::Null));
    assert_eq!(problem(site.act(id, "lift").await, 409).await, "not_stopped");
    let journal = site.get(&format!("{ROUTE}/{id}/journal")).send().await.unwrap();
    let journal = json(journal, 200).await;
    assert_eq!(journal.as_array().unwrap().last().unwrap()["person"], "me");
}

async fn data_is_deleted_only_when_it_is_asked_for_twice(backend: Backend) {
    let site = Site::docked(backend).await;
    let removed =
        |files| move |deed: &Deed| matches!(deed, Deed::Removed { files: it, .. } if *it == files);
    let delete =
        async |id, query: &str| site.delete(&format!("{ROUTE}/{id}{query}")).send().await.unwrap();
    let (_, id) = site.download("with").await;
    site.dock().harbour.reach(id, "downloading").await;
    for query in
        ["?torrent=with_data", "?torrent=with_data&confirm=0", "?torrent=with_data&confirm="]
    {
        let answer = json(delete(id, query).await, 409).await;
        assert_eq!(answer["code"], "confirm_needed");
        assert_eq!(answer["params"], body!({ "download": id.0 }));
    }
    assert_eq!(problem(delete(id, "?torrent=goes").await, 400).await, "parameter_wrong");
    let deeds = site.dock().server.deeds();
    assert!(!deeds.iter().any(|it| matches!(it, Deed::Removed { .. })), "{deeds:?}");
    assert_eq!(site.shown(id).await["state"], "downloading");
    let sure = format!("?torrent=with_data&confirm={id}");
    assert_eq!(delete(id, &sure).await.status(), 204);
    assert!(site.dock().server.deeds().iter().any(removed(true)));
    assert_eq!(problem(delete(id, "").await, 404).await, "no_such_download");
    // Without the data, and without the client's knowledge.
    let (_, id) = site.download("without").await;
    site.dock().harbour.reach(id, "downloading").await;
    assert_eq!(delete(id, "?torrent=leaves").await.status(), 204);
    assert!(site.dock().server.deeds().iter().any(removed(false)));
    let (torrent, id) = site.download("stays").await;
    site.dock().harbour.reach(id, "downloading").await;
    assert_eq!(delete(id, "").await.status(), 204);
    assert!(site.dock().server.held(torrent.v1.as_ref().unwrap()).is_some());
    // A client that is away removes nothing, so the download is still there.
    let (_, id) = site.download("away").await;
    site.dock().server.stop();
    assert_eq!(problem(delete(id, "?torrent=leaves").await, 503).await, "client_unreachable");
    assert_eq!(site.shown(id).await["state"], "caught");
}

async fn what_is_in_the_library_is_taken_out_and_laid_out_again(backend: Backend) {
    let site = Site::docked(backend).await;
    let (_, id) = site
        .come("Heat.1995.1080p.BluRay.x264", &["Heat.1995.1080p.BluRay.x264.mkv"], "done")
        .await;
    let library = site.dock().harbour.library();
    let placed = site.shown(id).await["placed"].clone();
    let path = library.join(placed["paths"][0].as_str().unwrap());
    assert!(placed["files"] == 1 && path.is_file(), "{placed}");
    let gone = json(site.act(id, "unplace").await, 200).await;
    assert_eq!(gone, body!({ "files": 1 }));
    assert!(!path.exists());
    assert_eq!(problem(site.act(id, "unplace").await, 409).await, "not_placed");
    let shown = json(site.act(id, "place").await, 200).await;
    assert_eq!(shown["state"], "identified");
    site.dock().harbour.reach(id, "done").await;
    assert!(path.is_file());
    assert_eq!(problem(site.act(id, "stop").await, 409).await, "already_done");
    let (_, other) = site.download("another").await;
    assert_eq!(problem(site.act(other, "place").await, 409).await, "not_identified");
}

#[tokio::test]
async fn without_a_client_every_address_says_which_setting_to_set() {
    let site = Site::new(Backend::Sqlite).await;
    let described: Value = serde_json::from_str(&verst_web::openapi()).unwrap();
    let mut asked = 0;
    for (path, methods) in described["paths"].as_object().unwrap() {
        if !path.starts_with(ROUTE) {
            continue;
        }
        for method in methods.as_object().unwrap().keys() {
            let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
            let request = site.bare(method, &path.replace("{id}", "1")).bearer_auth(&site.token);
            let answer = json(request.send().await.unwrap(), 503).await;
            assert_eq!(answer["code"], "no_client", "{path}");
            assert!(answer["detail"].as_str().unwrap().contains("“qbittorrent”"), "{answer}");
            asked += 1;
        }
    }
    assert!(asked >= 14, "{asked}");
}
