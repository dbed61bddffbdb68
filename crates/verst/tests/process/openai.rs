//! The real binary and a server with OpenAI's interface: what is paid for is counted there.

use std::process::Command;

use verst_kernel::{Failure, StopReason};
use verst_recordings::codes;
use verst_testkit::{Latch, OpenAiServer, Served};

use super::support::{Place, long_recording, sample};

/// Settings that lead to the server.
fn settings(server: &OpenAiServer, more: &str) -> String {
    format!(
        "pause_base_s = 1\nrecogniser = \"openai\"\nopenai_url = \"{}\"\nopenai_key = \"sk-geheim\"\n\
         {more}\n",
        server.url()
    )
}

fn wait_for(server: &OpenAiServer, count: usize) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    runtime.block_on(server.wait_for(count));
}

#[test]
fn process_killed_while_a_part_that_is_paid_for_is_under_way_repeats_none_by_itself() {
    let server = OpenAiServer::start();
    let place = Place::with_settings(&settings(&server, "openai_max_seconds = 60"));
    // Four times 44 seconds: four parts or so.
    let file = long_recording(&place, 4);
    server.order(Served::Hear);
    server.order(Served::Hold(Latch::default()));
    let first = place.start(&["transcribe", &file]);
    wait_for(&server, 2);
    first.kill();

    let (code, _, lines) = place.start(&["transcribe", &file]).end();
    assert_eq!(code, Some(1), "{lines:?}");
    let view = place.view();
    let stop = view.work.stop.expect("nobody knows whether it was charged for");
    assert_eq!(stop.reason, StopReason::Verdict);
    let unknown = Failure::new(codes::UNKNOWN_SUBMISSION);
    assert_eq!(stop.failure, codes::of_part(unknown, 1));
    assert_eq!((server.asked().len(), view.parts), (2, 1), "nothing was sent again");
    let said = lines.iter().any(|line| line.contains("Part 2 was sent to the paid recogniser"));
    assert!(said, "{lines:?}");

    let id = view.work.id.to_string();
    for wrong in [&["lift", &id][..], &["lift", &id, "--keep-waiting"]] {
        let refused = place.run(wrong);
        assert_eq!(refused.status.code(), Some(1));
        let said = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(said.contains("nothing to wait for"), "{said}");
    }
    assert!(place.run(&["lift", &id, "--submit-again"]).status.success());
    let (code, text, lines) = place.start(&["transcribe", &file]).end();
    assert_eq!(code, Some(0), "{lines:?}");
    let asked = server.asked();
    assert!(asked.len() >= 5, "{}", asked.len());
    assert!(asked[1].bytes == asked[2].bytes, "that part is sent again");
    let others = asked.iter().filter(|it| it.bytes != asked[1].bytes).count();
    assert_eq!(others, asked.len() - 2, "and no other is");
    // The third was the second's audio again.
    let heard: Vec<usize> = (1..=asked.len()).filter(|nth| *nth != 3).collect();
    let found = heard.iter().map(|nth| text.matches(&OpenAiServer::text(*nth)).count());
    assert!(found.eq(heard.iter().map(|_| 1)), "{text}");
    let all = lines.join("\n");
    assert!(!all.contains("geheim") && !all.contains("heard number"), "a key or a text is logged");
}

#[test]
fn process_ended_in_order_waits_for_the_answer_that_was_paid_for() {
    let server = OpenAiServer::start();
    let place = Place::with_settings(&settings(&server, ""));
    let latch = Latch::default();
    server.order(Served::Hold(latch.clone()));
    let running = place.serve();
    assert!(place.run(&["submit", &sample("server-ru.ogg")]).status.success());
    wait_for(&server, 1);
    running.signal(rustix::process::Signal::TERM);
    latch.open();
    let (code, _, lines) = running.end();
    assert_eq!(code, Some(0), "{lines:?}");
    let view = place.view();
    assert_eq!((view.work.stop, view.parts), (None, 1), "the answer is kept");
    let (code, text, _) = place.start(&["transcribe"]).end();
    assert_eq!((code, server.asked().len()), (Some(0), 1));
    assert!(text.contains(&OpenAiServer::text(1)), "{text}");
}

#[test]
fn process_free_server_is_simply_asked_again() {
    let server = OpenAiServer::start();
    let place = Place::with_settings(&settings(&server, "openai_paid = false"));
    server.order(Served::CutAfterBody);
    let (code, text, lines) = place.start(&["transcribe", &sample("server-ru.ogg")]).end();
    assert_eq!(code, Some(0), "{lines:?}");
    assert!(text.contains(&OpenAiServer::text(1)), "{text}");
    assert_eq!(server.asked().len(), 2);
}

#[test]
fn process_large_recording_is_sent_in_parts_below_the_limit() {
    const SIZE: u64 = 64_000_000;
    const LIMIT: usize = 3_000_000;
    let server = OpenAiServer::start();
    let place = Place::with_settings(&settings(&server, &format!("openai_max_bytes = {LIMIT}")));
    let file = place.path().join("large.wav");
    let made = Command::new("ffmpeg")
        .args(["-nostdin", "-v", "error", "-stream_loop", "60", "-i"])
        .arg(sample("two-cities-en.ogg"))
        .args(["-ac", "1", "-ar", "16000", "-fs", &SIZE.to_string()])
        .arg(&file)
        .status()
        .unwrap();
    assert!(made.success() && std::fs::metadata(&file).unwrap().len() > SIZE - 100_000);
    let (code, text, lines) = place.start(&["transcribe", file.to_str().unwrap()]).end();
    assert_eq!(code, Some(0), "{lines:?}");
    let asked = server.asked();
    assert!((3..=6).contains(&asked.len()), "{}", asked.len());
    assert!(asked.iter().all(|it| it.bytes.len() < LIMIT / 25 * 24));
    for nth in 1..=asked.len() {
        assert_eq!(text.matches(&OpenAiServer::text(nth)).count(), 1, "{text}");
    }
}

#[test]
fn process_doctor_asks_the_server_and_transcribes_nothing() {
    let server = OpenAiServer::start();
    let place = Place::with_settings(&settings(&server, ""));
    let told = place.run(&["doctor"]);
    let told = String::from_utf8_lossy(&told.stdout).into_owned();
    assert!(told.contains("Recognition server: ok — whisper-1"), "{told}");
    assert!(!told.contains("geheim") && server.asked().is_empty(), "{told}");
}
