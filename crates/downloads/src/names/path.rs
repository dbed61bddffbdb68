//! A file's path in its parts.
//!
//! **Invariant:** the parts are those of the torrent; nothing here is a path on a disk.

use super::words::WORDS;

/// A path that was taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Leaf<'a> {
    /// Folders with their slashes, without the last one.
    pub(super) folder: &'a str,
    /// The name without its extension.
    pub(super) stem: &'a str,
    /// The extension as it is written; empty if there is none.
    pub(super) extension: &'a str,
}

impl<'a> Leaf<'a> {
    /// Takes a path apart.
    pub(super) fn of(path: &'a str) -> Self {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        match name.rsplit_once('.') {
            Some((stem, extension))
                if !stem.is_empty() && WORDS.is_extension(&extension.to_ascii_lowercase()) =>
            {
                Self { folder, stem, extension }
            }
            _ => Self { folder, stem: name, extension: "" },
        }
    }

    /// Its folders, the nearest first.
    pub(super) fn folders(&self) -> impl Iterator<Item = &'a str> + Clone {
        self.folder.rsplit('/').filter(|part| !part.is_empty())
    }

    /// The extension in lower case.
    pub(super) fn kind(&self) -> String {
        self.extension.to_ascii_lowercase()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_have_folders_a_stem_and_an_extension() {
        let leaf = Leaf::of("Show/Season 1/E01.The.End.MKV");
        assert_eq!((leaf.stem, leaf.extension), ("E01.The.End", "MKV"));
        assert_eq!(leaf.folders().collect::<Vec<_>>(), ["Season 1", "Show"]);
        assert_eq!(leaf.kind(), "mkv");
        assert_eq!(Leaf::of(".hidden").stem, ".hidden");
        assert_eq!(Leaf::of("Film.2010").stem, "Film.2010");
        assert_eq!(Leaf::of("Film.r00").extension, "r00");
        assert_eq!(Leaf::of("//").folders().count(), 0);
    }
}
