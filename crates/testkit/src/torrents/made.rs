//! Torrents that tests make, of files they wrote.
//!
//! v1 after [BEP 3](https://www.bittorrent.org/beps/bep_0003.html); hybrid ones, of one file, after
//! [BEP 52](https://www.bittorrent.org/beps/bep_0052.html) as well.

use std::path::{Path, PathBuf};

use sha1::Sha1;
use sha2::{Digest, Sha256};
use tempfile::TempDir;
use verst_downloads::hash::{Hashes, InfoHash};

use super::bencode::Bencode;

/// Bytes of a piece, small so that small files have several.
const PIECE: usize = 32 << 10;
/// Bytes under one leaf of the tree of v2.
const BLOCK: usize = 16 << 10;

/// A file in it: its path below the save path, and its bytes.
pub type TorrentEntry = (String, u64);

/// A torrent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Torrent {
    /// The .torrent file.
    pub bytes: Vec<u8>,
    /// What it is called.
    pub name: String,
    /// What is in it.
    pub files: Vec<TorrentEntry>,
    /// SHA-1 of `info`, unless it is v2 alone.
    pub v1: Option<InfoHash>,
    /// SHA-256 of `info`, if it has v2.
    pub v2: Option<InfoHash>,
}

impl Torrent {
    /// A v1 torrent of a file with this name, which nobody has.
    pub fn sample(name: &str) -> Self {
        Self::v1(&sample(name).1, None)
    }

    /// The same as a hybrid.
    pub fn sample_hybrid(name: &str) -> Self {
        Self::hybrid(&sample(name).1, None)
    }

    /// A v1 torrent of a file, or of a directory and all below it.
    pub fn v1(of: &Path, announce: Option<&str>) -> Self {
        let name = name_of(of);
        let (mut content, mut files) = (Vec::new(), Vec::new());
        if of.is_file() {
            content = std::fs::read(of).unwrap();
        } else {
            for path in walk(of) {
                let bytes = std::fs::read(&path).unwrap();
                let parts = path.strip_prefix(of).unwrap().iter();
                let parts = parts.map(|part| Bencode::text(part.to_str().unwrap())).collect();
                files.push(Bencode::dict([
                    ("length", Bencode::length(bytes.len() as u64)),
                    ("path", Bencode::List(parts)),
                ]));
                content.extend(bytes);
            }
        }
        let (kind, value) = if of.is_file() {
            ("length", Bencode::length(content.len() as u64))
        } else {
            ("files", Bencode::List(files))
        };
        let info = Bencode::dict([
            (kind, value),
            ("name", Bencode::text(&name)),
            ("piece length", Bencode::length(PIECE as u64)),
            ("pieces", Bencode::Bytes(pieces(&content))),
        ]);
        Self::written([("info", info)], announce)
    }

    /// A torrent of one file that is both v1 and v2.
    pub fn hybrid(of: &Path, announce: Option<&str>) -> Self {
        let (name, content) = (name_of(of), std::fs::read(of).unwrap());
        let length = Bencode::length(content.len() as u64);
        let (root, layer) = tree(&content);
        let leaf = [("length", length.clone()), ("pieces root", Bencode::Bytes(root.to_vec()))];
        let tree = Bencode::dict([(&name, Bencode::dict([("", Bencode::dict(leaf))]))]);
        let info = Bencode::dict([
            ("file tree", tree),
            ("length", length),
            ("meta version", Bencode::Int(2)),
            ("name", Bencode::text(&name)),
            ("piece length", Bencode::length(PIECE as u64)),
            ("pieces", Bencode::Bytes(pieces(&content))),
        ]);
        let layers = layer.map(|layer| (root.to_vec(), Bencode::Bytes(layer)));
        let layers = Bencode::Dict(layers.into_iter().collect());
        Self::written([("info", info), ("piece layers", layers)], announce)
    }

    fn written<const N: usize>(parts: [(&str, Bencode); N], announce: Option<&str>) -> Self {
        let Bencode::Dict(mut all) = Bencode::dict(parts) else { unreachable!("a dictionary") };
        if let Some(announce) = announce {
            all.insert(b"announce".to_vec(), Bencode::text(announce));
        }
        Self::read(&Bencode::Dict(all).encode()).expect("what was made can be read")
    }

    /// Reads a .torrent file; `None` if it is none.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let all = Bencode::decode(bytes)?;
        let info = all.get("info")?;
        let (name, raw) = (info.get("name")?.str()?.to_owned(), info.encode());
        let files = match (info.get("files"), info.get("length")) {
            (Some(Bencode::List(files)), _) => {
                files.iter().map(|file| entry(&name, file)).collect::<Option<_>>()?
            }
            (_, length) => vec![(name.clone(), length?.int()?)],
        };
        let v1 = info.get("pieces").map(|_| InfoHash::v1(Sha1::digest(&raw).into()));
        let v2 = info.get("meta version").map(|_| InfoHash::v2(Sha256::digest(&raw).into()));
        Some(Self { bytes: bytes.to_vec(), name, files, v1, v2 })
    }

    /// All that it is called.
    pub fn hashes(&self) -> Hashes {
        self.v1.iter().chain(&self.v2).cloned().collect()
    }

    /// Bytes of all its files.
    pub fn size_bytes(&self) -> u64 {
        self.files.iter().map(|(_, bytes)| bytes).sum()
    }

    /// A magnet with its v1 hash alone, as most are, and a tracker if somebody is to be found.
    pub fn magnet(&self, announce: Option<&str>) -> String {
        let v1 = self.v1.as_ref().expect("a v1 hash");
        let tracker = announce.map(|url| {
            let url: String = url::form_urlencoded::byte_serialize(url.as_bytes()).collect();
            format!("&tr={url}")
        });
        format!("magnet:?xt=urn:btih:{v1}{}", tracker.unwrap_or_default())
    }
}

fn sample(name: &str) -> (TempDir, PathBuf) {
    let dir = TempDir::new().unwrap();
    let path = dir.path().join(name);
    std::fs::write(&path, name.repeat(100_000 / name.len())).unwrap();
    (dir, path)
}

fn entry(root: &str, file: &Bencode) -> Option<TorrentEntry> {
    let Bencode::List(parts) = file.get("path")? else { return None };
    let mut path = root.to_owned();
    for part in parts {
        path.push('/');
        path.push_str(part.str()?);
    }
    Some((path, file.get("length")?.int()?))
}

fn name_of(path: &Path) -> String {
    path.file_name().and_then(|name| name.to_str()).expect("a name").to_owned()
}

fn walk(below: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let entries = std::fs::read_dir(below).unwrap();
    let mut entries: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for entry in entries {
        if entry.is_dir() { found.extend(walk(&entry)) } else { found.push(entry) }
    }
    found
}

fn pieces(content: &[u8]) -> Vec<u8> {
    content.chunks(PIECE).flat_map(Sha1::digest).collect()
}

/// The root over a file's blocks, and the hashes of its pieces if it has more than one.
fn tree(content: &[u8]) -> ([u8; 32], Option<Vec<u8>>) {
    assert!(!content.is_empty(), "an empty file has no tree");
    let mut layer: Vec<[u8; 32]> =
        content.chunks(BLOCK).map(|block| Sha256::digest(block).into()).collect();
    layer.resize(layer.len().next_power_of_two(), [0; 32]);
    let (mut of_bytes, mut of_pieces) = (BLOCK, None);
    loop {
        if of_bytes == PIECE && content.len() > PIECE {
            let count = content.len().div_ceil(PIECE);
            of_pieces = Some(layer[..count].concat());
        }
        if let [root] = layer[..] {
            return (root, of_pieces);
        }
        layer = layer.chunks(2).map(|pair| Sha256::digest(pair.concat()).into()).collect();
        of_bytes *= 2;
    }
}
