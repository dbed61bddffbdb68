//! Taking in what is to be downloaded, in every form, and what is no such thing.

use reqwest::Method;
use reqwest::multipart::{Form, Part};
use serde_json::json as body;
use verst_testkit::Backend;
use verst_testkit::torrents::Torrent;

use crate::dock::ROUTE;
use crate::support::{Site, json, problem};

on_every_store!(
    what_is_sent_is_taken_in_in_every_form,
    what_is_under_way_is_answered_with_it_and_belongs_to_both,
);

async fn what_is_sent_is_taken_in_in_every_form(backend: Backend) {
    let site = Site::docked(backend).await;
    let torrents = ["a", "b", "c", "d", "e"].map(Torrent::sample);
    let link = |text: &str| site.post(ROUTE).json(&body!({ "link": text })).send();
    let answer = link(&torrents[0].magnet(None)).await.unwrap();
    let place = answer.headers()["location"].to_str().unwrap().to_owned();
    let taken = json(answer, 201).await;
    let first = &taken["downloads"][0];
    assert_eq!(place, format!("{ROUTE}/{}", first["id"]));
    assert_eq!((&first["fresh"], &first["state"]), (&true.into(), &"caught".into()));
    assert_eq!((&first["given"], &taken["broken"]), (&"magnet".into(), &0.into()));
    assert_eq!(first["senders"], body!([{ "source": "http", "owner": null }]));
    let magnets = format!(
        "Both of them: {} and {}, not magnet:?xt=urn:btih:short",
        torrents[1].magnet(None),
        torrents[2].magnet(None)
    );
    let taken = json(link(&magnets).await.unwrap(), 201).await;
    assert_eq!(taken["downloads"].as_array().unwrap().len(), 2);
    assert_eq!(taken["broken"], 1);
    let file = Part::bytes(torrents[3].bytes.clone()).file_name("d.torrent");
    let form = Form::new().text("note", "left aside").part("file", file);
    let taken = json(site.post(ROUTE).multipart(form).send().await.unwrap(), 201).await;
    assert_eq!(
        (&taken["downloads"][0]["name"], &taken["downloads"][0]["given"]),
        (&"d".into(), &"torrent".into())
    );
    let bare = site.post(ROUTE).header("content-type", "application/x-bittorrent");
    let taken = json(bare.body(torrents[4].bytes.clone()).send().await.unwrap(), 201).await;
    assert_eq!(taken["downloads"][0]["size_bytes"], torrents[4].size_bytes());
    let taken = json(link("https://example.org/film").await.unwrap(), 201).await;
    assert_eq!(taken["downloads"][0]["name"], "fetched.mkv");
    let page = json(site.get(ROUTE).send().await.unwrap(), 200).await;
    assert_eq!(page["downloads"].as_array().unwrap().len(), 6);
}

async fn what_is_under_way_is_answered_with_it_and_belongs_to_both(backend: Backend) {
    let site = Site::docked(backend).await;
    let (anna, boris) = (site.token_of("anna").await, site.token_of("boris").await);
    let torrent = Torrent::sample("film.mkv");
    let id = site.hand_in(&torrent, &anna).await;
    let see =
        |token: &str| site.bare(Method::GET, &format!("{ROUTE}/{id}")).bearer_auth(token).send();
    assert_eq!(problem(see(&boris).await.unwrap(), 404).await, "no_such_download");
    let again = site.bare(Method::POST, ROUTE).bearer_auth(&boris);
    let again = again.json(&body!({ "link": torrent.magnet(None) })).send().await.unwrap();
    let taken = json(again, 200).await;
    let entered = &taken["downloads"][0];
    assert_eq!((&entered["id"], &entered["fresh"]), (&id.0.into(), &false.into()));
    // Each sees it, and themselves as its sender; who sees everything sees both.
    for (token, owners) in [
        (&anna, body!([{ "source": "http", "owner": "anna" }])),
        (&boris, body!([{ "source": "http", "owner": "boris" }])),
    ] {
        let shown = json(see(token).await.unwrap(), 200).await;
        assert_eq!(shown["senders"], owners);
    }
    assert_eq!(site.shown(id).await["senders"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn what_cannot_be_downloaded_is_told() {
    let site = Site::docked(Backend::Sqlite).await;
    let many: Vec<String> = (0..51).map(|n| format!("magnet:?xt=urn:btih:{n:040x}")).collect();
    let many = many.join(" ");
    for (link, status, code) in [
        ("https://example.org/talk", 422, "is_recording"),
        ("https://example.org/nowhere", 422, "url_unreachable"),
        ("https://example.org/large", 413, "torrent_too_large"),
        ("http://127.0.0.1/", 422, "url_private"),
        ("ftp://example.org/", 422, "not_a_torrent"),
        ("", 422, "not_a_torrent"),
        ("magnet:?xt=urn:btih:short", 422, "not_a_torrent"),
        (&many, 422, "too_many_magnets"),
    ] {
        let answer = site.post(ROUTE).json(&body!({ "link": link })).send().await.unwrap();
        assert_eq!(problem(answer, status).await, code, "{link}");
    }
    let page = json(site.get(ROUTE).send().await.unwrap(), 200).await;
    assert_eq!(page["downloads"], body!([]));
}

#[tokio::test]
async fn each_kind_of_body_has_a_limit() {
    let site = Site::docked(Backend::Sqlite).await;
    let large = || vec![b'd'; (10 << 20) + 1];
    let chunked = || {
        let bytes = large();
        let chunks: Vec<_> = bytes.chunks(1 << 16).map(<[u8]>::to_vec).collect();
        reqwest::Body::wrap_stream(futures::stream::iter(
            chunks.into_iter().map(Ok::<_, std::io::Error>),
        ))
    };
    let bare = || site.post(ROUTE).header("content-type", "application/x-bittorrent");
    assert_eq!(problem(bare().body(large()).send().await.unwrap(), 413).await, "torrent_too_large");
    assert_eq!(
        problem(bare().body(chunked()).send().await.unwrap(), 413).await,
        "torrent_too_large"
    );
    let form = Form::new().part("file", Part::stream(chunked()));
    let form = site.post(ROUTE).multipart(form).send().await.unwrap();
    assert_eq!(problem(form, 413).await, "torrent_too_large");
    let text = |bytes: usize| site.post(ROUTE).json(&body!({ "link": "x".repeat(bytes) })).send();
    assert_eq!(problem(text(1 << 20).await.unwrap(), 422).await, "not_a_torrent");
    assert_eq!(problem(text((1 << 20) + 1).await.unwrap(), 413).await, "text_too_large");
    assert_eq!(problem(text(3 << 20).await.unwrap(), 413).await, "body_too_large");
}
