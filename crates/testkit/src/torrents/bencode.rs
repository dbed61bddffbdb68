//! Bencoding, as much of it as a test needs to make torrents and to read those it made.
//!
//! [BEP 3](https://www.bittorrent.org/beps/bep_0003.html). It refuses what is not written the one
//! way there is, so what is read and written again is the same.

use std::collections::BTreeMap;

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bencode {
    /// `i5e`
    Int(i64),
    /// `2:ab`
    Bytes(Vec<u8>),
    /// `l...e`
    List(Vec<Bencode>),
    /// `d...e`
    Dict(BTreeMap<Vec<u8>, Bencode>),
}

impl Bencode {
    /// Text as bytes.
    pub fn text(text: &str) -> Self {
        Self::Bytes(text.as_bytes().to_vec())
    }

    /// A count of bytes.
    pub fn length(bytes: u64) -> Self {
        Self::Int(i64::try_from(bytes).unwrap())
    }

    /// A dictionary of these.
    pub fn dict<const N: usize>(entries: [(&str, Self); N]) -> Self {
        let entries = entries.into_iter().map(|(key, value)| (key.as_bytes().to_vec(), value));
        Self::Dict(entries.collect())
    }

    /// What stands under a key.
    pub fn get(&self, key: &str) -> Option<&Self> {
        let Self::Dict(entries) = self else { return None };
        entries.get(key.as_bytes())
    }

    /// Its number, if it is one.
    pub fn int(&self) -> Option<u64> {
        let Self::Int(number) = self else { return None };
        u64::try_from(*number).ok()
    }

    /// Its text, if it is one.
    pub fn str(&self) -> Option<&str> {
        let Self::Bytes(bytes) = self else { return None };
        std::str::from_utf8(bytes).ok()
    }

    /// Writes it.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.write(&mut out);
        out
    }

    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::Int(number) => out.extend(format!("i{number}e").bytes()),
            Self::Bytes(bytes) => write_bytes(bytes, out),
            Self::List(items) => {
                out.push(b'l');
                for item in items {
                    item.write(out);
                }
                out.push(b'e');
            }
            Self::Dict(entries) => {
                out.push(b'd');
                for (key, value) in entries {
                    write_bytes(key, out);
                    value.write(out);
                }
                out.push(b'e');
            }
        }
    }

    /// Reads one value that is all there is.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let (value, rest) = read(bytes)?;
        (rest.is_empty() && value.encode() == bytes).then_some(value)
    }
}

fn write_bytes(bytes: &[u8], out: &mut Vec<u8>) {
    out.extend(format!("{}:", bytes.len()).bytes());
    out.extend(bytes);
}

fn read(bytes: &[u8]) -> Option<(Bencode, &[u8])> {
    let (first, rest) = bytes.split_first()?;
    match first {
        b'i' => {
            let end = rest.iter().position(|byte| *byte == b'e')?;
            let number = std::str::from_utf8(&rest[..end]).ok()?.parse().ok()?;
            Some((Bencode::Int(number), &rest[end + 1..]))
        }
        b'l' => {
            let (mut items, mut rest) = (Vec::new(), rest);
            while *rest.first()? != b'e' {
                let (item, after) = read(rest)?;
                items.push(item);
                rest = after;
            }
            Some((Bencode::List(items), &rest[1..]))
        }
        b'd' => {
            let (mut entries, mut rest) = (BTreeMap::new(), rest);
            while *rest.first()? != b'e' {
                let (key, after) = read_bytes(rest)?;
                let (value, after) = read(after)?;
                entries.insert(key, value);
                rest = after;
            }
            Some((Bencode::Dict(entries), &rest[1..]))
        }
        _ => read_bytes(bytes).map(|(bytes, rest)| (Bencode::Bytes(bytes), rest)),
    }
}

fn read_bytes(bytes: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let colon = bytes.iter().take(12).position(|byte| *byte == b':')?;
    let length: usize = std::str::from_utf8(&bytes[..colon]).ok()?.parse().ok()?;
    let rest = &bytes[colon + 1..];
    (length <= rest.len()).then(|| (rest[..length].to_vec(), &rest[length..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_nothing_else() {
        let written = b"d1:ai-5e1:bl2:xyde0:ee";
        assert_eq!(Bencode::decode(written).unwrap().encode(), written);
        for bad in [&b""[..], b"i5", b"i05e", b"5:ab", b"d1:bi1e1:ai1ee", b"i1ei2e", b"le1"] {
            assert_eq!(Bencode::decode(bad), None, "{bad:?}");
        }
    }
}
