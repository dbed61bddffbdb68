//! Models: their files are checked before the native library sees them, and the small one and one
//! large one stay loaded; of the recogniser, as many copies as are used.
//!
//! The library loads a file with damaged weights without complaint and then hears nothing, so a
//! known hash is compared first; the result is kept for as long as path, size and modification
//! time are the same, because each slice names its model anew. A file that changed is loaded anew.

use std::collections::HashMap;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use sha2::{Digest, Sha256};
use transcribe_cpp::{Model, Role};

use crate::protocol::ModelFile;
use crate::trouble::Trouble;

/// What tells a version of a file from another without reading it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Version {
    path: PathBuf,
    size_bytes: u64,
    modified: Option<SystemTime>,
}

impl Version {
    fn of(path: &Path) -> Result<Self, Trouble> {
        let metadata = std::fs::metadata(path).map_err(|_| Trouble::ModelMissing)?;
        if !metadata.is_file() {
            return Err(Trouble::ModelMissing);
        }
        let modified = metadata.modified().ok();
        Ok(Self { path: path.to_owned(), size_bytes: metadata.len(), modified })
    }
}

/// Checked and loaded models.
#[derive(Debug, Default)]
pub(crate) struct Models {
    hashes: HashMap<Version, String>,
    loaded: HashMap<Kind, (Version, Model)>,
}

/// What a model is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// Finds speech.
    Vad,
    /// Transcribes it. A copy computes one call at a time.
    Recogniser {
        /// Which of the copies, from 0.
        copy: usize,
    },
    /// Tells who speaks.
    Diariser,
}

impl Kind {
    fn role(self) -> Role {
        match self {
            Self::Vad => Role::Vad,
            Self::Recogniser { .. } => Role::Asr,
            Self::Diariser => Role::Diarize,
        }
    }
}

impl Models {
    /// The model in a file, loaded unless it still is.
    pub(crate) fn get(&mut self, kind: Kind, file: &ModelFile) -> Result<Model, Trouble> {
        let version = Version::of(&file.path)?;
        if let Some(expected) = &file.sha256
            && !self.hash(&version)?.eq_ignore_ascii_case(expected.trim())
        {
            return Err(Trouble::ModelDamaged);
        }
        if let Some((loaded, model)) = self.loaded.get(&kind)
            && *loaded == version
        {
            return Ok(model.clone());
        }
        // Another one goes first, with its copies: two large ones at a time may not fit into the
        // memory allowed.
        self.loaded.retain(|&other, (loaded, _)| {
            (other == Kind::Vad) != (kind == Kind::Vad) || *loaded == version
        });
        let model = load(&version.path)?;
        if !model.roles().contains(kind.role()) {
            return Err(Trouble::ModelDamaged);
        }
        self.loaded.insert(kind, (version, model.clone()));
        Ok(model)
    }

    fn hash(&mut self, version: &Version) -> Result<&str, Trouble> {
        if !self.hashes.contains_key(version) {
            let hash = sha256(&version.path).map_err(|_| Trouble::ModelMissing)?;
            self.hashes.retain(|known, _| known.path != version.path);
            self.hashes.insert(version.clone(), hash);
        }
        Ok(&self.hashes[version])
    }
}

fn load(path: &Path) -> Result<Model, Trouble> {
    use transcribe_cpp::ErrorKind as Kind;
    Model::load(path).map_err(|error| match error.kind() {
        Kind::ModelFileNotFound => Trouble::ModelMissing,
        Kind::OutOfMemory | Kind::Backend | Kind::VersionMismatch => Trouble::native(&error),
        _ => Trouble::ModelDamaged,
    })
}

/// SHA-256 of a file in hexadecimal: how a model is known to be the one that is meant.
pub fn sha256(path: &Path) -> std::io::Result<String> {
    let mut file = File::open(path)?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 256 * 1024];
    loop {
        match file.read(&mut buffer) {
            Ok(0) => break,
            Ok(n) => hasher.update(&buffer[..n]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(base16ct::lower::encode_string(&hasher.finalize()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sha256_of_a_known_text() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "abc").unwrap();
        assert_eq!(
            sha256(file.path()).unwrap(),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }

    #[test]
    fn a_file_is_looked_at_before_the_library_sees_it() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "no model").unwrap();
        let wrong = "0".repeat(64);
        let cases = [
            (Path::new("/nowhere"), None, Trouble::ModelMissing),
            (Path::new("/tmp"), None, Trouble::ModelMissing),
            (file.path(), Some(wrong), Trouble::ModelDamaged),
            (file.path(), None, Trouble::ModelDamaged),
        ];
        for (path, sha256, expected) in cases {
            let file = ModelFile { path: path.to_owned(), sha256 };
            assert_eq!(Models::default().get(Kind::Vad, &file).unwrap_err(), expected, "{file:?}");
        }
    }
}
