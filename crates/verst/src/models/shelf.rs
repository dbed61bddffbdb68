//! Where models lie: beside the program, and in the data directory, where they are pulled to.

use std::path::{Path, PathBuf};

use verst_adapters::engine::{KnownModel, ModelsConfig};

use super::{VAD, catalogue, named};
use crate::cli::Place;
use crate::house::data_path;
use crate::settings::Settings;

/// More files than anybody has models.
const MOST_FILES: usize = 1_000;

/// The two places.
#[derive(Clone, Debug)]
pub(crate) struct Shelf {
    /// What comes with Verst, or the directory that is set.
    pub(crate) beside: PathBuf,
    /// In the data directory.
    pub(crate) pulled: PathBuf,
}

impl Shelf {
    pub(crate) fn of(place: &Place, settings: &Settings) -> Self {
        Self::under(&data_path(place), settings)
    }

    /// With this data directory.
    pub(crate) fn under(data: &Path, settings: &Settings) -> Self {
        Self { beside: beside(settings.models()), pulled: data.join("models") }
    }

    /// What the engine needs to know of models.
    pub(crate) fn config(&self, settings: &Settings) -> ModelsConfig {
        let diariser = self.diariser().filter(|_| settings.diarises());
        ModelsConfig {
            directories: self.directories().map(Path::to_owned).to_vec(),
            known: known_models(),
            model: settings.model().to_owned(),
            by_language: settings.models_by_language().0.clone(),
            diariser: diariser.map(|model| model.id.clone()),
        }
    }

    /// In the order in which they are looked at.
    pub(crate) fn directories(&self) -> [&Path; 2] {
        [&self.beside, &self.pulled]
    }

    /// The file of a model, by its name in the catalogue, its file's name or its path; where it would
    /// be if it is nowhere.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        let file = file_name(name);
        if file.contains('/') {
            return PathBuf::from(file);
        }
        let places = self.directories().map(|directory| directory.join(&file));
        let there = places.iter().find(|path| path.is_file());
        there.unwrap_or(&places[0]).clone()
    }

    /// The model that tells speakers apart, if one is here.
    pub(crate) fn diariser(&self) -> Option<&'static catalogue::Model> {
        let diarises = |model: &&catalogue::Model| model.role == catalogue::Role::Diarise;
        catalogue::known().iter().filter(diarises).find(|model| self.file(&model.id).is_file())
    }

    /// The names of the models here that a recording may ask for.
    pub(crate) fn recognisers(&self) -> Vec<String> {
        let recognises = |model: &&catalogue::Model| model.role == catalogue::Role::Recognise;
        let known = catalogue::known().iter().filter(recognises);
        let here = known.filter(|model| self.file(&model.id).is_file());
        let names = here.map(|model| model.id.clone());
        let name = |path: PathBuf| path.file_name().map(|name| name.to_string_lossy().into_owned());
        let mut names: Vec<String> =
            names.chain(self.strangers().into_iter().filter_map(name)).collect();
        names.sort();
        names
    }

    /// Files that look like models and that the catalogue does not know.
    pub(crate) fn strangers(&self) -> Vec<PathBuf> {
        let mut found = Vec::new();
        for directory in self.directories() {
            let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
            found.extend(entries.take(MOST_FILES).map(|entry| entry.path()).filter(|path| {
                let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
                let model = path.extension().is_some_and(|end| end == "gguf" || end == "bin");
                model && named(name).is_none() && path.is_file()
            }));
        }
        found.sort();
        found
    }
}

/// The name or path of the file that a model's name means.
fn file_name(name: &str) -> String {
    named(name).map_or(name, |model| &model.file).to_owned()
}

/// The catalogue as the engine needs it.
fn known_models() -> Vec<KnownModel> {
    let known = |model: &'static catalogue::Model| KnownModel {
        name: model.id.clone(),
        file: model.file.clone(),
        sha256: model.sha256.clone(),
        working_bytes: model.working_bytes(),
    };
    catalogue::known().iter().map(known).collect()
}

/// The directory of what comes with Verst: the one that is set, or `models` beside the program or
/// above it (as in a build tree), or under `share` of its prefix.
fn beside(set: Option<PathBuf>) -> PathBuf {
    if let Some(set) = set {
        return set;
    }
    let program = std::env::current_exe().unwrap_or_default();
    let beside = program
        .ancestors()
        .skip(1)
        .take(4)
        .flat_map(|dir| [dir.join("models"), dir.join("share/verst/models")]);
    let mut found = beside.filter(|dir| dir.join(VAD).is_file());
    found.next().unwrap_or_else(|| PathBuf::from("models"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_means_the_first_file_of_that_name() {
        let dir = tempfile::tempdir().unwrap();
        let shelf = Shelf { beside: dir.path().join("a"), pulled: dir.path().join("b") };
        let gigaam = "gigaam-v3-e2e-rnnt-Q8_0.gguf";
        assert_eq!(shelf.file("gigaam-v3-e2e"), shelf.beside.join(gigaam), "nowhere yet");
        for place in shelf.directories() {
            std::fs::create_dir(place).unwrap();
        }
        std::fs::write(shelf.pulled.join(gigaam), "").unwrap();
        assert_eq!(shelf.file("gigaam-v3-e2e"), shelf.pulled.join(gigaam));
        assert_eq!(shelf.file(gigaam), shelf.pulled.join(gigaam));
        std::fs::write(shelf.beside.join(gigaam), "").unwrap();
        assert_eq!(shelf.file(gigaam), shelf.beside.join(gigaam));
        assert_eq!(shelf.file("/opt/x.bin"), PathBuf::from("/opt/x.bin"));
        assert!(shelf.diariser().is_none());
        let sortformer = &named("sortformer-4spk-v2.1").unwrap().file;
        std::fs::write(shelf.pulled.join(sortformer), "").unwrap();
        assert_eq!(shelf.diariser().map(|model| &model.file), Some(sortformer));
        std::fs::write(shelf.pulled.join("own.gguf"), "").unwrap();
        std::fs::write(shelf.pulled.join("own.gguf.part"), "").unwrap();
        assert_eq!(shelf.strangers(), [shelf.pulled.join("own.gguf")]);
    }
}
