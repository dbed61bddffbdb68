//! A server of models on a free port of this machine, which answers as Hugging Face does: a
//! redirection that names hash and size, and behind it the bytes, in ranges. It can be told to cut a
//! connection, to hold it, or to answer with an error.

use std::collections::{BTreeMap, VecDeque};
use std::convert::Infallible;
use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use bytes::Bytes;
use futures::{StreamExt, stream};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, StreamBody};
use hyper::body::{Frame, Incoming};
use hyper::header::{CONTENT_LENGTH, CONTENT_RANGE, ETAG, HeaderMap, IF_RANGE, LOCATION, RANGE};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use sha2::{Digest, Sha256};
use tokio::sync::{Notify, watch};
use tokio::task::JoinSet;

/// Where the bytes lie behind the redirection.
const BYTES: &str = "/bytes";

/// How much is sent at once.
const CHUNK: usize = 16 * 1024;

/// What happens to the next request for a file's bytes instead of a good answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trick {
    /// The connection breaks after so many bytes.
    Cut(usize),
    /// After so many bytes nothing comes until [`Mirror::release`].
    Hold(usize),
    /// This status and no bytes.
    Status(u16),
    /// All of it, whatever part was asked for.
    Whole,
}

/// A file as it is offered.
#[derive(Clone, Debug)]
pub struct Offer {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// What the redirection says of its hash; `None` to answer without a redirection, as a plain
    /// file server does.
    pub linked_sha256: Option<String>,
    /// The version that ranges are asked of.
    pub version: String,
}

impl Offer {
    /// An honest one.
    pub fn of(bytes: Vec<u8>) -> Self {
        let sha256 = sha256(&bytes);
        Self { bytes, version: format!("\"{sha256}\""), linked_sha256: Some(sha256) }
    }
}

/// A request for bytes that came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// What part of the file.
    pub range: Option<String>,
    /// On condition of which version.
    pub if_range: Option<String>,
}

#[derive(Debug, Default)]
struct Shelf {
    offers: BTreeMap<String, Offer>,
    tricks: VecDeque<Trick>,
    seen: Vec<Seen>,
    loops: bool,
}

/// The server, gone with the value.
#[derive(Debug)]
pub struct Mirror {
    address: SocketAddr,
    shelf: Arc<Mutex<Shelf>>,
    held: watch::Sender<bool>,
    stop: Arc<Notify>,
    thread: Option<JoinHandle<()>>,
}

impl Mirror {
    /// Starts one that has nothing yet.
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (shelf, stop) = (Arc::<Mutex<Shelf>>::default(), Arc::new(Notify::new()));
        let held = watch::Sender::new(true);
        let world = (Arc::clone(&shelf), held.clone(), Arc::clone(&stop));
        let thread =
            Some(std::thread::spawn(move || serve(listener, &world.0, &world.1, &world.2)));
        Self { address, shelf, held, stop, thread }
    }

    /// Its address, for the setting.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Offers a file under a path without a slash before it.
    pub fn offer(&self, path: &str, offer: Offer) {
        self.shelf.lock().unwrap().offers.insert(format!("/{path}"), offer);
    }

    /// What happens to the next requests for bytes, one after the other.
    pub fn play(&self, tricks: &[Trick]) {
        self.shelf.lock().unwrap().tricks.extend(tricks);
    }

    /// Redirects everything to itself for ever.
    pub fn redirect_for_ever(&self) {
        self.shelf.lock().unwrap().loops = true;
    }

    /// Lets go of what is held.
    pub fn release(&self) {
        self.held.send_replace(false);
    }

    /// The requests for bytes so far.
    pub fn seen(&self) -> Vec<Seen> {
        self.shelf.lock().unwrap().seen.clone()
    }
}

impl Drop for Mirror {
    fn drop(&mut self) {
        self.release();
        self.stop.notify_one();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The SHA-256 of some bytes in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    base16ct::lower::encode_string(&Sha256::digest(bytes))
}

type Body = BoxBody<Bytes, std::io::Error>;

fn serve(
    listener: TcpListener,
    shelf: &Arc<Mutex<Shelf>>,
    held: &watch::Sender<bool>,
    stop: &Notify,
) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        listener.set_nonblocking(true).unwrap();
        let listener = tokio::net::TcpListener::from_std(listener).unwrap();
        let mut connections = JoinSet::new();
        loop {
            let socket = tokio::select! {
                () = stop.notified() => break,
                accepted = listener.accept() => accepted.unwrap().0,
            };
            let (shelf, held) = (Arc::clone(shelf), held.clone());
            connections.spawn(async move {
                let answering = service_fn(|request: Request<Incoming>| {
                    let response = answer(&shelf, &held, &request);
                    async move { Ok::<_, Infallible>(response) }
                });
                let _ =
                    http1::Builder::new().serve_connection(TokioIo::new(socket), answering).await;
            });
        }
    });
}

fn answer(
    shelf: &Mutex<Shelf>,
    held: &watch::Sender<bool>,
    request: &Request<Incoming>,
) -> Response<Body> {
    let mut shelf = shelf.lock().unwrap();
    let path = request.uri().path();
    if shelf.loops {
        return Response::builder().status(302).header(LOCATION, path).body(empty()).unwrap();
    }
    let behind = path.strip_prefix(BYTES);
    let Some(offer) = shelf.offers.get(behind.unwrap_or(path)).cloned() else {
        return bare(StatusCode::NOT_FOUND);
    };
    if let (None, Some(sha256)) = (behind, &offer.linked_sha256) {
        return Response::builder()
            .status(StatusCode::FOUND)
            .header("X-Linked-Etag", format!("\"{sha256}\""))
            .header("X-Linked-Size", offer.bytes.len())
            .header(LOCATION, format!("{BYTES}{path}"))
            .body(empty())
            .unwrap();
    }
    let text = |name| request.headers().get(name).and_then(|v| v.to_str().ok()).map(str::to_owned);
    shelf.seen.push(Seen { range: text(RANGE), if_range: text(IF_RANGE) });
    let trick = shelf.tricks.pop_front();
    if let Some(Trick::Status(status)) = trick {
        return bare(StatusCode::from_u16(status).unwrap());
    }
    send(&offer, trick, request.headers(), held)
}

/// The bytes that were asked for, as far as the trick lets them.
fn send(
    offer: &Offer,
    trick: Option<Trick>,
    headers: &HeaderMap,
    held: &watch::Sender<bool>,
) -> Response<Body> {
    let all = offer.bytes.len();
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let from = text(RANGE).and_then(|r| r.strip_prefix("bytes=")?.strip_suffix('-')?.parse().ok());
    let same = text(IF_RANGE).is_none_or(|version| version == offer.version);
    let from = from.filter(|_| same && trick != Some(Trick::Whole));
    if from.is_some_and(|from: usize| from >= all) {
        return bare(StatusCode::RANGE_NOT_SATISFIABLE);
    }
    let mut response = Response::builder().header(ETAG, &offer.version);
    if let Some(from) = from {
        let range = format!("bytes {from}-{}/{all}", all - 1);
        response = response.status(StatusCode::PARTIAL_CONTENT).header(CONTENT_RANGE, range);
    }
    let bytes = offer.bytes[from.unwrap_or(0)..].to_vec();
    let response = response.header(CONTENT_LENGTH, bytes.len());
    let (first, then) = match trick {
        Some(Trick::Cut(after) | Trick::Hold(after)) => bytes.split_at(after.min(bytes.len())),
        _ => bytes.split_at(bytes.len()),
    };
    let frames = |bytes: &[u8]| -> Vec<Result<Frame<Bytes>, std::io::Error>> {
        bytes.chunks(CHUNK).map(|chunk| Ok(Frame::data(Bytes::copy_from_slice(chunk)))).collect()
    };
    let mut held = held.subscribe();
    let rest = match trick {
        Some(Trick::Cut(_)) => vec![Err(std::io::Error::other("cut"))],
        _ => frames(then),
    };
    let waiting = matches!(trick, Some(Trick::Hold(_)));
    let rest = stream::once(async move {
        if waiting {
            let _ = held.wait_for(|held| !held).await;
        }
        stream::iter(rest)
    });
    let body = stream::iter(frames(first)).chain(rest.flatten());
    response.body(BodyExt::boxed(StreamBody::new(body))).unwrap()
}

fn bare(status: StatusCode) -> Response<Body> {
    Response::builder().status(status).body(empty()).unwrap()
}

fn empty() -> Body {
    BodyExt::boxed(StreamBody::new(stream::empty()))
}
