//! A site: a world with the interface in front of it.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use futures::StreamExt;
use reqwest::multipart::{Form, Part};
use reqwest::{Client, Method, RequestBuilder, Response, StatusCode};
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use verst_service::{
    Failure, Fetch, FetchError, Fetched, Finding, Health, Models, Service, Small, WorkId,
};
use verst_testkit::torrents::Torrent;
use verst_testkit::{Backend, ScriptedProvider, Setup, World, tone};
use verst_web::{Config, House, Typed};

use crate::dock::Dock;

/// Longer than anything here takes on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_mins(2);

/// Runs a story to its end; one that hangs has failed.
pub(crate) async fn in_time(story: impl Future<Output = ()>) {
    verst_testkit::in_time(PATIENCE, story).await;
}

/// Waits until something is so.
pub(crate) async fn until<F: Future<Output = bool>>(so: impl Fn() -> F) {
    let come = async {
        while !so().await {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(PATIENCE, come).await.expect("it becomes so");
}

/// A site.
pub(crate) struct Site {
    pub(crate) world: World,
    pub(crate) at: SocketAddr,
    pub(crate) client: Client,
    /// A token that sees everything.
    pub(crate) token: String,
    pub(crate) well: Arc<AtomicBool>,
    /// Where torrents are, if there is a client.
    pub(crate) dock: Option<Dock>,
    served: JoinHandle<()>,
}

struct Shelf;

#[async_trait]
impl Models for Shelf {
    async fn installed(&self) -> Vec<String> {
        vec!["base.bin".to_owned()]
    }
}

struct Switch(Arc<AtomicBool>);

#[async_trait]
impl Health for Switch {
    async fn examine(&self) -> Vec<Finding> {
        let trouble = (!self.0.load(Ordering::SeqCst)).then(|| Failure::new("disk_full"));
        vec![Finding { part: "database", trouble: None }, Finding { part: "disk", trouble }]
    }
}

/// Gives a second of sound for one address and refuses the rest.
struct Courier;

#[async_trait]
impl Fetch for Courier {
    async fn fetch(&self, url: &str) -> Result<Fetched, FetchError> {
        match url {
            "https://example.org/talk" => Ok(Fetched {
                name: Some("talk.wav".to_owned()),
                length: None,
                bytes: futures::stream::iter([Ok(Bytes::from(tone(1)))]).boxed(),
            }),
            "https://example.org/broken" => {
                let broken = Err(std::io::Error::other("the connection broke"));
                let bytes = futures::stream::iter([Ok(Bytes::from(tone(1))), broken]).boxed();
                Ok(Fetched { name: None, length: None, bytes })
            }
            "https://example.org/large" => Err(FetchError::TooLarge { limit_bytes: 5 }),
            "https://example.org/nowhere" => Err(FetchError::Unreachable),
            url if url.starts_with("http") => Err(FetchError::NotAllowed),
            _ => Err(FetchError::Scheme),
        }
    }

    async fn fetch_small(&self, url: &str, _: usize) -> Result<Small, FetchError> {
        let file =
            |kind: &str, bytes| Ok(Small::File { kind: Some(kind.to_owned()), bytes, whole: true });
        match url {
            "https://example.org/talk" => file("audio/wav", tone(1)),
            "https://example.org/film" => file("text/html", Torrent::sample("fetched.mkv").bytes),
            "https://example.org/large" => Err(FetchError::TooLarge { limit_bytes: 5 }),
            "https://example.org/nowhere" => Err(FetchError::Unreachable),
            _ => Err(FetchError::NotAllowed),
        }
    }
}

/// What a site is made of.
pub(crate) struct Plan<'a> {
    pub(crate) setup: Setup,
    pub(crate) typed: Typed<'a>,
    pub(crate) largest_bytes: u64,
    pub(crate) change: fn(&mut Service),
    /// Whether there is a torrent client.
    pub(crate) dock: bool,
}

impl Default for Plan<'_> {
    fn default() -> Self {
        let typed = Typed {
            connections: 100,
            idle: Duration::from_mins(1),
            grace: Duration::from_secs(10),
            ..Typed::default()
        };
        Self { setup: Setup::default(), typed, largest_bytes: 1 << 30, change: |_| {}, dock: false }
    }
}

impl Site {
    pub(crate) async fn new(backend: Backend) -> Self {
        Self::with(backend, Plan::default()).await
    }

    pub(crate) async fn with(backend: Backend, plan: Plan<'_>) -> Self {
        // The client wants to know which one, also where nothing is encrypted.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut world = World::new(backend, plan.setup);
        let service = Arc::get_mut(&mut world.service).expect("nobody else has it yet");
        service.largest_bytes = plan.largest_bytes;
        (plan.change)(service);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let at = listener.local_addr().unwrap();
        let config = Config::new(&plan.typed, at).unwrap();
        let (_, token) = world.service.add_token("me", None, None).await.unwrap();
        let well = Arc::new(AtomicBool::new(true));
        let dock = if plan.dock { Some(Dock::beside(&world).await) } else { None };
        let downloads = dock.as_ref().map(|dock| dock.harbour.service(Arc::new(Courier)));
        let house = House {
            service: world.service.clone(),
            downloads,
            models: Arc::new(Shelf),
            health: Arc::new(Switch(well.clone())),
            fetch: Arc::new(Courier),
            metrics: verst_web::counting(),
        };
        let served = verst_web::serve(house, config, listener, world.shutdown.clone());
        let served = tokio::spawn(served);
        Self { world, at, client: Client::new(), token, well, dock, served }
    }

    /// A site whose recordings get a text.
    pub(crate) async fn hearing(backend: Backend) -> Self {
        let provider: Arc<ScriptedProvider> = Arc::new(ScriptedProvider::new(0));
        let setup = Setup { recognisers: vec![provider], ..Setup::default() };
        Self::with(backend, Plan { setup, ..Plan::default() }).await
    }

    /// Another token, which sees only what belongs to this owner.
    pub(crate) async fn token_of(&self, owner: &str) -> String {
        self.world.service.add_token(owner, Some(owner), None).await.unwrap().1
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.at)
    }

    /// A request without a token.
    pub(crate) fn bare(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, self.url(path))
    }

    pub(crate) fn get(&self, path: &str) -> RequestBuilder {
        self.bare(Method::GET, path).bearer_auth(&self.token)
    }

    pub(crate) fn post(&self, path: &str) -> RequestBuilder {
        self.bare(Method::POST, path).bearer_auth(&self.token)
    }

    /// A second of sound, in a form.
    pub(crate) fn form() -> Form {
        Form::new().part("file", Part::bytes(tone(1)).file_name(World::NAME))
    }

    /// Hands in a second of sound.
    pub(crate) async fn upload(&self) -> WorkId {
        let answer = self.post("/api/v1/recordings").multipart(Self::form()).send().await.unwrap();
        let body = json(answer, 201).await;
        WorkId(body["id"].as_i64().unwrap())
    }

    /// Hands it in and carries it to its end.
    pub(crate) async fn finished(&self) -> WorkId {
        let id = self.upload().await;
        self.world.reach(id, "done").await;
        id
    }

    /// Files that hold audio, whole or in the making.
    pub(crate) fn objects(&self) -> Vec<PathBuf> {
        let mut found = Vec::new();
        let mut left = vec![self.world.dir.path().join("objects")];
        while let Some(dir) = left.pop() {
            for entry in std::fs::read_dir(dir).unwrap().map(Result::unwrap) {
                let path = entry.path();
                if path.is_dir() {
                    left.push(path);
                } else if path.file_name().is_some_and(|name| name != "home") {
                    found.push(path);
                }
            }
        }
        found
    }

    /// How many recordings there are.
    pub(crate) async fn count(&self) -> usize {
        let body = json(self.get("/api/v1/recordings").send().await.unwrap(), 200).await;
        body["recordings"].as_array().unwrap().len()
    }

    /// Ends the service and waits for it.
    pub(crate) async fn end(self) -> World {
        self.world.shutdown.cancel();
        self.served.await.unwrap();
        self.world
    }
}

/// The body of an answer with this status.
#[track_caller]
pub(crate) fn json(answer: Response, status: u16) -> impl Future<Output = Value> {
    let place = std::panic::Location::caller();
    async move {
        let found = answer.status();
        let text = answer.text().await.unwrap();
        assert_eq!(found, StatusCode::from_u16(status).unwrap(), "{place}: {text}");
        serde_json::from_str(&text).unwrap_or_else(|_| panic!("{place}: no JSON: {text}"))
    }
}

/// The code of a problem with this status.
#[track_caller]
pub(crate) fn problem(answer: Response, status: u16) -> impl Future<Output = String> {
    let kind = answer.headers().get("content-type").cloned();
    let body = json(answer, status);
    async move {
        let body = body.await;
        assert_eq!(kind.unwrap(), "application/problem+json", "{body}");
        for field in ["title", "detail"] {
            assert!(body[field].as_str().is_some_and(|text| !text.is_empty()), "{body}");
        }
        assert_eq!(body["status"], status, "{body}");
        body["code"].as_str().unwrap().to_owned()
    }
}
