//! The audio that was handed in: whole, in stretches, and never as what it only calls itself.

use reqwest::Response;
use verst_service::WorkId;
use verst_testkit::{Backend, tone};

use crate::support::{Site, problem};

async fn audio(site: &Site, id: WorkId, headers: &[(&str, &str)]) -> Response {
    let mut request = site.get(&format!("/api/v1/recordings/{id}/audio"));
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.send().await.unwrap()
}

fn header(answer: &Response, name: &str) -> String {
    answer.headers().get(name).map_or("", |value| value.to_str().unwrap()).to_owned()
}

async fn part_of(site: &Site, id: WorkId) -> Response {
    audio(site, id, &[("range", "bytes=0-0")]).await
}

#[tokio::test]
async fn audio_comes_whole_and_in_stretches() {
    let site = Site::new(Backend::Sqlite).await;
    let (id, sound) = (site.upload().await, tone(1));
    let whole = audio(&site, id, &[]).await;
    assert_eq!(whole.status(), 200);
    assert_eq!(header(&whole, "content-type"), "audio/x-wav");
    assert_eq!(header(&whole, "accept-ranges"), "bytes");
    assert!(header(&whole, "content-security-policy").contains("sandbox"));
    let tag = header(&whole, "etag");
    assert_eq!(whole.bytes().await.unwrap(), sound);

    for (range, first, last) in [
        ("bytes=0-9", 0, 9),
        ("bytes=100-", 100, sound.len() - 1),
        ("bytes=-7", sound.len() - 7, sound.len() - 1),
    ] {
        let part = audio(&site, id, &[("range", range), ("if-range", &tag)]).await;
        assert_eq!(part.status(), 206, "{range}");
        let said = format!("bytes {first}-{last}/{}", sound.len());
        assert_eq!(header(&part, "content-range"), said);
        assert_eq!(part.bytes().await.unwrap(), sound[first..=last], "{range}");
    }
    // Of another audio: all of this one.
    let other = audio(&site, id, &[("range", "bytes=0-9"), ("if-range", "\"other\"")]).await;
    assert_eq!((other.status().as_u16(), other.bytes().await.unwrap().len()), (200, sound.len()));
    let outside = audio(&site, id, &[("range", "bytes=9999999-")]).await;
    assert_eq!(header(&outside, "content-range"), format!("bytes */{}", sound.len()));
    assert_eq!(problem(outside, 416).await, "range_outside");
    let known = audio(&site, id, &[("if-none-match", &tag)]).await;
    assert_eq!(header(&known, "cache-control"), header(&part_of(&site, id).await, "cache-control"));
    assert_eq!((known.status().as_u16(), known.bytes().await.unwrap().len()), (304, 0));
    let head = site.bare(reqwest::Method::HEAD, &format!("/api/v1/recordings/{id}/audio"));
    let head = head.bearer_auth(&site.token).send().await.unwrap();
    assert_eq!(header(&head, "content-length"), sound.len().to_string());
}

#[tokio::test]
async fn a_page_that_calls_itself_audio_is_saved_and_never_shown() {
    let site = Site::new(Backend::Sqlite).await;
    for bytes in [
        &b"<!doctype html><script>alert(1)</script>"[..],
        b"\x00\x01\x02<html><script>alert(1)</script>",
        b"<svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"alert(1)\"/>",
        b"%PDF-1.7",
        b"",
    ] {
        // Taken in when nobody looked at its beginning.
        let id = site.world.accept().await;
        let key = site.world.view(id).await.recording.given.original;
        let file = site.world.dir.path().join("objects").join(key);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, bytes).unwrap();
        let answer = audio(&site, id, &[]).await;
        assert_eq!(answer.status(), 200);
        assert_eq!(header(&answer, "content-type"), "application/octet-stream");
        assert!(header(&answer, "content-disposition").starts_with("attachment;"));
        assert_eq!(header(&answer, "x-content-type-options"), "nosniff");
        assert!(header(&answer, "content-security-policy").contains("sandbox"));
    }
    // And at the door it is not taken in at all.
    let page = site.post("/api/v1/recordings?name=a.mp3").header("content-type", "audio/mpeg");
    let answer = page.body("<html><body>hello</body></html>").send().await.unwrap();
    assert_eq!(problem(answer, 422).await, "unsupported_format");
}

#[tokio::test]
async fn audio_that_is_gone_is_told() {
    let site = Site::new(Backend::Sqlite).await;
    let id = site.upload().await;
    for file in site.objects() {
        std::fs::remove_file(file).unwrap();
    }
    assert_eq!(problem(audio(&site, id, &[]).await, 410).await, "original_gone");
}
