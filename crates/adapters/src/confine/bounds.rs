//! What a child may use, and how that is said to the helper: one word each, `name=value`.
//!
//! **Invariant:** a word that is not understood is an error, never a limit left out.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;

use super::Mode;

/// The bounds of one child.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bounds {
    /// How much it gives way to others, 0 to 19.
    pub(crate) niceness: i32,
    /// Address space, in bytes.
    pub(crate) memory_bytes: Option<u64>,
    /// Size of the largest file that it may write, in bytes.
    pub(crate) file_bytes: u64,
    /// Seconds of computing, on all processors together.
    pub(crate) cpu_s: Option<u64>,
    /// Files that may be open at a time.
    pub(crate) open_files: u64,
    /// Files, and directories with all that is in them, that it may read.
    pub(crate) read: Vec<PathBuf>,
    /// Files that are there and that it may overwrite.
    pub(crate) write: Vec<PathBuf>,
}

/// What the helper was told.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Orders {
    pub(super) mode: Mode,
    /// The process that the child is not to outlive.
    pub(super) parent: i32,
    pub(super) bounds: Bounds,
}

const MODES: [(&str, Mode); 3] =
    [("off", Mode::Off), ("auto", Mode::Auto), ("required", Mode::Required)];

impl Bounds {
    /// As words for the helper.
    pub(super) fn words(&self, mode: Mode) -> Vec<OsString> {
        let mode = MODES.into_iter().find(|(_, known)| *known == mode).map_or("", |(name, _)| name);
        let mut words = vec![
            OsString::from(format!("mode={mode}")),
            format!("parent={}", std::process::id()).into(),
            format!("nice={}", self.niceness).into(),
            format!("file={}", self.file_bytes).into(),
            format!("open={}", self.open_files).into(),
        ];
        words.extend(self.memory_bytes.map(|bytes| format!("memory={bytes}").into()));
        words.extend(self.cpu_s.map(|seconds| format!("cpu={seconds}").into()));
        for (name, paths) in [("read=", &self.read), ("write=", &self.write)] {
            words.extend(paths.iter().map(|path| {
                let mut word = OsString::from(name);
                word.push(path);
                word
            }));
        }
        words
    }
}

impl Orders {
    /// Reads words up to the `--` and leaves what comes after it.
    pub(super) fn read(words: &mut impl Iterator<Item = OsString>) -> Option<Self> {
        let mut orders = Self::default();
        for word in words {
            if word == "--" {
                return Some(orders);
            }
            orders.take(&word)?;
        }
        None
    }

    fn take(&mut self, word: &OsStr) -> Option<()> {
        let bytes = word.as_bytes();
        let at = bytes.iter().position(|byte| *byte == b'=')?;
        let value = &bytes[at + 1..];
        let path = || PathBuf::from(OsString::from_vec(value.to_owned()));
        let text = || std::str::from_utf8(value).ok();
        let number = || text()?.parse().ok();
        let bounds = &mut self.bounds;
        match &bytes[..at] {
            b"mode" => self.mode = MODES.into_iter().find(|(n, _)| Some(*n) == text())?.1,
            b"parent" => self.parent = text()?.parse().ok()?,
            b"nice" => bounds.niceness = text()?.parse().ok()?,
            b"file" => bounds.file_bytes = number()?,
            b"open" => bounds.open_files = number()?,
            b"memory" => bounds.memory_bytes = Some(number()?),
            b"cpu" => bounds.cpu_s = Some(number()?),
            b"read" => bounds.read.push(path()),
            b"write" => bounds.write.push(path()),
            _ => return None,
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_is_understood() {
        let odd = OsString::from_vec(b"/odd=\xff -- x".to_vec());
        let bounds = Bounds {
            niceness: 19,
            memory_bytes: Some(1 << 31),
            file_bytes: 0,
            cpu_s: Some(60),
            open_files: 64,
            read: vec!["/a".into(), odd.into()],
            write: vec!["/b".into()],
        };
        for (bounds, mode) in [(bounds, Mode::Required), (Bounds::default(), Mode::Off)] {
            let said = bounds.words(mode);
            let mut words = said.into_iter().chain(["--".into(), "ffmpeg".into()]);
            let parent = i32::try_from(std::process::id()).unwrap();
            assert_eq!(Orders::read(&mut words), Some(Orders { mode, parent, bounds }));
            assert_eq!(words.next(), Some("ffmpeg".into()));
        }
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        for word in
            ["mode=some", "mode", "memory=-1", "cpu=", "raed=/a", "", "open=99999999999999999999"]
        {
            let mut words = [word, "--"].into_iter().map(OsString::from);
            assert_eq!(Orders::read(&mut words), None, "{word}");
        }
        assert_eq!(Orders::read(&mut ["cpu=1".into()].into_iter()), None);
    }
}
