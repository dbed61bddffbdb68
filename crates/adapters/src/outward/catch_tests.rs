//! What people send, through the real client and the real judge of media; the servers are on this
//! machine.

use verst_downloads::model::{NewDownload, Sender, Source};
use verst_downloads::ports::Given;
use verst_downloads::source::{TORRENT_BYTES, Torrent};
use verst_service::{CatchError, Caught, FetchError, Offer, catch};
use verst_testkit::{Peer, Reply, tone};

use super::tests::{Names, PUBLIC, anywhere, guarded, limits};
use super::*;
use crate::confine::Confinement;
use crate::ffmpeg::{Ffmpeg, MediaLimits};

const HASH: &str = "dd8255ecdc7ca55fb0bbf81323d87062db1f6d1c";
const TORRENT: &[u8] = b"d4:infod6:lengthi5e4:name5:a.mkv12:piece lengthi16384e6:pieces20:\
                         ....................ee";

fn sender() -> Sender {
    Sender { source: Source::Http, reply_to: None, owner: Some("me".to_owned()) }
}

async fn caught(client: &Outward, offer: Offer) -> Result<Caught, CatchError> {
    let media = Ffmpeg::new(MediaLimits::default(), Confinement::none());
    catch(client, &media, offer, sender()).await
}

/// What has to become of the bytes of [`TORRENT`].
fn whole() -> Caught {
    let read = Torrent::parse(TORRENT).unwrap();
    let new = NewDownload {
        sender: sender(),
        given: Given::Torrent(TORRENT.to_vec()),
        hashes: read.hashes,
        name: Some("a.mkv".to_owned()),
        size_bytes: Some(5),
    };
    Caught::Downloads { new: vec![new], broken: 0 }
}

/// The links of what was caught, and how many were broken.
fn links(caught: Result<Caught, CatchError>) -> (Vec<String>, usize) {
    let Ok(Caught::Downloads { new, broken }) = caught else { panic!("{caught:?}") };
    let link = |new: NewDownload| match new.given {
        Given::Magnet(link) => link,
        Given::Torrent(_) => panic!("bytes where a link was sent"),
    };
    (new.into_iter().map(link).collect(), broken)
}

#[tokio::test]
async fn a_torrent_is_known_by_its_bytes_whatever_the_server_says() {
    let large = [b"d8:announce".as_slice(), &vec![b'1'; TORRENT_BYTES]].concat();
    let (sound, film) = (tone(1), [b"\x1a\x45\xdf\xa3\x42\x82\x88matroska".as_slice(), &[0; 5000]]);
    let peer = Peer::start(move |heard| match heard.target.as_str() {
        "/a.torrent" => Reply::file(TORRENT).header("content-type", "application/x-bittorrent"),
        "/lies.mp4" => Reply::file(TORRENT).header("content-type", "video/mp4"),
        "/page.torrent" => {
            Reply::file(b"<html>log in, please</html>").header("content-type", "video/mp4")
        }
        "/packed.torrent" => Reply::file(b"\x1f\x8b\x08torrent").header("content-encoding", "gzip"),
        "/sound.torrent" => Reply::file(&sound).header("content-type", "application/x-bittorrent"),
        "/stream" => Reply::file(&[0xde; 500]).header("content-type", "audio/x-unheard-of"),
        "/noise.mp4" => Reply::file(&[0xde; 500]).header("content-type", "application/zip"),
        "/film.mkv" => Reply::status(200)
            .header("content-length", "99999999999")
            .body(&film.concat())
            .then_silence(),
        "/large.zip" => Reply::status(200).body(b"PK\x03\x04aaaa").without_end(),
        "/large.torrent" => Reply::file(&large),
        other => panic!("{other} was asked for"),
    });
    let client = anywhere(limits());
    let of = async |path: &str| caught(&client, Offer::Url(peer.url(path))).await;
    for path in ["/a.torrent", "/lies.mp4"] {
        assert_eq!(of(path).await, Ok(whole()), "{path}");
    }
    for path in ["/sound.torrent", "/stream", "/film.mkv"] {
        assert_eq!(of(path).await, Ok(Caught::Recording { url: peer.url(path) }), "{path}");
    }
    for path in ["/page.torrent", "/packed.torrent", "/noise.mp4", "/large.zip"] {
        assert_eq!(of(path).await, Err(CatchError::NotATorrent), "{path}");
    }
    assert_eq!(of("/large.torrent").await, Err(CatchError::TooLarge));
}

#[tokio::test]
async fn an_address_may_lead_to_a_magnet_and_not_to_a_neighbour() {
    let neighbour = Peer::start(|_| Reply::file(TORRENT));
    let inside = neighbour.url("/");
    let peer = Peer::start_at(PUBLIC, move |heard| match heard.target.as_str() {
        "/leads" => Reply::redirect("/magnet"),
        "/magnet" => Reply::redirect(&format!("magnet:?dn=A%20b&xt=urn:btih:{HASH}&ws=http://a")),
        "/empty" => Reply::redirect("magnet:?dn=a"),
        _ => Reply::redirect(&inside),
    });
    let client = guarded(Names::of([]));
    let of = async |path: &str| caught(&client, Offer::Url(peer.url(path))).await;
    let link = format!("magnet:?xt=urn:btih:{HASH}&dn=A%20b");
    assert_eq!(links(of("/leads").await), (vec![link], 0));
    assert_eq!(of("/empty").await, Err(CatchError::NotATorrent));
    assert_eq!(of("/inside").await, Err(CatchError::Fetch(FetchError::NotAllowed)));
    assert_eq!(neighbour.heard(), []);
}

#[tokio::test]
async fn a_text_is_its_magnets_or_the_one_address_that_it_consists_of() {
    let peer = Peer::start(|_| Reply::file(TORRENT));
    let client = anywhere(limits());
    let of = async |text: &str| caught(&client, Offer::Text(text.to_owned())).await;
    let other = HASH.replace('d', "e");
    let both = format!("one: magnet:?xt=urn:btih:{HASH}, magnet:?xt=urn:btih:{other} magnet:?");
    let plain = [HASH, &other].map(|hash| format!("magnet:?xt=urn:btih:{hash}"));
    assert_eq!(links(of(&both).await), (plain.to_vec(), 1));
    let address = peer.url("/a");
    let beside = format!("{address} magnet:?xt=urn:btih:{HASH}");
    assert_eq!(links(of(&beside).await), (vec![plain[0].clone()], 0));
    for nothing in ["", "hello", "ftp://a.test/", &format!("see {address}"), "magnet:?xt=1"] {
        assert_eq!(of(nothing).await, Err(CatchError::NotATorrent), "{nothing}");
    }
    assert_eq!(peer.heard(), [], "an address in a sentence is none of ours");
    assert_eq!(of(&format!(" {address}\n")).await, Ok(whole()));
    let many: Vec<_> = (0..51).map(|n| format!("magnet:?xt=urn:btih:{n:040}")).collect();
    assert_eq!(of(&many.join("\n")).await, Err(CatchError::TooManyMagnets));
    assert_eq!(links(of(&many[1..].join("\n")).await).0.len(), 50);
    assert_eq!(of(&"x".repeat((1 << 20) + 1)).await, Err(CatchError::TextTooLarge));
}

#[tokio::test]
async fn bytes_and_links_are_taken_without_asking_anybody() {
    let client = anywhere(limits());
    let of = async |bytes: &[u8]| caught(&client, Offer::Torrent(bytes.to_vec())).await;
    assert_eq!(of(TORRENT).await, Ok(whole()));
    assert_eq!(of(b"d4:infodee").await, Err(CatchError::NotATorrent));
    assert_eq!(of(&vec![b'd'; TORRENT_BYTES + 1]).await, Err(CatchError::TooLarge));
    let url = format!("MAGNET:?xt=urn:btih:{}&xl=7", HASH.to_uppercase());
    let magnet = caught(&client, Offer::Url(url)).await;
    assert!(matches!(&magnet, Ok(Caught::Downloads { new, .. })
        if new[0].size_bytes == Some(7) && new[0].sender == sender()));
    assert_eq!(links(magnet), (vec![format!("magnet:?xt=urn:btih:{HASH}")], 0));
    let of = async |url: &str| caught(&client, Offer::Url(url.to_owned())).await;
    assert_eq!(of(" Magnet:?dn=a").await, Err(CatchError::NotATorrent));
    assert_eq!(of("a.torrent").await, Err(CatchError::Fetch(FetchError::Scheme)));
}
