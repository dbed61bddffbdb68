//! An owner's evening: a model is pulled, twenty files of all kinds go into the watched folder, a
//! title is corrected while work runs, something is searched, everything is backed up, lost and had
//! back.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use verst_testkit::mirror::{Mirror, Offer};

use super::support::{Place, clip, models};
use super::web::{self, Web};

const GIGAAM: &str = "gigaam-v3-e2e";
const PATH: &str =
    "handy-computer/gigaam-v3-e2e-rnnt-gguf/resolve/main/gigaam-v3-e2e-rnnt-Q8_0.gguf";

/// Name, and what FFmpeg is told to make of a few seconds of speech.
const KINDS: [(&str, &[&str]); 13] = [
    ("голосовое.oga", &["-c:a", "libopus", "-f", "ogg"]),
    ("voice.opus", &["-c:a", "libopus", "-f", "opus"]),
    ("совещание.mp3", &["-c:a", "libmp3lame"]),
    ("memo.m4a", &["-c:a", "aac"]),
    ("raw.aac", &["-c:a", "aac", "-f", "adts"]),
    ("studio.flac", &["-c:a", "flac"]),
    ("plain.wav", &["-c:a", "pcm_s16le"]),
    ("float.wav", &["-c:a", "pcm_f32le"]),
    ("mac.aiff", &["-c:a", "pcm_s16be"]),
    ("old.wma", &["-c:a", "wmav2"]),
    ("browser.webm", &["-c:a", "libopus"]),
    ("film.mkv", &["-c:a", "aac"]),
    ("wrong name.mp3", &["-c:a", "aac", "-f", "mp4", "-movflags", "frag_keyframe+empty_moov"]),
];

fn ffmpeg(args: &[&str], to: &Path) {
    let mut command = Command::new("ffmpeg");
    command.args(["-nostdin", "-v", "error", "-y"]).args(args).arg(to);
    assert!(command.status().unwrap().success(), "{args:?}");
}

/// Thirteen that have a text, three that have none, and four that are no recordings.
fn twenty(place: &Place) -> Vec<PathBuf> {
    let dir = place.path().join("twenty");
    std::fs::create_dir(&dir).unwrap();
    let mut files = Vec::new();
    for (n, (name, args)) in KINDS.iter().enumerate() {
        // Each of them other seconds: equal content would be one recording.
        let speech = clip(place, u32::try_from(n % 12).unwrap());
        let to = dir.join(name);
        ffmpeg(&[&["-i", &speech][..], args].concat(), &to);
        files.push(to);
    }
    let mut file = |name: &str, content: &[u8]| {
        std::fs::write(dir.join(name), content).unwrap();
        files.push(dir.join(name));
    };
    file("page.mp3", b"<!DOCTYPE html><html><body>Not found</body></html>");
    file("empty.ogg", b"");
    file("list.m4a", b"#EXTM3U\nfile:///etc/passwd\n");
    file("archive.ogg", b"PK\x03\x04 and more of an archive");
    for (name, args) in [
        ("silence.wav", &["-f", "lavfi", "-i", "anullsrc=r=16000", "-t", "3"][..]),
        ("silent film.mp4", &["-f", "lavfi", "-i", "color=s=64x64:d=2", "-pix_fmt", "yuv420p"]),
    ] {
        ffmpeg(args, &dir.join(name));
        files.push(dir.join(name));
    }
    // A recording that was never finished: its index, which comes last, is missing.
    let whole = std::fs::read(dir.join("memo.m4a")).unwrap();
    std::fs::write(dir.join("unfinished.m4a"), &whole[..whole.len() / 2]).unwrap();
    files.push(dir.join("unfinished.m4a"));
    files
}

/// Everything that a person sees of all recordings, with their texts.
fn all(web: &Web, token: &str) -> Vec<Value> {
    let list = web.json("/api/v1/recordings?limit=100", token);
    let with_text = |recording: &Value| {
        let id = &recording["id"];
        let path = format!("/api/v1/recordings/{id}/transcript?format=json");
        let (_, _, text) = web.ask("GET", &path, token, b"");
        serde_json::json!({
            "id": id, "title": recording["title"], "name": recording["name"],
            "state": recording["state"], "text": String::from_utf8(text).unwrap(),
        })
    };
    list["recordings"].as_array().unwrap().iter().map(with_text).collect()
}

fn in_state(all: &[Value], state: &str) -> usize {
    all.iter().filter(|recording| recording["state"] == state).count()
}

#[test]
fn process_an_owners_evening() {
    let mirror = Mirror::start();
    let model = std::fs::read(models().join("whisper-base-q8_0.gguf")).unwrap();
    mirror.offer(PATH, Offer::of(model));
    let place = Place::new();
    let folder = place.path().join("in");
    std::fs::create_dir(&folder).unwrap();
    place.set(&format!(
        "models_mirror = {:?}\nwatch = {folder:?}\nwatch_settle_s = 1\nfailures = 1\n\
         pause_base_s = 1\n",
        mirror.url()
    ));
    for args in [&["models", "pull", GIGAAM][..], &["models", "use", GIGAAM, "--for", "ru"]] {
        let output = place.run(args);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    let mut web = web::start(&place);
    let token = web.token();
    let files = twenty(&place);
    assert_eq!(files.len(), 20);
    for file in &files {
        std::fs::rename(file, folder.join(file.file_name().unwrap())).unwrap();
    }
    // While the rest is worked on, the owner corrects a title.
    web.service.wait_for(&["milestone reached", "\"reached\":\"normalized\""]);
    let moving = web.json("/api/v1/recordings?state=moving", &token);
    let id = moving["recordings"][0]["id"].as_i64().unwrap();
    let title = "{\"title\": \"Заседание кружка\"}".as_bytes();
    let headers = format!("{token}Content-Type: application/json\r\n");
    let (status, ..) = web.ask("PATCH", &format!("/api/v1/recordings/{id}"), &headers, title);
    assert_eq!(status, 200);
    // Thirteen have a text and one has silence, two are stopped, four were refused at the door.
    let mut before = all(&web, &token);
    while (in_state(&before, "done"), in_state(&before, "stopped")) != (14, 2) {
        assert!(before.len() <= 16 && in_state(&before, "stopped") <= 2, "{before:?}");
        before = all(&web, &token);
    }
    for name in ["page.mp3", "empty.ogg", "list.m4a", "archive.ogg"] {
        let note = folder.join(format!("{name}.verst.txt"));
        assert!(std::fs::read_to_string(note).is_ok_and(|note| note.len() > 40), "{name}");
    }
    let titled = before.iter().find(|recording| recording["id"] == id).unwrap();
    assert_eq!(titled["title"], "Заседание кружка");
    let found = web.json("/api/v1/recordings?q=%D0%BA%D1%80%D1%83%D0%B6%D0%BA%D0%B8", &token);
    assert_eq!(found["recordings"].as_array().unwrap().len(), 1, "by another form of a word");
    assert_eq!(found["recordings"][0]["id"], id);

    // It is backed up while it runs, lost, and had back.
    let archive = place.path().join("evening.tar");
    let backed = place.run(&["backup", archive.to_str().unwrap()]);
    assert!(backed.status.success(), "{}", String::from_utf8_lossy(&backed.stderr));
    let (code, ..) = web.service.terminate();
    assert_eq!(code, Some(0));
    let settings = std::fs::read(place.data().join("verst.toml")).unwrap();
    std::fs::remove_dir_all(place.data()).unwrap();
    std::fs::create_dir(place.data()).unwrap();
    std::fs::write(place.data().join("verst.toml"), settings).unwrap();
    let restored = place.run(&["restore", archive.to_str().unwrap()]);
    assert!(restored.status.success(), "{}", String::from_utf8_lossy(&restored.stderr));
    let web = web::start_known(&place);
    assert_eq!(all(&web, &token), before, "and the token still opens it");
    let (code, ..) = web.service.terminate();
    assert_eq!(code, Some(0));
}
