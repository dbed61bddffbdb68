//! A server that speaks OpenAI's `POST /v1/audio/transcriptions` as it is on the wire, by script:
//! every form of answer, every form of error, connections that break at any moment.
//!
//! It counts what it was asked to do, which is what a provider would charge for.

use std::collections::{BTreeMap, VecDeque};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;

use tokio::sync::watch;
use tokio::time::timeout;

use crate::gate::PATIENCE;

/// What becomes of the next request.
#[derive(Clone, Debug)]
pub enum Served {
    /// It is heard, and answered in the form that was asked for.
    Hear,
    /// Status, kind and body, once the request is read.
    Say(u16, &'static str, String),
    /// The same with a header.
    SayWith(u16, (&'static str, String), String),
    /// The connection breaks before the body is read.
    CutBeforeBody,
    /// The connection breaks when everything was read: it was heard, and the answer is lost.
    CutAfterBody,
    /// It is heard, and answered when the latch opens.
    Hold(Latch),
    /// Everything is read, and no answer comes while the client waits.
    Silence,
    /// An answer that does not end.
    Endless,
}

impl Served {
    /// OpenAI's form of an error.
    pub fn error(status: u16, code: &str, param: &str, message: &str) -> Self {
        let text = |it: &str| if it.is_empty() { "null".to_owned() } else { format!("{it:?}") };
        let (param, code) = (text(param), text(code));
        let body = format!(
            r#"{{"error":{{"message":{message:?},"type":"invalid_request_error","param":{param},"code":{code}}}}}"#
        );
        Self::Say(status, "application/json", body)
    }
}

/// What a held answer waits for.
#[derive(Clone, Debug, Default)]
pub struct Latch(Arc<(Mutex<bool>, Condvar)>);

impl Latch {
    /// Lets the answer go.
    pub fn open(&self) {
        *self.0.0.lock().unwrap() = true;
        self.0.1.notify_all();
    }

    fn wait(&self) {
        let shut = self.0.0.lock().unwrap();
        drop(self.0.1.wait_while(shut, |open| !*open).unwrap());
    }
}

/// A request as it was read.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// Method and path.
    pub line: String,
    /// Headers by name in lower case.
    pub headers: BTreeMap<String, String>,
    /// Fields of the form.
    pub fields: BTreeMap<String, String>,
    /// Name and kind of the file.
    pub file: Option<(String, String)>,
    /// The file.
    pub bytes: Vec<u8>,
}

#[derive(Default)]
struct Script {
    replies: Mutex<VecDeque<Served>>,
    asked: watch::Sender<Vec<Asked>>,
}

impl Script {
    fn replies(&self) -> MutexGuard<'_, VecDeque<Served>> {
        self.replies.lock().unwrap()
    }
}

/// The server. It goes with the process; nobody asks it once its test is over.
pub struct OpenAiServer {
    address: SocketAddr,
    script: Arc<Script>,
}

impl OpenAiServer {
    /// Starts one that hears everything.
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let (address, script) = (listener.local_addr().unwrap(), Arc::new(Script::default()));
        let shared = script.clone();
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let script = shared.clone();
                // A client that breaks off is no trouble of the server's.
                thread::spawn(move || drop(serve(&stream, &script)));
            }
        });
        Self { address, script }
    }

    /// An address where nobody listens.
    pub fn nowhere() -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        format!("http://{}/v1", listener.local_addr().unwrap())
    }

    /// Its address, as it stands in settings.
    pub fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// Decides about the next transcription.
    pub fn order(&self, reply: Served) {
        self.script.replies().push_back(reply);
    }

    /// Every transcription that it was asked for and read whole, in order: each would be paid for.
    pub fn asked(&self) -> Vec<Asked> {
        self.script.asked.borrow().clone()
    }

    /// Waits until it has read so many.
    pub async fn wait_for(&self, count: usize) {
        let mut asked = self.script.asked.subscribe();
        let come = asked.wait_for(|asked| asked.len() >= count);
        timeout(PATIENCE, come).await.expect("requests come").unwrap();
    }

    /// What it hears in the nth request, from one, and in every other with the same audio.
    pub fn text(nth: usize) -> String {
        format!("heard number {nth} well")
    }
}

fn serve(stream: &TcpStream, script: &Script) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream);
    let Some(mut asked) = head(&mut reader)? else { return Ok(()) };
    if asked.line.starts_with("GET /v1/models ") {
        let body = r#"{"object":"list","data":[{"id":"whisper-1","object":"model"}]}"#;
        return say(stream, 200, ("content-type", "application/json"), body);
    }
    let reply = script.replies().pop_front().unwrap_or(Served::Hear);
    if let Served::CutBeforeBody = reply {
        return Ok(());
    }
    let body = body(&mut reader, &asked)?;
    form(&mut asked, &body);
    let untimed = asked.fields.get("response_format").is_none_or(|form| form == "json");
    let mut nth = 0;
    script.asked.send_modify(|all| {
        let before = all.iter().position(|it| it.bytes == asked.bytes);
        nth = before.unwrap_or(all.len()) + 1;
        all.push(asked);
    });
    let json = ("content-type", "application/json");
    if let Served::Hold(latch) = &reply {
        latch.wait();
    }
    match reply {
        Served::Hear | Served::Hold(_) if untimed => {
            say(stream, 200, json, &format!(r#"{{"text":"{}."}}"#, OpenAiServer::text(nth)))
        }
        Served::Hear | Served::Hold(_) => {
            let text = OpenAiServer::text(nth);
            let body = format!(
                r#"{{"task":"transcribe","language":"english","duration":2.0,"text":"{text}",
                    "segments":[{{"id":0,"start":0.5,"end":1.5,"text":" {text}","avg_logprob":NaN}}]}}"#
            );
            say(stream, 200, json, &body)
        }
        Served::Say(status, kind, body) => say(stream, status, ("content-type", kind), &body),
        Served::SayWith(status, (name, value), body) => say(stream, status, (name, &value), &body),
        Served::CutBeforeBody | Served::CutAfterBody => Ok(()),
        Served::Silence => {
            // Until the client goes away.
            reader.read_to_end(&mut Vec::new()).map(drop)
        }
        Served::Endless => {
            let mut out = stream;
            out.write_all(
                b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n{\"text\":\"",
            )?;
            loop {
                out.write_all(&[b'a'; 8192])?;
            }
        }
    }
}

/// The request line and the headers; `None` when the client goes away.
fn head(reader: &mut impl BufRead) -> std::io::Result<Option<Asked>> {
    let mut asked = Asked::default();
    if reader.read_line(&mut asked.line)? == 0 {
        return Ok(None);
    }
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        match line.trim_end().split_once(": ") {
            Some((name, value)) => asked.headers.insert(name.to_lowercase(), value.to_owned()),
            None => return Ok(Some(asked)),
        };
    }
}

fn body(reader: &mut impl Read, asked: &Asked) -> std::io::Result<Vec<u8>> {
    let length = asked.headers.get("content-length").expect("the length of a request is known");
    let mut body = vec![0; length.parse().unwrap()];
    reader.read_exact(&mut body)?;
    Ok(body)
}

/// Takes `multipart/form-data` apart (RFC 7578).
fn form(asked: &mut Asked, body: &[u8]) {
    let kind = asked.headers.get("content-type").expect("a form says that it is one").clone();
    let boundary = kind.strip_prefix("multipart/form-data; boundary=").expect("a form").to_owned();
    let (open, close) = (format!("--{boundary}\r\n"), format!("\r\n--{boundary}"));
    let mut rest = body;
    while let Some(part) = rest.strip_prefix(open.as_bytes()) {
        let head_end = find(part, b"\r\n\r\n").expect("a part has headers");
        let head = String::from_utf8(part[..head_end].to_vec()).unwrap();
        let content = &part[head_end + 4..];
        let attribute = |name: &str| {
            let (_, rest) = head.split_once(&format!("; {name}=\""))?;
            rest.split('"').next().map(str::to_owned)
        };
        let name = attribute("name").expect("a part has a name");
        let end = find(content, close.as_bytes()).expect("a part ends");
        if let Some(file) = attribute("filename") {
            let (_, kind) = head.rsplit_once("Content-Type: ").expect("a file has a kind");
            asked.file = Some((file, kind.lines().next().unwrap_or_default().to_owned()));
            asked.bytes = content[..end].to_vec();
        } else {
            asked.fields.insert(name, String::from_utf8(content[..end].to_vec()).unwrap());
        }
        rest = content[end + 2..].strip_prefix(b"\r\n").unwrap_or(&content[end + 2..]);
    }
    assert_eq!(rest, format!("--{boundary}--\r\n").as_bytes(), "the form ends");
}

fn find(body: &[u8], what: &[u8]) -> Option<usize> {
    let (first, mut from) = (*what.first()?, 0);
    while let Some(at) = body[from..].iter().position(|byte| *byte == first) {
        if body[from + at..].starts_with(what) {
            return Some(from + at);
        }
        from += at + 1;
    }
    None
}

fn say(
    mut stream: &TcpStream,
    status: u16,
    (name, value): (&str, &str),
    body: &str,
) -> std::io::Result<()> {
    write!(
        stream,
        "HTTP/1.1 {status} Status\r\n{name}: {value}\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
}
