//! Taking recordings in: forms, bare bytes, addresses; once, and nothing by halves.

use reqwest::multipart::{Form, Part};
use tokio::io::AsyncWriteExt;
use verst_service::WorkId;
use verst_testkit::{Backend, tone};

use crate::raw::read;
use crate::support::{Plan, Site, json, problem, until};

on_every_store!(a_form_is_taken_in_whatever_its_order, a_key_makes_one_recording_of_many_uploads,);

const ROUTE: &str = "/api/v1/recordings";

async fn a_form_is_taken_in_whatever_its_order(backend: Backend) {
    let site = Site::new(backend).await;
    let form = Site::form().text("language", "ru").text("title", "Доклад").text("extra", "x");
    let answer = site.post(ROUTE).multipart(form).send().await.unwrap();
    let place = answer.headers()["location"].to_str().unwrap().to_owned();
    let body = json(answer, 201).await;
    assert_eq!(place, format!("{ROUTE}/{}", body["id"]));
    assert_eq!((&body["language"], &body["title"]), (&"ru".into(), &"Доклад".into()));
    assert_eq!(body["state"], "moving");
    let first = Form::new().text("model", "base.bin");
    let form = first.part("file", Part::bytes(tone(1)).file_name("имя.wav"));
    let body = json(site.post(ROUTE).multipart(form).send().await.unwrap(), 201).await;
    assert_eq!((&body["model"], &body["name"]), (&"base.bin".into(), &"имя.wav".into()));
    assert_eq!(site.objects().len(), 2);
}

async fn a_key_makes_one_recording_of_many_uploads(backend: Backend) {
    let site = Site::new(backend).await;
    let send = |token: String| {
        let request = site.bare(reqwest::Method::POST, ROUTE).bearer_auth(token);
        let request = request.header("Idempotency-Key", "a-1");
        request.multipart(Site::form()).send()
    };
    let mine = || site.token.clone();
    let (one, two, three) = tokio::join!(send(mine()), send(mine()), send(mine()));
    let mut statuses = Vec::new();
    let mut ids = Vec::new();
    for answer in [one, two, three, send(mine()).await] {
        let answer = answer.unwrap();
        statuses.push(answer.status().as_u16());
        let status = answer.status().as_u16();
        ids.push(json(answer, status).await["id"].as_i64().unwrap());
    }
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 200, 200, 201]);
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
    assert_eq!((site.count().await, site.objects().len()), (1, 1));
    // The same key of another caller is another recording.
    let others = site.token_of("anna").await;
    let other = json(send(others).await.unwrap(), 201).await;
    assert_ne!(other["id"], ids[0]);
    // What was deleted is not there any more to be answered.
    let route = format!("{ROUTE}/{}", ids[0]);
    let delete = site.bare(reqwest::Method::DELETE, &route).bearer_auth(mine());
    assert_eq!(delete.send().await.unwrap().status(), 204);
    let anew = json(send(mine()).await.unwrap(), 201).await;
    assert!(anew["id"] != ids[0] && anew["id"] != other["id"]);
}

#[tokio::test]
async fn bare_bytes_are_named_by_a_header_or_the_address() {
    let site = Site::new(Backend::Sqlite).await;
    let send = |kind: &str, query: &str, disposition: Option<&str>| {
        let mut request = site.post(&format!("{ROUTE}{query}")).header("content-type", kind);
        if let Some(value) = disposition {
            request = request.header("content-disposition", value);
        }
        request.body(tone(1)).send()
    };
    let body = json(send("audio/wav", "?name=a.wav&language=en", None).await.unwrap(), 201).await;
    assert_eq!((&body["name"], &body["language"]), (&"a.wav".into(), &"en".into()));
    let named = Some("attachment; filename*=UTF-8''%D0%B4.wav");
    let octets = "application/octet-stream";
    let body = json(send(octets, "?name=a.wav", named).await.unwrap(), 201).await;
    assert_eq!(body["name"], "д.wav");
    assert_eq!(problem(send("text/plain", "", None).await.unwrap(), 415).await, "media_type");
}

#[tokio::test]
async fn an_address_is_fetched_and_what_cannot_be_is_told() {
    let site = Site::new(Backend::Sqlite).await;
    let send = |url: &str| {
        site.post(ROUTE).json(&serde_json::json!({ "url": url, "title": "Talk" })).send()
    };
    let body = json(send("https://example.org/talk").await.unwrap(), 201).await;
    assert_eq!((&body["name"], &body["title"]), (&"talk.wav".into(), &"Talk".into()));
    for (url, status, code) in [
        ("https://example.org/large", 413, "too_large"),
        ("https://example.org/nowhere", 422, "url_unreachable"),
        ("https://example.org/broken", 422, "url_unreachable"),
        ("http://127.0.0.1/", 422, "url_private"),
        ("file:///etc/passwd", 422, "url_wrong"),
    ] {
        assert_eq!(problem(send(url).await.unwrap(), status).await, code, "{url}");
    }
    assert_eq!((site.count().await, site.objects().len()), (1, 1));
}

#[tokio::test]
async fn what_is_too_large_is_refused_at_once_or_on_the_way_and_leaves_nothing() {
    let plan = Plan { largest_bytes: 100_000, ..Plan::default() };
    let site = Site::with(Backend::Sqlite, plan).await;
    // Before a byte of it is sent.
    let head = format!(
        "POST {ROUTE} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nContent-Type: audio/wav\r\n\
         Expect: 100-continue\r\nContent-Length: 5000000000\r\n\r\n",
        site.at, site.token
    );
    let mut stream = site.connect().await;
    stream.write_all(head.as_bytes()).await.unwrap();
    let answer = read(stream).await;
    assert_eq!(answer.status, Some(413), "{answer:?}");
    assert!(answer.text.contains("\"limit_bytes\":100000"), "{answer:?}");
    // Of unknown length, in either form.
    let chunks = || {
        let bytes: Vec<Result<Vec<u8>, std::io::Error>> =
            tone(10).chunks(5000).map(|chunk| Ok(chunk.to_vec())).collect();
        reqwest::Body::wrap_stream(futures::stream::iter(bytes))
    };
    let bare = site.post(ROUTE).header("content-type", "audio/wav").body(chunks());
    assert_eq!(problem(bare.send().await.unwrap(), 413).await, "too_large");
    let form = Form::new().part("file", Part::stream(chunks()));
    let form = site.post(ROUTE).multipart(form);
    assert_eq!(problem(form.send().await.unwrap(), 413).await, "too_large");
    assert_eq!((site.count().await, site.objects().len()), (0, 0));
}

#[tokio::test]
async fn a_full_disk_is_told_and_leaves_nothing() {
    let change = |service: &mut verst_service::Service| {
        let there = service.objects.clone();
        service.objects = std::sync::Arc::new(verst_testkit::FullDisk(there));
    };
    let site = Site::with(Backend::Sqlite, Plan { change, ..Plan::default() }).await;
    let answer = site.post(ROUTE).multipart(Site::form()).send().await.unwrap();
    assert_eq!(problem(answer, 507).await, "disk_full");
    assert_eq!((site.count().await, site.objects().len()), (0, 0));
}

#[tokio::test]
async fn a_disk_without_space_for_the_row_keeps_no_bytes_either() {
    let change = |service: &mut verst_service::Service| {
        let there = service.recordings.clone();
        service.recordings = std::sync::Arc::new(verst_testkit::FullTable(there));
    };
    let site = Site::with(Backend::Sqlite, Plan { change, ..Plan::default() }).await;
    let answer = site.post(ROUTE).multipart(Site::form()).send().await.unwrap();
    assert_eq!(problem(answer, 507).await, "disk_full");
    assert_eq!((site.count().await, site.objects().len()), (0, 0));
}

#[tokio::test]
async fn an_upload_that_breaks_off_leaves_nothing() {
    let site = Site::new(Backend::Sqlite).await;
    let sound = tone(30);
    let head = format!(
        "POST {ROUTE} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nContent-Type: audio/wav\r\n\
         Content-Length: {}\r\n\r\n",
        site.at,
        site.token,
        sound.len()
    );
    let mut stream = site.connect().await;
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.write_all(&sound[..sound.len() - 1]).await.unwrap();
    // It is on its way.
    let uploads = async || metric(&site, "verst_uploads").await;
    until(async || uploads().await >= 1.0).await;
    drop(stream);
    until(async || uploads().await < 1.0).await;
    assert_eq!((site.count().await, site.objects().len()), (0, 0));
}

/// The value of a gauge without labels.
async fn metric(site: &Site, name: &str) -> f64 {
    let text = site.get("/metrics").send().await.unwrap().text().await.unwrap();
    let line = text.lines().find(|line| line.split(' ').next() == Some(name));
    line.map_or(0.0, |line| line.rsplit(' ').next().unwrap().parse().unwrap())
}

#[tokio::test]
async fn a_recording_that_is_taken_in_can_be_worked_on_and_told_about() {
    let site = Site::new(Backend::Sqlite).await;
    let id: WorkId = site.finished().await;
    let body = json(site.get(&format!("{ROUTE}/{id}")).send().await.unwrap(), 200).await;
    assert_eq!((&body["state"], &body["milestone"]), (&"done".into(), &"done".into()));
    // The names of files have no place in a log.
    let logged = site.world.logs.everything();
    assert!(!logged.contains(verst_testkit::World::NAME), "{logged}");
}
