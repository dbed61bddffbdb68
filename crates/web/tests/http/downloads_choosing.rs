//! A person says what a download is.

use serde_json::{Value, json as body};
use verst_service::WorkId;
use verst_testkit::Backend;

use crate::dock::ROUTE;
use crate::support::{Site, json, problem};

on_every_store!(a_candidate_is_chosen, a_choice_in_own_words_is_previewed_and_followed);

/// Names that can be read in several ways.
const DIR: &str = "Chernobyl 05";
const FILES: &[&str] = &["Chernobyl 05.mkv"];
const ASKED: &str = "failed/needs_choice";

async fn candidates(site: &Site, id: WorkId) -> Value {
    let answer = site.get(&format!("{ROUTE}/{id}/candidates")).send().await.unwrap();
    json(answer, 200).await["candidates"].take()
}

async fn a_candidate_is_chosen(backend: Backend) {
    let site = Site::docked(backend).await;
    let (_, id) = site.come(DIR, FILES, ASKED).await;
    let found = candidates(&site, id).await;
    let found = found.as_array().unwrap();
    assert_eq!(site.shown(id).await["candidates"], found.len());
    let first = &found[0];
    assert_eq!(first["number"], 1);
    assert_eq!(first["placed"]["files"], 1, "{first}");
    for number in [0, found.len() + 1] {
        let answer = site.say(id, "choose", body!({ "candidate": number })).await;
        assert_eq!(problem(answer, 422).await, "no_such_candidate");
    }
    let shown = json(site.say(id, "choose", body!({ "candidate": 1 })).await, 200).await;
    assert_eq!(shown["stop"], Value::Null, "{shown}");
    site.dock().harbour.reach(id, "done").await;
    assert_eq!(site.shown(id).await["placed"]["paths"], first["placed"]["paths"]);
}

async fn a_choice_in_own_words_is_previewed_and_followed(backend: Backend) {
    let site = Site::docked(backend).await;
    let (_, id) = site.come(DIR, FILES, ASKED).await;
    let said = body!({
        "kind": "series", "title": "Chernobyl", "year": 2019,
        "files": { "0": { "season": { "season": 1, "episodes": [5] } } },
    });
    let preview = json(site.say(id, "preview", said.clone()).await, 200).await;
    let target = preview["files"][0]["target"].as_str().unwrap();
    assert!(target.contains("Chernobyl (2019)") && target.contains("S01E05"), "{target}");
    assert_eq!((&preview["total"], &preview["files"][0]["index"]), (&1.into(), &0.into()));
    assert_eq!(site.shown(id).await["error_code"], "needs_choice");
    for (wrong, status, code) in [
        (body!({ "kind": "movie", "title": " " }), 422, "title_wrong"),
        (body!({ "kind": "movie", "title": "x", "files": { "7": "leave" } }), 422, "no_video"),
        (body!({ "kind": "movie", "title": "x", "files": { "0": "leave" } }), 422, "nothing_left"),
        (
            body!({ "kind": "series", "title": "x", "files": { "0": { "absolute": [2, 1] } } }),
            422,
            "episodes_wrong",
        ),
        (
            body!({ "kind": "movie", "title": "x", "files": { "0": { "film": { "part": 0 } } } }),
            400,
            "parameter_wrong",
        ),
        (
            body!({ "kind": "movie", "title": "x", "ids": { "imdb": "../x" } }),
            400,
            "parameter_wrong",
        ),
        (
            body!({
                "kind": "series", "title": "x",
                "files": { "0": { "season": { "season": 1, "episodes": [1, 5] } } },
            }),
            422,
            "file_nameless",
        ),
    ] {
        for act in ["preview", "choose"] {
            let answer = site.say(id, act, wrong.clone()).await;
            assert_eq!(problem(answer, status).await, code, "{act} {wrong}");
        }
    }
    json(site.say(id, "choose", said.clone()).await, 200).await;
    site.dock().harbour.reach(id, "done").await;
    let placed = site.shown(id).await["placed"].clone();
    assert_eq!(placed["paths"], body!([target]));
    assert_eq!(problem(site.say(id, "choose", said).await, 409).await, "not_asked");
}
