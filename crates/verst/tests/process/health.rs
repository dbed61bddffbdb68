//! Whether a service answers, by exit code.

use std::io::{Read, Write};
use std::net::TcpListener;

use super::support::Place;

#[test]
fn process_health_is_what_the_service_answers() {
    let place = Place::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let health = || {
        let mut command = place.command(&["health"]);
        command.env("VERST_LISTEN", address.to_string());
        command
    };
    for (answer, code) in [
        ("HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nok\n", 0),
        ("HTTP/1.1 503 Service Unavailable\r\n\r\n", 1),
        ("SSH-2.0-OpenSSH_9.2\r\n", 1),
        ("", 1),
    ] {
        let asking = Place::spawn(health());
        let (mut stream, _) = listener.accept().unwrap();
        let mut question = Vec::new();
        while !question.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            stream.read_exact(&mut byte).unwrap();
            question.push(byte[0]);
        }
        let asked = format!("GET /healthz HTTP/1.1\r\nHost: {address}\r\n");
        assert!(question.starts_with(asked.as_bytes()));
        stream.write_all(answer.as_bytes()).unwrap();
        drop(stream);
        assert_eq!(asking.end().0, Some(code), "{answer}");
    }
    drop(listener);
    let output = health().output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("does not answer"));
    assert!(!place.data().join("instance").exists(), "a look makes no installation");
}
