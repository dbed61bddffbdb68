//! kill -9 in the middle of each step and between slices: nothing is lost, and no finished slice
//! is heard again.

use verst_recordings::LINE;

use super::support::{Place, long_recording, sample, slices};

/// Kills the binary when a step leaving `milestone` has started; then the same command again.
fn killed_at(milestone: &str) {
    let place = Place::new();
    let file = sample("server-ru.ogg");
    let mut first = place.start(&["transcribe", &file]);
    first.wait_for_step(milestone);
    first.kill();
    let view = place.view();
    // Submitting and finishing take milliseconds: on a busy machine the kill comes just after.
    let stages = LINE.stages();
    let stage = stages.iter().find(|stage| stage.name == milestone).unwrap();
    let reached = view.work.milestone.as_str();
    assert!(reached == milestone || Some(reached) == stage.next, "{reached}");
    assert!(view.work.stop.is_none());

    let (code, text, lines) = place.start(&["transcribe", &file]).end();
    assert_eq!(code, Some(0), "{}", lines.join("\n"));
    assert!(text.contains("Сегодня"), "{text}");
    assert_eq!(place.view().work.milestone, "done");
    let scratch = std::fs::read_dir(place.data().join("scratch")).unwrap().count();
    let normalised = std::fs::read_dir(place.data().join("objects/normalised")).unwrap().count();
    assert_eq!(scratch, 0, "nothing half-made is left");
    assert!(normalised <= 1, "at most what the killed run had put there, for the sweep");
}

#[test]
fn process_killed_while_it_normalises() {
    killed_at("uploaded");
}

#[test]
fn process_killed_while_it_submits() {
    killed_at("normalized");
}

#[test]
fn process_killed_while_it_recognises() {
    killed_at("submitted");
}

#[test]
fn process_killed_while_it_finishes() {
    killed_at("transcribed");
}

#[test]
fn process_killed_between_slices_hears_none_of_them_again() {
    let place = Place::new();
    let file = long_recording(&place, 4);
    let mut first = place.start(&["transcribe", &file]);
    let deferred = ["step ended", "\"milestone\":\"submitted\"", "\"outcome\":\"deferred\""];
    first.wait_for(&deferred);
    first.wait_for(&deferred);
    first.wait_for_step("submitted");
    first.kill();
    let kept = usize::try_from(place.view().parts).unwrap();
    let planned = place.planned_slices();
    assert!(kept >= 2 && kept < planned, "{kept} of {planned} slices were kept");

    let (code, text, lines) = place.start(&["transcribe", &file]).end();
    assert_eq!(code, Some(0));
    let words = text.to_lowercase().replace(['\n', ','], " ");
    let found = words.matches("best of times").count();
    assert_eq!(found, 4, "each of the four repetitions once:\n{text}");
    assert_eq!(kept + slices(&lines), planned, "each slice is heard once");

    let (code, again, lines) = place.start(&["transcribe", &file]).end();
    assert_eq!((code, slices(&lines)), (Some(0), 0), "what is done is answered at once");
    assert_eq!(again, text);
}
