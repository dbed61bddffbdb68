//! `verst models use`: writes into the settings file which model is used.
//!
//! Only that key changes; comments and everything else stay as they are. *Invariant*: the file is the
//! old or the new one, whatever interrupts.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{MetadataExt, fchown};
use std::path::Path;

use toml_edit::{DocumentMut, value};
use verst_words::Arg;

use super::args::Use;
use super::by_language::{ByLanguage, is_language};
use super::pull::unknown;
use super::{Role, Shelf, named};
use crate::house::{loaded, settings_file};
use crate::refusal::Refusal;
use crate::settings::Source;
use crate::tongue::Tongue;

pub(super) fn switch(args: &Use, tongue: &Tongue) -> Result<u8, Refusal> {
    let loaded = loaded(&args.place)?;
    let settings = &loaded.settings;
    let shelf = Shelf::of(&args.place, settings);
    check(args, &shelf)?;
    let name = lasting(&args.name);
    let (key, text) = match &args.language {
        None => ("model", name),
        Some(language) => {
            let models = settings.models_by_language().with(language, &name);
            let text = String::from(models.clone());
            if ByLanguage::try_from(text.clone()) != Ok(models) {
                return Err(Refusal::Usage("models-use-unsayable", vec![("name", name)]));
            }
            ("models_by_language", text)
        }
    };
    if let Some(Source::Variable(variable)) = loaded.sources.get(key) {
        let args = vec![("variable", variable.clone()), ("value", text)];
        return Err(Refusal::Setup("models-use-variable", args));
    }
    let file = settings_file(&args.place);
    write(&file, key, &text).map_err(|error| {
        let args = vec![("file", file.display().to_string()), ("cause", error.to_string())];
        Refusal::Setup("models-use-unwritable", args)
    })?;
    let shown = file.display().to_string();
    let mut said = vec![("name", Arg::Text(&args.name)), ("file", Arg::Text(&shown))];
    let mut sentence = "models-use-done";
    if let Some(language) = &args.language {
        said.push(("language", Arg::Text(language)));
        sentence = "models-use-done-for";
    }
    tongue.err(&tongue.say(sentence, &said));
    Ok(0)
}

/// A path must mean the same file from wherever Verst is started.
fn lasting(name: &str) -> String {
    match std::path::absolute(name) {
        Ok(path) if name.contains('/') => path.to_string_lossy().into_owned(),
        _ => name.to_owned(),
    }
}

/// Whether it makes sense to use that.
fn check(args: &Use, shelf: &Shelf) -> Result<(), Refusal> {
    let name = || ("name", args.name.clone());
    let language = args.language.as_deref();
    if let Some(language) = language.filter(|language| !is_language(language)) {
        let named = vec![("language", language.to_owned())];
        return Err(Refusal::Usage("cli-language-unknown", named));
    }
    let there = shelf.file(&args.name).is_file();
    let Some(model) = named(&args.name) else {
        return if there { Ok(()) } else { Err(unknown(&args.name)) };
    };
    if model.role != Role::Recognise {
        return Err(Refusal::Usage("models-use-by-itself", vec![name()]));
    }
    if let Some(language) = language.filter(|language| !model.languages().contains(language)) {
        let args = vec![name(), ("language", language.to_owned())];
        return Err(Refusal::Usage("models-use-wrong-language", args));
    }
    if !there {
        return Err(Refusal::Cannot("models-use-absent", vec![name()]));
    }
    Ok(())
}

/// Sets a key of a settings file, which is made if it is not there.
fn write(file: &Path, key: &str, text: &str) -> io::Result<()> {
    // A link leads to where somebody keeps the file; it must not become a file itself.
    let file = match fs::canonicalize(file) {
        Err(error) if error.kind() == ErrorKind::NotFound => file.to_owned(),
        other => other?,
    };
    let before = match fs::read_to_string(&file) {
        Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
        other => other?,
    };
    let after = edited(&before, key, text).map_err(io::Error::other)?;
    let mut making = file.clone().into_os_string();
    making.push(".new");
    let mut new = File::create(&making)?;
    let parent = file.parent().unwrap_or(Path::new("."));
    if let Ok(owner) = fs::metadata(&file).or_else(|_| fs::metadata(parent)) {
        // A superuser's hand must not take it away from the account that Verst runs under. Whoever
        // may not give files away could not do better.
        let _ = fchown(&new, Some(owner.uid()), Some(owner.gid()));
    }
    // Passwords may stand in it: as closed as it was, and closed if it is new.
    let permissions = fs::metadata(&file).map(|file| file.permissions());
    let private = std::os::unix::fs::PermissionsExt::from_mode(0o600);
    new.set_permissions(permissions.unwrap_or(private))?;
    new.write_all(after.as_bytes())?;
    new.sync_all()?;
    fs::rename(making, file)
}

fn edited(before: &str, key: &str, text: &str) -> Result<String, toml_edit::TomlError> {
    let mut document: DocumentMut = before.parse()?;
    match document.get_mut(key).and_then(|item| item.as_value_mut()) {
        // What stands around the value, a comment behind it above all, stays.
        Some(old) => {
            let around = old.decor().clone();
            *old = text.into();
            *old.decor_mut() = around;
        }
        None => {
            document.insert(key, value(text));
        }
    }
    Ok(document.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_key_changes() {
        for (before, after) in [
            ("", "model = \"b\"\n"),
            ("# mine\nworkers = 2 # two\n", "# mine\nworkers = 2 # two\nmodel = \"b\"\n"),
            (
                "# first\nmodel   =  'a'   # the old one\n\n# then\nworkers = 2\n",
                "# first\nmodel   =  \"b\"   # the old one\n\n# then\nworkers = 2\n",
            ),
        ] {
            assert_eq!(edited(before, "model", "b").unwrap(), after);
        }
        assert!(edited("model = ", "model", "b").is_err());
    }

    #[test]
    fn the_file_stays_with_the_account_it_belongs_to() {
        if !rustix::process::geteuid().is_root() {
            eprintln!("not run: it takes the superuser to give files away");
            return;
        }
        let dir = tempfile::tempdir().unwrap();
        let belongs =
            |file: &Path| fs::metadata(file).map(|file| (file.uid(), file.gid())).unwrap();
        for (name, text) in [("verst.toml", Some("workers = 2\n")), ("new.toml", None)] {
            let file = dir.path().join(name);
            let given = text.map_or(dir.path(), |text| {
                fs::write(&file, text).unwrap();
                file.as_path()
            });
            std::os::unix::fs::chown(given, Some(4321), Some(1234)).unwrap();
            write(&file, "model", "b").unwrap();
            assert_eq!(belongs(&file), (4321, 1234), "{name}");
        }
    }

    #[test]
    fn the_file_keeps_its_permissions_and_its_place() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let (real, link) = (dir.path().join("real.toml"), dir.path().join("verst.toml"));
        fs::write(&real, "workers = 2\n").unwrap();
        fs::set_permissions(&real, PermissionsExt::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        write(&link, "model", "b").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&real).unwrap(), "workers = 2\nmodel = \"b\"\n");
        assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
        let new = dir.path().join("new.toml");
        write(&new, "model", "b").unwrap();
        assert_eq!(fs::metadata(&new).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 3);
    }
}
