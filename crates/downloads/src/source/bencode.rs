//! Bencode, read where it lies: <https://www.bittorrent.org/beps/bep_0003.html>.
//!
//! Crates that read it either insist on sorted keys, which torrents in the wild do not have, or go as
//! deep as the bytes say, on the stack. Here the bytes are walked once, without recursion, and every
//! value keeps the stretch that it was read from: a hash is of those bytes, never of what somebody
//! would have written instead.
//!
//! **Invariant:** any bytes end in a document or in an error, in time and memory that grow no faster
//! than they do.

use thiserror::Error;

/// How deep values may lie in each other; the usual limit of clients.
const DEPTH: usize = 100;
/// How many values a document may have, keys among them. Each takes twelve bytes here.
const VALUES: usize = 3_000_000;

/// Why bytes are no document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(super) enum BencodeError {
    /// Something else than bencode, or it breaks off.
    #[error("no bencode from byte {at} on")]
    Syntax {
        /// Where.
        at: usize,
    },
    /// More values in each other than [`DEPTH`].
    #[error("too deep")]
    TooDeep,
    /// More values than [`VALUES`], or more bytes than can be counted.
    #[error("too many values")]
    TooMany,
}

/// A value: where it begins and ends, and the number of the value after it and all inside it.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    start: u32,
    end: u32,
    next: u32,
}

/// A document that was read.
#[derive(Debug)]
pub(super) struct Document<'a> {
    bytes: &'a [u8],
    values: Vec<Stretch>,
}

/// A list or dictionary that has not ended yet.
struct Open {
    value: usize,
    /// In a dictionary, whether a key comes next.
    key: Option<bool>,
}

impl<'a> Document<'a> {
    /// Reads one value from the beginning; answers what comes after it, too. Keys may be in any
    /// order and come twice. Integers may have any length.
    pub(super) fn read(bytes: &'a [u8]) -> Result<(Self, &'a [u8]), BencodeError> {
        let mut document = Self { bytes, values: Vec::new() };
        let mut open: Vec<Open> = Vec::new();
        let mut at = 0;
        loop {
            let wrong = BencodeError::Syntax { at };
            let kind = *bytes.get(at).ok_or(wrong)?;
            if kind == b'e' {
                let ended = open.pop().filter(|open| open.key != Some(false)).ok_or(wrong)?;
                at += 1;
                document.close(ended.value, at)?;
            } else {
                if let Some(Open { key: Some(key), .. }) = open.last_mut() {
                    if *key && !kind.is_ascii_digit() {
                        return Err(wrong);
                    }
                    *key = !*key;
                }
                let value = document.begin(at)?;
                match kind {
                    b'l' | b'd' if open.len() == DEPTH => return Err(BencodeError::TooDeep),
                    b'l' | b'd' => {
                        open.push(Open { value, key: (kind == b'd').then_some(true) });
                        at += 1;
                        continue;
                    }
                    b'i' => at = after_integer(bytes, at).ok_or(wrong)?,
                    _ => at = after_string(bytes, at).ok_or(wrong)?,
                }
                document.close(value, at)?;
            }
            if open.is_empty() {
                return Ok((document, bytes.get(at..).unwrap_or_default()));
            }
        }
    }

    /// The value that holds all others.
    pub(super) fn root(&self) -> Node<'_> {
        Node { document: self, value: 0 }
    }

    fn begin(&mut self, at: usize) -> Result<usize, BencodeError> {
        if self.values.len() == VALUES {
            return Err(BencodeError::TooMany);
        }
        let start = u32::try_from(at).map_err(|_| BencodeError::TooMany)?;
        self.values.push(Stretch { start, end: start, next: 0 });
        Ok(self.values.len() - 1)
    }

    fn close(&mut self, value: usize, end: usize) -> Result<(), BencodeError> {
        let end = u32::try_from(end).map_err(|_| BencodeError::TooMany)?;
        let next = u32::try_from(self.values.len()).map_err(|_| BencodeError::TooMany)?;
        if let Some(stretch) = self.values.get_mut(value) {
            (stretch.end, stretch.next) = (end, next);
        }
        Ok(())
    }
}

/// Where the integer that begins here ends. No zeros in front, and no negative zero.
fn after_integer(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = bytes.get(at + 1..)?;
    let digits = rest.strip_prefix(b"-").unwrap_or(rest);
    let count = digits.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let negative = digits.len() < rest.len();
    let good = match (count, digits.first()?) {
        (0, _) => false,
        (1, b'0') => !negative,
        (_, first) => *first != b'0',
    };
    let ends = digits.get(count) == Some(&b'e');
    (good && ends).then_some(at + 1 + usize::from(negative) + count + 1)
}

/// Where the string that begins here ends. Its length has no zeros in front.
fn after_string(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = bytes.get(at..)?;
    let count = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let digits = rest.get(..count)?;
    if rest.get(count) != Some(&b':') || (count > 1 && digits.first() == Some(&b'0')) {
        return None;
    }
    let length: usize = str::from_utf8(digits).ok()?.parse().ok()?;
    let end = (at + count + 1).checked_add(length)?;
    (end <= bytes.len()).then_some(end)
}

/// A value in a document.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<'d> {
    document: &'d Document<'d>,
    value: usize,
}

impl<'d> Node<'d> {
    /// The bytes that it was read from.
    pub(super) fn raw(self) -> &'d [u8] {
        let stretch = self.stretch();
        let (start, end) = (index(stretch.start), index(stretch.end));
        self.document.bytes.get(start..end).unwrap_or_default()
    }

    /// The integer, if it is one and has room in 64 bits.
    pub(super) fn integer(self) -> Option<i64> {
        let digits = self.raw().strip_prefix(b"i")?.strip_suffix(b"e")?;
        str::from_utf8(digits).ok()?.parse().ok()
    }

    /// The string's bytes, if it is one.
    pub(super) fn string(self) -> Option<&'d [u8]> {
        let raw = self.raw();
        let colon = raw.iter().position(|byte| !byte.is_ascii_digit())?;
        (colon > 0).then(|| raw.get(colon + 1..)).flatten()
    }

    /// What is in it, if it is a list.
    pub(super) fn items(self) -> Option<Items<'d>> {
        self.inside(b'l')
    }

    /// What is in it, if it is a dictionary.
    pub(super) fn entries(self) -> Option<Entries<'d>> {
        self.inside(b'd').map(Entries)
    }

    /// The value of a key, if this is a dictionary. Of several the first counts, as for libtorrent.
    pub(super) fn get(self, key: &[u8]) -> Option<Node<'d>> {
        self.entries()?.find(|(name, _)| *name == key).map(|(_, value)| value)
    }

    fn inside(self, kind: u8) -> Option<Items<'d>> {
        let end = index(self.stretch().next);
        let inside = Items { document: self.document, next: self.value + 1, end };
        (self.raw().first() == Some(&kind)).then_some(inside)
    }

    fn stretch(self) -> Stretch {
        let nothing = Stretch { start: 0, end: 0, next: 0 };
        self.document.values.get(self.value).copied().unwrap_or(nothing)
    }
}

fn index(at: u32) -> usize {
    usize::try_from(at).unwrap_or(usize::MAX)
}

/// What is in a list, in order.
#[derive(Clone, Debug)]
pub(super) struct Items<'d> {
    document: &'d Document<'d>,
    next: usize,
    end: usize,
}

impl<'d> Iterator for Items<'d> {
    type Item = Node<'d>;

    fn next(&mut self) -> Option<Node<'d>> {
        if self.next >= self.end {
            return None;
        }
        let node = Node { document: self.document, value: self.next };
        self.next = index(node.stretch().next);
        Some(node)
    }
}

/// Keys and values of a dictionary, as they stand.
#[derive(Clone, Debug)]
pub(super) struct Entries<'d>(Items<'d>);

impl<'d> Iterator for Entries<'d> {
    type Item = (&'d [u8], Node<'d>);

    fn next(&mut self) -> Option<Self::Item> {
        let key = self.0.next()?;
        Some((key.string()?, self.0.next()?))
    }
}

#[cfg(test)]
#[path = "bencode_tests.rs"]
mod tests;
