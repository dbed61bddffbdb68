//! The engine's process ends in every way it can: each costs one attempt, has its own code, and
//! the recording gets its text all the same.

use rustix::process::{Signal, kill_process};

use super::support::{Place, count, sample, wait_until_busy};

fn dies_by(signal: Signal, code: &str, advice: &str) {
    let place = Place::new();
    let mut run = place.start(&["transcribe", &sample("server-ru.ogg")]);
    run.wait_for_step("submitted");
    // One that dies before it is asked is replaced without a word.
    let engine = run.engine();
    wait_until_busy(engine);
    kill_process(engine, signal).unwrap();
    let (exit, text, lines) = run.end();
    assert_eq!(exit, Some(0));
    assert!(text.contains("Сегодня"), "{text}");
    assert_eq!(
        count(&lines, &["\"level\":\"WARN\"", code]),
        1,
        "one record per failure: {lines:?}"
    );
    assert!(count(&lines, &[advice]) >= 1, "the person is told: {lines:?}");
    assert_eq!(place.view().work.failures, 0);
}

#[test]
fn process_goes_on_after_the_engine_was_killed() {
    dies_by(Signal::KILL, "engine_killed", "most likely because memory ran out");
}

#[test]
fn process_goes_on_after_the_engine_aborted() {
    dies_by(Signal::ABORT, "engine_died", "ended unexpectedly");
}

#[test]
fn process_says_which_build_to_use_after_an_illegal_instruction() {
    dies_by(Signal::ILL, "engine_illegal_instruction", "Build Verst on this machine");
}

#[test]
fn process_stops_a_recording_whose_engine_is_starved_of_memory_each_time() {
    // Enough to start and to plan, too little for the model's buffers.
    let place =
        Place::with_settings("pause_base_s = 0\nfailures = 2\nengine_memory_bytes = 285000000\n");
    let (exit, text, lines) = place.start(&["transcribe", &sample("server-ru.ogg")]).end();
    let view = place.view();
    assert_eq!((exit, text.as_str()), (Some(1), ""), "{lines:?}");
    let stop = view.work.stop.expect("it is stopped, not tried for ever");
    assert!(stop.failure.code.starts_with("engine_"), "{stop:?}");
    assert_eq!(
        count(&lines, &["\"level\":\"ERROR\"", "work stopped", "\"reason\":\"failures\""]),
        1
    );

    // With memory, naming it again is asking for another try.
    place.set("pause_base_s = 1\n");
    let (exit, text, _) = place.start(&["transcribe", &sample("server-ru.ogg")]).end();
    assert_eq!(exit, Some(0));
    assert!(text.contains("Сегодня"), "{text}");
}
