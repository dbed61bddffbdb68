//! The interface of OpenAI: what its clients send and read.

use std::sync::Arc;

use reqwest::multipart::{Form, Part};
use reqwest::{Method, Response};
use verst_testkit::{Backend, ScriptedProvider, Setup, tone};

use crate::support::{Plan, Site, json};

const ROUTE: &str = "/v1/audio/transcriptions";

async fn site() -> Site {
    let provider: Arc<ScriptedProvider> = Arc::new(ScriptedProvider::new(0));
    let setup = Setup { recognisers: vec![provider], ..Setup::default() };
    Site::with(Backend::Sqlite, Plan { setup, ..Plan::default() }).await
}

/// Sends a form, and does the work while its sender waits.
async fn send(site: &Site, form: Form) -> Response {
    let answer = site.post(ROUTE).multipart(form).send();
    let work = async {
        loop {
            site.world.turn().await;
            tokio::task::yield_now().await;
        }
    };
    tokio::select! {
        answer = answer => answer.unwrap(),
        () = work => unreachable!("work never ends"),
    }
}

fn form(fields: &[(&'static str, &'static str)]) -> Form {
    let file = Part::bytes(tone(1)).file_name("talk.wav");
    let mut form = Form::new().part("file", file).text("model", "whisper-1");
    for (name, value) in fields {
        form = form.text(*name, *value);
    }
    form
}

#[tokio::test]
async fn a_text_comes_in_every_form() {
    let site = site().await;
    let heard = ScriptedProvider::TEXT;
    let plain = json(send(&site, form(&[])).await, 200).await;
    assert_eq!(plain, serde_json::json!({ "text": heard }));
    let asked = [
        ("response_format", "verbose_json"),
        ("timestamp_granularities[]", "segment"),
        ("temperature", "0.2"),
        ("prompt", "names"),
        ("language", "en"),
    ];
    let whole = json(send(&site, form(&asked)).await, 200).await;
    assert_eq!((&whole["task"], &whole["language"]), (&"transcribe".into(), &"english".into()));
    assert_eq!((&whole["segments"][0]["end"], &whole["text"]), (&1.0.into(), &heard.into()));
    for (format, has) in [("text", heard), ("srt", "00:00:01,000"), ("vtt", "WEBVTT")] {
        let answer = send(&site, form(&[("response_format", format)])).await;
        assert_eq!(answer.headers()["content-type"], "text/plain; charset=utf-8");
        let text = answer.text().await.unwrap();
        assert!(text.contains(has), "{format}: {text}");
    }
    // They are recordings like any others.
    assert_eq!(site.count().await, 5);
}

#[tokio::test]
async fn errors_are_told_as_these_clients_read_them() {
    let site = site().await;
    let wrong = [
        (form(&[("response_format", "xml")]), 400, "parameter_wrong", "response_format"),
        (form(&[("temperature", "2")]), 400, "parameter_wrong", "temperature"),
        (
            form(&[("timestamp_granularities[]", "word")]),
            400,
            "parameter_wrong",
            "timestamp_granularities[]",
        ),
        (form(&[("language", "xx")]), 422, "language_unknown", ""),
        (form(&[("model", "gpt-9")]), 404, "model_not_found", ""),
        (Form::new().text("model", "whisper-1"), 400, "field_missing", "file"),
        (Form::new().part("file", Part::bytes(tone(1))), 400, "field_missing", "model"),
        (Form::new().part("file", Part::bytes(&b"<html>"[..])), 422, "unsupported_format", ""),
        (Form::new().part("file", Part::bytes(&b""[..])), 422, "empty_file", ""),
    ];
    for (form, status, code, param) in wrong {
        let body = json(site.post(ROUTE).multipart(form).send().await.unwrap(), status).await;
        let error = &body["error"];
        assert_eq!((&error["code"], error["param"].as_str().unwrap_or("")), (&code.into(), param));
        assert_eq!(error["type"], "invalid_request_error");
        assert!(error["message"].is_string());
    }
    assert_eq!((site.count().await, site.objects().len()), (0, 0));
    let bare = json(site.bare(Method::POST, ROUTE).send().await.unwrap(), 401).await;
    assert_eq!(bare["error"]["code"], "invalid_api_key");
    let nothing = json(site.get("/v1/nothing").send().await.unwrap(), 404).await;
    assert_eq!(nothing["error"]["code"], "no_such_route");
}

#[tokio::test]
async fn a_recording_that_is_no_good_is_told_and_not_sent_again() {
    let site = site().await;
    // Begins as sound and is none.
    let file = Part::bytes([&b"OggS"[..], &[0; 300]].concat()).file_name("a.ogg");
    let answer = send(&site, Form::new().part("file", file).text("model", "whisper-1")).await;
    assert_eq!(answer.headers()["x-should-retry"], "false");
    assert!(json(answer, 400).await["error"]["code"].is_string());
}

#[tokio::test]
async fn work_goes_on_when_the_caller_leaves() {
    let site = site().await;
    let answer = site.post(ROUTE).multipart(form(&[])).send();
    let there = crate::support::until(async || site.count().await == 1);
    tokio::select! {
        _ = answer => panic!("nobody has worked on it"),
        () = there => {}
    }
    let id = site.world.store.list(verst_service::Filter { limit: 1, ..Default::default() });
    site.world.reach(id.await.unwrap()[0].work.id, "done").await;
}

#[tokio::test]
async fn a_recording_that_was_taken_in_is_never_sent_again() {
    let site = site().await;
    let answer = site.post(ROUTE).multipart(form(&[])).send();
    let gone = async {
        crate::support::until(async || site.count().await == 1).await;
        let there = site.world.store.list(verst_service::Filter { limit: 1, ..Default::default() });
        site.world.service.delete(there.await.unwrap()[0].work.id).await.unwrap();
    };
    let (answer, ()) = tokio::join!(answer, gone);
    let answer = answer.unwrap();
    assert_eq!(answer.status(), 404);
    assert_eq!(answer.headers()["x-should-retry"], "false");
}

#[tokio::test]
async fn models_are_listed() {
    let site = site().await;
    let listed = json(site.get("/v1/models").send().await.unwrap(), 200).await;
    let names: Vec<_> = listed["data"].as_array().unwrap().iter().map(|m| &m["id"]).collect();
    assert_eq!(names, ["whisper-1", "base.bin"]);
    json(site.get("/v1/models/base.bin").send().await.unwrap(), 200).await;
    let none = json(site.get("/v1/models/none").send().await.unwrap(), 404).await;
    assert_eq!(none["error"]["code"], "model_not_found");
}
