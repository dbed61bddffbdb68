//! SIGTERM is not a failure: the attempt is given back, nothing is stopped.

use std::process::Command;

use rustix::process::Signal;

use super::support::{Place, long_recording, sample};

#[test]
fn process_terminated_while_it_normalises() {
    let place = Place::new();
    // Hours of a tone take seconds to decode, so that the signal comes in the middle.
    let file = place.path().join("hours.mp3");
    let made = Command::new("ffmpeg")
        .args(["-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine=r=8000:d=14400"])
        .args(["-b:a", "8k"])
        .arg(&file)
        .status()
        .unwrap();
    assert!(made.success());
    let mut run = place.start(&["transcribe", file.to_str().unwrap()]);
    run.wait_for_step("uploaded");
    run.signal(Signal::TERM);
    let (code, text, _) = run.end();
    assert_eq!((code, text.as_str()), (Some(143), ""));
    let view = place.view();
    assert_eq!((view.work.milestone.as_str(), view.work.failures), ("uploaded", 0));
    assert!(view.work.stop.is_none() && !view.work.held);
    let scratch = std::fs::read_dir(place.data().join("scratch")).unwrap().count();
    assert_eq!(scratch, 0, "the half-made output is gone");
}

#[test]
fn process_terminated_while_it_recognises_goes_on_from_the_last_slice() {
    let place = Place::new();
    let file = long_recording(&place, 3);
    let mut run = place.start(&["transcribe", &file]);
    run.wait_for(&["step ended", "\"outcome\":\"deferred\""]);
    run.wait_for_step("submitted");
    run.signal(Signal::TERM);
    let (code, text, lines) = run.end();
    assert_eq!((code, text.as_str()), (Some(143), ""));
    assert!(lines.last().unwrap().contains("run the same command again"), "{lines:?}");
    let view = place.view();
    assert_eq!((view.work.milestone.as_str(), view.work.failures), ("submitted", 0));
    assert!(view.work.stop.is_none() && !view.work.held && view.parts >= 1);

    // Naming nothing goes on with what is unfinished.
    let (code, text, _) = place.start(&["transcribe"]).end();
    assert_eq!(code, Some(0));
    assert_eq!(text.to_lowercase().matches("worst of times").count(), 3, "{text}");
}

#[test]
fn process_interrupted_twice_ends_at_once() {
    let place = Place::new();
    let mut run = place.start(&["transcribe", &sample("two-cities-en.ogg")]);
    run.wait_for_step("submitted");
    run.signal(Signal::INT);
    run.wait_for(&["press Ctrl-C once more"]);
    run.signal(Signal::INT);
    let (code, _, _) = run.end();
    assert_eq!(code, Some(130));
    assert!(place.view().work.stop.is_none());
}
