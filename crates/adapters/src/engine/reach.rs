//! What a process of the engine can read: the directories of models and of audio, the models of the
//! settings, and what else the request names that it was started for. A later request that names
//! more is for another process, which has to load its model anew; so what is known is in from the
//! start.
//!
//! **Invariant:** a file is reached as it is now; one that was replaced by another has to be asked
//! for anew.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use verst_engine::protocol::Request;

use super::EngineConfig;

/// Directories and files that can be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reach {
    directories: Vec<PathBuf>,
    /// Each with what it was when the process started.
    files: Vec<(PathBuf, Option<Identity>)>,
}

/// Which file it is: its file system and its number there.
type Identity = (u64, u64);

impl Reach {
    /// What a process for this request is to read.
    pub(super) fn of(config: &EngineConfig, request: &Request) -> Self {
        let known = config.audio.iter().chain([&config.models]);
        let mut reach =
            Self { directories: known.map(|dir| real(dir)).collect(), files: Vec::new() };
        if let Some(elsewhere) = audio(request).filter(|file| !reach.holds(file)) {
            reach.directories.extend(elsewhere.parent().map(real));
        }
        let configured = [config.model.as_path(), config.vad.as_path()];
        for file in configured.into_iter().chain(models(request)) {
            if !reach.holds(file) {
                reach.files.push((file.to_owned(), identity(file)));
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
        let files = self.files.iter().map(|(path, _)| path);
        self.directories.iter().chain(files).cloned().collect()
    }

    fn holds(&self, file: &Path) -> bool {
        // A link in a directory may lead out of it.
        let real = real(file);
        let now = identity(file);
        self.directories.iter().any(|directory| real.starts_with(directory))
            || self.files.iter().any(|(path, then)| path == file && *then == now)
    }
}

fn audio(request: &Request) -> Option<&Path> {
    match request {
        Request::Check { .. } => None,
        Request::Plan { audio, .. } | Request::Hear { audio, .. } => Some(audio),
    }
}

fn models(request: &Request) -> Vec<&Path> {
    match request {
        Request::Check { model, vad } => vec![&model.path, &vad.path],
        Request::Plan { vad, .. } => vec![&vad.path],
        Request::Hear { model, .. } => vec![&model.path],
    }
}

/// Without links; as it is where it is not there.
fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

fn identity(file: &Path) -> Option<Identity> {
    std::fs::metadata(file).ok().map(|metadata| (metadata.dev(), metadata.ino()))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use verst_engine::protocol::ModelFile;

    use super::*;
    use crate::confine::Confinement;

    fn config(root: &Path) -> EngineConfig {
        EngineConfig {
            command: "/bin/cat".into(),
            args: Vec::new(),
            models: root.join("models"),
            audio: vec![root.join("audio")],
            model: root.join("models/base.bin"),
            model_sha256: None,
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
