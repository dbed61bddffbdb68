//! Files as people have them, through the whole road.

use std::io::Write;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::support::{Place, sample, slices};

#[test]
fn process_refuses_a_file_that_grows_while_it_is_read() {
    let place = Place::new();
    let path = place.path().join("growing.wav");
    let mut file = std::fs::File::create(&path).unwrap();
    file.write_all(&vec![0; 1 << 20]).unwrap();
    let ended = Arc::new(AtomicBool::new(false));
    let writer = std::thread::spawn({
        let ended = Arc::clone(&ended);
        move || {
            while !ended.load(Ordering::SeqCst) {
                file.write_all(&[0; 64]).unwrap();
            }
        }
    });
    let output = place.run(&["transcribe", path.to_str().unwrap()]);
    ended.store(true, Ordering::SeqCst);
    writer.join().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("still being written"), "{said}");
    assert!(place.views().is_empty(), "nothing of it was taken in");
    let objects = place.data().join("objects/original");
    assert_eq!(std::fs::read_dir(objects).unwrap().count(), 0, "nothing of it was kept");
}

#[test]
fn process_takes_names_of_any_kind() {
    let place = Place::new();
    // 255 bytes, the longest name a file system takes.
    let long = format!("{}.ogg", "ж".repeat(125));
    for name in ["-rf.ogg", "a 'quoted\" name.ogg", "line\nbreak.ogg", "..ogg", long.as_str()] {
        std::fs::copy(sample("server-ru.ogg"), place.path().join(name)).unwrap();
    }
    // The same content: one recording, whatever the names.
    let mut args = vec!["transcribe".to_owned(), "--".to_owned()];
    args.extend(
        ["-rf.ogg", "a 'quoted\" name.ogg", "line\nbreak.ogg", "..ogg", long.as_str()]
            .map(|name| place.path().join(name).to_str().unwrap().to_owned()),
    );
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    // Options come before the names here, so the harness' own cannot be added behind them.
    let output = Command::new(env!("CARGO_BIN_EXE_verst"))
        .args(["--lang", "ru"])
        .args(&args)
        .env("VERST_DATA", place.data())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).contains("Сегодня"));
    assert_eq!(place.views().len(), 1);
}

#[test]
fn process_finds_no_speech_in_silence_and_invents_none() {
    let place = Place::new();
    let file = place.path().join("silence.wav");
    let made = Command::new("ffmpeg")
        .args(["-nostdin", "-v", "error", "-f", "lavfi", "-i", "anullsrc=r=16000:cl=mono"])
        .args(["-t", "60"])
        .arg(&file)
        .status()
        .unwrap();
    assert!(made.success());
    let (code, text, lines) = place.start(&["transcribe", file.to_str().unwrap()]).end();
    assert_eq!((code, text.as_str()), (Some(0), ""));
    assert!(lines.iter().any(|line| line.contains("no speech was found")), "{lines:?}");
    assert_eq!(slices(&lines), 0);
}

#[test]
fn process_reads_standard_input() {
    let place = Place::new();
    let output = Command::new(env!("CARGO_BIN_EXE_verst"))
        .args(["transcribe", "-", "--language", "ru", "--lang", "en"])
        .env("VERST_DATA", place.data())
        .stdin(std::fs::File::open(sample("server-ru.ogg")).unwrap())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&output.stdout).contains("Сегодня"));
}
