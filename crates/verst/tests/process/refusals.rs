//! What the binary refuses, and that it says why, who and what to do.

use std::io::{Seek, SeekFrom, Write};
use std::os::unix::fs::PermissionsExt;

use super::support::{Place, models, sample};

fn stderr(output: &std::process::Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn process_refuses_a_database_from_the_future_and_leaves_it_alone() {
    let place = Place::with_settings("workers = 0\n");
    place.run(&["transcribe", &sample("server-ru.ogg")]);
    place.wait_until_checkpointed();
    let file = place.data().join("verst.sqlite");
    // The schema's version stands at offset 60 of the file: https://sqlite.org/fileformat2.html
    let mut database = std::fs::OpenOptions::new().write(true).open(&file).unwrap();
    database.seek(SeekFrom::Start(60)).unwrap();
    database.write_all(&999_u32.to_be_bytes()).unwrap();
    drop(database);
    let before = std::fs::read(&file).unwrap();
    let output = place.run(&["list"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(stderr(&output).contains("999") && stderr(&output).contains("newer version"));
    assert!(std::fs::read(&file).unwrap() == before, "not a byte was changed");
}

#[test]
fn process_says_that_a_model_is_missing() {
    let place = Place::new();
    let args = ["transcribe", &sample("server-ru.ogg"), "--model", "/nowhere/model.bin"];
    let output = place.run(&args);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(3), 0));
    assert!(stderr(&output).contains("is not where it should be"), "{}", stderr(&output));
}

#[test]
fn process_says_that_a_model_is_damaged() {
    let place = Place::new();
    let copy = place.path().join("models");
    std::fs::create_dir(&copy).unwrap();
    for name in ["whisper-base-q8_0.gguf", "ggml-silero-v6.2.0.bin"] {
        std::fs::copy(models().join(name), copy.join(name)).unwrap();
    }
    let model = copy.join("whisper-base-q8_0.gguf");
    let mut file = std::fs::OpenOptions::new().write(true).open(model).unwrap();
    file.seek(SeekFrom::Start(40_000_000)).unwrap();
    file.write_all(b"one flipped word").unwrap();
    drop(file);
    place.set(&format!("models = {:?}\n", copy.to_str().unwrap()));
    let output = place.run(&["transcribe", &sample("server-ru.ogg")]);
    assert_eq!(output.status.code(), Some(3));
    assert!(stderr(&output).contains("damaged"), "{}", stderr(&output));
    let doctor = place.run(&["doctor"]);
    assert_eq!(doctor.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&doctor.stdout).contains("BAD"));
}

#[test]
fn process_names_an_unknown_setting() {
    let place = Place::with_settings("workres = 2\n");
    let output = place.run(&["list"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(stderr(&output).contains("workres"), "{}", stderr(&output));
}

#[test]
fn process_doctor_tries_what_holds_and_tells_scripts() {
    let place = Place::new();
    let states = |place: &Place| -> (Option<i32>, serde_json::Value) {
        let doctor = place.run(&["doctor", "--json"]);
        (doctor.status.code(), serde_json::from_slice(&doctor.stdout).unwrap())
    };
    let state = |told: &serde_json::Value, about: &str| {
        let findings = told["findings"].as_array().unwrap();
        let found = findings.iter().find(|finding| finding["about"] == about);
        found.map(|finding| finding["state"].as_str().unwrap().to_owned())
    };
    let (code, told) = states(&place);
    assert_eq!((code, &told["well"]), (Some(0), &serde_json::Value::Bool(true)), "{told}");
    for about in ["ffmpeg", "engine", "processor", "confined"] {
        assert_eq!(state(&told, about).as_deref(), Some("ok"), "{told}");
    }
    let place =
        Place::with_settings("confine = \"off\"\ndatabase = \"postgres://a:b@127.0.0.1:1/c\"\n");
    let file = place.data().join("verst.toml");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).unwrap();
    let (code, told) = states(&place);
    assert_eq!((code, &told["well"]), (Some(1), &serde_json::Value::Bool(false)), "{told}");
    assert_eq!(state(&told, "confined").as_deref(), Some("note"), "{told}");
    assert_eq!(state(&told, "secrets").as_deref(), Some("bad"), "{told}");
}
