//! A server outside that answers as a test says and keeps what it was asked.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use tokio::sync::watch;
use tokio::time::timeout;

use crate::gate::PATIENCE;

/// A request as it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heard {
    /// `POST` and the like.
    pub method: String,
    /// The path with what follows it.
    pub target: String,
    /// Headers with names in small letters, in order.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

impl Heard {
    /// The header of this name.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

/// An answer.
#[derive(Clone, Debug)]
pub struct Reply {
    head: String,
    body: Vec<u8>,
    end: End,
}

/// What comes after the answer.
#[derive(Clone, Copy, Debug)]
enum End {
    /// The connection is closed.
    Close,
    /// Nothing, until the other side goes.
    Silence,
    /// The body again and again.
    Again,
}

impl Reply {
    /// A status without a body.
    pub fn status(status: u16) -> Self {
        Self { head: format!("HTTP/1.1 {status} So\r\n"), body: Vec::new(), end: End::Close }
    }

    /// Leads elsewhere.
    pub fn redirect(to: &str) -> Self {
        Self::status(302).header("location", to)
    }

    /// A file of this content, its length said.
    pub fn file(body: &[u8]) -> Self {
        let length = body.len().to_string();
        Self::status(200).header("content-length", &length).body(body)
    }

    /// With a header.
    pub fn header(mut self, name: &str, value: &str) -> Self {
        for part in [name, ": ", value, "\r\n"] {
            self.head.push_str(part);
        }
        self
    }

    /// With a body; the end of the connection is its end where no length is said.
    pub fn body(mut self, body: &[u8]) -> Self {
        self.body = body.to_vec();
        self
    }

    /// Says no more after this, and does not hang up either.
    pub fn then_silence(self) -> Self {
        Self { end: End::Silence, ..self }
    }

    /// Sends the body over and over.
    pub fn without_end(self) -> Self {
        Self { end: End::Again, ..self }
    }
}

/// A server on a free port, gone with the value.
pub struct Peer {
    address: SocketAddr,
    heard: watch::Sender<Vec<Heard>>,
    gone: Arc<AtomicBool>,
}

impl Peer {
    /// Starts one on this machine that answers like this.
    pub fn start(answer: impl Fn(&Heard) -> Reply + Send + Sync + 'static) -> Self {
        Self::start_at([127, 0, 0, 1].into(), answer)
    }

    /// Starts one at an address of this machine; all of 127.0.0.0/8 is.
    pub fn start_at(ip: IpAddr, answer: impl Fn(&Heard) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind((ip, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let peer = Self { address, heard: watch::Sender::default(), gone: Arc::default() };
        let (heard, gone, answer) = (peer.heard.clone(), peer.gone.clone(), Arc::new(answer));
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                if gone.load(Ordering::Acquire) {
                    return;
                }
                let (heard, answer) = (heard.clone(), Arc::clone(&answer));
                // Whoever goes away early is no trouble of the server's.
                thread::spawn(move || drop(serve(stream, &heard, answer.as_ref())));
            }
        });
        peer
    }

    /// Where it is.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// An address of something on it.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// What it was asked so far.
    pub fn heard(&self) -> Vec<Heard> {
        self.heard.borrow().clone()
    }

    /// Waits until it was asked so often.
    pub async fn wait_for(&self, count: usize) -> Vec<Heard> {
        let mut heard = self.heard.subscribe();
        let come = heard.wait_for(|heard| heard.len() >= count);
        timeout(PATIENCE, come).await.expect("requests come").unwrap().clone()
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        self.gone.store(true, Ordering::Release);
        // Whoever waits for the next connection is woken by one.
        let _ = TcpStream::connect(self.address);
    }
}

fn serve(
    stream: TcpStream,
    heard: &watch::Sender<Vec<Heard>>,
    answer: &(dyn Fn(&Heard) -> Reply + Send + Sync),
) -> std::io::Result<()> {
    let mut from = BufReader::new(stream.try_clone()?);
    let Some(request) = read(&mut from)? else { return Ok(()) };
    let reply = answer(&request);
    heard.send_modify(|all| all.push(request));
    let mut to = stream;
    to.write_all(reply.head.as_bytes())?;
    to.write_all(b"connection: close\r\n\r\n")?;
    to.write_all(&reply.body)?;
    match reply.end {
        End::Close => Ok(()),
        End::Silence => from.read_to_end(&mut Vec::new()).map(drop),
        End::Again => loop {
            to.write_all(&reply.body)?;
        },
    }
}

/// Reads a request whose body, if any, says its length.
fn read(from: &mut impl BufRead) -> std::io::Result<Option<Heard>> {
    let mut line = String::new();
    from.read_line(&mut line)?;
    let mut words = line.split_whitespace();
    let (Some(method), Some(target)) = (words.next(), words.next()) else { return Ok(None) };
    let (method, target) = (method.to_owned(), target.to_owned());
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        from.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let mut body = vec![0; length.map_or(0, |(_, length)| length.parse().unwrap())];
    from.read_exact(&mut body)?;
    Ok(Some(Heard { method, target, headers, body }))
}
