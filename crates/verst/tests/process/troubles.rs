//! Trouble that a person mends, and signals while files are still being taken in.

use std::process::Stdio;

use rustix::process::{Pid, Signal, kill_process};

use super::support::{Place, models, sample};

const MODELS: [&str; 2] = ["whisper-base-q8_0.gguf", "ggml-silero-v6.2.0.bin"];

#[test]
fn process_tells_who_is_in_trouble_and_goes_on_once_it_is_mended() {
    let place = Place::new();
    let copy = place.path().join("models");
    std::fs::create_dir(&copy).unwrap();
    for name in MODELS {
        std::fs::copy(models().join(name), copy.join(name)).unwrap();
    }
    place.set(&format!("models = {:?}\npause_base_s = 1\n", copy.to_str().unwrap()));
    let (russian, english) = (sample("server-ru.ogg"), sample("two-cities-en.ogg"));
    let output = place.run(&["transcribe", &russian]);
    assert_eq!(output.status.code(), Some(0));

    let mut run = place.start(&["transcribe", &russian, &english]);
    run.wait_for_step("uploaded");
    std::fs::remove_file(copy.join(MODELS[0])).unwrap();
    let (code, text, lines) = run.end();
    assert_eq!(code, Some(3), "{lines:?}");
    assert!(text.contains("Сегодня"), "the one that is done has its text");
    let named = |line: &String| line.contains("two-cities-en.ogg has to wait");
    assert!(lines.iter().any(named), "{lines:?}");

    std::fs::copy(models().join(MODELS[0]), copy.join(MODELS[0])).unwrap();
    let (code, text, lines) = place.start(&["transcribe", &english]).end();
    assert_eq!(code, Some(0), "{lines:?}");
    assert!(text.contains("best of times"), "{text}");
}

#[test]
fn process_hung_up_while_it_reads_standard_input_ends() {
    let place = Place::new();
    let mut command = place.command(&["transcribe", "-"]);
    let mut child = command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let scratch = place.data().join("scratch");
    // The spool is there once it listens to signals.
    while !std::fs::read_dir(&scratch).is_ok_and(|mut entries| entries.next().is_some()) {
        std::thread::yield_now();
    }
    kill_process(Pid::from_child(&child), Signal::HUP).unwrap();
    // Its input stays open all the while; `wait` would close it.
    let input = child.stdin.take();
    assert_eq!(child.wait().unwrap().code(), Some(129));
    drop(input);
    assert!(place.views().is_empty());
    assert_eq!(std::fs::read_dir(&scratch).unwrap().count(), 0);
}

#[test]
fn process_refuses_what_is_too_large_before_it_reads_it() {
    let place = Place::new();
    let file = place.path().join("huge.wav");
    std::fs::File::create(&file).unwrap().set_len(1 << 42).unwrap();
    let output = place.run(&["transcribe", file.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("larger than the limit"), "{said}");
}

#[test]
fn process_brings_back_the_audio_of_a_file_handed_in_again() {
    let place = Place::with_settings("workers = 0\n");
    let file = sample("server-ru.ogg");
    place.run(&["transcribe", &file]);
    for object in std::fs::read_dir(place.data().join("objects/original")).unwrap() {
        std::fs::remove_file(object.unwrap().path()).unwrap();
    }
    place.set("pause_base_s = 1\n");
    let (code, text, lines) = place.start(&["transcribe", &file]).end();
    assert_eq!(code, Some(0), "{lines:?}");
    assert!(text.contains("Сегодня"), "{text}");
    assert!(place.view().work.stop.is_none());
}
