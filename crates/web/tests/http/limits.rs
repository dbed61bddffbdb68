//! Callers that are slow, that say too much, or that are there when the service ends.

use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use verst_testkit::Backend;
use verst_web::Typed;

use crate::raw::read;
use crate::support::{Plan, Site, in_time, json};

const ROUTE: &str = "/api/v1/recordings";

fn hurried() -> Plan<'static> {
    let usual = Plan::default();
    Plan { typed: Typed { idle: Duration::from_secs(1), ..usual.typed.clone() }, ..usual }
}

#[tokio::test]
async fn who_sends_nothing_in_the_middle_of_a_body_is_told_and_ended() {
    let site = Site::with(Backend::Sqlite, hurried()).await;
    for (route, kind) in [
        (ROUTE, "audio/wav"),
        (ROUTE, "application/json"),
        (ROUTE, "multipart/form-data; boundary=x"),
        ("/api/v1/setup", "application/json"),
        ("/v1/audio/transcriptions", "multipart/form-data; boundary=x"),
    ] {
        let head = format!(
            "POST {route} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nContent-Type: {kind}\r\n\
             Content-Length: 100000\r\n\r\n--x\r\n",
            site.at, site.token
        );
        let mut stream = site.connect().await;
        stream.write_all(head.as_bytes()).await.unwrap();
        let answer = read(stream).await;
        assert_eq!(answer.status, Some(408), "{route} {kind}: {answer:?}");
        assert!(answer.text.contains("\"body_idle\""), "{answer:?}");
    }
    assert_eq!((site.count().await, site.objects().len()), (0, 0));
}

#[tokio::test]
async fn who_sends_all_before_reading_still_hears_why_it_was_refused() {
    let site = Site::new(Backend::Sqlite).await;
    let body = vec![0; 20 << 20];
    let head = format!(
        "POST {ROUTE} HTTP/1.1\r\nHost: {}\r\nContent-Type: audio/wav\r\nConnection: close\r\n\
         Content-Length: {}\r\n\r\n",
        site.at,
        body.len()
    );
    let mut stream = site.connect().await;
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.write_all(&body).await.expect("all of it is listened to");
    assert_eq!(read(stream).await.status, Some(401));
}

#[tokio::test]
async fn a_part_of_a_form_whose_head_never_ends_is_not_kept_in_memory() {
    let site = Site::new(Backend::Sqlite).await;
    for begin in ["--b\r\nX: ", "--b\r\nContent-Disposition: form-data; name=\"", "no boundary "] {
        let head = format!(
            "POST {ROUTE} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nConnection: close\r\n\
             Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 50000000\r\n\r\n{begin}",
            site.at, site.token
        );
        let mut stream = site.connect().await;
        stream.write_all(head.as_bytes()).await.unwrap();
        // It is answered long before all of it is there.
        stream.write_all(&vec![b'x'; 3 << 20]).await.unwrap();
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).await.unwrap();
        assert_eq!(&answer, b"HTTP/1.1 400", "{begin}");
    }
}

#[tokio::test]
async fn a_head_has_limits() {
    let site = Site::new(Backend::Sqlite).await;
    let host = format!("Host: {}\r\n", site.at);
    let large = format!("GET /healthz HTTP/1.1\r\n{host}X: {}\r\n\r\n", "x".repeat(40_000));
    assert_eq!(site.raw(large.as_bytes()).await.status, Some(431));
    let many = format!("GET /healthz HTTP/1.1\r\n{host}{}\r\n", "X: x\r\n".repeat(100));
    assert_eq!(site.raw(many.as_bytes()).await.status, Some(431));
    let usual = format!("GET /healthz HTTP/1.1\r\n{host}Connection: close\r\n\r\n");
    assert_eq!(site.raw(usual.as_bytes()).await.status, Some(200));
}

#[tokio::test]
async fn connections_beyond_the_limit_wait_for_a_seat() {
    let usual = Plan::default();
    let plan = Plan { typed: Typed { connections: 1, ..usual.typed.clone() }, ..usual };
    let site = Site::with(Backend::Sqlite, plan).await;
    let ask = format!("GET /healthz HTTP/1.1\r\nHost: {}\r\n\r\n", site.at);
    let mut first = site.connect().await;
    first.write_all(ask.as_bytes()).await.unwrap();
    let mut byte = [0];
    first.read_exact(&mut byte).await.unwrap();
    let mut second = site.connect().await;
    second.write_all(ask.as_bytes()).await.unwrap();
    assert!(second.try_read(&mut byte).is_err(), "nobody answers yet");
    drop(first);
    in_time(async { second.read_exact(&mut byte).await.map(drop).unwrap() }).await;
}

#[tokio::test]
async fn an_upload_under_way_comes_to_its_end_when_the_service_ends() {
    let site = Site::new(Backend::Sqlite).await;
    let sound = verst_testkit::tone(1);
    let head = format!(
        "POST {ROUTE} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nContent-Type: audio/wav\r\n\
         Expect: 100-continue\r\nContent-Length: {}\r\n\r\n",
        site.at,
        site.token,
        sound.len()
    );
    let mut stream = site.connect().await;
    stream.write_all(head.as_bytes()).await.unwrap();
    // The handler has it in hand.
    let mut goes_on = [0; 25];
    stream.read_exact(&mut goes_on).await.unwrap();
    site.world.shutdown.cancel();
    stream.write_all(&sound).await.unwrap();
    let answer = read(stream).await;
    assert_eq!(answer.status, Some(201), "{answer:?}");
    let world = site.end().await;
    assert_eq!(
        world
            .store
            .list(verst_service::Filter { limit: 9, ..Default::default() })
            .await
            .unwrap()
            .len(),
        1
    );
}

#[tokio::test]
async fn a_body_of_json_is_no_larger_than_it_may_be() {
    let site = Site::new(Backend::Sqlite).await;
    let id = site.upload().await;
    let long = "x".repeat(70_000);
    for (method, route) in [
        (reqwest::Method::PATCH, format!("{ROUTE}/{id}")),
        (reqwest::Method::POST, ROUTE.to_owned()),
        (reqwest::Method::POST, format!("{ROUTE}/{id}/lift")),
        (reqwest::Method::POST, "/api/v1/setup".to_owned()),
    ] {
        let request = site.bare(method, &route).bearer_auth(&site.token);
        let answer = request.json(&serde_json::json!({ "url": long })).send().await.unwrap();
        let body = json(answer, 413).await;
        assert_eq!(body["code"], "body_too_large", "{route}");
    }
}
