//! The files that a torrent lists: as v1 does it, and as the tree of v2
//! (<https://www.bittorrent.org/beps/bep_0052.html>), with the marks of
//! <https://www.bittorrent.org/beps/bep_0047.html>.
//!
//! **Invariant:** paths are for people and for judging what is in it. Nothing is opened by them: where
//! a file lies, the client says.

use super::bencode::{Entries, Node};
use super::shown;
use super::torrent::TorrentError;

/// The most files, padding among them.
pub const FILES: usize = 100_000;
/// The longest path, in bytes: that of file systems.
const PATH_BYTES: usize = 4096;
/// All paths together. In a tree, a few bytes can repeat a long path many times.
const PATHS_BYTES: usize = 64 << 20;

/// A file of a torrent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its path, the torrent's own folder included, parts divided by `/`, each a plain name.
    pub path: String,
    /// Whether the torrent has it so. Otherwise it had parts that lead elsewhere, or are no names.
    pub plain: bool,
    /// Bytes.
    pub size_bytes: u64,
    /// Whether it is a link to somewhere, which is never followed.
    pub symlink: bool,
}

/// The files that were gathered so far.
struct Gathered {
    files: Vec<Listed>,
    count: usize,
    path_bytes: usize,
}

/// What marks say of a file.
#[derive(Clone, Copy)]
struct Marks {
    padding: bool,
    symlink: bool,
}

impl Gathered {
    fn new() -> Self {
        Self { files: Vec::new(), count: 0, path_bytes: 0 }
    }

    /// One more, with what its dictionary says.
    fn add(&mut self, about: Node<'_>, path: &Path) -> Result<(), TorrentError> {
        self.count += 1;
        if self.count > FILES {
            return Err(TorrentError::TooManyFiles);
        }
        let marks = marks(about, path);
        // A link has no bytes, whatever it says of its length.
        let length =
            if marks.symlink { Some(0) } else { about.get(b"length").and_then(Node::integer) };
        let length = length.ok_or(broken("a file without a length"))?;
        let size_bytes = u64::try_from(length).map_err(|_| broken("a negative length"))?;
        if marks.padding {
            return Ok(());
        }
        if path.text.is_empty() {
            return Err(broken("a file without a name"));
        }
        self.path_bytes += path.text.len();
        if self.path_bytes > PATHS_BYTES {
            return Err(broken("paths are too long"));
        }
        let Path { text, plain } = path.clone();
        self.files.push(Listed { path: text, plain, size_bytes, symlink: marks.symlink });
        Ok(())
    }

    /// All of them, if there are any.
    fn end(self) -> Result<Vec<Listed>, TorrentError> {
        if self.files.is_empty() { Err(broken("no files")) } else { Ok(self.files) }
    }
}

fn marks(about: Node<'_>, path: &Path) -> Marks {
    let attr = about.get(b"attr").and_then(Node::string).unwrap_or_default();
    // BitComet had padding before there was a mark for it.
    let padding = attr.contains(&b'p') || path.text.contains("_____padding_file_");
    Marks { padding, symlink: attr.contains(&b'l') }
}

/// A path in the making.
#[derive(Clone)]
struct Path {
    text: String,
    plain: bool,
}

impl Path {
    fn new() -> Self {
        Self { text: String::new(), plain: true }
    }

    fn push(&mut self, bytes: &[u8]) -> Result<(), TorrentError> {
        let (name, plain) = shown::part(bytes);
        if !self.text.is_empty() {
            self.text.push('/');
        }
        self.text.push_str(&name);
        self.plain &= plain;
        if self.text.len() > PATH_BYTES { Err(broken("a path is too long")) } else { Ok(()) }
    }
}

/// The files of v1: a list, or a single one that is called as the torrent is.
pub(super) fn of_list(info: Node<'_>, name: &[u8]) -> Result<Vec<Listed>, TorrentError> {
    let mut gathered = Gathered::new();
    let mut root = Path::new();
    root.push(name)?;
    let Some(files) = info.get(b"files").and_then(Node::items) else {
        gathered.add(info, &root)?;
        return gathered.end();
    };
    for about in files {
        let parts = about.get(b"path.utf-8").or_else(|| about.get(b"path"));
        let mut path = root.clone();
        for part in parts.and_then(Node::items).into_iter().flatten() {
            path.push(part.string().ok_or(broken("a path of something else than names"))?)?;
        }
        if path.text.len() == root.text.len() {
            path.text.clear();
        }
        gathered.add(about, &path)?;
    }
    gathered.end()
}

/// The files of v2: a tree of dictionaries. A file is the one under an empty key.
pub(super) fn of_tree(tree: Node<'_>, name: &[u8]) -> Result<Vec<Listed>, TorrentError> {
    let mut gathered = Gathered::new();
    let mut path = Path::new();
    let entries = tree.entries().ok_or(broken("no file tree"))?;
    if !is_single(entries.clone()) {
        path.push(name)?;
    }
    // Where it goes on, with the path up to there; no deeper than the document is.
    let mut open = vec![(entries, path)];
    while let Some((entries, path)) = open.last_mut() {
        let Some((part, below)) = entries.next() else {
            open.pop();
            continue;
        };
        if part.is_empty() {
            return Err(broken("a directory without a name"));
        }
        let mut path = path.clone();
        path.push(part)?;
        match file(below) {
            Some(about) => gathered.add(about, &path)?,
            None => open.push((below.entries().ok_or(broken("no file tree"))?, path)),
        }
    }
    gathered.end()
}

/// What a node of the tree says of a file, if it is one.
fn file(node: Node<'_>) -> Option<Node<'_>> {
    let mut entries = node.entries()?;
    let first = entries.next().filter(|(key, _)| key.is_empty());
    first.filter(|_| entries.next().is_none()).map(|(_, about)| about)
}

fn is_single(mut entries: Entries<'_>) -> bool {
    let first = entries.next();
    first.is_some_and(|(_, node)| file(node).is_some()) && entries.next().is_none()
}

fn broken(why: &'static str) -> TorrentError {
    TorrentError::Broken(why)
}
