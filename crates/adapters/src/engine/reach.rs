//! What a process of the engine can read: the directories of models and of audio, all models that the
//! settings name, and what else the request names that it was started for. A later request that names
//! more is for another process, which has to load its model anew; so what is known is in from the
//! start.
//!
//! **Invariant:** a file or directory is reached as it is now; one that has come since, or was replaced
//! by another, has to be asked for anew.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use verst_engine::protocol::Request;

use super::EngineConfig;
use super::model::Models;

/// Directories and files that can be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reach {
    directories: Vec<Known>,
    files: Vec<Known>,
}

/// A file or directory, with what it was when the process started.
type Known = (PathBuf, Option<Identity>);

/// Which file it is: its file system, its number there, and, because that is given to the next one
/// when it is gone, since when it is there, where the file system knows.
type Identity = (u64, u64, Option<SystemTime>);

impl Reach {
    /// What a process for this request is to read.
    pub(super) fn of(config: &EngineConfig, request: &Request) -> Self {
        let directories = config.audio.iter().chain(&config.models.directories);
        let directories = directories.map(|directory| known(real(directory))).collect();
        let mut reach = Self { directories, files: Vec::new() };
        if let Some(elsewhere) = audio(request).filter(|file| !reach.holds(file)) {
            reach.directories.extend(elsewhere.parent().map(|parent| known(real(parent))));
        }
        let configured = Models::new(config.models.clone()).configured();
        let requested = models(request).into_iter().map(Path::to_owned);
        for file in configured.into_iter().chain([config.vad.clone()]).chain(requested) {
            if !reach.holds(&file) {
                reach.files.push(known(file));
            }
        }
        reach
    }

    /// Whether a request names nothing else.
    pub(super) fn covers(&self, request: &Request) -> bool {
        audio(request).into_iter().chain(models(request)).all(|file| self.holds(file))
    }

    /// Everything that can be read.
    pub(super) fn paths(&self) -> Vec<PathBuf> {
        self.directories.iter().chain(&self.files).map(|(path, _)| path.clone()).collect()
    }

    fn holds(&self, file: &Path) -> bool {
        // A link in a directory may lead out of it.
        let real = real(file);
        let unchanged = |(path, then): &Known| identity(path) == *then;
        self.directories.iter().any(|known| real.starts_with(&known.0) && unchanged(known))
            || self.files.iter().any(|known| known.0 == file && unchanged(known))
    }
}

fn audio(request: &Request) -> Option<&Path> {
    match request {
        Request::Check { .. } => None,
        Request::Plan { audio, .. }
        | Request::Hear { audio, .. }
        | Request::Diarise { audio, .. } => Some(audio),
    }
}

fn models(request: &Request) -> Vec<&Path> {
    match request {
        Request::Check { model, vad } => vec![&model.path, &vad.path],
        Request::Plan { vad, .. } => vec![&vad.path],
        Request::Hear { model, .. } | Request::Diarise { model, .. } => vec![&model.path],
    }
}

/// Without links; as it is where it is not there.
fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

fn known(path: PathBuf) -> Known {
    let identity = identity(&path);
    (path, identity)
}

fn identity(file: &Path) -> Option<Identity> {
    let metadata = std::fs::metadata(file).ok()?;
    Some((metadata.dev(), metadata.ino(), metadata.created().ok()))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::time::Duration;

    use verst_engine::Piece;
    use verst_engine::protocol::ModelFile;

    use super::*;
    use crate::confine::Confinement;
    use crate::engine::ModelsConfig;

    fn config(root: &Path) -> EngineConfig {
        EngineConfig {
            command: "/bin/cat".into(),
            args: Vec::new(),
            models: ModelsConfig {
                directories: vec![root.join("models"), root.join("data/models")],
                model: "base.bin".into(),
                ..ModelsConfig::default()
            },
            audio: vec![root.join("audio")],
            vad: root.join("models/vad.bin"),
            vad_sha256: None,
            threads: 1,
            idle: Duration::ZERO,
            answer_timeout: Duration::ZERO,
            memory_limit_bytes: None,
            confinement: Confinement::none(),
        }
    }

    fn check(model: &Path) -> Request {
        let file = |path: &Path| ModelFile { path: path.to_owned(), sha256: None };
        Request::Check { model: file(model), vad: file(model) }
    }

    #[test]
    fn a_file_elsewhere_and_its_successor_are_for_other_processes() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        for part in ["models", "audio", "elsewhere"] {
            std::fs::create_dir(root.join(part)).unwrap();
        }
        let (own, other) = (root.join("models/base.bin"), root.join("elsewhere/large.bin"));
        let link = root.join("models/link.bin");
        for file in [&own, &other] {
            std::fs::write(file, "a model").unwrap();
        }
        std::os::unix::fs::symlink(&other, &link).unwrap();
        let usual = Reach::of(&config(&root), &check(&own));
        assert!(usual.files.is_empty());
        assert!(usual.covers(&check(&root.join("models/later.bin"))));
        for beyond in [&other, &link] {
            assert!(!usual.covers(&check(beyond)));
            let reach = Reach::of(&config(&root), &check(beyond));
            assert!(reach.covers(&check(beyond)) && reach.covers(&check(&own)));
            assert!(!reach.covers(&check(&root.join("elsewhere/secret"))));
        }
        let reach = Reach::of(&config(&root), &check(&other));
        let successor = root.join("elsewhere/new");
        std::fs::write(&successor, "another").unwrap();
        std::fs::rename(successor, &other).unwrap();
        assert!(!reach.covers(&check(&other)));
    }

    /// File systems give the number of a file that is gone to the next one.
    #[test]
    fn a_file_in_the_place_of_one_that_is_gone_is_another() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("large.bin");
        std::fs::write(&file, "a model").unwrap();
        let first = identity(&file).unwrap();
        let later = dir.path().join("later");
        let written = |file: &Path| {
            std::fs::write(file, "a model").unwrap();
            identity(file).unwrap()
        };
        // The clock of a file system goes in steps.
        while written(&later).2 == first.2 && first.2.is_some() {
            std::fs::remove_file(&later).unwrap();
        }
        for _ in 0..100 {
            std::fs::remove_file(&file).unwrap();
            assert_ne!(written(&file), first);
        }
    }

    #[test]
    fn models_of_the_settings_are_reached_wherever_they_are() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        for part in ["models", "data", "data/models", "elsewhere"] {
            std::fs::create_dir(root.join(part)).unwrap();
        }
        let [usual, russian, speakers] =
            ["base", "ru", "who"].map(|name| root.join("elsewhere").join(name));
        for file in [&usual, &russian, &speakers] {
            std::fs::write(file, "a model").unwrap();
        }
        let text = |path: &Path| path.to_str().unwrap().to_owned();
        let mut config = config(&root);
        config.models.model = text(&usual);
        config.models.by_language = BTreeMap::from([("ru".to_owned(), text(&russian))]);
        config.models.diariser = Some(text(&speakers));
        let reach = Reach::of(&config, &check(&root.join("models/base.bin")));
        for file in [&usual, &russian, &root.join("data/models/pulled.gguf")] {
            assert!(reach.covers(&check(file)), "{}", file.display());
        }
        let diarise = |model: &Path| Request::Diarise {
            audio: root.join("models/audio.s16"),
            model: ModelFile { path: model.to_owned(), sha256: None },
            window: Piece { start_ms: 0, end_ms: 1 },
            threads: 1,
        };
        assert!(reach.covers(&diarise(&speakers)));
        assert!(!reach.covers(&diarise(&root.join("elsewhere/other"))));
    }

    #[test]
    fn a_directory_that_came_later_is_for_another_process() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        std::fs::create_dir(root.join("models")).unwrap();
        let pulled = check(&root.join("data/models/pulled.gguf"));
        let early = Reach::of(&config(&root), &check(&root.join("models/base.bin")));
        std::fs::create_dir_all(root.join("data/models")).unwrap();
        assert!(!early.covers(&pulled));
        assert!(Reach::of(&config(&root), &pulled).covers(&pulled));
    }

    #[test]
    fn audio_is_reached_with_its_directory() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        std::fs::create_dir(root.join("audio")).unwrap();
        let plan = |audio: PathBuf| {
            let vad = ModelFile { path: root.join("models/vad.bin"), sha256: None };
            Request::Plan { audio, vad, longest_slice_ms: 1 }
        };
        let usual = Reach::of(&config(&root), &check(&root.join("models/base.bin")));
        assert!(usual.covers(&plan(root.join("audio/1.s16"))));
        let elsewhere = plan(root.join("cache/2.s16"));
        assert!(!usual.covers(&elsewhere));
        assert!(Reach::of(&config(&root), &elsewhere).covers(&elsewhere));
    }
}
