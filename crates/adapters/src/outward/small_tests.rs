//! Small things from real servers on this machine; 127.0.0.2 is the Internet, as in `tests`.

use std::time::Duration;

use verst_service::{Fetch, FetchError, Small};
use verst_testkit::{Peer, Reply};

use super::tests::{NEIGHBOUR, Names, PUBLIC, anywhere, guarded, limits};
use super::*;

const MAGNET: &str = "magnet:?xt=urn:btih:dd8255ecdc7ca55fb0bbf81323d87062db1f6d1c&dn=a%20b";
const SMALL: usize = 10_000;

fn file(kind: Option<&str>, bytes: &[u8], whole: bool) -> Small {
    Small::File { kind: kind.map(str::to_owned), bytes: bytes.to_vec(), whole }
}

#[tokio::test]
async fn a_small_file_comes_whole_with_the_type_that_is_said() {
    let peer = Peer::start(|heard| match heard.target.as_str() {
        "/typed" => Reply::file(b"d2:..e").header("content-type", "Application/X-BitTorrent; a=b"),
        "/long" => Reply::status(200).body(&[7; SMALL]),
        "/odd" => Reply::file(b"x").header("content-type", " ; a"),
        "/empty" => Reply::file(b""),
        _ => Reply::redirect("/typed"),
    });
    let client = anywhere(limits());
    let small = async |path: &str| client.fetch_small(&peer.url(path), SMALL).await;
    let typed = || file(Some("application/x-bittorrent"), b"d2:..e", true);
    assert_eq!(small("/typed").await, Ok(typed()));
    assert_eq!(small("/moved").await, Ok(typed()));
    assert_eq!(small("/long").await, Ok(file(None, &[7; SMALL], true)));
    assert_eq!(small("/odd").await, Ok(file(None, b"x", true)));
    assert_eq!(small("/empty").await, Ok(file(None, b"", true)));
}

#[tokio::test]
async fn of_what_is_larger_the_beginning_comes_and_no_more() {
    let peer = Peer::start(|heard| match heard.target.as_str() {
        "/endless" => Reply::status(200).body(&[7; 4096]).without_end(),
        "/one-more" => Reply::file(&[7; SMALL + 1]),
        // More than any recording may have, and nothing comes after its beginning.
        _ => Reply::status(200)
            .header("content-length", "99999999999")
            .body(&[7; 4097])
            .then_silence(),
    });
    let client = anywhere(limits());
    let small = async |path: &str, limit| client.fetch_small(&peer.url(path), limit).await;
    assert_eq!(small("/endless", SMALL).await, Ok(file(None, &[7; SMALL], false)));
    assert_eq!(small("/one-more", SMALL).await, Ok(file(None, &[7; 4096], false)));
    assert_eq!(small("/huge", SMALL).await, Ok(file(None, &[7; 4096], false)));
    assert_eq!(small("/huge", 10).await, Ok(file(None, &[7; 10], false)));
}

#[tokio::test]
async fn a_redirect_to_a_magnet_is_a_magnet_for_torrents_only() {
    let peer = Peer::start_at(PUBLIC, |heard| match heard.target.as_str() {
        "/at-once" => Reply::redirect(MAGNET),
        "/later" => Reply::redirect("/at-once"),
        "/capitals" => Reply::redirect(&MAGNET.replace("magnet", "MAGNET")),
        // A status that leads nowhere, whatever else is said.
        _ => Reply::status(404).header("location", MAGNET),
    });
    let client = guarded(Names::of([]));
    let found = Ok(Small::Magnet(MAGNET.to_owned()));
    for path in ["/at-once", "/later", "/capitals"] {
        assert_eq!(client.fetch_small(&peer.url(path), SMALL).await, found, "{path}");
        let recording = client.fetch(&peer.url(path)).await.err();
        assert_eq!(recording, Some(FetchError::Scheme), "{path}");
    }
    let gone = client.fetch_small(&peer.url("/gone"), SMALL).await;
    assert_eq!(gone, Err(FetchError::Status(404)));
    assert_eq!(client.fetch_small(MAGNET, SMALL).await, Err(FetchError::Scheme));
}

#[tokio::test]
async fn nothing_small_comes_from_a_neighbour_either() {
    let neighbour = Peer::start(|_| Reply::file(b"secret"));
    let (inside, port) = (neighbour.url("/"), neighbour.address().port());
    let peer = Peer::start_at(PUBLIC, move |heard| match heard.target.as_str() {
        "/literal" => Reply::redirect(&inside),
        "/named" => Reply::redirect(&format!("http://inner.test:{port}/")),
        "/twice" => Reply::redirect("/literal"),
        round => Reply::redirect(round),
    });
    let rebinds = vec![vec![PUBLIC], vec![NEIGHBOUR]];
    let names = Names::of([("inner.test", vec![vec![NEIGHBOUR]]), ("rebinds.test", rebinds)]);
    let client = guarded(names);
    for path in ["/literal", "/named", "/twice"] {
        let refused = client.fetch_small(&peer.url(path), SMALL).await;
        assert_eq!(refused, Err(FetchError::NotAllowed), "{path}");
    }
    assert_eq!(client.fetch_small(&neighbour.url("/"), SMALL).await, Err(FetchError::NotAllowed));
    let rebinding = format!("http://rebinds.test:{port}/");
    assert_eq!(client.look(&rebinding).await, Ok(vec![PUBLIC]));
    assert_eq!(client.fetch_small(&rebinding, SMALL).await, Err(FetchError::NotAllowed));
    assert_eq!(neighbour.heard(), []);
    let round = client.fetch_small(&peer.url("/round"), SMALL).await;
    assert_eq!(round, Err(FetchError::TooManyRedirects));
}

#[tokio::test]
async fn what_is_slow_or_breaks_off_is_told() {
    let peer = Peer::start(|heard| match heard.target.as_str() {
        "/stalls" => Reply::status(200).header("content-length", "9").body(b"d").then_silence(),
        "/drips" => Reply::status(200).body(b"d").without_end(),
        _ => Reply::status(200).header("content-length", "9").body(b"d"),
    });
    let client = anywhere(OutwardLimits { head: Duration::from_secs(1), ..limits() });
    let small = async |path: &str| client.fetch_small(&peer.url(path), usize::MAX - 1).await;
    assert_eq!(small("/stalls").await, Err(FetchError::TimedOut));
    assert_eq!(small("/drips").await, Err(FetchError::TimedOut));
    assert_eq!(small("/breaks").await, Err(FetchError::Unreachable));
}
