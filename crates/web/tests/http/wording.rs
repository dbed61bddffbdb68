//! Putting a transcript right.

use reqwest::Method;
use serde_json::{Value, json};
use verst_service::WorkId;
use verst_testkit::Backend;

use crate::support::{Site, json, problem};

on_every_store!(a_segment_reads_as_a_person_says_and_as_it_was_heard_again);

async fn text(site: &Site, id: WorkId) -> String {
    let path = format!("/api/v1/recordings/{id}/transcript?format=txt");
    site.get(&path).send().await.unwrap().text().await.unwrap()
}

async fn a_segment_reads_as_a_person_says_and_as_it_was_heard_again(backend: Backend) {
    let site = Site::hearing(backend).await;
    let id = site.finished().await;
    let path = format!("/api/v1/recordings/{id}/transcript?format=json");
    let heard = json(site.get(&path).send().await.unwrap(), 200).await;
    let was = heard["segments"][0]["text"].as_str().unwrap().to_owned();
    let place = format!("/api/v1/recordings/{id}/segments/0");
    let put = |path: &str, body: Value| {
        site.bare(Method::PUT, path).bearer_auth(&site.token).json(&body).send()
    };
    let said = "Исправленное место";
    let changed = put(&place, json!({ "was": was, "text": format!(" {said}\n") })).await.unwrap();
    assert_eq!(changed.status(), 204);
    assert!(text(&site, id).await.contains(said));
    let found =
        json(site.get("/api/v1/recordings?q=исправленных").send().await.unwrap(), 200).await;
    assert_eq!(found["recordings"][0]["id"], id.0, "in any form of the word");
    assert!(found["recordings"][0]["snippets"].to_string().contains("Исправленное"), "{found}");

    let stale = put(&place, json!({ "was": was, "text": "x" })).await.unwrap();
    assert_eq!(problem(stale, 409).await, "segment_changed");
    let beyond = format!("/api/v1/recordings/{id}/segments/9999");
    for path in [beyond, format!("/api/v1/recordings/{id}/segments/x")] {
        let none = put(&path, json!({ "was": said, "text": "x" })).await.unwrap();
        assert_eq!(problem(none, 409).await, "segment_changed");
    }
    let empty = put(&place, json!({ "was": said, "text": " " })).await.unwrap();
    assert_eq!(problem(empty, 400).await, "parameter_wrong");
    let long = put(&place, json!({ "was": said, "text": "x".repeat(10_001) })).await.unwrap();
    assert_eq!(problem(long, 422).await, "text_too_long");

    let list = format!("/api/v1/recordings/{id}/corrections");
    let kept = json(site.get(&list).send().await.unwrap(), 200).await["corrections"].clone();
    assert_eq!((&kept[0]["heard"], &kept[0]["text"]), (&json!(was), &json!(said)));
    assert_eq!((&kept[0]["fits"], &kept[0]["by"]), (&json!(true), &json!("me")));
    let own = format!("{list}/{}", kept[0]["id"]);
    let delete = |path: &str| site.bare(Method::DELETE, path).bearer_auth(&site.token);
    let restore = delete(&place).query(&[("was", said)]).send().await.unwrap();
    assert_eq!(restore.status(), 204);
    assert!(!text(&site, id).await.contains(said));
    assert_eq!(problem(delete(&own).send().await.unwrap(), 404).await, "no_such_correction");
    put(&place, json!({ "was": was, "text": said })).await.unwrap();
    let kept = json(site.get(&list).send().await.unwrap(), 200).await["corrections"].clone();
    let own = format!("{list}/{}", kept[0]["id"]);
    assert_eq!(delete(&own).send().await.unwrap().status(), 204);
    assert!(!text(&site, id).await.contains(said));

    let fresh = site.upload().await;
    let place = format!("/api/v1/recordings/{fresh}/segments/0");
    let early = put(&place, json!({ "was": "", "text": "x" })).await.unwrap();
    assert_eq!(problem(early, 404).await, "no_text_yet");
}
