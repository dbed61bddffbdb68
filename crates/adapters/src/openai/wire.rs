//! The HTTP client: one request at a time on a connection of its own, nothing followed, nothing
//! repeated, nothing unbounded. The only file here that touches the network.
//!
//! **Invariant:** an error is a definite no only if the last byte of the recording had certainly
//! not been handed to the connection: without it no server can have done anything.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use futures::StreamExt;
use reqwest::header::{CONTENT_TYPE, RETRY_AFTER};
use reqwest::multipart::{Form, Part};
use reqwest::redirect::Policy;
use reqwest::{Body, Client, RequestBuilder, Response};
use tokio::sync::OnceCell;
use tokio_util::io::ReaderStream;
use verst_kernel::Supervisor;

use super::OpenAiConfig;

const CONNECT: Duration = Duration::from_secs(10);
/// For questions that need no computing.
const QUESTION: Duration = Duration::from_secs(15);
/// An hour and a half of speech with all that servers add is a few million bytes.
const ANSWER_BYTES: usize = 32 << 20;
const CHUNK_BYTES: usize = 64 << 10;

/// What came back.
#[derive(Debug)]
pub(super) struct Came {
    pub(super) status: u16,
    pub(super) retry_after: Option<Duration>,
    /// The kind of body: JSON, a page for people, or other.
    pub(super) json: bool,
    pub(super) html: bool,
    pub(super) body: Vec<u8>,
}

/// Why nothing came back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Broken {
    /// Nobody is there, or nobody whom we trust.
    Unreachable,
    /// It broke before everything was sent.
    Unsent,
    /// It was broken off by us before everything was sent.
    Interrupted,
    /// Everything was sent, or may have been.
    Unanswered,
}

/// What is asked.
pub(super) struct Question<'a> {
    pub(super) file: &'a Path,
    pub(super) model: &'a str,
    pub(super) language: Option<&'a str>,
    pub(super) format: &'static str,
}

/// A client for one server.
pub(super) struct Wire {
    base: String,
    key: String,
    timeout: Duration,
    /// Made at the first use: most commands of Verst ask no server.
    client: OnceCell<Client>,
}

impl Wire {
    pub(super) fn new(config: &OpenAiConfig) -> Self {
        Self {
            base: config.url.trim_end_matches('/').to_owned(),
            key: config.key.clone(),
            timeout: config.timeout,
            client: OnceCell::new(),
        }
    }

    async fn client(&self) -> Result<&Client, Broken> {
        self.client.get_or_try_init(|| async { client() }).await.map_err(|error| {
            tracing::debug!(%error, "no HTTP client");
            Broken::Unreachable
        })
    }

    fn signed(&self, request: RequestBuilder) -> RequestBuilder {
        if self.key.is_empty() { request } else { request.bearer_auth(&self.key) }
    }

    /// Sends a recording and reads the answer. Where it costs money, an interruption is heeded only
    /// until everything is sent.
    pub(super) async fn transcribe(
        &self,
        question: Question<'_>,
        paid: bool,
        supervisor: &dyn Supervisor,
    ) -> Result<Came, Broken> {
        let client = self.client().await?;
        let sent = Sent::default();
        let form = form(&question, sent.clone()).await.map_err(|_| Broken::Unsent)?;
        let request = client.post(format!("{}/audio/transcriptions", self.base));
        let request = self.signed(request).timeout(self.timeout).multipart(form);
        let exchange = exchange(request, &sent);
        tokio::pin!(exchange);
        let mut interruption = supervisor.interruption();
        tokio::select! {
            biased;
            came = &mut exchange => return came,
            () = &mut interruption => {}
        }
        if sent.forbid() {
            return Err(Broken::Interrupted);
        }
        if paid { exchange.await } else { Err(Broken::Unanswered) }
    }

    /// Asks which models there are. Costs nothing.
    pub(super) async fn models(&self) -> Result<Came, Broken> {
        let request = self.client().await?.get(format!("{}/models", self.base));
        exchange(self.signed(request).timeout(QUESTION), &Sent::default()).await
    }
}

fn client() -> reqwest::Result<Client> {
    // Only one provider of cryptography is linked; whoever was first has chosen the same.
    let _ = rustls::crypto::ring::default_provider().install_default();
    Client::builder()
        .user_agent(concat!("verst/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(CONNECT)
        // A key must not go to where an answer points, and a recording not be sent twice.
        .redirect(Policy::none())
        .retry(reqwest::retry::never())
        // A connection that was used before may be dead, and a request on it of unknown fate.
        .pool_max_idle_per_host(0)
        .http1_only()
        .build()
}

async fn exchange(request: RequestBuilder, sent: &Sent) -> Result<Came, Broken> {
    let broken = |error: reqwest::Error| {
        // Kinds only: the text of an error has the address in it.
        let (connect, timeout) = (error.is_connect(), error.is_timeout());
        tracing::debug!(connect, timeout, "no answer from the recognition server");
        if connect {
            Broken::Unreachable
        } else if sent.forbid() {
            Broken::Unsent
        } else {
            Broken::Unanswered
        }
    };
    let response = request.send().await.map_err(broken)?;
    let header = |name| response.headers().get(name).and_then(|value| value.to_str().ok());
    let kind = header(CONTENT_TYPE).unwrap_or_default().to_lowercase();
    let retry_after = header(RETRY_AFTER).and_then(|seconds| seconds.trim().parse().ok());
    let came = Came {
        status: response.status().as_u16(),
        retry_after: retry_after.map(Duration::from_secs),
        json: kind.contains("json"),
        html: kind.contains("html"),
        body: Vec::new(),
    };
    // A refusal may come, and the connection close, before the body of the request has gone out.
    let refused = came.status >= 300;
    match read(response).await {
        Ok(body) => Ok(Came { body, ..came }),
        Err(_) if refused => Ok(came),
        Err(error) => Err(error.map_or(Broken::Unanswered, broken)),
    }
}

/// The whole body, if it is of a size that makes sense; `None` for a larger one.
async fn read(mut response: Response) -> Result<Vec<u8>, Option<reqwest::Error>> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(Some)? {
        if body.len() + chunk.len() > ANSWER_BYTES {
            return Err(None);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// The file is the last field: whoever has not got its end has got no request.
async fn form(question: &Question<'_>, sent: Sent) -> std::io::Result<Form> {
    let file = tokio::fs::File::open(question.file).await?;
    let length = file.metadata().await?.len();
    let mut left = length;
    let bytes = ReaderStream::with_capacity(file, CHUNK_BYTES).map(move |chunk| {
        let chunk = chunk?;
        left = left.saturating_sub(u64::try_from(chunk.len()).unwrap_or(u64::MAX));
        if left == 0 && !sent.complete() {
            return Err(std::io::ErrorKind::Interrupted.into());
        }
        Ok::<_, std::io::Error>(chunk)
    });
    // The name says the format and nothing else: what people call their recordings is theirs.
    let part = Part::stream_with_length(Body::wrap_stream(bytes), length).file_name("audio.ogg");
    let part = part.mime_str("audio/ogg").map_err(std::io::Error::other)?;
    let mut form = Form::new()
        .text("model", question.model.to_owned())
        .text("response_format", question.format);
    if let Some(language) = question.language {
        form = form.text("language", language.to_owned());
    }
    if question.model.contains("diarize") {
        // Demanded of models that tell speakers apart, for everything longer than half a minute.
        form = form.text("chunking_strategy", "auto");
    }
    Ok(form.part("file", part))
}

/// Whether the end of a recording was handed to the connection. Decided once, for whoever asks.
#[derive(Clone, Default)]
struct Sent(Arc<AtomicU8>);

impl Sent {
    const OPEN: u8 = 0;
    const COMPLETE: u8 = 1;
    const FORBIDDEN: u8 = 2;

    /// The end goes out now, unless it was forbidden.
    fn complete(&self) -> bool {
        self.become_if_open(Self::COMPLETE) == Self::COMPLETE
    }

    /// The end does not go out any more, unless it has.
    fn forbid(&self) -> bool {
        self.become_if_open(Self::FORBIDDEN) == Self::FORBIDDEN
    }

    fn become_if_open(&self, wanted: u8) -> u8 {
        let (ours, order) = (Self::OPEN, Ordering::SeqCst);
        self.0.compare_exchange(ours, wanted, order, order).map_or_else(|there| there, |_| wanted)
    }
}
