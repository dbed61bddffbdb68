//! What the binary refuses, and that it says why, who and what to do.

use std::io::{Seek, SeekFrom, Write};

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
    for name in ["ggml-base-q8_0.bin", "ggml-silero-v6.2.0.bin"] {
        std::fs::copy(models().join(name), copy.join(name)).unwrap();
    }
    let model = copy.join("ggml-base-q8_0.bin");
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
