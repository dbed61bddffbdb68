//! A running service is backed up, everything is lost, and what is restored goes on to its end: on
//! both stores, from each to the other, and through every kind of interruption.

use std::path::{Path, PathBuf};

use rustix::process::Signal;
use verst_testkit::{S3, Schema};

use super::support::{Place, Running, clip, long_recording, models, sample};

fn err(output: &std::process::Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn out(output: &std::process::Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Runs a command that has to succeed.
fn done(place: &Place, args: &[&str]) -> String {
    let output = place.run(args);
    assert!(output.status.success(), "{args:?}: {}", err(&output));
    out(&output)
}

/// Backs up into a fresh place.
fn backup(place: &Place) -> PathBuf {
    let file = place.path().join("backup.tar");
    let said = done(place, &["backup", file.to_str().unwrap()]);
    assert_eq!(said, format!("{}\n", file.display()));
    file
}

/// What a person sees of a recording, without what says when and by whom.
fn shown(place: &Place, id: &str) -> String {
    done(place, &["show", id])
}

/// Waits for the end of so many recordings.
fn wait_for_ends(service: &mut Running, recordings: usize) {
    for _ in 0..recordings {
        service.wait_for(&["milestone reached", "\"reached\":\"done\""]);
    }
}

fn has_entries(directory: &Path) -> bool {
    std::fs::read_dir(directory).is_ok_and(|mut entries| entries.next().is_some())
}

#[test]
fn process_restores_a_running_service_that_was_wiped() {
    let place = Place::with_settings("pause_base_s = 1\nthreads = 1\n");
    let mut service = place.serve();
    done(&place, &["submit", &sample("server-ru.ogg")]);
    wait_for_ends(&mut service, 1);
    done(&place, &["rename", "1", "доклад"]);
    done(&place, &["submit", &long_recording(&place, 2), &clip(&place, 5)]);
    // A slice is heard, and others are left.
    service.wait_for(&["step ended", "\"milestone\":\"submitted\"", "\"outcome\":\"deferred\""]);
    let file = backup(&place);
    let before = shown(&place, "1");
    service.kill();
    let instance = std::fs::read_to_string(place.data().join("instance")).unwrap();
    std::fs::remove_dir_all(place.data()).unwrap();

    done(&place, &["restore", file.to_str().unwrap()]);
    assert_eq!(shown(&place, "1"), before, "its text, its title and its journal are there");
    let now = std::fs::read_to_string(place.data().join("instance")).unwrap();
    assert_ne!(now, instance, "it is another installation, and the first could go on beside it");
    // The short one may have had its turn before the backup.
    let left = place.views().iter().filter(|view| view.work.milestone != "done").count();
    assert!((1..=2).contains(&left), "{left}");
    let mut service = place.serve();
    wait_for_ends(&mut service, left);
    assert_eq!(service.terminate().0, Some(0));
    for view in place.views() {
        assert_eq!((view.work.milestone.as_str(), view.work.stop), ("done", None));
        assert!(view.work.failures <= 1, "what was held is taken back and goes on");
    }
}

/// A server and a bucket, and the settings that lead there.
fn shared() -> (std::sync::Arc<Schema>, S3, String) {
    let (schema, s3) = (Schema::create(), S3::start());
    let settings = format!(
        "database = \"{}\"\nmodels = \"{}\"\nthreads = 1\npause_base_s = 1\n{}",
        schema.address(),
        models().display(),
        s3.settings()
    );
    (schema, s3, settings)
}

#[test]
fn process_restores_a_server_and_a_bucket_that_were_lost() {
    let (schema, s3, settings) = shared();
    let place = Place::with_settings(&settings);
    let mut service = place.serve();
    done(&place, &["submit", &clip(&place, 3)]);
    wait_for_ends(&mut service, 1);
    done(&place, &["submit", &long_recording(&place, 2)]);
    service.wait_for(&["step ended", "\"milestone\":\"submitted\"", "\"outcome\":\"deferred\""]);
    let file = backup(&place);
    let before = shown(&place, "1");
    service.kill();
    drop((schema, s3));

    let (schema, s3, settings) = shared();
    let other = Place::with_settings(&settings);
    done(&other, &["restore", file.to_str().unwrap()]);
    assert_eq!(shown(&other, "1"), before);
    assert!(has_entries(&s3.bucket().join("audio/original")));
    let again = other.run(&["restore", file.to_str().unwrap()]);
    assert_eq!(again.status.code(), Some(3));
    assert!(err(&again).contains("is not empty"), "{}", err(&again));
    let mut service = other.serve();
    wait_for_ends(&mut service, 1);
    assert_eq!(service.terminate().0, Some(0));
    let finished = "SELECT count(*) FROM transcript JOIN work ON work.id = recording_id
        WHERE milestone = 'done'";
    assert_eq!(schema.ask(finished).as_deref(), Some("2"));
    let bound = std::fs::read_to_string(s3.bucket().join("audio/home")).unwrap();
    assert_eq!(schema.ask("SELECT objects FROM home").as_deref(), Some(bound.trim()));
}

#[test]
fn process_carries_an_installation_from_a_file_to_a_server_and_back() {
    let first = Place::new();
    done(&first, &["transcribe", &clip(&first, 5)]);
    done(&first, &["submit", &clip(&first, 0)]);
    let file = backup(&first);

    let (schema, _s3, settings) = shared();
    let second = Place::with_settings(&settings);
    done(&second, &["restore", file.to_str().unwrap()]);
    assert!(!second.data().join("verst.sqlite").exists());
    assert_eq!(schema.ask("SELECT count(*) FROM recording").as_deref(), Some("2"));
    assert_eq!(shown(&second, "1"), shown(&first, "1"));
    done(&second, &["submit", &clip(&second, 7)]);

    let file = backup(&second);
    let third = Place::new();
    done(&third, &["restore", file.to_str().unwrap()]);
    assert_eq!(shown(&third, "1"), shown(&first, "1"));
    let doctor = out(&third.run(&["doctor"]));
    assert!(!doctor.contains("Audio: TROUBLE"), "{doctor}");
    assert_eq!(third.views().len(), 3);
}

/// A place with a recording whose original takes its time to be copied.
fn with_much_to_copy() -> Place {
    let place = Place::with_settings("workers = 0\n");
    done(&place, &["submit", &clip(&place, 0), &sample("server-ru.ogg")]);
    let originals = place.data().join("objects/original");
    let small = place.path().join("clip-0.ogg").metadata().unwrap().len();
    for original in std::fs::read_dir(originals).unwrap().map(Result::unwrap) {
        if original.metadata().unwrap().len() != small {
            let file = std::fs::OpenOptions::new().write(true).open(original.path()).unwrap();
            file.set_len(256 << 20).unwrap();
        }
    }
    place
}

/// Starts a command and waits until a file is there.
fn start_until(place: &Place, args: &[&str], file: impl Fn() -> bool) -> Running {
    let running = place.start(args);
    while !file() {
        std::thread::yield_now();
    }
    running
}

#[test]
fn process_that_is_killed_in_a_backup_leaves_none_and_the_next_clears_up() {
    let place = with_much_to_copy();
    let to = place.path().join("backups");
    std::fs::create_dir(&to).unwrap();
    let to_text = to.to_str().unwrap();
    start_until(&place, &["backup", to_text], || has_entries(&to)).kill();
    let left: Vec<_> = std::fs::read_dir(&to).unwrap().map(|e| e.unwrap().path()).collect();
    assert_eq!(left.len(), 1);
    assert!(left[0].to_str().unwrap().ends_with(".tar.part"), "{left:?}");

    let old = to.join("verst-20200101T000000Z.tar.part");
    std::fs::rename(&left[0], &old).unwrap();
    let interrupted = start_until(&place, &["backup", to_text], || !old.exists());
    interrupted.signal(Signal::INT);
    let (code, said, heard) = interrupted.end();
    assert_eq!((code, said.as_str()), (Some(130), ""), "{heard:?}");
    assert!(!has_entries(&to), "nothing is left of it");
    assert!(!has_entries(&place.data().join("scratch")), "in the scratch directory neither");

    let made = done(&place, &["backup", to_text]);
    let files: Vec<_> = std::fs::read_dir(&to).unwrap().map(|e| e.unwrap().path()).collect();
    assert_eq!(files, [PathBuf::from(made.trim_end())], "the only one there");
}

#[test]
fn process_that_is_killed_in_a_restore_leaves_no_recordings_and_the_next_brings_all() {
    let place = with_much_to_copy();
    let file = backup(&place);
    let other = Place::with_settings("workers = 0\n");
    let originals = other.data().join("objects/original");
    let args = ["restore", file.to_str().unwrap()];
    start_until(&other, &args, || has_entries(&originals)).kill();
    assert!(!other.data().join("verst.sqlite").exists(), "the rows come after the bytes");
    done(&other, &args);
    assert_eq!(other.views().len(), 2);
    assert_eq!(std::fs::read_dir(&originals).unwrap().count(), 2);
    assert_eq!(done(&other, &["list"]), done(&place, &["list"]));
}

#[test]
fn process_sets_aside_what_a_restore_replaces() {
    let place = Place::with_settings("workers = 0\n");
    done(&place, &["submit", &clip(&place, 0)]);
    let file = backup(&place);
    let file = file.to_str().unwrap();
    done(&place, &["submit", &clip(&place, 9)]);
    for args in [["restore", file].as_slice(), &["restore", file, "--replace"]] {
        let refused = place.run(args);
        assert_ne!(refused.status.code(), Some(0));
        assert!(err(&refused).contains("othing was changed"), "{}", err(&refused));
        assert_eq!(place.views().len(), 2);
    }
    let service = place.serve();
    let refused = place.run(&["restore", file, "--replace", "--yes"]);
    assert_eq!(refused.status.code(), Some(3), "not while somebody works there");
    assert_eq!(service.terminate().0, Some(0));

    done(&place, &["restore", file, "--replace", "--yes", "--unfinished", "hold"]);
    let view = place.view();
    let stop = view.work.stop.expect("it was under way, and is held");
    assert_eq!(stop.failure.code, "restored");
    let entries = std::fs::read_dir(place.data()).unwrap().map(|entry| entry.unwrap().path());
    let aside = entries.filter(|path| path.to_str().unwrap().contains("/replaced-"));
    let aside: Vec<_> = aside.collect();
    assert_eq!(aside.len(), 1);
    assert_eq!(std::fs::read_dir(aside[0].join("objects/original")).unwrap().count(), 2);
    assert!(aside[0].join("verst.sqlite").exists());
    done(&place, &["lift", "1"]);
    assert!(place.view().work.stop.is_none());
}
