//! The command line as people and scripts use it.

use std::io::Write;
use std::process::{Output, Stdio};

use super::support::{Place, sample};

fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn process_answers_for_each_file_and_keeps_standard_output_clean() {
    let place = Place::new();
    let text_file = place.path().join("notes.mp3");
    std::fs::write(&text_file, "#EXTM3U\nfile:///etc/passwd\n").unwrap();
    let missing = place.path().join("none.ogg");
    let russian = sample("server-ru.ogg");
    let files = [text_file.to_str().unwrap(), missing.to_str().unwrap(), &russian];
    let mut args = vec!["transcribe"];
    args.extend(files);
    args.extend(["--format", "json"]);
    let output = place.run(&args);
    assert_eq!(output.status.code(), Some(1), "some have no text");
    let json: serde_json::Value = serde_json::from_str(&out(&output)).unwrap();
    assert_eq!(json["language"], "ru");
    let end = json["segments"].as_array().unwrap().last().unwrap()["end_ms"].as_u64().unwrap();
    assert!((15_000..=20_500).contains(&end), "{end}");
    let said = err(&output);
    assert!(said.contains("not an audio or video file"), "{said}");
    assert!(said.contains("cannot be read"), "{said}");
}

#[test]
fn process_writes_files_and_overwrites_none() {
    let place = Place::new();
    let dir = place.path().join("out");
    let russian = sample("server-ru.ogg");
    let args = ["transcribe", &russian, "--format", "srt", "--output", dir.to_str().unwrap()];
    std::fs::create_dir(&dir).unwrap();
    let output = place.run(&args);
    assert_eq!((output.status.code(), out(&output).as_str()), (Some(0), ""));
    let file = dir.join("server-ru.srt");
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.starts_with("1\n00:00:00,") && text.contains("Сегодня"), "{text}");
    assert_eq!(place.run(&args).status.code(), Some(0), "the same text again is no conflict");
    std::fs::write(&file, "mine").unwrap();
    let output = place.run(&args);
    assert_eq!(output.status.code(), Some(1));
    assert!(err(&output).contains("left alone"), "{}", err(&output));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "mine");
}

#[test]
fn process_wants_a_directory_for_several_subtitles() {
    let place = Place::new();
    let (a, b) = (sample("server-ru.ogg"), sample("two-cities-en.ogg"));
    let output = place.run(&["transcribe", &a, &b, "--format", "vtt"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(err(&output).contains("--output"));
    let output = place.run(&["transcribe", &a, "--language", "russian"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn process_stops_lifts_and_renames_what_waits() {
    let place = Place::with_settings("workers = 0\n");
    assert_eq!(place.run(&["list"]).status.code(), Some(3));
    let output = place.run(&["transcribe", &sample("server-ru.ogg")]);
    assert_eq!(output.status.code(), Some(1));
    assert!(err(&output).contains("workers = 0"), "{}", err(&output));
    assert!(out(&place.run(&["list"])).contains("taken in"));

    assert_eq!(place.run(&["stop", "1"]).status.code(), Some(0));
    assert!(out(&place.run(&["list"])).contains("stopped"));
    let again = place.run(&["stop", "1"]);
    assert!(again.status.code() == Some(1) && err(&again).contains("already"));
    assert!(out(&place.run(&["show", "1"])).contains("A person stopped it"));

    assert_eq!(place.run(&["lift", "1"]).status.code(), Some(0));
    assert_eq!(place.run(&["lift", "1"]).status.code(), Some(1));
    assert_eq!(place.run(&["rename", "1", "My \u{1b}[31mtalk"]).status.code(), Some(0));
    let listed = out(&place.run(&["list"]));
    assert!(listed.contains("My") && !listed.contains('\u{1b}'), "{listed:?}");
    let journal = out(&place.run(&["show", "1"]));
    assert!(journal.contains("stopped at") && journal.contains("lifted at"), "{journal}");
    let missing = place.run(&["show", "77"]);
    assert!(missing.status.code() == Some(1) && err(&missing).contains("77"));
}

#[test]
fn process_says_that_there_is_nothing_yet() {
    let place = Place::new();
    std::fs::remove_dir_all(place.data()).unwrap();
    let output = place.run(&["list"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(err(&output).contains("verst transcribe"), "{}", err(&output));
    assert!(!place.data().exists());
}

#[test]
fn process_transcribes_again_and_deletes_when_told_twice() {
    let place = Place::new();
    let russian = sample("server-ru.ogg");
    let first = place.run(&["transcribe", &russian]);
    assert_eq!(first.status.code(), Some(0), "{}", err(&first));
    assert_eq!(place.run(&["again", "1", "--language", "ru"]).status.code(), Some(0));
    assert_eq!(place.view().work.milestone, "uploaded");
    let second = place.run(&["transcribe"]);
    assert_eq!((second.status.code(), out(&second)), (Some(0), out(&first)), "{}", err(&second));
    let unsure = place.run(&["delete", "1"]);
    assert_eq!(unsure.status.code(), Some(1));
    assert!(err(&unsure).contains("--yes"), "{}", err(&unsure));
    assert_eq!(place.run(&["delete", "1", "--yes"]).status.code(), Some(0));
    assert!(place.views().is_empty());
    let left = std::fs::read_dir(place.data().join("objects/original")).unwrap().count();
    assert_eq!(left, 0, "its audio is gone");
    assert_eq!(place.run(&["delete", "1", "--yes"]).status.code(), Some(1));
    let third = place.run(&["transcribe", &russian]);
    assert_eq!((third.status.code(), out(&third)), (Some(0), out(&first)), "{}", err(&third));
}

#[test]
fn process_makes_changes_and_lists_accounts() {
    let place = Place::new();
    assert_eq!(place.run(&["submit", &sample("server-ru.ogg")]).status.code(), Some(0));
    let typed = |args: &[&str], password: &str| {
        let mut command = place.command(args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // Who refuses before it reads has closed the pipe.
        let _ = writeln!(child.stdin.take().unwrap(), "{password}");
        child.wait_with_output().unwrap()
    };
    let code = |output: &Output| output.status.code();
    let made = typed(&["user", "add", "Анна", "--role", "admin"], "верный пароль");
    assert_eq!(code(&made), Some(0), "{}", err(&made));
    assert_eq!(code(&typed(&["user", "add", "анна"], "верный пароль")), Some(1));
    assert_eq!(code(&typed(&["user", "add", "boris"], "short")), Some(2));
    assert_eq!(code(&typed(&["user", "add", " "], "верный пароль")), Some(2));
    assert_eq!(code(&typed(&["user", "add", "boris"], "верный пароль")), Some(0));
    assert_eq!(code(&typed(&["user", "passwd", "АННА"], "другой пароль")), Some(0));
    assert_eq!(code(&typed(&["user", "passwd", "nobody"], "другой пароль")), Some(1));
    for last in [&["user", "disable", "анна"][..], &["user", "role", "анна", "owner"]] {
        let refused = place.run(last);
        assert_eq!(code(&refused), Some(1), "{}", err(&refused));
        assert!(err(&refused).contains("last administrator"), "{}", err(&refused));
    }
    assert_eq!(code(&place.run(&["user", "role", "boris", "admin"])), Some(0));
    assert_eq!(code(&place.run(&["user", "disable", "анна"])), Some(0));
    let listed = out(&place.run(&["user", "list"]));
    assert!(listed.contains("Анна") && listed.contains("disabled"), "{listed}");
    assert_eq!(listed.matches("administrator").count(), 2, "{listed}");
    assert_eq!(code(&place.run(&["user", "enable", "анна"])), Some(0));
    assert!(!out(&place.run(&["user", "list"])).contains("disabled"));
}

#[test]
fn process_makes_lists_and_revokes_tokens() {
    let place = Place::new();
    assert_eq!(place.run(&["submit", &sample("server-ru.ogg")]).status.code(), Some(0));
    let made = place.run(&["token", "add", "phone", "--owner", "anna", "--days", "30"]);
    assert_eq!(made.status.code(), Some(0), "{}", err(&made));
    let secret = out(&made).trim().to_owned();
    assert!(secret.starts_with("verst_") && secret.len() == 49, "{secret}");
    let listed = out(&place.run(&["token", "list"]));
    assert!(listed.contains("phone") && listed.contains("anna"), "{listed}");
    assert!(!listed.contains(&secret), "it is shown once");
    assert_eq!(place.run(&["token", "revoke", "1"]).status.code(), Some(0));
    assert_eq!(place.run(&["token", "revoke", "1"]).status.code(), Some(1));
    assert!(out(&place.run(&["token", "list"])).contains("revoked"));
    for wrong in [["token", "add", " ", "--days", "1"], ["token", "add", "x", "--days", "0"]] {
        assert_eq!(place.run(&wrong).status.code(), Some(2), "{wrong:?}");
    }
}
