//! A recogniser, its server, and a recording; driven as the line drives it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::Notify;
use verst_adapters::ffmpeg::{Ffmpeg, MediaLimits};
use verst_adapters::openai::{OpenAiConfig, OpenAiRecogniser};
use verst_kernel::Supervisor;
use verst_recordings::ports::{
    Begun, Call, Called, Codec, Hearing, Inquiry, Media, Obstacle, Order, Part, Recogniser, Ticket,
    Wish,
};
use verst_recordings::transcript::Transcript;
use verst_testkit::OpenAiServer;

/// 44 seconds.
pub(crate) const SPEECH: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/two-cities-en.ogg");
pub(crate) const KEY: &str = "sk-geheim";

/// Is interrupted when told to.
#[derive(Default)]
pub(crate) struct Link(pub(crate) Notify);

#[async_trait]
impl Supervisor for Link {
    fn interrupted(&self) -> bool {
        false
    }

    async fn interruption(&self) {
        self.0.notified().await;
    }

    fn progress(&self, _fraction: f64) {}
}

pub(crate) struct Bench {
    pub(crate) server: OpenAiServer,
    pub(crate) recogniser: OpenAiRecogniser,
    pub(crate) link: Link,
    pub(crate) wish: Wish,
    pub(crate) audio: PathBuf,
    pub(crate) ticket: Ticket,
    pub(crate) parts: Vec<Part>,
    pub(crate) calls: Vec<Call>,
    pub(crate) dir: tempfile::TempDir,
}

pub(crate) fn config(server: &OpenAiServer) -> OpenAiConfig {
    OpenAiConfig {
        url: server.url(),
        key: KEY.to_owned(),
        model: "whisper-1".to_owned(),
        paid: true,
        max_bytes: 25_000_000,
        longest: None,
        timeout: Duration::from_mins(2),
        scratch: PathBuf::new(),
    }
}

fn ffmpeg() -> Ffmpeg {
    Ffmpeg::new(MediaLimits::default())
}

/// The speech so many times over, as a recogniser outside is given it.
pub(crate) async fn decoded(dir: &Path, times: u32) -> PathBuf {
    let (input, output) = (dir.join("input.ogg"), dir.join("audio.ogg"));
    let looped = Command::new("ffmpeg")
        .args(["-nostdin", "-v", "error", "-y", "-stream_loop", &(times - 1).to_string()])
        .args(["-i", SPEECH, "-c", "copy"])
        .arg(&input)
        .status()
        .unwrap();
    assert!(looped.success());
    let order = Order { input, output: output.clone(), codec: Codec::OggOpus };
    ffmpeg().normalise(&order, &Link::default()).await.unwrap();
    output
}

impl Bench {
    pub(crate) async fn new() -> Self {
        Self::with(Wish::default(), 1, |config| config).await
    }

    pub(crate) async fn with(
        wish: Wish,
        times: u32,
        set: impl FnOnce(OpenAiConfig) -> OpenAiConfig,
    ) -> Self {
        let (server, dir) = (OpenAiServer::start(), tempfile::tempdir().unwrap());
        let audio = decoded(dir.path(), times).await;
        let config = set(OpenAiConfig { scratch: dir.path().to_owned(), ..config(&server) });
        let recogniser = OpenAiRecogniser::new(config, ffmpeg());
        let link = Link::default();
        let begun = recogniser.begin(&audio, &wish, &link).await;
        let Begun::Ticket(ticket) = begun else { panic!("{begun:?}") };
        assert!(server.asked().is_empty(), "nothing is sent to begin with");
        let (parts, calls) = (Vec::new(), Vec::new());
        Self { server, recogniser, link, wish, audio, ticket, parts, calls, dir }
    }

    fn inquiry(&self) -> Inquiry<'_> {
        Inquiry {
            ticket: &self.ticket,
            audio: &self.audio,
            wish: &self.wish,
            parts: &self.parts,
            calls: &self.calls,
        }
    }

    pub(crate) async fn ask(&self) -> Hearing {
        self.recogniser.ask(self.inquiry(), &self.link).await
    }

    pub(crate) async fn next(&self) -> Call {
        match self.ask().await {
            Hearing::Next(call) => call,
            other => panic!("{other:?}"),
        }
    }

    /// The next call, and what becomes of it.
    pub(crate) async fn call(&self) -> Called {
        let call = self.next().await;
        self.recogniser.call(self.inquiry(), call, &self.link).await
    }

    /// Everything, as the line does it: what was certainly not made is asked for again at once.
    pub(crate) async fn hear_out(&mut self) -> Transcript {
        for _ in 0..100 {
            let call = match self.ask().await {
                Hearing::Done(transcript) => return transcript,
                Hearing::Next(call) => call,
                other => panic!("{other:?}"),
            };
            match self.recogniser.call(self.inquiry(), call, &self.link).await {
                Called::Heard(part) => {
                    assert_eq!(part.index, call.index);
                    self.parts.push(part);
                    self.calls.push(call);
                }
                Called::NotMade(Obstacle::Busy { delay: Duration::ZERO }) => {}
                other => panic!("{other:?}"),
            }
        }
        panic!("a hundred calls and no text");
    }
}
