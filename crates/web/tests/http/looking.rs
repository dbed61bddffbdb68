//! Listing, showing, changing, stopping, deleting.

use std::sync::Arc;

use reqwest::Method;
use serde_json::{Value, json as body};
use verst_service::WorkId;
use verst_testkit::{Backend, ScriptedProvider, Setup};

use crate::support::{Plan, Site, json, problem};

on_every_store!(
    pages_follow_each_other_and_show_what_was_asked_for,
    what_a_person_writes_is_kept_and_removed,
    text_and_journal_come_in_every_form,
    a_stop_is_set_and_lifted,
    what_is_deleted_is_gone_with_its_audio,
);

const ROUTE: &str = "/api/v1/recordings";
const DOCX: &str = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

fn ids(page: &Value) -> Vec<i64> {
    page["recordings"].as_array().unwrap().iter().map(|r| r["id"].as_i64().unwrap()).collect()
}

async fn page(site: &Site, query: &str) -> Value {
    json(site.get(&format!("{ROUTE}?{query}")).send().await.unwrap(), 200).await
}

async fn pages_follow_each_other_and_show_what_was_asked_for(backend: Backend) {
    let site = Site::new(backend).await;
    let mut all = Vec::new();
    for _ in 0..5 {
        all.push(site.upload().await.0);
    }
    site.world.reach(WorkId(all[0]), "done").await;
    site.world.service.stop(WorkId(all[1]), "me").await.unwrap();
    let mut seen = Vec::new();
    let mut query = "limit=2".to_owned();
    loop {
        let page = page(&site, &query).await;
        seen.extend(ids(&page));
        let Some(next) = page["next"].as_i64() else { break };
        query = format!("limit=2&before={next}");
    }
    all.reverse();
    assert_eq!(seen, all);
    assert_eq!(ids(&page(&site, "state=done").await), [all[4]]);
    assert_eq!(ids(&page(&site, "state=stopped").await), [all[3]]);
    assert_eq!(ids(&page(&site, "state=moving").await), all[..3]);
}

async fn what_a_person_writes_is_kept_and_removed(backend: Backend) {
    let site = Site::new(backend).await;
    let route = format!("{ROUTE}/{}", site.upload().await);
    let change = |change: Value| {
        site.bare(Method::PATCH, &route).bearer_auth(&site.token).json(&change).send()
    };
    let all = body!({
        "title": "Имя", "summary": "О чём", "topics": ["дом"], "speakers": { "1": "Анна" },
    });
    let found = json(change(all).await.unwrap(), 200).await;
    assert_eq!(found["title"], "Имя");
    assert_eq!(found["speakers"], body!({ "1": "Анна" }));
    let found = json(change(body!({ "title": null, "topics": [] })).await.unwrap(), 200).await;
    assert_eq!((&found["title"], &found["summary"]), (&Value::Null, &"О чём".into()));
    assert_eq!(found["topics"], body!([]));
    for (wrong, status, code) in [
        (body!({ "title": "x".repeat(301) }), 422, "text_too_long"),
        (
            body!({ "topics": vec!["x"; 65].iter().enumerate().map(|(n, _)| n.to_string()).collect::<Vec<_>>() }),
            422,
            "too_many_entries",
        ),
        (body!({ "owner": "me" }), 422, "body_wrong"),
        (body!({ "title": 7 }), 422, "body_wrong"),
    ] {
        assert_eq!(problem(change(wrong).await.unwrap(), status).await, code);
    }
    let found = json(site.get(&route).send().await.unwrap(), 200).await;
    assert_eq!(found["summary"], "О чём");
}

async fn text_and_journal_come_in_every_form(backend: Backend) {
    let provider: Arc<ScriptedProvider> = Arc::new(ScriptedProvider::new(0));
    let setup = Setup { recognisers: vec![provider], ..Setup::default() };
    let site = Site::with(backend, Plan { setup, ..Plan::default() }).await;
    let id = site.upload().await;
    let route = format!("{ROUTE}/{id}/transcript");
    let early = site.get(&route).send().await.unwrap();
    assert_eq!(problem(early, 404).await, "no_text_yet");
    site.world.reach(id, "done").await;
    for (format, accept, kind, has) in [
        ("", "", "text/plain; charset=utf-8", "a text that was paid for\n"),
        ("?format=txt", "", "text/plain; charset=utf-8", "a text that was paid for\n"),
        ("?format=srt", "", "application/x-subrip; charset=utf-8", "00:00:00,000 --> "),
        ("?format=vtt", "text/plain", "text/vtt; charset=utf-8", "WEBVTT"),
        ("", "text/vtt;q=0.9, */*", "text/vtt; charset=utf-8", "WEBVTT"),
        ("", "application/json", "application/json", "\"segments\""),
        ("?format=md", "", "text/markdown; charset=utf-8", "a text that was paid for"),
        ("?format=docx", "", DOCX, "PK"),
    ] {
        let request = site.get(&format!("{route}{format}")).header("accept", accept);
        let answer = request.send().await.unwrap();
        assert_eq!(answer.headers()["content-type"], kind, "{format} {accept}");
        let text = answer.text().await.unwrap();
        assert!(text.contains(has), "{format} {accept}: {text}");
    }
    // And it is found by what was said in it, in any form of the word.
    let found = page(&site, "q=texts%20pay*").await;
    assert!(ids(&found).is_empty());
    let found = page(&site, "q=texts%20paid").await;
    assert_eq!(ids(&found), [id.0]);
    let pieces = found["recordings"][0]["snippets"][0]["pieces"].as_array().unwrap();
    let hits: Vec<&str> = pieces
        .iter()
        .filter(|it| it["hit"] == true)
        .map(|it| it["text"].as_str().unwrap())
        .collect();
    assert_eq!(hits, ["text", "paid"]);
    let wrong = site.get(&format!("{route}?format=exe")).send().await.unwrap();
    assert_eq!(problem(wrong, 400).await, "parameter_wrong");
    let journal = site.get(&format!("{ROUTE}/{id}/journal")).send().await.unwrap();
    let journal = json(journal, 200).await;
    let last = journal.as_array().unwrap().last().unwrap();
    assert_eq!((&last["event"], &last["milestone"]), (&"advanced".into(), &"done".into()));
}

async fn a_stop_is_set_and_lifted(backend: Backend) {
    let site = Site::new(backend).await;
    let route = format!("{ROUTE}/{}", site.upload().await);
    let post = |what: &str, with: Value| site.post(&format!("{route}/{what}")).json(&with).send();
    assert_eq!(problem(post("lift", body!({})).await.unwrap(), 409).await, "not_stopped");
    let found = json(site.post(&format!("{route}/stop")).send().await.unwrap(), 200).await;
    assert_eq!((&found["state"], &found["stop"]["by"]), (&"stopped".into(), &"person".into()));
    let again = site.post(&format!("{route}/stop")).send().await.unwrap();
    assert_eq!(problem(again, 409).await, "already_stopped");
    let chosen = body!({ "choice": "submit_again" });
    assert_eq!(problem(post("lift", chosen).await.unwrap(), 409).await, "nothing_to_choose");
    let found = json(post("lift", body!({})).await.unwrap(), 200).await;
    assert_eq!((&found["state"], &found["stop"]), (&"moving".into(), &Value::Null));
    let again = body!({ "language": "en", "model": "base.bin" });
    let found = json(post("transcribe", again).await.unwrap(), 200).await;
    assert_eq!((&found["language"], &found["model"]), (&"en".into(), &"base.bin".into()));
    for (wrong, status, code) in [
        (body!({ "language": "xx" }), 422, "language_unknown"),
        (body!({ "model": "../../etc/passwd" }), 404, "model_unknown"),
    ] {
        assert_eq!(problem(post("transcribe", wrong).await.unwrap(), status).await, code);
    }
}

async fn what_is_deleted_is_gone_with_its_audio(backend: Backend) {
    let site = Site::new(backend).await;
    let route = format!("{ROUTE}/{}", site.upload().await);
    let delete = || site.bare(Method::DELETE, &route).bearer_auth(&site.token).send();
    assert_eq!(delete().await.unwrap().status(), 204);
    assert_eq!(problem(delete().await.unwrap(), 404).await, "no_such_recording");
    assert_eq!(problem(site.get(&route).send().await.unwrap(), 404).await, "no_such_recording");
    assert_eq!((site.count().await, site.objects().len()), (0, 0));
}

#[tokio::test]
async fn audio_that_cannot_be_removed_keeps_no_other() {
    let site = Site::new(Backend::Sqlite).await;
    let ids = [site.upload().await, site.upload().await];
    let mut files = site.objects();
    files.sort();
    // Nothing that is deleted as a file.
    std::fs::remove_file(&files[0]).unwrap();
    std::fs::create_dir(&files[0]).unwrap();
    for id in ids {
        assert!(site.world.service.delete(id).await.unwrap());
    }
    assert!(!files[1].exists());
    let left = site.world.store.discarded(9).await.unwrap();
    assert_eq!(left.len(), 1, "{left:?}");
}

#[tokio::test]
async fn what_costs_money_is_asked_about_first() {
    let change = |service: &mut verst_service::Service| service.paid = true;
    let site = Site::with(Backend::Sqlite, Plan { change, ..Plan::default() }).await;
    let route = format!("{ROUTE}/{}/transcribe", site.upload().await);
    let send = |with: Value| site.post(&route).json(&with).send();
    assert_eq!(problem(send(body!({})).await.unwrap(), 409).await, "costs_money");
    json(send(body!({ "confirm_cost": true })).await.unwrap(), 200).await;
}

#[tokio::test]
async fn problems_are_told_in_the_callers_language() {
    let site = Site::new(Backend::Sqlite).await;
    for (wanted, language, detail) in [
        ("", "en", "There is no such recording."),
        ("ru-RU,ru;q=0.9,en;q=0.8", "ru", "Такой записи нет."),
        ("de", "en", "There is no such recording."),
    ] {
        let request = site.get(&format!("{ROUTE}/7")).header("accept-language", wanted);
        let answer = request.send().await.unwrap();
        assert_eq!(answer.headers()["content-language"], language);
        assert_eq!(json(answer, 404).await["detail"], detail);
    }
}
