//! Models by name: a name without a path is a file in the models directory.
//!
//! The ticket of a recording keeps the reference, not the place, so that a recording begun before
//! the data directory moved, or before another model was configured, goes on with its own model.

use std::path::{Path, PathBuf};

use verst_engine::protocol::ModelFile;

use super::obstacle::Whose;

/// Which models there are.
#[derive(Clone, Debug)]
pub(super) struct Models {
    /// Where models named without a path are.
    pub(super) directory: PathBuf,
    /// The one used where nobody asks for another.
    pub(super) configured: PathBuf,
    /// Hash of the configured one.
    pub(super) sha256: Option<String>,
}

impl Models {
    /// A lasting reference to the wished model: a name in the directory, or a path.
    pub(super) fn reference(&self, wish: Option<&str>) -> String {
        if let Some(wish) = wish {
            return wish.to_owned();
        }
        let inside = self.configured.parent() == Some(&self.directory);
        let name = if inside { self.configured.file_name() } else { None };
        name.unwrap_or(self.configured.as_os_str()).to_string_lossy().into_owned()
    }

    /// Whose trouble it is if that model is not usable.
    pub(super) fn whose(&self, reference: &str) -> Whose {
        let configured = self.file(reference).path == self.configured;
        if configured { Whose::House } else { Whose::Recording }
    }

    /// The file that a reference means.
    pub(super) fn file(&self, reference: &str) -> ModelFile {
        let given = Path::new(reference);
        let bare = given.components().count() == 1 && !reference.contains(std::path::is_separator);
        let path = if bare { self.directory.join(given) } else { given.to_owned() };
        let sha256 = self.sha256.clone().filter(|_| path == self.configured);
        ModelFile { path, sha256 }
    }
}

/// What a model is called in a transcript: its file's name.
pub(super) fn name(reference: &str) -> String {
    let name = Path::new(reference).file_name();
    name.map_or_else(|| reference.to_owned(), |name| name.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_lead_to_files() {
        let inside = Models {
            directory: "/data/models".into(),
            configured: "/data/models/base.bin".into(),
            sha256: Some("ab".into()),
        };
        let outside = Models { configured: "/opt/large.gguf".into(), ..inside.clone() };
        let cases = [
            (&inside, None, "base.bin", "/data/models/base.bin", true),
            (&outside, None, "/opt/large.gguf", "/opt/large.gguf", true),
            (&inside, Some("small.bin"), "small.bin", "/data/models/small.bin", false),
            (&inside, Some("base.bin"), "base.bin", "/data/models/base.bin", true),
            (&inside, Some("./x.bin"), "./x.bin", "./x.bin", false),
            (&inside, Some("/opt/x.bin"), "/opt/x.bin", "/opt/x.bin", false),
        ];
        for (models, wish, reference, path, checked) in cases {
            assert_eq!(models.reference(wish), reference);
            let file = models.file(reference);
            assert_eq!(file.path, Path::new(path));
            assert_eq!(file.sha256.is_some(), checked, "{reference}");
            assert_eq!(
                models.whose(reference) == Whose::House,
                path == models.configured.to_str().unwrap()
            );
        }
        assert_eq!(name("/opt/large.gguf"), "large.gguf");
        assert_eq!(name("base.bin"), "base.bin");
    }
}
