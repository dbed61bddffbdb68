//! What is sent, and the forms of answers.

use verst_recordings::ports::{Called, Recogniser, Wish};
use verst_testkit::{OpenAiServer, Served};

use super::bench::{Bench, KEY};

#[tokio::test]
async fn a_recording_is_sent_whole_and_nameless() {
    let mut bench = Bench::new().await;
    let text = bench.hear_out().await;
    assert_eq!((text.language.as_deref(), text.model.as_str()), (Some("en"), "whisper-1"));
    let heard: Vec<_> =
        text.segments.iter().map(|s| (s.start_ms, s.end_ms, s.text.as_str())).collect();
    assert_eq!(heard, [(500, 1500, OpenAiServer::text(1).as_str())]);

    let asked = bench.server.asked();
    assert_eq!(asked.len(), 1);
    assert!(asked[0].line.starts_with("POST /v1/audio/transcriptions HTTP/1.1"));
    assert_eq!(asked[0].headers["authorization"], format!("Bearer {KEY}"));
    let fields: Vec<_> =
        asked[0].fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    assert_eq!(fields, [("model", "whisper-1"), ("response_format", "verbose_json")]);
    assert_eq!(asked[0].file, Some(("audio.ogg".to_owned(), "audio/ogg".to_owned())));
    assert!(asked[0].bytes == std::fs::read(&bench.audio).unwrap(), "the file as it is");
    assert!(!bench.ticket.0.contains(KEY) && !bench.ticket.0.contains("127.0.0.1"));
}

#[tokio::test]
async fn wishes_are_passed_on_and_no_key_is_none() {
    let wish = Wish { language: Some("ru".to_owned()), model: Some("large".to_owned()) };
    let set = |config| verst_adapters::openai::OpenAiConfig { key: String::new(), ..config };
    let mut bench = Bench::with(wish, 1, set).await;
    let text = bench.hear_out().await;
    assert_eq!((text.language.as_deref(), text.model.as_str()), (Some("ru"), "large"));
    let asked = bench.server.asked().remove(0);
    assert_eq!(
        (asked.fields["language"].as_str(), asked.fields["model"].as_str()),
        ("ru", "large")
    );
    assert!(!asked.headers.contains_key("authorization"));
}

#[tokio::test]
async fn a_model_without_times_is_asked_for_plain_json_and_that_is_remembered() {
    let mut bench = Bench::new().await;
    let message = "response_format 'verbose_json' is not compatible with this model";
    bench.server.order(Served::error(400, "unsupported_value", "response_format", message));
    let text = bench.hear_out().await;
    // Nobody said when; so it stands for all of it.
    assert_eq!(text.segments.len(), 1);
    assert_eq!((text.segments[0].start_ms, text.segments[0].end_ms / 1000), (0, 44));
    (bench.parts, bench.calls) = (Vec::new(), Vec::new());
    bench.hear_out().await;
    let formats: Vec<_> =
        bench.server.asked().iter().map(|asked| asked.fields["response_format"].clone()).collect();
    assert_eq!(formats, ["verbose_json", "json", "json"]);

    let wish = Wish { model: Some("gpt-4o-transcribe-diarize".to_owned()), ..Wish::default() };
    let mut known = Bench::with(wish, 1, |config| config).await;
    known.hear_out().await;
    let asked = known.server.asked().remove(0);
    assert_eq!(asked.fields["response_format"], "json");
    assert_eq!(asked.fields["chunking_strategy"], "auto");
}

#[tokio::test]
async fn other_forms_are_understood() {
    for (kind, body, expected) in [
        ("text/plain", "Plain words.", "Plain words."),
        ("application/json; charset=utf-8", r#"{"text":"Only text"}"#, "Only text"),
        ("application/octet-stream", r#"{"segments":[{"text":"a"},{"text":"b"}]}"#, "a b"),
        ("application/json", r#"{"text":"","segments":[]}"#, ""),
    ] {
        let mut bench = Bench::new().await;
        bench.server.order(Served::Say(200, kind, body.to_owned()));
        assert_eq!(bench.hear_out().await.text(), expected, "{kind}");
    }
}

#[tokio::test]
async fn a_check_asks_for_models_and_transcribes_nothing() {
    let bench = Bench::new().await;
    let told = bench.recogniser.check(&Wish::default()).await.unwrap();
    assert!(told.starts_with("whisper-1, http://127.0.0.1:") && !told.contains(KEY), "{told}");
    assert!(bench.server.asked().is_empty());
}

#[tokio::test]
async fn what_comes_back_and_is_no_transcription_may_have_been_paid_for() {
    for (status, body) in [(200, "{}"), (200, "{\"text\":"), (204, ""), (201, "[1]")] {
        let bench = Bench::new().await;
        bench.server.order(Served::Say(status, "application/json", body.to_owned()));
        let called = bench.call().await;
        assert!(matches!(called, Called::Unknown(_)), "{body}: {called:?}");
    }
}
