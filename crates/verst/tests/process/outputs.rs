//! Where texts go: a file each, pipes and devices, and a standard output that takes nothing.

use std::path::Path;
use std::process::{Command, Output};

use super::support::{Place, sample};

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn copy(to: &Path) -> String {
    std::fs::create_dir_all(to.parent().unwrap()).unwrap();
    std::fs::copy(sample("server-ru.ogg"), to).unwrap();
    to.to_str().unwrap().to_owned()
}

#[test]
fn process_gives_each_file_named_a_text_of_its_own() {
    let place = Place::new();
    let files = ["a/x.ogg", "b/x.ogg", "c1.ogg"].map(|name| copy(&place.path().join(name)));
    let dir = place.path().join("out");
    let mut args = vec!["transcribe", "--format", "srt", "--output", dir.to_str().unwrap()];
    args.extend(files.iter().map(String::as_str));
    let output = place.run(&args);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    assert_eq!(place.views().len(), 1, "equal files are one recording");
    let mut names: Vec<_> =
        std::fs::read_dir(&dir).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["c1.srt", "x-2.srt", "x.srt"]);

    let output = place.run(&["transcribe", &files[0], &files[2]]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(text.matches("Сегодня").count(), 2, "{text}");
    let told = err(&output).matches(": done,").count();
    assert_eq!(told, 1, "what had ended is told once: {}", err(&output));
}

#[test]
fn process_writes_to_pipes_and_devices_and_says_what_it_cannot_write() {
    let place = Place::new();
    let file = sample("server-ru.ogg");
    let output = place.run(&["transcribe", &file, "--output", "/dev/null"]);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));

    let pipe = place.path().join("pipe");
    let made = Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    let args = ["transcribe", &file, "--output", pipe.to_str().unwrap()];
    let output = place.run(&args);
    assert_eq!(output.status.code(), Some(1), "nobody reads it");
    // Open for both is open at once, so that the reader is there before the writer.
    let reader = std::fs::File::options().read(true).write(true).open(&pipe).unwrap();
    assert_eq!(place.run(&args).status.code(), Some(0));
    let mut start = [0; 1];
    std::io::Read::read_exact(&mut &reader, &mut start).unwrap();

    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let output = place.command(&["transcribe", &file]).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(err(&output).contains("Standard output could not be written"), "{}", err(&output));
}

#[test]
fn process_wants_a_directory_for_what_is_unfinished() {
    let place = Place::new();
    let file = place.path().join("one.txt");
    let output = place.run(&["transcribe", "--output", file.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(err(&output).contains("is not a directory"), "{}", err(&output));
}
