//! A hundred requests and files that are wrong in some way: each is told so, none is a defect, and
//! nothing is lost or left behind.

use verst_testkit::{Backend, tone};

use crate::support::{Site, json};

/// A request as it is typed: method, path, headers beyond host and token, body.
type Wrong = (&'static str, &'static str, &'static [&'static str], &'static [u8]);

const RAW: &[&str] = &["Content-Type: audio/wav"];
const JSON: &[&str] = &["Content-Type: application/json"];
const FORM: &[&str] = &["Content-Type: multipart/form-data; boundary=b"];
const UPLOAD: &str = "/api/v1/recordings";
const ONE: &str = "/api/v1/recordings/1";
const SEND: &str = "/api/v1/downloads";
const TORRENT: &[&str] = &["Content-Type: application/x-bittorrent"];
const SPEECH: &str = "/v1/audio/transcriptions";

/// A field of a form with the boundary `b`.
macro_rules! field {
    ($name:literal, $value:literal) => {
        concat!(
            "--b\r\nContent-Disposition: form-data; name=\"",
            $name,
            "\"\r\n\r\n",
            $value,
            "\r\n"
        )
    };
}

const FILES: &[&[u8]] = &[
    b"",
    b"\x00",
    b"hello",
    b"RIFF",
    b"RIFF\xff\xff\xff\xffWAVE",
    b"OggS",
    b"ID3\x04\x00\x00\x7f\x7f\x7f\x7f",
    b"\xff\xfb\x90\x00",
    b"fLaC\x00\x00\x00\x22",
    b"\x00\x00\x00\x20ftypM4A ",
    b"\x1a\x45\xdf\xa3",
    b"#!AMR\n",
    b"<html><script>alert(1)</script></html>",
    b"<?xml version=\"1.0\"?><svg/>",
    b"#EXTM3U\nfile:///etc/passwd\n",
    b"ffconcat version 1.0\nfile /etc/passwd\n",
    b"%PDF-1.7",
    b"PK\x03\x04",
    b"\x7fELF",
    b"\x89PNG\r\n\x1a\n",
    b"{\"error\": \"not found\"}",
];

/// The number 1 stands for the recording or the download that is there.
const REQUESTS: &[Wrong] = &[
    ("POST", UPLOAD, &[], b""),
    ("POST", UPLOAD, &["Content-Type: text/plain"], b"hello"),
    ("POST", UPLOAD, &["Content-Type: \u{e9}"], b"hello"),
    ("POST", UPLOAD, &["Content-Type:"], b"hello"),
    ("POST", "/api/v1/recordings?language=xx", RAW, b"x"),
    ("POST", "/api/v1/recordings?language=english", RAW, b"x"),
    ("POST", "/api/v1/recordings?language=%00", RAW, b"x"),
    ("POST", "/api/v1/recordings?language=%ff%fe", RAW, b"x"),
    ("POST", "/api/v1/recordings?model=..%2F..%2Fetc%2Fpasswd", RAW, b"x"),
    ("POST", "/api/v1/recordings?model=nosuch.bin", RAW, b"x"),
    ("POST", "/api/v1/recordings?name=a&name=b", RAW, b"x"),
    ("POST", UPLOAD, &["Content-Type: audio/wav", "Idempotency-Key:"], b"x"),
    ("POST", UPLOAD, &["Content-Type: audio/wav", "Idempotency-Key: a b"], b"x"),
    ("POST", UPLOAD, &["Content-Type: audio/wav", "Idempotency-Key: \u{ff}"], b"x"),
    ("POST", UPLOAD, &["Content-Type: audio/wav", "Content-Disposition: ;;;==\"\"\\"], b""),
    ("POST", UPLOAD, JSON, b""),
    ("POST", UPLOAD, JSON, b"{"),
    ("POST", UPLOAD, JSON, b"null"),
    ("POST", UPLOAD, JSON, b"[]"),
    ("POST", UPLOAD, JSON, b"{}"),
    ("POST", UPLOAD, JSON, b"{\"url\": 1}"),
    ("POST", UPLOAD, JSON, b"{\"url\": \"\xff\xfe\"}"),
    ("POST", UPLOAD, JSON, b"{\"url\": \"javascript:alert(1)\"}"),
    ("POST", UPLOAD, JSON, b"{\"url\": \"http://127.0.0.1:22/\"}"),
    ("POST", UPLOAD, JSON, b"{\"url\": \"https://example.org/talk\", \"language\": \"xx\"}"),
    ("POST", UPLOAD, JSON, b"{\"url\": \"https://example.org/talk\", \"extra\": 1}"),
    ("POST", UPLOAD, JSON, b"{\"url\": \"https://example.org/talk\", \"url\": \"x\"}"),
    ("POST", UPLOAD, JSON, b"{\"url\": 1e999}"),
    ("POST", UPLOAD, &["Content-Type: multipart/form-data"], b"--b--"),
    ("POST", UPLOAD, &["Content-Type: multipart/form-data; boundary="], b"--b--"),
    ("POST", UPLOAD, FORM, b""),
    ("POST", UPLOAD, FORM, b"--b--\r\n"),
    ("POST", UPLOAD, FORM, b"--other\r\n\r\n\r\n--other--\r\n"),
    ("POST", UPLOAD, FORM, b"--b\r\n\r\nno name\r\n--b--\r\n"),
    ("POST", UPLOAD, FORM, b"--b\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\nOggS cut"),
    (
        "POST",
        UPLOAD,
        FORM,
        b"--b\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\n\r\n--b--\r\n",
    ),
    ("POST", UPLOAD, FORM, concat!(field!("title", "x"), "--b--\r\n").as_bytes()),
    (
        "POST",
        UPLOAD,
        FORM,
        concat!(field!("file", "OggS"), field!("file", "OggS"), "--b--\r\n").as_bytes(),
    ),
    (
        "POST",
        UPLOAD,
        FORM,
        concat!(field!("file", "OggS"), field!("language", "xx"), "--b--\r\n").as_bytes(),
    ),
    (
        "POST",
        UPLOAD,
        FORM,
        concat!(field!("file", "OggS"), field!("model", "/etc/passwd"), "--b--\r\n").as_bytes(),
    ),
    (
        "POST",
        UPLOAD,
        FORM,
        b"--b\r\nContent-Disposition: form-data; name=\"language\"\r\n\r\n\xff\r\n--b--\r\n",
    ),
    (
        "POST",
        UPLOAD,
        FORM,
        b"--b\r\nContent-Disposition: form-data; name=\"\xff\"\r\n\r\nx\r\n--b--\r\n",
    ),
    ("POST", UPLOAD, FORM, concat!(field!("file", "OggS"), "--b\r\nbroken").as_bytes()),
    ("GET", "/api/v1/recordings?limit=0", &[], b""),
    ("GET", "/api/v1/recordings?limit=201", &[], b""),
    ("GET", "/api/v1/recordings?limit=-1", &[], b""),
    ("GET", "/api/v1/recordings?limit=99999999999999999999", &[], b""),
    ("GET", "/api/v1/recordings?limit=many", &[], b""),
    ("GET", "/api/v1/recordings?limit=", &[], b""),
    ("GET", "/api/v1/recordings?before=0", &[], b""),
    ("GET", "/api/v1/recordings?before=-5", &[], b""),
    ("GET", "/api/v1/recordings?before=9223372036854775808", &[], b""),
    ("GET", "/api/v1/recordings?before=1;drop", &[], b""),
    ("GET", "/api/v1/recordings?before=%F0%9F%92%A9", &[], b""),
    ("GET", "/api/v1/recordings?state=asleep", &[], b""),
    ("GET", "/api/v1/recordings?q=", &[], b""),
    ("GET", "/api/v1/recordings?q=%2A", &[], b""),
    ("GET", "/api/v1/recordings?q=%00", &[], b""),
    ("GET", "/api/v1/recordings?state=%ff", &[], b""),
    ("GET", "/api/v1/recordings?limit=1&limit=2", &[], b""),
    ("GET", "/api/v1/recordings/0", &[], b""),
    ("GET", "/api/v1/recordings/-1", &[], b""),
    ("GET", "/api/v1/recordings/9223372036854775807", &[], b""),
    ("GET", "/api/v1/recordings/9223372036854775808", &[], b""),
    ("GET", "/api/v1/recordings/one", &[], b""),
    ("GET", "/api/v1/recordings/%ff", &[], b""),
    ("GET", "/api/v1/recordings/..%2f..%2fetc", &[], b""),
    ("GET", "/api/v1/recordings/1/transcript?format=exe", &[], b""),
    ("GET", "/api/v1/recordings/1/transcript?format=", &[], b""),
    ("GET", "/api/v1/recordings/1/transcript?format=txt&format=srt", &[], b""),
    ("GET", "/api/v1/recordings/1/audio", &["Range: bytes=99999999999999999999-"], b""),
    ("GET", "/api/v1/recordings/1/audio", &["Range: bytes=-0"], b""),
    ("PATCH", ONE, &[], b"{}"),
    ("PATCH", ONE, JSON, b""),
    ("PATCH", ONE, JSON, b"7"),
    ("PATCH", ONE, JSON, b"{\"title\": {}}"),
    ("PATCH", ONE, JSON, b"{\"topics\": \"one\"}"),
    ("PATCH", ONE, JSON, b"{\"topics\": [1]}"),
    ("PATCH", ONE, JSON, b"{\"speakers\": {\"1\": null}}"),
    ("PATCH", ONE, JSON, b"{\"id\": 2}"),
    ("PATCH", ONE, JSON, b"{\"title\": \"\\ud800\"}"),
    ("PATCH", "/api/v1/recordings/999", JSON, b"{\"title\": \"x\"}"),
    ("POST", "/api/v1/recordings/1/lift", JSON, b"{\"choice\": \"maybe\"}"),
    ("POST", "/api/v1/recordings/1/lift", JSON, b"{\"choice\": 1}"),
    ("POST", "/api/v1/recordings/1/lift", JSON, b"{}"),
    ("POST", "/api/v1/recordings/1/transcribe", JSON, b"{\"language\": \"xx\"}"),
    ("POST", "/api/v1/recordings/1/transcribe", JSON, b"{\"model\": \"\\u0000\"}"),
    ("POST", "/api/v1/recordings/1/transcribe", JSON, b"{\"confirm_cost\": \"yes\"}"),
    ("POST", "/api/v1/recordings/999/stop", &[], b""),
    ("DELETE", "/api/v1/recordings/999", &[], b""),
    ("DELETE", "/api/v1/recordings", &[], b""),
    ("PUT", ONE, JSON, b"{}"),
    ("TRACE", "/api/v1/recordings", &[], b""),
    ("BREW", "/api/v1/recordings", &[], b""),
    ("POST", SEND, &[], b"magnet:?xt=urn:btih:0"),
    ("POST", SEND, &["Content-Type: text/plain"], b"magnet:?"),
    ("POST", SEND, JSON, b""),
    ("POST", SEND, JSON, b"[\"magnet:?\"]"),
    ("POST", SEND, JSON, b"{}"),
    ("POST", SEND, JSON, b"{\"link\": 7}"),
    ("POST", SEND, JSON, b"{\"link\": \"\xff\"}"),
    ("POST", SEND, JSON, b"{\"link\": \"magnet:?xt=urn:btih:\\u0000\"}"),
    ("POST", SEND, JSON, b"{\"link\": \"file:///etc/passwd\"}"),
    ("POST", SEND, JSON, b"{\"link\": \"http://127.0.0.1:22/\"}"),
    ("POST", SEND, JSON, b"{\"link\": \"https://example.org/film\", \"extra\": 1}"),
    ("POST", SEND, TORRENT, b""),
    ("POST", SEND, TORRENT, b"d"),
    ("POST", SEND, TORRENT, b"d4:infod4:name1:a6:lengthi-1eee"),
    ("POST", SEND, TORRENT, b"lllllllllllllllllllllllllllllllllll"),
    ("POST", SEND, TORRENT, b"99999999999999999999:x"),
    ("POST", SEND, FORM, b""),
    ("POST", SEND, FORM, concat!(field!("note", "x"), "--b--\r\n").as_bytes()),
    ("POST", SEND, FORM, concat!(field!("file", "d1:"), "--b--\r\n").as_bytes()),
    (
        "POST",
        SEND,
        FORM,
        concat!(field!("file", "de"), field!("file", "de"), "--b--\r\n").as_bytes(),
    ),
    ("POST", SEND, FORM, concat!(field!("file", "de"), "--b\r\nbroken").as_bytes()),
    ("GET", "/api/v1/downloads?limit=201", &[], b""),
    ("GET", "/api/v1/downloads?before=0", &[], b""),
    ("GET", "/api/v1/downloads?state=stuck", &[], b""),
    ("GET", "/api/v1/downloads/999", &[], b""),
    ("GET", "/api/v1/downloads/one", &[], b""),
    ("GET", "/api/v1/downloads/1/files?from=-1", &[], b""),
    ("GET", "/api/v1/downloads/1/files", &[], b""),
    ("POST", "/api/v1/downloads/1/choose", JSON, b"{}"),
    ("POST", "/api/v1/downloads/1/choose", JSON, b"{\"candidate\": -1}"),
    ("POST", "/api/v1/downloads/1/choose", JSON, b"{\"candidate\": 1, \"title\": \"x\"}"),
    ("POST", "/api/v1/downloads/1/choose", JSON, b"{\"kind\": \"book\", \"title\": \"x\"}"),
    (
        "POST",
        "/api/v1/downloads/1/preview",
        JSON,
        b"{\"kind\": \"movie\", \"title\": \"x\", \"files\": {\"a\": \"leave\"}}",
    ),
    ("POST", "/api/v1/downloads/1/preview", JSON, b"{\"candidate\": 1}"),
    ("POST", "/api/v1/downloads/1/retry", &[], b""),
    ("POST", "/api/v1/downloads/1/lift", &[], b""),
    ("POST", "/api/v1/downloads/1/place", &[], b""),
    ("POST", "/api/v1/downloads/1/unplace", &[], b""),
    ("DELETE", "/api/v1/downloads/1?torrent=with_data", &[], b""),
    ("DELETE", "/api/v1/downloads/1?torrent=with_data&confirm=1", &[], b""),
    ("DELETE", "/api/v1/downloads/1?torrent=", &[], b""),
    ("POST", "/api/v1/setup", JSON, b"{\"token\": \"x\"}"),
    ("POST", "/api/v1/setup", JSON, b"{\"token\": \"x\", \"name\": \"\"}"),
    ("POST", SPEECH, JSON, b"{\"file\": \"x\"}"),
    ("POST", SPEECH, FORM, b""),
    ("POST", SPEECH, FORM, concat!(field!("model", "whisper-1"), "--b--\r\n").as_bytes()),
    (
        "POST",
        SPEECH,
        FORM,
        concat!(field!("file", "OggS"), field!("model", "x"), "--b--\r\n").as_bytes(),
    ),
    (
        "POST",
        SPEECH,
        FORM,
        concat!(
            field!("file", "OggS"),
            field!("model", "whisper-1"),
            field!("temperature", "NaN"),
            "--b--\r\n"
        )
        .as_bytes(),
    ),
    (
        "POST",
        SPEECH,
        FORM,
        concat!(
            field!("file", "OggS"),
            field!("model", "whisper-1"),
            field!("response_format", "xml"),
            "--b--\r\n"
        )
        .as_bytes(),
    ),
    ("GET", "/v1/models/%2e%2e", &[], b""),
    ("GET", "/%00", &[], b""),
    ("GET", "//etc/passwd", &[], b""),
    ("GET", "/api/v1/recordings/../../../etc/passwd", &[], b""),
];

/// What is no HTTP at all, or only half of it.
const BYTES: &[&[u8]] = &[
    b"\x00\x01\x02\x03\r\n\r\n",
    b"GET\r\n\r\n",
    b"GET / HTTP/9.9\r\n\r\n",
    b"GET / HTTP/1.1\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost\r\n\r\n",
    b"POST /api/v1/recordings HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
    b"POST /api/v1/recordings HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
    b"POST /api/v1/recordings HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
];

#[tokio::test]
async fn a_hundred_wrong_requests_are_told_and_nothing_is_lost() {
    let site = Site::docked(Backend::Sqlite).await;
    let (recording, download) = (site.upload().await, site.download("film.mkv").await.1);
    let there = |path: &str| {
        let path = path.replace("/recordings/1", &format!("/recordings/{recording}"));
        path.replace("/downloads/1", &format!("/downloads/{download}"))
    };
    let before = snapshot(&site).await;
    for (method, path, headers, body) in REQUESTS {
        let answer = send(&site, method, &there(path), headers, body).await;
        let status = answer.status.unwrap_or_else(|| panic!("no answer to {method} {path}"));
        assert!((400..500).contains(&status), "{method} {path}: {answer:?}");
        assert_eq!(snapshot(&site).await, before, "{method} {path}");
    }
    for bytes in BYTES {
        let answer = site.cut(bytes).await;
        // Some of it is not worth an answer.
        let told = answer.status.is_none_or(|status| (400..500).contains(&status));
        assert!(told, "{}: {answer:?}", bytes.escape_ascii());
    }
    assert!(REQUESTS.len() + FILES.len() + BYTES.len() > 100);
    assert_eq!(snapshot(&site).await, before);
}

#[tokio::test]
async fn wrong_files_are_refused_or_taken_in_and_never_a_defect() {
    let site = Site::new(Backend::Sqlite).await;
    let mut taken = 0;
    let cut = &tone(1)[..1000];
    for file in FILES.iter().chain([&cut]) {
        let answer = send(&site, "POST", UPLOAD, RAW, file).await;
        match answer.status {
            Some(201) => taken += 1,
            Some(422) => {}
            _ => panic!("{}: {answer:?}", file.escape_ascii()),
        }
        // What was taken in is there, and what was refused is not.
        assert_eq!((site.count().await, site.objects().len()), (taken, taken));
    }
    assert!(taken > 0 && taken < FILES.len());
}

#[tokio::test]
async fn a_request_that_breaks_off_anywhere_leaves_nothing() {
    let site = Site::new(Backend::Sqlite).await;
    let body = [
        &b"--b\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nx\r\n--b\r\n\
           Content-Disposition: form-data; name=\"file\"; filename=\"a.wav\"\r\n\r\n"[..],
        &tone(1)[..200],
        b"\r\n--b--\r\n",
    ]
    .concat();
    let whole = request(&site, "POST", UPLOAD, FORM, &body);
    for end in (0..whole.len()).step_by(whole.len() / 40) {
        site.cut(&whole[..end]).await;
    }
    crate::support::until(async || site.objects().is_empty()).await;
    assert_eq!(site.count().await, 0);
    assert_eq!(site.raw(&whole).await.status, Some(201));
}

/// All that could be lost or left behind.
async fn snapshot(site: &Site) -> ([serde_json::Value; 2], usize) {
    let recordings = site.get("/api/v1/recordings").send().await.unwrap();
    let downloads = site.get(SEND).send().await.unwrap();
    ([json(recordings, 200).await, json(downloads, 200).await], site.objects().len())
}

fn request(site: &Site, method: &str, path: &str, headers: &[&str], body: &[u8]) -> Vec<u8> {
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\n\
         Connection: close\r\nContent-Length: {}\r\n",
        site.at,
        site.token,
        body.len()
    );
    let mut bytes = head.into_bytes();
    for header in headers {
        // Byte by byte: what stands here is not always text.
        bytes.extend(header.chars().map(|c| u8::try_from(u32::from(c)).unwrap()));
        bytes.extend_from_slice(b"\r\n");
    }
    bytes.extend_from_slice(b"\r\n");
    bytes.extend_from_slice(body);
    bytes
}

async fn send(
    site: &Site,
    method: &str,
    path: &str,
    headers: &[&str],
    body: &[u8],
) -> crate::raw::Answer {
    site.raw(&request(site, method, path, headers, body)).await
}
