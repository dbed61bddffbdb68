//! One conformance suite for recognisers, run on the embedded engine through the real binary and
//! on the scripted provider, so that the script promises nothing a real one would not keep.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use async_trait::async_trait;
use verst_adapters::confine::{Confinement, Mode};
use verst_adapters::engine::{EmbeddedRecogniser, EngineConfig, ModelsConfig};
use verst_adapters::ffmpeg::{Ffmpeg, MediaLimits};
use verst_adapters::openai::{OpenAiConfig, OpenAiRecogniser};
use verst_kernel::Supervisor;
use verst_recordings::ports::{
    Begun, Call, Called, Hearing, Inquiry, Obstacle, Part, Recogniser, Ticket, Wish,
};
use verst_recordings::transcript::Transcript;
use verst_testkit::{OpenAiServer, ScriptedCaller, ScriptedProvider};

use super::support::{models, sample};

struct Calm;

#[async_trait]
impl Supervisor for Calm {
    fn interrupted(&self) -> bool {
        false
    }
    async fn interruption(&self) {
        std::future::pending::<()>().await;
    }
    fn progress(&self, _fraction: f64) {}
}

struct Impatient;

#[async_trait]
impl Supervisor for Impatient {
    fn interrupted(&self) -> bool {
        true
    }
    async fn interruption(&self) {}
    fn progress(&self, _fraction: f64) {}
}

/// Asks until the text is there. Parts come in order, progress never falls.
async fn hear_out(recogniser: &dyn Recogniser, ticket: &Ticket, audio: &Path) -> Transcript {
    let wish = Wish::default();
    let mut parts: Vec<Part> = Vec::new();
    let mut calls: Vec<Call> = Vec::new();
    let mut reached = 0.0;
    for _ in 0..100 {
        let inquiry = Inquiry { ticket, audio, wish: &wish, parts: &parts, calls: &calls };
        match recogniser.ask(inquiry, &Calm).await {
            Hearing::Running { progress, part, .. } => {
                let now = progress.unwrap_or(reached);
                assert!((reached..=1.0).contains(&now), "progress fell from {reached} to {now}");
                reached = now;
                if let Some(part) = part {
                    assert_eq!(part.index as usize, parts.len(), "parts come in order");
                    parts.push(part);
                }
            }
            Hearing::Next(call) => {
                assert!(call.from_ms < call.until_ms, "{call:?}");
                let called = recogniser.call(inquiry, call, &Calm).await;
                let Called::Heard(part) = called else { panic!("{called:?}") };
                assert_eq!((part.index, part.index as usize), (call.index, parts.len()));
                parts.push(part);
                calls.push(call);
            }
            Hearing::Done(transcript) | Hearing::Marred { transcript, .. } => return transcript,
            Hearing::Obstacle(Obstacle::Busy { .. }) => {}
            Hearing::Obstacle(other) => panic!("{other:?}"),
        }
    }
    panic!("a hundred polls and no text");
}

async fn conforms(recogniser: &dyn Recogniser, audio: &Path) {
    let profile = recogniser.profile();
    assert_eq!(recogniser.profile(), profile, "a profile does not change");
    recogniser.check(&Wish::default()).await.expect("it could serve");

    let begun = recogniser.begin(audio, &Wish::default(), &Calm).await;
    let Begun::Ticket(ticket) = begun else { panic!("{begun:?}") };
    let text = hear_out(recogniser, &ticket, audio).await;
    assert!(!text.segments.is_empty() && !text.model.is_empty());
    let mut before = 0;
    for segment in &text.segments {
        assert!(before <= segment.start_ms && segment.start_ms <= segment.end_ms, "{segment:?}");
        assert_eq!(segment.text.trim(), segment.text);
        before = segment.start_ms;
    }
    // A crash between the answer and its writing asks the same again.
    assert_eq!(hear_out(recogniser, &ticket, audio).await, text, "the same ticket, the same text");

    let stranger = Ticket("no such ticket".into());
    let (wish, parts) = (Wish::default(), Vec::new());
    let inquiry = Inquiry { ticket: &stranger, audio, wish: &wish, parts: &parts, calls: &[] };
    let answer = recogniser.ask(inquiry, &Calm).await;
    assert!(matches!(answer, Hearing::Obstacle(Obstacle::Refused(_))), "{answer:?}");

    recogniser.forget(&ticket).await;
    recogniser.forget(&ticket).await;
}

#[tokio::test]
async fn process_scripted_provider_conforms() {
    let audio = sample("two-cities-en.ogg");
    conforms(&ScriptedProvider::new(3), Path::new(&audio)).await;
}

#[tokio::test]
async fn process_scripted_caller_conforms() {
    let audio = sample("two-cities-en.ogg");
    conforms(&ScriptedCaller::new(3), Path::new(&audio)).await;
}

#[tokio::test]
async fn process_server_with_the_interface_of_openai_conforms() {
    let (server, dir) = (OpenAiServer::start(), tempfile::tempdir().unwrap());
    let config = OpenAiConfig {
        url: server.url(),
        key: "key".to_owned(),
        model: "whisper-1".to_owned(),
        paid: true,
        max_bytes: 25_000_000,
        longest: Some(Duration::from_secs(20)),
        timeout: Duration::from_mins(2),
        scratch: dir.path().to_owned(),
    };
    let recogniser =
        OpenAiRecogniser::new(config, Ffmpeg::new(MediaLimits::default(), Confinement::none()));
    conforms(&recogniser, Path::new(&sample("two-cities-en.ogg"))).await;
}

#[tokio::test]
async fn process_embedded_engine_conforms_and_ends_when_interrupted() {
    let dir = tempfile::tempdir().unwrap();
    let audio = dir.path().join("audio.s16");
    let made = Command::new("ffmpeg")
        .args(["-nostdin", "-v", "error", "-i", &sample("two-cities-en.ogg")])
        .args(["-ac", "1", "-ar", "16000", "-f", "s16le"])
        .arg(&audio)
        .status()
        .unwrap();
    assert!(made.success());
    let engine = EmbeddedRecogniser::new(EngineConfig {
        command: env!("CARGO_BIN_EXE_verst").into(),
        args: vec!["engine".into()],
        models: ModelsConfig {
            directories: vec![models()],
            model: "whisper-base-q8_0.gguf".to_owned(),
            ..ModelsConfig::default()
        },
        audio: vec![dir.path().to_owned()],
        vad: models().join("ggml-silero-v6.2.0.bin"),
        vad_sha256: None,
        threads: 2,
        idle: Duration::from_mins(1),
        answer_timeout: Duration::from_mins(2),
        memory_limit_bytes: None,
        confinement: Confinement::by(env!("CARGO_BIN_EXE_verst"), Mode::Required),
    });
    conforms(&engine, &audio).await;

    let wish = Wish::default();
    let answer = engine.begin(&audio, &wish, &Impatient);
    let answer = tokio::time::timeout(Duration::from_secs(1), answer).await;
    let answer = answer.expect("an interruption ends it within a second");
    assert!(matches!(answer, Begun::NotBegun(Obstacle::Failed(_))), "{answer:?}");
}
