//! The real binary over HTTP: from the setup token to a text and its audio.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;

use serde_json::Value;

use super::support::{Place, Running, sample};

/// A service on a port that the system chose, and how to reach it.
pub(super) struct Web {
    pub(super) service: Running,
    pub(super) at: String,
    setup: String,
}

/// What follows `mark` in `line`, up to something that is no part of it.
fn after(line: &str, mark: &str) -> String {
    let rest = line.split_once(mark).unwrap().1;
    let part = |c: char| c.is_ascii_alphanumeric() || "-_:.[]".contains(c);
    let end = rest.find(|c| !part(c)).unwrap_or(rest.len());
    // The sentence ends with a full stop.
    rest[..end].trim_end_matches('.').to_owned()
}

pub(super) fn start(place: &Place) -> Web {
    let mut web = start_known(place);
    web.setup = after(&web.service.wait_for_line("this setup token"), "setup token: ");
    web
}

/// Where somebody has a token already.
pub(super) fn start_known(place: &Place) -> Web {
    let mut service = place.serve();
    let at = after(&service.wait_for_line("It answers at"), "http://");
    Web { service, at, setup: String::new() }
}

impl Web {
    /// Sends a request and reads the answer: status, head, body.
    pub(super) fn ask(
        &self,
        method: &str,
        path: &str,
        headers: &str,
        body: &[u8],
    ) -> (u16, String, Vec<u8>) {
        let mut stream = TcpStream::connect(&self.at).unwrap();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n{headers}\
             Content-Length: {}\r\n\r\n",
            self.at,
            body.len()
        );
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(body).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let end = answer.windows(4).position(|it| it == b"\r\n\r\n").unwrap();
        let head = String::from_utf8(answer[..end].to_vec()).unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, head, answer[end + 4..].to_vec())
    }

    /// The setup token that was printed.
    pub(super) fn setup(&self) -> &str {
        &self.setup
    }

    pub(super) fn token(&self) -> String {
        let body = format!("{{\"token\": \"{}\", \"name\": \"me\"}}", self.setup);
        let kind = "Content-Type: application/json\r\n";
        let (status, _, answer) = self.ask("POST", "/api/v1/setup", kind, body.as_bytes());
        assert_eq!(status, 201);
        let answer: Value = serde_json::from_slice(&answer).unwrap();
        format!("Authorization: Bearer {}\r\n", answer["token"].as_str().unwrap())
    }

    pub(super) fn json(&self, path: &str, token: &str) -> Value {
        let (status, _, body) = self.ask("GET", path, token, b"");
        assert_eq!(status, 200, "{}", String::from_utf8_lossy(&body));
        serde_json::from_slice(&body).unwrap()
    }
}

#[test]
fn process_answers_before_it_knows_what_is_missing() {
    // A recogniser that takes its time: it listens and says nothing.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", silent.local_addr().unwrap());
    let place = Place::with_settings(&format!("recogniser = \"openai\"\nopenai_url = \"{url}\"\n"));
    let mut service = place.start(&["serve"]);
    service.wait_for(&["It answers at"]);
    assert!(!service.has_heard("Verst works in"), "it still asks the recogniser");
}

#[test]
fn process_answers_over_http_from_setup_to_text() {
    let place = Place::new();
    let mut web = start(&place);
    let token = web.token();
    let (status, ..) = web.ask("POST", "/api/v1/setup", "", b"");
    assert_eq!(status, 415, "the first token is made");

    for name in ["server-ru.ogg", "two-cities-en.ogg"] {
        let sound = std::fs::read(Path::new(&sample(name))).unwrap();
        let headers = format!("{token}Content-Type: audio/ogg\r\n");
        let path = format!("/api/v1/recordings?name={name}");
        let (status, head, _) = web.ask("POST", &path, &headers, &sound);
        assert_eq!(status, 201, "{head}");
    }
    for _ in 0..2 {
        web.service.wait_for(&["milestone reached", "\"reached\":\"done\""]);
    }
    let list = web.json("/api/v1/recordings?state=done", &token);
    assert_eq!(list["recordings"].as_array().unwrap().len(), 2);
    for (id, said) in [(1, "Сегодня"), (2, "best of times")] {
        let path = format!("/api/v1/recordings/{id}/transcript?format=srt");
        let (status, _, text) = web.ask("GET", &path, &token, b"");
        let text = String::from_utf8(text).unwrap();
        assert!(status == 200 && text.contains(said), "{status} {text}");
    }
    let headers = format!("{token}Range: bytes=0-3\r\n");
    let (status, head, body) = web.ask("GET", "/api/v1/recordings/1/audio", &headers, b"");
    assert_eq!((status, body.as_slice()), (206, &b"OggS"[..]));
    assert!(head.contains("content-type: audio/ogg"), "{head}");

    let ready = web.json("/readyz", &token);
    assert_eq!(ready["ready"], true, "{ready}");
    let (_, _, metrics) = web.ask("GET", "/metrics", &token, b"");
    let metrics = String::from_utf8(metrics).unwrap();
    for counted in ["verst_workers 4", "verst_queue_depth{", "outcome=\"success\""] {
        assert!(metrics.contains(counted), "{counted} in {metrics}");
    }
    assert!(!metrics.contains("server-ru"));
    let secrets = [web.setup.clone(), token.trim().rsplit(' ').next().unwrap().to_owned()];
    let (code, said, lines) = web.service.terminate();
    assert_eq!((code, said.as_str()), (Some(0), ""));
    let log = lines.iter().filter(|line| line.starts_with('{')).cloned().collect::<String>();
    assert!(!log.contains("server-ru") && !secrets.iter().any(|it| log.contains(it)));
}

#[test]
fn process_says_where_it_cannot_answer_and_starts_nothing() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let at = taken.local_addr().unwrap();
    let place = Place::new();
    let refused = place.command(&["serve"]).env("VERST_LISTEN", at.to_string()).output().unwrap();
    assert_eq!(refused.status.code(), Some(3));
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(said.contains(&at.to_string()) && said.contains("Nothing was started"), "{said}");
    for (setting, named) in [
        ("public_url = \"verst\"", "public_url"),
        ("allowed_hosts = \"a b/c\"", "allowed_hosts"),
        ("trusted_proxies = \"proxy\"", "trusted_proxies"),
    ] {
        place.set(&format!("{setting}\n"));
        let checked = place.run(&["config", "check"]);
        assert_eq!(checked.status.code(), Some(3), "{setting}");
        assert!(String::from_utf8_lossy(&checked.stderr).contains(named), "{setting}");
    }
}
