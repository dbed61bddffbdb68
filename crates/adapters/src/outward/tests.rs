//! The client against real servers on this machine. Where a test needs a "public" address, it is
//! 127.0.0.2, and 127.0.0.1 is the neighbour that must not be asked.

use std::collections::BTreeMap;
use std::io;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use async_trait::async_trait;
use futures::TryStreamExt;
use reqwest::header::{HeaderMap, HeaderValue};
use verst_service::Fetch;
use verst_testkit::{Peer, Reply};

use super::*;

pub(super) const PUBLIC: IpAddr = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 2));
pub(super) const NEIGHBOUR: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
pub(super) const LIMIT: u64 = 1 << 20;

/// Answers for a name one after the other; the last one again and again.
pub(super) struct Names(Mutex<BTreeMap<&'static str, Vec<Vec<IpAddr>>>>);

impl Names {
    pub(super) fn of<const N: usize>(names: [(&'static str, Vec<Vec<IpAddr>>); N]) -> Arc<Self> {
        Arc::new(Self(Mutex::new(names.into())))
    }
}

#[async_trait]
impl Lookup for Names {
    async fn lookup(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        let mut names = self.0.lock().unwrap();
        let answers = names.get_mut(host).ok_or(io::ErrorKind::NotFound)?;
        Ok(if answers.len() > 1 { answers.remove(0) } else { answers[0].clone() })
    }
}

pub(super) fn limits() -> OutwardLimits {
    OutwardLimits::up_to(LIMIT)
}

fn outward(admits: Admits, lookup: Arc<dyn Lookup>, limits: OutwardLimits) -> Outward {
    Outward { admits, lookup, limits, client: OnceLock::new() }
}

pub(super) fn anywhere(limits: OutwardLimits) -> Outward {
    Outward::new(Reach::Anywhere, limits)
}

/// A client for which 127.0.0.2 is the Internet.
pub(super) fn guarded(lookup: Arc<dyn Lookup>) -> Outward {
    outward(|address| address == PUBLIC, lookup, limits())
}

async fn refused(client: &Outward, url: &str) -> FetchError {
    client.fetch(url).await.err().expect("nothing is fetched")
}

async fn whole(client: &Outward, url: &str) -> io::Result<Vec<u8>> {
    let fetched = client.fetch(url).await.expect("it is fetched");
    let pieces: Vec<_> = fetched.bytes.try_collect().await?;
    Ok(pieces.concat())
}

#[tokio::test]
async fn a_file_comes_with_its_name_and_length() {
    let peer = Peer::start(|heard| match heard.target.as_str() {
        "/a/talk%20one.ogg?x=1" => Reply::file(b"OggS-and-more"),
        _ => Reply::file(b"x").header("content-disposition", "attachment; filename=\"b.ogg\""),
    });
    let client = anywhere(limits());
    let fetched = client.fetch(&peer.url("/a/talk%20one.ogg?x=1")).await.unwrap();
    assert_eq!(fetched.name.as_deref(), Some("talk one.ogg"));
    assert_eq!(fetched.length, Some(13));
    assert_eq!(whole(&client, &peer.url("/a/talk%20one.ogg?x=1")).await.unwrap(), b"OggS-and-more");
    let fetched = client.fetch(&peer.url("/other")).await.unwrap();
    assert_eq!(fetched.name.as_deref(), Some("b.ogg"));
    let asked = peer.heard().remove(0);
    assert_eq!(asked.header("accept-encoding"), Some("identity"));
    assert_eq!((asked.header("cookie"), asked.header("referer")), (None, None));
}

#[tokio::test]
async fn private_addresses_are_refused_in_every_spelling_before_anything_is_sent() {
    let peer = Peer::start(|_| Reply::file(b"secret"));
    let port = peer.address().port();
    let client = Outward::new(Reach::Public, limits());
    for host in [
        "127.0.0.1",
        "localhost",
        "0.0.0.0",
        "2130706433",
        "0x7f.1",
        "017700000001",
        "127.1",
        "[::1]",
        "[::]",
        "[::ffff:127.0.0.1]",
        "[64:ff9b::7f00:1]",
        "10.1.2.3",
        "169.254.169.254",
        "user:word@127.0.0.1",
        "LOCALHOST",
    ] {
        let url = format!("http://{host}:{port}/");
        assert_eq!(refused(&client, &url).await, FetchError::NotAllowed, "{url}");
        assert_eq!(client.look(&url).await, Err(FetchError::NotAllowed), "{url}");
        let posted = client.post(&url, HeaderMap::new(), Vec::new(), limits().head).await;
        assert_eq!(posted, Err(FetchError::NotAllowed), "{url}");
    }
    assert_eq!(peer.heard(), [], "nobody was asked");
}

#[tokio::test]
async fn other_schemes_and_what_is_no_address_are_refused() {
    let client = anywhere(limits());
    let long = format!("http://a.test/{}", "x".repeat(ADDRESS_BYTES));
    for url in [
        "",
        "talk.ogg",
        "//a.test/x",
        "ftp://a.test/x",
        "file:///etc/passwd",
        "data:,x",
        "javascript:alert(1)",
        "http://",
        "http://[::1",
        "unix:/run/x.sock",
        "gopher://a.test",
        &long,
    ] {
        assert_eq!(refused(&client, url).await, FetchError::Scheme, "{url}");
    }
}

#[tokio::test]
async fn a_name_that_leads_elsewhere_the_second_time_is_caught_at_the_connection() {
    let peer = Peer::start(|_| Reply::file(b"secret"));
    let names = Names::of([("rebinds.test", vec![vec![PUBLIC], vec![NEIGHBOUR]])]);
    let client = guarded(names);
    let url = format!("http://rebinds.test:{}/", peer.address().port());
    assert_eq!(client.look(&url).await, Ok(vec![PUBLIC]), "a look finds nothing wrong");
    assert_eq!(refused(&client, &url).await, FetchError::NotAllowed);
    assert_eq!(peer.heard(), []);
}

#[tokio::test]
async fn of_a_name_with_several_addresses_only_public_ones_are_connected_to() {
    let peer = Peer::start_at(PUBLIC, |_| Reply::file(b"whole"));
    let neighbour = Peer::start(|_| Reply::file(b"secret"));
    let names =
        Names::of([("both.test", vec![vec![NEIGHBOUR, PUBLIC]]), ("none.test", vec![vec![]])]);
    let client = guarded(names);
    let url = format!("http://both.test:{}/", peer.address().port());
    assert_eq!(whole(&client, &url).await.unwrap(), b"whole");
    assert_eq!(neighbour.heard(), []);
    assert_eq!(refused(&client, "http://none.test/").await, FetchError::Unreachable);
    assert_eq!(refused(&client, "http://unknown.test/").await, FetchError::Unreachable);
    assert_eq!(client.look("http://unknown.test/").await, Err(FetchError::Unreachable));
}

#[tokio::test]
async fn redirects_are_followed_a_few_times_and_never_to_a_neighbour() {
    let neighbour = Peer::start(|_| Reply::file(b"secret"));
    let (inside, port) = (neighbour.url("/"), neighbour.address().port());
    let peer = Peer::start_at(PUBLIC, move |heard| match heard.target.as_str() {
        "/whole.ogg" => Reply::file(b"whole"),
        "/relative" => Reply::redirect("whole.ogg"),
        "/literal" => Reply::redirect(&inside),
        "/named" => Reply::redirect(&format!("//inner.test:{port}/")),
        "/mapped" => Reply::redirect(&format!("http://[::ffff:127.0.0.1]:{port}/")),
        "/file" => Reply::redirect("file:///etc/passwd"),
        "/nowhere" => Reply::redirect("http://"),
        "/missing" => Reply::status(302),
        "/choice" => Reply::status(300).header("location", "/whole.ogg"),
        round => Reply::redirect(round),
    });
    let client = guarded(Names::of([("inner.test", vec![vec![NEIGHBOUR]])]));
    let fetched = client.fetch(&peer.url("/relative")).await.unwrap();
    assert_eq!(fetched.name.as_deref(), Some("whole.ogg"));
    for (path, error) in [
        ("/literal", FetchError::NotAllowed),
        ("/named", FetchError::NotAllowed),
        ("/mapped", FetchError::NotAllowed),
        ("/file", FetchError::Scheme),
        ("/nowhere", FetchError::Scheme),
        ("/missing", FetchError::Status(302)),
        ("/choice", FetchError::Status(300)),
        ("/round", FetchError::TooManyRedirects),
    ] {
        assert_eq!(refused(&client, &peer.url(path)).await, error, "{path}");
    }
    assert_eq!(neighbour.heard(), []);
    let rounds = peer.heard().iter().filter(|heard| heard.target == "/round").count();
    assert_eq!(rounds, 6, "the first and five redirects");
}

#[tokio::test]
async fn what_is_too_large_is_refused_when_it_says_so_and_cut_off_when_it_does_not() {
    let peer = Peer::start(|heard| match heard.target.as_str() {
        "/said" => Reply::status(200).header("content-length", "1048577").then_silence(),
        "/exact" => Reply::file(&vec![1; 1 << 20]),
        _ => Reply::status(200).body(&[0; 4096]).without_end(),
    });
    let client = anywhere(limits());
    let large = FetchError::TooLarge { limit_bytes: LIMIT };
    assert_eq!(refused(&client, &peer.url("/said")).await, large);
    assert_eq!(whole(&client, &peer.url("/exact")).await.unwrap().len(), 1 << 20);
    let error = whole(&client, &peer.url("/endless")).await.unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
    let inner = error.into_inner().unwrap();
    assert_eq!(inner.downcast_ref::<FetchError>(), Some(&large));
}

#[tokio::test]
async fn nothing_is_decompressed() {
    let peer = Peer::start(|_| Reply::file(b"\x1f\x8b\x08rest").header("content-encoding", "gzip"));
    assert_eq!(whole(&anywhere(limits()), &peer.url("/")).await.unwrap(), b"\x1f\x8b\x08rest");
}

#[tokio::test]
async fn nobody_waits_for_ever() {
    let peer = Peer::start(|heard| match heard.target.as_str() {
        "/stalls" => Reply::status(200).header("content-length", "100").body(b"x").then_silence(),
        "/drips" => Reply::status(200).body(b"x").without_end(),
        other => panic!("{other} was asked for"),
    });
    let soon = Duration::from_secs(1);
    let idle = anywhere(OutwardLimits { idle: soon, ..limits() });
    let error = whole(&idle, &peer.url("/stalls")).await.unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::TimedOut, "silence in the midst of a body");
    let total = anywhere(OutwardLimits { total: soon, ..OutwardLimits::up_to(u64::MAX) });
    let error = whole(&total, &peer.url("/drips")).await.unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::TimedOut, "a body without an end");
    // A listener that never accepts takes the connection and says nothing.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", silent.local_addr().unwrap());
    let head = anywhere(OutwardLimits { head: soon, ..limits() });
    assert_eq!(refused(&head, &url).await, FetchError::TimedOut);
    let posted = idle.post(&url, HeaderMap::new(), Vec::new(), soon).await;
    assert_eq!(posted, Err(FetchError::TimedOut));
}

#[tokio::test]
async fn a_body_that_breaks_off_is_no_whole_file() {
    let peer = Peer::start(|_| Reply::status(200).header("content-length", "100").body(b"OggS"));
    let error = whole(&anywhere(limits()), &peer.url("/")).await.unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::ConnectionAborted);
}

#[tokio::test]
async fn what_the_server_says_instead_of_a_file_is_told() {
    let peer = Peer::start(|heard| match heard.target.as_str() {
        "/gone" => Reply::status(404),
        _ => Reply::status(503),
    });
    let client = anywhere(limits());
    assert_eq!(refused(&client, &peer.url("/gone")).await, FetchError::Status(404));
    assert_eq!(refused(&client, &peer.url("/down")).await, FetchError::Status(503));
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let closed = format!("http://{}/", free.local_addr().unwrap());
    drop(free);
    assert_eq!(refused(&client, &closed).await, FetchError::Unreachable);
}

#[tokio::test]
async fn a_message_is_posted_and_its_answer_read_a_little() {
    let peer = Peer::start(|heard| match heard.target.as_str() {
        "/busy" => Reply::status(429).header("retry-after", "7").body(b"later"),
        "/moved" => Reply::redirect("/busy"),
        _ => Reply::status(200).body(&[b'a'; 100]).without_end(),
    });
    let client = anywhere(limits());
    let headers = HeaderMap::from_iter([(
        reqwest::header::CONTENT_TYPE,
        HeaderValue::from_static("application/json"),
    )]);
    let post = async |path: &str| {
        client.post(&peer.url(path), headers.clone(), b"{}".to_vec(), limits().head).await
    };
    let busy = post("/busy").await.unwrap();
    let expected =
        Answer { status: 429, retry_after: Some("7".to_owned()), beginning: "later".to_owned() };
    assert_eq!(busy, expected);
    assert_eq!(post("/moved").await.unwrap().status, 302);
    let endless = post("/").await.unwrap();
    assert_eq!((endless.status, endless.beginning.len()), (200, 1024));
    let heard = peer.heard().remove(0);
    assert_eq!((heard.method.as_str(), heard.body.as_slice()), ("POST", b"{}".as_slice()));
    assert_eq!(heard.header("content-type"), Some("application/json"));
}
