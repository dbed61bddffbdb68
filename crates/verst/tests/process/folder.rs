//! The watched folder and the webhook of the real binary.

use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use verst_testkit::{Peer, Reply, tone};

use super::support::{Place, Running, clip, sample};

const SECRET: &str = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
const TAKEN: [&str; 1] = ["taken in from the watched folder"];
const NOT_TAKEN: [&str; 1] = ["was not taken in"];

/// An installation that watches a folder beside its data directory.
fn watching(settings: &str) -> (Place, PathBuf) {
    let place = Place::new();
    let folder = place.path().join("in");
    std::fs::create_dir(&folder).unwrap();
    let watch = folder.display();
    place.set(&format!("pause_base_s = 1\nwatch = \"{watch}\"\nwatch_settle_s = 1\n{settings}"));
    (place, folder)
}

/// What a file becomes when it is put there as a person does it: under another name first.
fn put(folder: &Path, name: &str, content: &[u8]) {
    let part = folder.join(format!("{name}.part"));
    std::fs::create_dir_all(part.parent().unwrap()).unwrap();
    std::fs::write(&part, content).unwrap();
    std::fs::rename(part, folder.join(name)).unwrap();
}

fn video(place: &Place) -> Vec<u8> {
    let file = place.path().join("video.mp4");
    let made = Command::new("ffmpeg")
        .args(["-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", "color=s=64x64:d=3", "-i"])
        .arg(clip(place, 3))
        .args(["-shortest", "-c:a", "aac"])
        .arg(&file)
        .status()
        .unwrap();
    assert!(made.success());
    std::fs::read(file).unwrap()
}

fn done(service: &mut Running, count: usize) {
    for _ in 0..count {
        service.wait_for(&["milestone reached", "\"reached\":\"done\""]);
    }
}

fn hook(peer: &Peer) -> String {
    let url = peer.url("/hook");
    format!("webhook_url = \"{url}\"\nwebhook_secret = \"{SECRET}\"\n")
}

const ALLOWED: &str = "allow_private_addresses = true\n";

#[test]
fn process_takes_what_is_put_into_the_folder_and_tells_of_the_rest() {
    let (place, folder) = watching("watch_text = \"txt,srt\"\n");
    let sound = std::fs::read(clip(&place, 0)).unwrap();
    put(&folder, "talk.ogg", &sound);
    put(&folder, "deep/er/доклад 1.ogg", &std::fs::read(clip(&place, 6)).unwrap());
    put(&folder, "film.mp4", &video(&place));
    put(&folder, "copy of talk.ogg", &sound);
    put(&folder, "page.mp3", b"<!DOCTYPE html><html><body>Gone.</body></html>");
    put(&folder, "empty.ogg", b"");
    put(&folder, "list.m3u", b"#EXTM3U\nfile:///etc/passwd\n");
    put(&folder, ".hidden.ogg", &tone(1));
    put(&folder, "notes.txt", b"not a recording");
    std::fs::write(folder.join("half.ogg.part"), &sound).unwrap();
    symlink(sample("two-cities-en.ogg"), folder.join("link.ogg")).unwrap();
    let mut growing = std::fs::File::create(folder.join("growing.wav")).unwrap();
    growing.write_all(&tone(1)).unwrap();

    let mut service = place.serve();
    done(&mut service, 3);
    let note = |name: &str| std::fs::read_to_string(folder.join(format!("{name}.verst.txt")));
    assert!(note("page.mp3").unwrap().contains("not an audio or video file"));
    assert!(note("empty.ogg").unwrap().contains("empty"));
    assert!(note("list.m3u").is_ok());
    growing.write_all(&tone(1)).unwrap();
    drop(growing);
    service.wait_for(&TAKEN);
    let (code, said, _) = service.terminate();
    assert_eq!((code, said.as_str()), (Some(0), ""));

    let taken = folder.join("taken");
    for name in ["talk.ogg", "deep/er/доклад 1.ogg", "film.mp4", "copy of talk.ogg", "growing.wav"]
    {
        assert!(taken.join(name).is_file() && !folder.join(name).exists(), "{name}");
    }
    for name in ["talk.txt", "talk.srt", "deep/er/доклад 1.txt", "film.txt"] {
        assert!(taken.join(name).is_file(), "{name}");
    }
    for name in ["page.mp3", ".hidden.ogg", "notes.txt", "half.ogg.part", "link.ogg", "empty.ogg"] {
        assert!(folder.join(name).symlink_metadata().is_ok(), "{name} is left where it was");
    }
    let views = place.views();
    assert_eq!(views.len(), 4, "the copy is no recording of its own");
    assert!(views.iter().all(|view| view.recording.given.source.name() == "folder"));
}

#[test]
fn process_goes_on_with_a_folder_after_being_killed() {
    let (place, folder) = watching("watch_after = \"keep\"\nworkers = 0\n");
    let mut service = place.serve();
    put(&folder, "one.wav", &tone(1));
    service.wait_for(&TAKEN);
    service.kill();
    put(&folder, "two.wav", &tone(2));
    put(&folder, "page.mp3", b"<html></html>");
    let mut service = place.serve();
    service.wait_for(&TAKEN);
    service.wait_for(&NOT_TAKEN);
    assert_eq!(service.terminate().0, Some(0));
    let views = place.views();
    let names: Vec<_> = views.iter().map(|view| view.recording.given.name.as_deref()).collect();
    assert_eq!(names, [Some("two.wav"), Some("one.wav")], "each once");
    assert!(folder.join("one.wav").exists() && !folder.join("taken").exists());
}

#[test]
fn process_does_not_watch_its_own_files() {
    let place = Place::new();
    place.set(&format!("watch = \"{}\"\n", place.path().display()));
    let refused = place.run(&["serve"]);
    assert_eq!(refused.status.code(), Some(3));
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(said.contains("lie in one another"), "{said}");
}

#[test]
fn process_tells_the_webhook_what_became_of_recordings() {
    let peer = Peer::start(|_| Reply::status(200));
    let place = Place::with_settings(&(hook(&peer) + ALLOWED + "webhook_text = true\n"));
    let output = place.run(&["transcribe", &sample("server-ru.ogg")]);
    assert!(output.status.success());
    let heard = peer.heard();
    assert_eq!(heard.len(), 1, "delivered before the command ends");
    let said: Value = serde_json::from_slice(&heard[0].body).unwrap();
    assert_eq!(said["event"], "done");
    assert_eq!(said["recording"]["name"], "server-ru.ogg");
    assert!(said["recording"]["text"]["content"].as_str().unwrap().contains("Сегодня"));
    assert!(heard[0].header("webhook-signature").unwrap().starts_with("v1,"));

    place.run(&["submit", &clip(&place, 0)]);
    assert!(place.run(&["stop", "2"]).status.success());
    let heard = peer.heard();
    let said: Value = serde_json::from_slice(&heard[1].body).unwrap();
    assert_eq!(said["recording"]["failure"]["code"], "stopped_by_person");
    assert_ne!(heard[0].header("webhook-id"), heard[1].header("webhook-id"));
}

#[test]
fn process_tries_the_webhook_out_and_looks_where_it_leads() {
    let peer = Peer::start(|heard| match heard.header("webhook-id") {
        Some(id) if id.starts_with("test_") => Reply::status(401).body(b"who are you?"),
        _ => Reply::status(200),
    });
    let place = Place::new();
    let out = |args: &[&str]| {
        let output = place.run(args);
        let said = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8_lossy(&said).into_owned())
    };
    assert_eq!(out(&["webhook", "test"]).0, Some(1), "there is none");
    place.set(&hook(&peer));
    let (code, said) = out(&["webhook", "test"]);
    assert!(code == Some(1) && said.contains("allow_private_addresses"), "{said}");
    assert!(out(&["doctor"]).1.contains("Webhook: BAD"));
    assert_eq!(peer.heard(), [], "nothing was sent");
    place.set(&(hook(&peer) + ALLOWED));
    let (code, said) = out(&["webhook", "test"]);
    assert!(code == Some(1) && said.contains("401") && said.contains("who are you?"), "{said}");
    let (_, said) = out(&["doctor"]);
    assert!(said.contains("leads to 127.0.0.1"), "{said}");
    assert_eq!(peer.heard().len(), 1, "the doctor sends nothing");
    let (_, shown) = out(&["config", "show"]);
    assert!(!shown.contains(SECRET) && !shown.contains("/hook"), "{shown}");
}
