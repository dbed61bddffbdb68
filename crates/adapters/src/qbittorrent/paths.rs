//! Where the client's directories lie for us, when it runs in a container or on another machine.
//!
//! **Invariant:** what comes out is an absolute path whose parts all are plain names.

use std::path::{Component, Path, PathBuf};

use thiserror::Error;

/// Pairs of directories: what the client calls one, and what it is called here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PathMap(Vec<(Remote, PathBuf)>);

/// A pair that is none.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("not a pair of whole paths, as in /downloads=/srv/downloads")]
pub struct BadPair;

impl PathMap {
    /// Reads pairs written `remote=local`, divided at the first `=`.
    pub fn parse<S: AsRef<str>>(pairs: &[S]) -> Result<Self, BadPair> {
        let mut all = Vec::new();
        for pair in pairs {
            let (remote, local) = pair.as_ref().split_once('=').ok_or(BadPair)?;
            let (remote, local) = (Remote::read(remote.trim()), Path::new(local.trim()));
            let remote = remote.ok_or(BadPair)?;
            let plain = |part| matches!(part, Component::RootDir | Component::Normal(_));
            if !local.is_absolute() || !local.components().all(plain) {
                return Err(BadPair);
            }
            all.push((remote, local.to_owned()));
        }
        Ok(Self(all))
    }

    /// What a directory of the client is called here. The pair with the longest beginning of it
    /// decides; without one it is called the same. `None` if it can be nothing here: a path that is
    /// not whole, leads upwards, or is one of Windows.
    pub fn local(&self, remote: &str) -> Option<PathBuf> {
        let remote = Remote::read(remote)?;
        let begin = |(from, _): &&(Remote, PathBuf)| remote.begins_with(from);
        let Some((from, to)) = self.0.iter().filter(begin).max_by_key(|(from, _)| from.parts.len())
        else {
            let whole: PathBuf = remote.parts.iter().collect();
            return remote.drive.is_none().then(|| Path::new("/").join(whole));
        };
        let mut path = to.clone();
        path.extend(&remote.parts[from.parts.len()..]);
        Some(path)
    }
}

/// A whole path as the client writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Remote {
    /// On Windows: `D`.
    drive: Option<char>,
    parts: Vec<String>,
}

impl Remote {
    fn read(text: &str) -> Option<Self> {
        let mut letters = text.chars();
        let (first, second) = (letters.next()?, letters.next());
        let drive = (first.is_ascii_alphabetic() && second == Some(':'))
            .then(|| first.to_ascii_uppercase());
        let rest = if drive.is_some() { text[2..].replace('\\', "/") } else { text.to_owned() };
        let parts = rest.strip_prefix('/')?.split('/').filter(|part| !matches!(*part, "" | "."));
        let parts: Vec<String> = parts.map(str::to_owned).collect();
        let plain = parts.iter().all(|part| part != ".." && !part.contains('\0'));
        plain.then_some(Self { drive, parts })
    }

    fn begins_with(&self, other: &Self) -> bool {
        self.drive == other.drive && self.parts.starts_with(&other.parts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pairs: &[&str], remote: &str, local: Option<&str>) {
        let map = PathMap::parse(pairs).unwrap();
        assert_eq!(map.local(remote).as_deref(), local.map(Path::new), "{remote}");
    }

    #[test]
    fn the_longest_beginning_decides_part_by_part() {
        let pairs = ["/downloads=/srv/all", "/downloads/films/=/srv/films", "D:/dl=/mnt/d"];
        check(&pairs, "/downloads/series/x", Some("/srv/all/series/x"));
        check(&pairs, "/downloads/films", Some("/srv/films"));
        check(&pairs, "/downloads/films2/x", Some("/srv/all/films2/x"));
        check(&pairs, "/downloads2/x", Some("/downloads2/x"));
        check(&pairs, "d:\\dl\\new\\x", Some("/mnt/d/new/x"));
        check(&pairs, "C:/dl", None);
        check(&["/=/mnt/box"], "/downloads/x", Some("/mnt/box/downloads/x"));
        check(&[], "/downloads//x/./y/", Some("/downloads/x/y"));
    }

    #[test]
    fn nothing_leads_upwards_or_begins_in_the_middle() {
        for bad in ["", "downloads", "/downloads/../etc", "/..", "D:downloads", "/a\0b"] {
            check(&["/downloads=/srv/all"], bad, None);
        }
        for bad in ["", "/a", "a=/b", "/a=b", "/a=/b/../c", "/a/..=/b", "="] {
            assert_eq!(PathMap::parse(&[bad]), Err(BadPair), "{bad}");
        }
    }
}
