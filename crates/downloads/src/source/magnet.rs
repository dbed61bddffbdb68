//! Magnet links: <https://www.bittorrent.org/beps/bep_0009.html#magnet-uri-format>, with the hashes of
//! <https://www.bittorrent.org/beps/bep_0052.html#magnet-links>.
//!
//! **Invariant:** a magnet names one torrent. A link with two hashes of one kind names two, and clients
//! do not agree on which of them it means, so it is none.

use std::fmt;

use data_encoding::BASE32_NOPAD_NOCASE;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use thiserror::Error;

use super::shown;
use crate::hash::{Hashes, InfoHash};

/// The longest link that is read, in bytes. Whatever is written is shorter.
pub const LINK_BYTES: usize = 128 << 10;
/// The most trackers; further ones are left out.
const TRACKERS: usize = 64;
/// The longest address of a tracker, in bytes; longer ones are left out.
const TRACKER_BYTES: usize = 512;
/// Names are cut to so many bytes.
const NAME_BYTES: usize = 512;
/// What trackers speak.
const SCHEMES: [&str; 5] = ["udp://", "http://", "https://", "ws://", "wss://"];
/// Digits of a v1 hash in hexadecimal, and in base 32.
const HEX: usize = 40;
const BASE32: usize = 32;
/// What a SHA-256 begins with among multihashes: <https://multiformats.io/multihash/>.
const SHA256: &str = "1220";
/// What is written as it is: what RFC 3986 calls unreserved.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Why a text is no magnet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("not a magnet: {0}")]
pub struct NotAMagnet(&'static str);

/// What a magnet says. It is a claim until the client has the metadata.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Magnet {
    v1: Option<InfoHash>,
    v2: Option<InfoHash>,
    name: Option<String>,
    trackers: Vec<String>,
    size_bytes: Option<u64>,
}

impl Magnet {
    /// Reads a link, also one whose scheme is in capitals or that went through HTML. What it has
    /// besides hashes, name, trackers and size is left out.
    pub fn parse(link: &str) -> Result<Self, NotAMagnet> {
        let link = link.trim();
        if link.len() > LINK_BYTES {
            return Err(NotAMagnet("too long"));
        }
        let query = after_scheme(link).ok_or(NotAMagnet("another scheme"))?;
        let mut magnet =
            Self { v1: None, v2: None, name: None, trackers: Vec::new(), size_bytes: None };
        for (key, value) in form_urlencoded::parse(query.as_bytes()) {
            match plain_key(&key) {
                "xt" => magnet.topic(value.trim())?,
                "dn" if magnet.name.is_none() => magnet.name = shown::name(&value, NAME_BYTES),
                "tr" => magnet.tracker(value.trim()),
                "xl" => magnet.size_bytes = value.parse().ok().filter(|bytes| *bytes > 0),
                _ => {}
            }
        }
        if magnet.v1.is_none() && magnet.v2.is_none() {
            return Err(NotAMagnet("no hash of a torrent"));
        }
        Ok(magnet)
    }

    /// All that the torrent is called.
    pub fn hashes(&self) -> Hashes {
        self.v1.iter().chain(&self.v2).cloned().collect()
    }

    /// Its name, to be shown.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Its trackers, each once.
    pub fn trackers(&self) -> &[String] {
        &self.trackers
    }

    /// Its bytes, as the link has it.
    pub fn size_bytes(&self) -> Option<u64> {
        self.size_bytes
    }

    /// One `xt`. Those of other networks say nothing here.
    fn topic(&mut self, value: &str) -> Result<(), NotAMagnet> {
        if let Some(hash) = after(value, "urn:btih:") {
            once(&mut self.v1, v1(hash))
        } else if let Some(hash) = after(value, "urn:btmh:") {
            once(&mut self.v2, v2(hash))
        } else {
            Ok(())
        }
    }

    fn tracker(&mut self, address: &str) {
        let speaks = SCHEMES.iter().any(|scheme| after(address, scheme).is_some());
        let plain = !address.contains(|c: char| c.is_control() || c.is_whitespace());
        let room = address.len() <= TRACKER_BYTES && self.trackers.len() < TRACKERS;
        if speaks && plain && room && !self.trackers.iter().any(|known| known == address) {
            self.trackers.push(address.to_owned());
        }
    }
}

/// As every client reads it: hashes in hexadecimal digits and small letters first, then name and
/// trackers.
impl fmt::Display for Magnet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let v1 = self.v1.iter().map(|hash| format!("xt=urn:btih:{hash}"));
        let v2 = self.v2.iter().map(|hash| format!("xt=urn:btmh:{SHA256}{hash}"));
        let escaped = |key, text| format!("{key}={}", utf8_percent_encode(text, ESCAPED));
        let name = self.name.iter().map(|name| escaped("dn", name));
        let trackers = self.trackers.iter().map(|tracker| escaped("tr", tracker));
        let parts: Vec<String> = v1.chain(v2).chain(name).chain(trackers).collect();
        write!(f, "magnet:?{}", parts.join("&"))
    }
}

/// What stands behind `magnet:?`; some write slashes between.
fn after_scheme(link: &str) -> Option<&str> {
    after(link, "magnet:")?.trim_start_matches('/').strip_prefix('?')
}

/// Whether a text begins as a magnet does.
pub(super) fn begins(text: &str) -> bool {
    after_scheme(text).is_some()
}

/// What stands behind a beginning that may be in capitals.
fn after<'a>(text: &'a str, beginning: &str) -> Option<&'a str> {
    let (first, rest) = text.split_at_checked(beginning.len())?;
    first.eq_ignore_ascii_case(beginning).then_some(rest)
}

/// A key without what HTML made of the `&` before it, and without a number behind a point.
fn plain_key(key: &str) -> &str {
    let key = key.trim_start_matches("amp;").trim_start_matches("#38;");
    match key.split_once('.') {
        Some((plain, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => plain,
        _ => key,
    }
}

fn v1(text: &str) -> Option<InfoHash> {
    match text.len() {
        HEX => InfoHash::parse(text),
        BASE32 => {
            let bytes = BASE32_NOPAD_NOCASE.decode(text.as_bytes()).ok()?;
            bytes.try_into().ok().map(InfoHash::v1)
        }
        _ => None,
    }
}

fn v2(text: &str) -> Option<InfoHash> {
    let hash = after(text, SHA256)?;
    InfoHash::parse(hash).filter(|_| hash.len() > HEX)
}

/// Fills a place that has nothing else in it.
fn once(place: &mut Option<InfoHash>, hash: Option<InfoHash>) -> Result<(), NotAMagnet> {
    let hash = hash.ok_or(NotAMagnet("a hash that is none"))?;
    match place {
        Some(known) if *known != hash => Err(NotAMagnet("two torrents in one link")),
        _ => {
            *place = Some(hash);
            Ok(())
        }
    }
}

#[cfg(test)]
#[path = "magnet_tests.rs"]
mod tests;
