//! Models by name: a name without a path is a file in the models directories, and the models of the
//! catalogue have a short name besides.
//!
//! The ticket of a recording keeps the reference, not the place, so that a recording begun before
//! the data directory moved, or before another model was configured, goes on with its own model.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use verst_engine::protocol::ModelFile;

use super::obstacle::Whose;

/// What a process needs besides the file of a model that nobody knows.
const WORKING_BYTES: u64 = 400_000_000;

/// More than a line of `sha256sum` has.
const HASH_LINE_BYTES: u64 = 512;

/// Which models there are, and which is used for what.
#[derive(Clone, Debug, Default)]
pub struct ModelsConfig {
    /// Where models named without a path are, in the order in which they are looked for.
    pub directories: Vec<PathBuf>,
    /// Models of which more is known than their file.
    pub known: Vec<KnownModel>,
    /// The model used where nobody asks for another, by name or path.
    pub model: String,
    /// Models for recordings in certain languages, by the language's code.
    pub by_language: BTreeMap<String, String>,
    /// The model that tells speakers apart; `None` to leave that out.
    pub diariser: Option<String>,
}

/// A model of the catalogue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownModel {
    /// Its short name.
    pub name: String,
    /// The name of its file.
    pub file: String,
    /// SHA-256 of the file in hexadecimal, if it is known.
    pub sha256: Option<String>,
    /// What a process needs besides the file.
    pub working_bytes: u64,
}

/// Finds models.
#[derive(Clone, Debug)]
pub(super) struct Models(ModelsConfig);

impl Models {
    pub(super) fn new(config: ModelsConfig) -> Self {
        Self(config)
    }

    /// A lasting reference to the wished model, else to the one for this language, else to the one
    /// for all: the name of a file in the directories, or a path.
    pub(super) fn reference(&self, wish: Option<&str>, language: Option<&str>) -> String {
        let for_language = language.and_then(|language| self.0.by_language.get(language));
        let name = wish.or(for_language.map(String::as_str)).unwrap_or(&self.0.model);
        self.lasting(name)
    }

    /// The model that tells speakers apart.
    pub(super) fn diariser(&self) -> Option<String> {
        self.0.diariser.as_deref().map(|name| self.lasting(name))
    }

    /// Whether some language has a model that is not the one for all.
    pub(super) fn differ_by_language(&self) -> bool {
        let usual = self.reference(None, None);
        self.0.by_language.values().any(|name| self.lasting(name) != usual)
    }

    /// Whose trouble it is if that model is not usable.
    pub(super) fn whose(&self, reference: &str) -> Whose {
        let named = self.0.by_language.values().chain([&self.0.model]);
        let path = self.path(reference);
        let ours = named.map(|name| self.path(&self.lasting(name))).any(|ours| ours == path);
        if ours { Whose::House } else { Whose::Recording }
    }

    /// The files of all models that the settings name.
    pub(super) fn configured(&self) -> Vec<PathBuf> {
        let by_language = self.0.by_language.values();
        let named = by_language.chain([&self.0.model]).chain(&self.0.diariser);
        named.map(|name| self.path(&self.lasting(name))).collect()
    }

    /// The file that a reference means, with the hash that is known of it: from the catalogue, or
    /// from when it was fetched.
    pub(super) fn file(&self, reference: &str) -> ModelFile {
        let path = self.path(reference);
        let known = self.known(reference).and_then(|known| known.sha256.clone());
        ModelFile { sha256: known.or_else(|| kept_hash(&path)), path }
    }

    /// What a process needs that has loaded so many copies of this model; `None` if its file is not
    /// there.
    pub(super) fn need_bytes(&self, reference: &str, copies: u64) -> Option<u64> {
        let path = self.path(reference);
        let file_bytes = std::fs::metadata(&path).ok()?.len();
        let working = self.known(reference).map_or(WORKING_BYTES, |known| known.working_bytes);
        let weights = file_bytes.saturating_mul(if is_mapped(&path) { 1 } else { copies });
        Some(weights.saturating_add(working.saturating_mul(copies)))
    }

    /// Short names become those of files, and paths into a directory the names in it.
    fn lasting(&self, name: &str) -> String {
        if let Some(known) = self.0.known.iter().find(|known| known.name == name) {
            return known.file.clone();
        }
        let path = Path::new(name);
        let inside = self.0.directories.iter().any(|dir| path.parent() == Some(dir));
        let file = path.file_name().filter(|_| inside);
        file.unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
    }

    fn known(&self, reference: &str) -> Option<&KnownModel> {
        let file = name(reference);
        self.0.known.iter().find(|known| known.file == file)
    }

    fn path(&self, reference: &str) -> PathBuf {
        let given = Path::new(reference);
        let bare = given.components().count() == 1 && !reference.contains(std::path::is_separator);
        if !bare {
            return given.to_owned();
        }
        let mut places = self.0.directories.iter().map(|directory| directory.join(given));
        let first = places.next().unwrap_or_else(|| given.to_owned());
        if first.is_file() { first } else { places.find(|path| path.is_file()).unwrap_or(first) }
    }
}

/// Whether the library maps a file, so that all copies of a model share it: it does so with GGUF, and
/// copies what whisper.cpp's older format has.
fn is_mapped(path: &Path) -> bool {
    let mut magic = [0; 4];
    File::open(path).and_then(|mut file| file.read_exact(&mut magic)).is_ok() && magic == *b"GGUF"
}

/// The hash that lies beside a file since it was fetched, as `sha256sum` writes it.
fn kept_hash(path: &Path) -> Option<String> {
    let mut kept = path.as_os_str().to_owned();
    kept.push(".sha256");
    let mut line = String::new();
    File::open(kept).ok()?.take(HASH_LINE_BYTES).read_to_string(&mut line).ok()?;
    let hash = line.split_whitespace().next()?;
    (hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit())).then(|| hash.to_owned())
}

/// What a model is called in a transcript: its file's name.
pub(super) fn name(reference: &str) -> String {
    let name = Path::new(reference).file_name();
    name.map_or_else(|| reference.to_owned(), |name| name.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(name: &str, file: &str, sha256: Option<&str>) -> KnownModel {
        let sha256 = sha256.map(str::to_owned);
        KnownModel { name: name.into(), file: file.into(), sha256, working_bytes: 7 }
    }

    fn models(model: &str) -> Models {
        Models(ModelsConfig {
            directories: vec!["/data/models".into(), "/home/models".into()],
            known: vec![known("base", "base.bin", Some("ab")), known("ru", "gigaam.gguf", None)],
            model: model.into(),
            by_language: BTreeMap::from([("ru".to_owned(), "ru".to_owned())]),
            diariser: None,
        })
    }

    #[test]
    fn references_lead_to_files() {
        let (inside, outside) = (models("base"), models("/opt/large.gguf"));
        let full = models("/data/models/base.bin");
        let cases = [
            (&inside, None, "base.bin", "/data/models/base.bin", true),
            (&full, None, "base.bin", "/data/models/base.bin", true),
            (&outside, None, "/opt/large.gguf", "/opt/large.gguf", false),
            (&inside, Some("small.bin"), "small.bin", "/data/models/small.bin", false),
            (&outside, Some("base"), "base.bin", "/data/models/base.bin", true),
            (&inside, Some("./x.bin"), "./x.bin", "./x.bin", false),
            (&inside, Some("/opt/x.bin"), "/opt/x.bin", "/opt/x.bin", false),
        ];
        for (models, wish, reference, path, checked) in cases {
            assert_eq!(models.reference(wish, None), reference);
            let file = models.file(reference);
            assert_eq!(file.path, Path::new(path));
            assert_eq!(file.sha256.is_some(), checked, "{reference}");
        }
        assert_eq!(name("/opt/large.gguf"), "large.gguf");
        assert_eq!(name("base.bin"), "base.bin");
    }

    #[test]
    fn a_language_has_its_model_unless_another_is_wished() {
        let models = models("base");
        for (wish, language, reference) in [
            (None, Some("ru"), "gigaam.gguf"),
            (None, Some("en"), "base.bin"),
            (None, None, "base.bin"),
            (Some("small.bin"), Some("ru"), "small.bin"),
        ] {
            assert_eq!(models.reference(wish, language), reference, "{wish:?} {language:?}");
        }
        assert!(models.differ_by_language());
        let same = ModelsConfig { model: "gigaam.gguf".into(), ..models.0.clone() };
        assert!(!Models(same).differ_by_language());
    }

    #[test]
    fn what_the_settings_name_is_the_houses_and_anything_else_the_recordings() {
        for (reference, whose) in [
            ("base.bin", Whose::House),
            ("gigaam.gguf", Whose::House),
            ("small.bin", Whose::Recording),
            ("/opt/x.bin", Whose::Recording),
        ] {
            assert_eq!(models("base").whose(reference), whose, "{reference}");
        }
    }

    #[test]
    fn files_are_found_in_either_place_with_the_hash_that_lies_beside_them() {
        let dir = tempfile::tempdir().unwrap();
        let (first, second) = (dir.path().join("a"), dir.path().join("b"));
        for place in [&first, &second] {
            std::fs::create_dir(place).unwrap();
        }
        let directories = vec![first.clone(), second.clone()];
        let models = Models(ModelsConfig { directories, ..models("base").0 });
        assert_eq!(models.file("gigaam.gguf").path, first.join("gigaam.gguf"));
        assert_eq!(models.need_bytes("gigaam.gguf", 1), None);
        let there = second.join("gigaam.gguf");
        std::fs::write(&there, "12345").unwrap();
        assert_eq!(models.file("gigaam.gguf"), ModelFile { path: there, sha256: None });
        assert_eq!(models.need_bytes("gigaam.gguf", 1), Some(12));
        assert_eq!(models.need_bytes("gigaam.gguf", 2), Some(24));
        // The weights of a file that is mapped are there once.
        std::fs::write(second.join("gigaam.gguf"), "GGUF5").unwrap();
        assert_eq!(models.need_bytes("gigaam.gguf", 2), Some(19));
        let hash = "5E4aa295e1c118891fb66f78a8be2da03112c3b028f4a31cefdeef459bec5f5a";
        let beside = second.join("gigaam.gguf.sha256");
        for (line, expected) in [
            (format!("{hash}  gigaam.gguf\n"), Some(hash)),
            ("not a hash\n".to_owned(), None),
            (String::new(), None),
        ] {
            std::fs::write(&beside, &line).unwrap();
            assert_eq!(models.file("gigaam.gguf").sha256.as_deref(), expected, "{line}");
        }
        std::fs::write(second.join("own.bin"), "1").unwrap();
        assert_eq!(models.need_bytes("own.bin", 1), Some(WORKING_BYTES + 1));
    }
}
