//! Recordings that are more than a server takes at once.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use verst_adapters::openai::OpenAiConfig;
use verst_recordings::ports::{Begun, Called, Hearing, Obstacle, Recogniser, Wish};
use verst_testkit::{Asked, OpenAiServer, Served};

use super::bench::Bench;

/// Length of what was sent, in seconds, by decoding it.
fn seconds(dir: &Path, asked: &Asked) -> f64 {
    let file = dir.join("sent.ogg");
    std::fs::write(&file, &asked.bytes).unwrap();
    let samples = Command::new("ffmpeg")
        .args(["-nostdin", "-v", "error", "-i"])
        .arg(&file)
        .args(["-f", "s16le", "-ar", "16000", "-ac", "1", "-"])
        .output()
        .unwrap();
    assert!(samples.status.success());
    f64::from(u32::try_from(samples.stdout.len()).unwrap()) / 32_000.0
}

fn a_minute(config: OpenAiConfig) -> OpenAiConfig {
    OpenAiConfig { longest: Some(Duration::from_mins(1)), ..config }
}

#[tokio::test]
async fn a_long_recording_is_cut_in_pauses_and_its_times_are_those_of_the_whole() {
    // Four times 44 seconds.
    let mut bench = Bench::with(Wish::default(), 4, a_minute).await;
    let text = bench.hear_out().await;
    let asked = bench.server.asked();
    assert!((3..=5).contains(&asked.len()), "{}", asked.len());
    let mut heard_ms = 0;
    for (n, (call, asked)) in bench.calls.iter().zip(&asked).enumerate() {
        assert_eq!(call.from_ms, heard_ms, "in a pause nothing is heard twice");
        let length = Duration::from_millis(call.until_ms - call.from_ms);
        assert!(length <= Duration::from_mins(1));
        let sent = seconds(bench.dir.path(), asked);
        assert!((sent - length.as_secs_f64()).abs() < 0.1, "{sent} of {length:?}");
        let segment = &text.segments[n];
        assert_eq!(segment.start_ms, call.from_ms + 500);
        assert_eq!(segment.text, OpenAiServer::text(n + 1));
        // The language that was heard first goes for the rest.
        assert_eq!(asked.fields.get("language").map(String::as_str), (n > 0).then_some("en"));
        heard_ms = call.until_ms;
    }
    assert!((heard_ms / 1000).abs_diff(177) <= 1, "{heard_ms}");
    let left = std::fs::read_dir(bench.dir.path()).unwrap().flatten();
    let pieces = left.filter(|it| it.file_name().to_string_lossy().starts_with("piece-"));
    assert_eq!(pieces.count(), 0, "no piece is left behind");
}

#[tokio::test]
async fn what_is_too_much_is_halved_and_that_is_remembered() {
    let mut bench = Bench::with(Wish::default(), 4, |config| config).await;
    bench.server.order(Served::Say(413, "text/html", "<html>413</html>".to_owned()));
    bench.hear_out().await;
    let longest = bench.calls.iter().map(|call| call.until_ms - call.from_ms).max().unwrap();
    assert!(longest <= 177_600 / 2, "{longest}");
    let refused = bench.server.asked().len() - bench.calls.len();
    (bench.parts, bench.calls) = (Vec::new(), Vec::new());
    bench.hear_out().await;
    assert_eq!((refused, bench.server.asked().len()), (1, 1 + 2 * bench.calls.len()));
}

#[tokio::test]
async fn a_server_that_takes_nothing_refuses() {
    let bench = Bench::new().await;
    bench.server.order(Served::Say(413, "", String::new()));
    let called = bench.call().await;
    assert!(matches!(called, Called::NotMade(Obstacle::Refused(_))), "{called:?}");
}

#[tokio::test]
async fn silence_is_not_sent() {
    let mut bench = Bench::new().await;
    let silent = bench.dir.path().join("silent.ogg");
    let made = Command::new("ffmpeg")
        .args(["-nostdin", "-v", "error", "-f", "lavfi", "-i", "anullsrc=r=16000:cl=mono"])
        .args(["-t", "20", "-c:a", "libopus"])
        .arg(&silent)
        .status()
        .unwrap();
    assert!(made.success());
    bench.audio = silent;
    let begun = bench.recogniser.begin(&bench.audio, &bench.wish, &bench.link).await;
    let Begun::Ticket(ticket) = begun else { panic!("{begun:?}") };
    bench.ticket = ticket;
    let hearing = bench.ask().await;
    let Hearing::Done(text) = hearing else { panic!("{hearing:?}") };
    assert!(text.segments.is_empty() && bench.server.asked().is_empty());
}
