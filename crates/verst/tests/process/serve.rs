//! The service, and what other commands do beside it.

use rustix::process::Signal;

use super::support::{Place, clip, long_recording, sample};

fn out(output: &std::process::Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn err(output: &std::process::Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

const DONE: [&str; 2] = ["milestone reached", "\"reached\":\"done\""];

#[test]
fn process_serves_what_is_submitted_beside_it() {
    let place = Place::new();
    let mut service = place.serve();
    let missing = place.path().join("none.ogg");
    let file = sample("server-ru.ogg");
    let submitted = place.run(&["submit", &file, missing.to_str().unwrap()]);
    assert_eq!(submitted.status.code(), Some(1), "one of the two is not there");
    assert_eq!(out(&submitted), format!("1\t{file}\n"));
    assert!(err(&submitted).contains("cannot be read"), "{}", err(&submitted));
    service.wait_for(&DONE);

    let again = place.run(&["submit", &file]);
    assert_eq!((again.status.code(), out(&again)), (Some(0), format!("1\t{file}\n")));
    assert!(out(&place.run(&["list"])).contains("done"));
    assert!(out(&place.run(&["show", "1"])).contains("Сегодня"));
    assert_eq!(place.run(&["rename", "1", "доклад"]).status.code(), Some(0));
    // A second one is refused, and is told by whom.
    let second = place.run(&["serve"]);
    assert_eq!(second.status.code(), Some(3));
    let holder = format!("process {}", service.pid().as_raw_pid());
    assert!(err(&second).contains(&holder), "{}", err(&second));
    let (code, said, heard) = service.terminate();
    assert_eq!((code, said.as_str()), (Some(0), ""));
    assert!(heard.last().unwrap().contains("Ended"), "{heard:?}");
}

#[test]
fn process_follows_whoever_works_there() {
    let place = Place::new();
    let service = place.serve();
    let output = place.run(&["transcribe", &sample("server-ru.ogg")]);
    assert!(output.status.success() && out(&output).contains("Сегодня"), "{output:?}");
    assert!(err(&output).contains("Another process does the work"), "{}", err(&output));
    assert!(err(&output).contains("server-ru.ogg: done"), "{}", err(&output));
    assert_eq!(service.terminate().0, Some(0));
}

#[test]
fn process_goes_on_with_the_work_of_one_that_is_gone() {
    let place = Place::new();
    let service = place.serve();
    let file = long_recording(&place, 2);
    let mut follower = place.start(&["transcribe", &file]);
    follower.wait_for(&["Another process does the work"]);
    service.kill();
    let (code, text, heard) = follower.end();
    assert_eq!(code, Some(0), "{heard:?}");
    assert!(text.contains("best of times"), "{text}");
}

#[test]
fn process_stops_what_another_process_works_on() {
    let place = Place::new();
    let mut service = place.serve();
    assert!(place.run(&["submit", &long_recording(&place, 10)]).status.success());
    service.wait_for_step("submitted");
    assert_eq!(place.run(&["stop", "1"]).status.code(), Some(0));
    service.wait_for(&["the claim went to another"]);
    assert_eq!(service.terminate().0, Some(0));
    let view = place.view();
    assert!(view.work.stop.is_some() && !view.work.held, "{view:?}");
}

#[test]
fn process_takes_in_while_nobody_works() {
    let place = Place::new();
    let file = clip(&place, 0);
    assert_eq!(out(&place.run(&["submit", &file])), format!("1\t{file}\n"));
    assert_eq!(place.view().work.milestone, "uploaded");
    let mut service = place.serve();
    service.wait_for(&DONE);
    service.signal(Signal::INT);
    assert_eq!(service.end().0, Some(0));
}

#[test]
fn process_brings_the_database_up_to_date_and_says_so() {
    let place = Place::new();
    let first = place.run(&["migrate"]);
    assert!(first.status.success() && err(&first).contains("from version 0"), "{}", err(&first));
    let second = place.run(&["migrate"]);
    assert!(second.status.success() && err(&second).contains("is up to date"), "{}", err(&second));
    let service = place.serve();
    assert_eq!(place.run(&["migrate"]).status.code(), Some(3), "not while somebody works");
    assert_eq!(service.terminate().0, Some(0));
}

#[test]
fn process_does_not_follow_where_nobody_is_to_work() {
    let place = Place::with_settings("workers = 0\n");
    let service = place.serve();
    let output = place.run(&["transcribe", &clip(&place, 0)]);
    assert_eq!(output.status.code(), Some(1));
    assert!(err(&output).contains("workers = 0"), "{}", err(&output));
    assert_eq!(service.terminate().0, Some(0));
}

#[test]
fn process_says_where_it_set_originals_aside() {
    let place = Place::new();
    let shared = place.path().join("shared");
    std::fs::create_dir_all(shared.join("original")).unwrap();
    let old = std::time::SystemTime::UNIX_EPOCH;
    let unnamed = std::fs::File::create(shared.join("original/0123")).unwrap();
    unnamed.set_modified(old).unwrap();
    place.set(&format!("objects = \"{}\"\n", shared.display()));
    let mut service = place.serve();
    service.wait_for(&[&format!("{}/unnamed", shared.display())]);
    assert_eq!(service.terminate().0, Some(0));
    assert!(shared.join("unnamed/original/0123").exists());
}

#[test]
fn process_writes_no_colours_where_nobody_looks() {
    let place = Place::new();
    assert!(place.run(&["submit", &clip(&place, 0)]).status.success());
    std::fs::remove_dir_all(place.data().join("objects/original")).unwrap();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_verst"));
    command.args(["serve", "--lang", "en"]).env("VERST_DATA", place.data());
    command.env("VERST_LISTEN", "127.0.0.1:0");
    let mut service = Place::spawn(command);
    service.wait_for(&["step failed"]);
    let (code, _, heard) = service.terminate();
    assert_eq!(code, Some(0));
    assert!(!heard.iter().any(|line| line.contains('\u{1b}')), "{heard:?}");
}

#[test]
fn process_takes_a_file_once_whoever_hands_it_in() {
    let place = Place::with_settings("workers = 0\n");
    let service = place.serve();
    let file = clip(&place, 0);
    let all: Vec<_> = (0..4).map(|_| place.start(&["submit", &file])).collect();
    for submitted in all {
        let (code, said, _) = submitted.end();
        assert_eq!((code, said), (Some(0), format!("1\t{file}\n")));
    }
    assert_eq!(service.terminate().0, Some(0));
    assert_eq!(place.view().work.milestone, "uploaded");
}
