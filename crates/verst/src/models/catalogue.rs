//! The catalogue: the models that are known by name, from `catalogue.toml`, which is compiled in.
//!
//! What is not known for certain is not in it, and has no place where it could look as if it were.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

const TEXT: &str = include_str!("catalogue.toml");

/// A million bytes, in which pages of models give sizes.
const MB: u64 = 1_000_000;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Catalogue {
    languages: BTreeMap<String, Vec<String>>,
    model: Vec<Model>,
}

/// What a model is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Role {
    /// Turns speech into text.
    Recognise,
    /// Finds speech.
    VoiceActivity,
    /// Tells speakers apart.
    Diarise,
}

/// A model that is known by name.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Model {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) role: Role,
    /// Whether it comes with Verst; then there is nowhere to fetch it from.
    #[serde(default)]
    pub(crate) bundled: bool,
    /// Which list of languages it knows.
    speaks: Option<String>,
    /// Languages beyond that list.
    #[serde(default)]
    also: Vec<String>,
    pub(crate) licence: String,
    /// The name of its file.
    pub(crate) file: String,
    /// Where it is on a mirror.
    pub(crate) path: Option<String>,
    /// In hexadecimal, where it is known.
    pub(crate) sha256: Option<String>,
    /// Exactly, where it is known.
    size_bytes: Option<u64>,
    /// As its page says it, rounded.
    size_mb: u64,
    working_mb: u64,
    pub(crate) working_measured: bool,
    #[serde(default)]
    pub(crate) figures: Vec<Figure>,
}

/// How well it did, as published.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Figure {
    pub(crate) set: String,
    pub(crate) error_percent: f64,
    /// Who says so, as the head of the catalogue explains it.
    pub(crate) source: String,
}

static CATALOGUE: LazyLock<Catalogue> =
    // A test reads it, so what is compiled in can be read.
    LazyLock::new(|| toml::from_str(TEXT).unwrap_or_default());

/// Every model that is known.
pub(crate) fn known() -> &'static [Model] {
    &CATALOGUE.model
}

/// The model of that name, or of that file.
pub(crate) fn named(name: &str) -> Option<&'static Model> {
    known().iter().find(|model| model.id == name || model.file == name)
}

impl Model {
    /// Languages it knows, as codes; empty where that means nothing.
    pub(crate) fn languages(&self) -> Vec<&str> {
        let list = self.speaks.as_ref().and_then(|speaks| CATALOGUE.languages.get(speaks));
        list.into_iter().flatten().chain(&self.also).map(String::as_str).collect()
    }

    /// The size of its file, as well as it is known.
    pub(crate) fn size_bytes(&self) -> u64 {
        self.size_bytes.unwrap_or(self.size_mb * MB)
    }

    /// What a process needs besides the file.
    pub(crate) fn working_bytes(&self) -> u64 {
        self.working_mb * MB
    }

    /// What a process that has loaded it needs.
    pub(crate) fn memory_bytes(&self) -> u64 {
        self.size_bytes() + self.working_bytes()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::models::{BUNDLED, VAD};

    #[test]
    fn the_catalogue_can_be_read() {
        let read: Result<Catalogue, _> = toml::from_str(TEXT);
        assert_eq!(read.map(|catalogue| catalogue.model.len()), Ok(known().len()));
        assert!(known().len() >= 7);
    }

    #[test]
    fn each_entry_is_whole_and_says_where_its_file_comes_from() {
        let (mut ids, mut files) = (BTreeSet::new(), BTreeSet::new());
        for model in known() {
            let id = &model.id;
            assert!(ids.insert(id) && files.insert(&model.file), "{id} stands twice");
            assert!(id.bytes().all(|b| b.is_ascii_alphanumeric() || b"-.".contains(&b)), "{id}");
            assert!(!model.file.contains('/') && !model.file.is_empty(), "{id}");
            assert_ne!(model.bundled, model.path.is_some(), "{id}: bundled, or to be fetched");
            assert!(!model.bundled || model.sha256.is_some(), "{id}: what comes along is known");
            if let Some(path) = &model.path {
                let end = format!("-gguf/resolve/main/{}", model.file);
                assert!(path.starts_with("handy-computer/") && path.ends_with(&end), "{id}");
            }
            if let Some(hash) = &model.sha256 {
                let hexadecimal = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
                assert!(hash.len() == 64 && hash.bytes().all(hexadecimal), "{id}");
            }
            let rounded = model.size_bytes().div_ceil(MB).abs_diff(model.size_mb);
            assert!(rounded <= 1 && model.working_bytes() > 0, "{id}");
            let spoken = model.languages();
            assert_eq!(spoken.is_empty(), model.role != Role::Recognise, "{id}");
            assert_eq!(spoken.iter().collect::<BTreeSet<_>>().len(), spoken.len(), "{id}");
            assert!(model.figures.iter().all(|f| (0.1..60.0).contains(&f.error_percent)), "{id}");
        }
    }

    #[test]
    fn what_comes_with_verst_is_in_it_with_the_hash_of_the_file() {
        for (file, role) in [(BUNDLED, Role::Recognise), (VAD, Role::VoiceActivity)] {
            let model = named(file).unwrap();
            assert!(model.bundled && model.role == role);
            let path = format!("{}/../../models/{file}", env!("CARGO_MANIFEST_DIR"));
            assert_eq!(std::fs::metadata(path).unwrap().len(), model.size_bytes());
            let page = include_str!("../../../../models/README.md");
            let hash = model.sha256.as_deref().unwrap();
            assert!(page.contains(&format!("{hash}  {file}")), "{file}");
        }
    }

    #[test]
    fn there_is_one_for_russian_and_one_for_english_and_one_that_tells_speakers_apart() {
        for (language, least) in [("ru", 4), ("en", 4)] {
            let speak = known().iter().filter(|model| model.languages().contains(&language));
            assert!(speak.count() >= least, "{language}");
        }
        assert_eq!(known().iter().filter(|model| model.role == Role::Diarise).count(), 1);
        assert_eq!(named("gigaam-v3-e2e").unwrap().languages(), ["ru"]);
        assert!(named("whisper-large-v3-turbo").unwrap().languages().contains(&"yue"));
    }
}
