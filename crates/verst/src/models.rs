//! The models that come with Verst: their names, and what their bytes must be.

use std::path::{Path, PathBuf};

/// A model file whose content is known.
pub(crate) struct Known {
    pub(crate) name: &'static str,
    pub(crate) sha256: &'static str,
}

/// Whisper base: small, multilingual, for a first try.
pub(crate) const BUNDLED: Known = Known {
    name: "ggml-base-q8_0.bin",
    sha256: "5e4aa295e1c118891fb66f78a8be2da03112c3b028f4a31cefdeef459bec5f5a",
};

/// Silero voice activity detection.
pub(crate) const VAD: Known = Known {
    name: "ggml-silero-v6.2.0.bin",
    sha256: "c0ce6622cf872ac744fa5741f02ce5a1b7388d8962fb44297a9ff3d6f3fb301e",
};

/// What the bytes of a model of that name must hash to, if it is one we know.
pub(crate) fn sha256_of(file: &Path) -> Option<String> {
    let name = file.file_name()?.to_str()?;
    [&BUNDLED, &VAD].into_iter().find(|k| k.name == name).map(|k| k.sha256.to_owned())
}

/// The directory of models: the one that is set, or `models` beside the program or above it (as
/// in a build tree), or under `share` of its prefix.
pub(crate) fn directory(set: Option<PathBuf>) -> PathBuf {
    if let Some(set) = set {
        return set;
    }
    let program = std::env::current_exe().unwrap_or_default();
    let beside = program
        .ancestors()
        .skip(1)
        .take(4)
        .flat_map(|dir| [dir.join("models"), dir.join("share/verst/models")]);
    let mut found = beside.filter(|dir| dir.join(VAD.name).is_file());
    found.next().unwrap_or_else(|| PathBuf::from("models"))
}
