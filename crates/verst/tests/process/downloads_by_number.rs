//! Downloads through the real binary, beside a scripted client: what is listed, shown and done by number.

use std::process::Output;
use std::sync::Arc;

use verst_adapters::clock::SystemClock;
use verst_testkit::torrents::{Dialect, ScriptedQBittorrent, Torrent};

use super::support::{Place, clip};
use super::web;

fn client() -> ScriptedQBittorrent {
    ScriptedQBittorrent::start(Dialect::V5_1, Arc::new(SystemClock))
}

/// An installation that downloads with this client, to a directory of its own.
fn downloading(client: &ScriptedQBittorrent) -> Place {
    let place = Place::new();
    for dir in ["saved", "library"] {
        std::fs::create_dir(place.path().join(dir)).unwrap();
    }
    client.set_save_path(place.path().join("saved").to_str().unwrap());
    let (user, password) = client.login();
    let (url, library) = (client.url(), place.path().join("library"));
    place.set(&format!(
        "pause_base_s = 1\nqbittorrent = \"{url}\"\nqbittorrent_user = \"{user}\"\n\
         qbittorrent_password = \"{password}\"\nlibrary = \"{}\"\n",
        library.display()
    ));
    place
}

fn said(output: &Output) -> String {
    String::from_utf8([&output.stdout[..], &output.stderr].concat()).unwrap()
}

/// What is said when this is typed, which goes well or not.
#[track_caller]
fn run(place: &Place, args: &[&str], code: i32) -> String {
    let output = place.run(args);
    let said = said(&output);
    assert_eq!(output.status.code(), Some(code), "{args:?}: {said}");
    said
}

#[test]
fn process_a_download_is_shown_and_acted_on_by_its_number() {
    let client = client();
    let place = downloading(&client);
    let torrent = Torrent::sample("Some.Film.2019.1080p.BluRay.x264-GROUP.mkv");
    let file = place.path().join("it.torrent");
    std::fs::write(&file, &torrent.bytes).unwrap();
    assert!(run(&place, &["submit", &clip(&place, 3)], 0).starts_with("1\t"));
    let added = run(&place, &["add", file.to_str().unwrap()], 0);
    assert!(added.starts_with("2\tSome.Film"), "{added}");
    // Each list has its own.
    assert!(!run(&place, &["list"], 0).contains("Some.Film"));
    assert!(!run(&place, &["downloads"], 0).contains("clip-3"));

    let shown = run(&place, &["show", "2"], 0);
    assert!(shown.contains("State: taken in") && shown.contains("no torrent of it"), "{shown}");
    client.put(&torrent);
    let shown = run(&place, &["show", "2"], 0);
    for part in ["In qBittorrent: ", "0 %", "seed", "Hash: ", "Journal:"] {
        assert!(shown.contains(part), "{part} in {shown}");
    }
    assert!(run(&place, &["stop", "2"], 0).contains("2: stopped"));
    let shown = run(&place, &["show", "2"], 0);
    assert!(shown.contains("State: stopped at") && shown.contains("In qBittorrent: rests"));
    assert!(shown.contains("Reason: A person stopped it"), "{shown}");
    assert!(run(&place, &["retry", "2"], 0).contains("2: goes on"));
    assert!(run(&place, &["show", "2"], 0).contains("State: downloading"));
    run(&place, &["stop", "2"], 0);
    assert!(run(&place, &["lift", "2"], 0).contains("2: goes on"));
    // A recording by the same words.
    run(&place, &["stop", "1"], 0);
    assert!(run(&place, &["retry", "1"], 0).contains("1: lifted"));
    // What is for recordings alone says so.
    assert!(run(&place, &["show", "2", "--format", "srt"], 1).contains("2 is a download"));
    assert!(run(&place, &["rename", "2", "x"], 1).contains("2 is a download"));
    assert!(run(&place, &["show", "3"], 1).contains("neither a recording nor a download 3"));
    client.stop();
    assert!(run(&place, &["show", "2"], 0).contains("In qBittorrent: qBittorrent does not answer"));
    assert!(run(&place, &["delete", "2"], 1).contains("--yes"));
    run(&place, &["delete", "2", "--yes"], 0);
    assert!(run(&place, &["show", "2"], 1).contains("neither"));
}

#[test]
fn process_doctor_and_readiness_look_at_client_library_and_watch() {
    let client = client();
    let place = downloading(&client);
    let doctor = |what: &str| {
        let text = said(&place.run(&["doctor"]));
        let line = text.lines().find(|line| line.starts_with(what));
        line.unwrap_or_else(|| panic!("{what} in {text}")).to_owned()
    };
    let line = doctor("qBittorrent:");
    for part in [": ok", "5.1", "is made with the first download", "1024 GiB free"] {
        assert!(line.contains(part), "{part} in {line}");
    }
    assert!(doctor("Library:").contains("one was tried and taken back"));
    for dir in ["saved", "library"] {
        assert_eq!(std::fs::read_dir(place.path().join(dir)).unwrap().count(), 0, "nothing stays");
    }
    client.set_save_path("/nowhere");
    assert!(doctor("Library:").contains("BAD"));
    client.set_save_path(place.path().join("saved").to_str().unwrap());

    let mut web = web::start(&place);
    let token = web.token();
    let ready = |web: &web::Web| {
        let (_, _, body) = web.ask("GET", "/readyz", &token, b"");
        let parts: serde_json::Value = serde_json::from_slice(&body).unwrap();
        let parts = parts["parts"].as_array().unwrap().clone();
        let part = |it: &&serde_json::Value| {
            ["qbittorrent", "watch", "library"].contains(&it["name"].as_str().unwrap())
        };
        let parts: Vec<String> = parts.iter().filter(part).map(ToString::to_string).collect();
        parts
    };
    web.service.wait_for(&["step ended", "\"milestone\":\"watch\"", "deferred"]);
    let parts = ready(&web);
    assert!(parts.len() == 3 && parts.iter().all(|it| it.contains("true")), "{parts:?}");
    let (_, _, counted) = web.ask("GET", "/metrics", &token, b"");
    let counted = String::from_utf8(counted).unwrap();
    assert!(counted.contains("\nverst_client_last_success_timestamp_seconds 1"), "{counted}");
    assert!(doctor("Watch:").contains(": ok"));
    client.stop();
    for _ in 0..4 {
        web.service.wait_for(&["step failed", "\"milestone\":\"watch\"", "client_unreachable"]);
    }
    assert!(doctor("qBittorrent:").contains("does not answer"));
    let watch = doctor("Watch:");
    assert!(watch.contains("BAD") && watch.contains("This has been so since"), "{watch}");
}
