//! What a torrent is known by: its info-hashes.
//!
//! [BEP 3](https://www.bittorrent.org/beps/bep_0003.html): SHA-1 over the bencoded `info` (v1).
//! [BEP 52](https://www.bittorrent.org/beps/bep_0052.html): SHA-256 over it (v2); trackers, peers and
//! qBittorrent call a v2 torrent by the first 20 bytes of that.

use std::collections::BTreeSet;
use std::fmt;

/// Hexadecimal digits of a v1 hash, and of a truncated v2 one.
const SHORT: usize = 40;
/// Hexadecimal digits of a whole v2 hash.
const LONG: usize = 64;

/// An info-hash: 40 or 64 hexadecimal digits, lower case.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InfoHash(String);

impl InfoHash {
    /// The hash written so, in either case.
    pub fn parse(text: &str) -> Option<Self> {
        let good =
            matches!(text.len(), SHORT | LONG) && text.bytes().all(|b| b.is_ascii_hexdigit());
        good.then(|| Self(text.to_ascii_lowercase()))
    }

    /// A v1 hash.
    pub fn v1(sha1: [u8; 20]) -> Self {
        Self(base16ct::lower::encode_string(&sha1))
    }

    /// A v2 hash.
    pub fn v2(sha256: [u8; 32]) -> Self {
        Self(base16ct::lower::encode_string(&sha256))
    }

    /// Its digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for InfoHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// All that one torrent is called by. Two are the same torrent if these sets meet.
///
/// **Invariant:** with a whole v2 hash its first 40 digits are in it, too.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Hashes(BTreeSet<InfoHash>);

impl Hashes {
    /// Adds one; answers whether it was new.
    pub fn insert(&mut self, hash: InfoHash) -> bool {
        if hash.0.len() == LONG {
            self.0.insert(InfoHash(hash.0[..SHORT].to_owned()));
        }
        self.0.insert(hash)
    }

    /// Whether both are names of one torrent.
    pub fn meets(&self, other: &Self) -> bool {
        self.0.iter().any(|hash| other.0.contains(hash))
    }

    /// Whether it is called so.
    pub fn contains(&self, hash: &InfoHash) -> bool {
        self.0.contains(hash)
    }

    /// Those of the other set that are not in this one.
    pub fn unknown(&self, other: &Self) -> Self {
        Self(other.0.difference(&self.0).cloned().collect())
    }

    /// In their order, which is the order in which stores lock them.
    pub fn iter(&self) -> impl Iterator<Item = &InfoHash> {
        self.0.iter()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromIterator<InfoHash> for Hashes {
    fn from_iter<I: IntoIterator<Item = InfoHash>>(hashes: I) -> Self {
        let mut all = Self::default();
        for hash in hashes {
            all.insert(hash);
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(texts: &[&str]) -> Hashes {
        texts.iter().filter_map(|text| InfoHash::parse(text)).collect()
    }

    #[test]
    fn only_hexadecimal_digits_of_the_right_number_are_a_hash() {
        let (short, long) = ("aB".repeat(20), "0f".repeat(32));
        assert_eq!(InfoHash::parse(&short).unwrap().as_str(), "ab".repeat(20));
        assert!(InfoHash::parse(&long).is_some());
        for bad in ["", "all", &short[1..], &long[1..], &"zz".repeat(20), &"я".repeat(20)] {
            assert_eq!(InfoHash::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_v2_torrent_is_also_called_by_the_beginning_of_its_hash() {
        let long = "0f".repeat(32);
        let whole = of(&[&long]);
        assert!(whole.meets(&of(&[&long[..40]])) && !whole.meets(&of(&[&"ab".repeat(20)])));
        assert_eq!(whole.iter().count(), 2);
        assert!(of(&[&long[..40]]).unknown(&whole).contains(&InfoHash::parse(&long).unwrap()));
    }
}
