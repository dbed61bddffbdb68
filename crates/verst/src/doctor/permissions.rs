//! Who may read and write what is here. Recordings are private, and so are passwords; and a service
//! needs no superuser.

use std::fs::{Metadata, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rustix::process::geteuid;
use verst_words::Arg;

use super::look::{Look, State};
use crate::cli::Place;
use crate::house::{data_path, loaded, settings_file};
use crate::settings::{KEYS, Loaded, ObjectsAt, Source};
use crate::tongue::Tongue;

/// That others may write, who could put in what they like.
const OTHERS_WRITE: u32 = 0o022;
/// That everybody on the machine may read.
const EVERYBODY_READS: u32 = 0o004;
/// That anybody but the owner may do anything.
const OTHERS: u32 = 0o077;

pub(super) fn looks(place: &Place, tongue: &Tongue) -> Vec<Look> {
    let mut looks = Vec::new();
    let us = geteuid().as_raw();
    if us == 0 {
        looks.push(Look::new("doctor-account", State::Note, tongue.say("doctor-root", &[])));
    }
    let data = data_path(place);
    let troubles: Vec<String> = directory(&data, us).iter().map(|t| t.sentence(tongue)).collect();
    if !troubles.is_empty() {
        looks.push(Look::new("doctor-access", State::Bad, troubles.join(" ")));
    }
    let loaded = loaded(place);
    let shared = loaded.as_ref().ok().and_then(|loaded| match loaded.settings.objects_at() {
        ObjectsAt::Directory(path) => Some(path),
        ObjectsAt::DataDir | ObjectsAt::Bucket(..) => None,
    });
    let objects = shared.unwrap_or_else(|| data.join("objects"));
    looks.extend(writable(&[objects, data.join("scratch")], tongue));
    if let Ok(loaded) = &loaded {
        looks.extend(secrets(loaded, &settings_file(place), tongue));
    }
    looks
}

/// What is wrong with who may do what.
#[derive(Debug, PartialEq, Eq)]
enum Trouble {
    Owner(PathBuf, u32),
    OthersWrite(PathBuf),
    Open(PathBuf),
}

impl Trouble {
    fn sentence(&self, tongue: &Tongue) -> String {
        let (key, path, owner) = match self {
            Self::Owner(path, owner) => ("doctor-access-owner", path, *owner),
            Self::OthersWrite(path) => ("doctor-access-written", path, 0),
            Self::Open(path) => ("doctor-access-open", path, 0),
        };
        let shown = path.display().to_string();
        let owner = owner.to_string();
        tongue.say(key, &[("path", Arg::Text(&shown)), ("owner", Arg::Text(&owner))])
    }
}

/// The data directory and the parts of it that hold what was said.
fn directory(data: &Path, us: u32) -> Vec<Trouble> {
    let Ok(metadata) = std::fs::metadata(data) else { return Vec::new() };
    let mut troubles = Vec::new();
    if us != 0 && metadata.uid() != us {
        troubles.push(Trouble::Owner(data.to_owned(), metadata.uid()));
    }
    if metadata.mode() & OTHERS_WRITE != 0 {
        troubles.push(Trouble::OthersWrite(data.to_owned()));
    }
    // A directory that lets nobody in needs no more.
    if metadata.mode() & OTHERS != 0 {
        let parts = ["objects", "scratch", "verst.sqlite"].map(|part| data.join(part));
        let open =
            |path: &PathBuf| std::fs::metadata(path).is_ok_and(|part| part.mode() & OTHERS != 0);
        troubles.extend(parts.into_iter().filter(open).map(Trouble::Open));
    }
    troubles
}

/// Whether files can be made where they are made. Only a file that was made shows it: a file system
/// may be mounted for reading, or full.
fn writable(directories: &[PathBuf], tongue: &Tongue) -> Option<Look> {
    let there: Vec<&PathBuf> = directories.iter().filter(|path| path.is_dir()).collect();
    if there.is_empty() {
        return None;
    }
    let failed = there.iter().find_map(|path| probe(path).err().map(|error| (path, error)));
    let (state, text) = match failed {
        None => (State::Ok, tongue.say("doctor-writing-works", &[])),
        Some((path, error)) => {
            let (shown, cause) = (path.display().to_string(), error.to_string());
            let args = [("path", Arg::Text(&shown)), ("cause", Arg::Text(&cause))];
            (State::Bad, tongue.say("doctor-writing-fails", &args))
        }
    };
    Some(Look::new("doctor-writing", state, text))
}

pub(super) fn probe(directory: &Path) -> io::Result<()> {
    let path = directory.join(format!(".verst-probe-{}", std::process::id()));
    let mut options = OpenOptions::new();
    let mut file = options.write(true).create_new(true).mode(0o600).open(&path)?;
    let written = file.write_all(b"probe").and_then(|()| file.sync_all());
    let removed = std::fs::remove_file(&path);
    written.and(removed)
}

/// Files with a secret in them that everybody on the machine may read.
fn secrets(loaded: &Loaded, settings: &Path, tongue: &Tongue) -> Option<Look> {
    let sources = KEYS.iter().filter(|key| key.secret).filter_map(|key| {
        match loaded.sources.get(key.name)? {
            Source::File => Some(settings.to_owned()),
            // Where containers put secrets nobody else comes in.
            Source::Named(_, path) if !path.starts_with("/run/secrets") => Some(path.clone()),
            Source::Default | Source::Variable(_) | Source::Named(..) => None,
        }
    });
    let everybody = |file: &Metadata| file.mode() & EVERYBODY_READS != 0;
    let open = |path: &PathBuf| std::fs::metadata(path).is_ok_and(|file| everybody(&file));
    let mut open: Vec<String> =
        sources.filter(open).map(|path| path.display().to_string()).collect();
    open.dedup();
    if open.is_empty() {
        return None;
    }
    let files = open.join(" ");
    let text = tongue.say("doctor-secrets-open", &[("files", Arg::Text(&files))]);
    Some(Look::new("doctor-secrets", State::Bad, text))
}

#[cfg(test)]
mod tests {
    use std::fs::{Permissions, set_permissions};
    use std::os::unix::fs::PermissionsExt;

    use super::*;
    use crate::settings::Settings;

    fn mode(path: &Path, mode: u32) {
        set_permissions(path, Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn a_directory_of_others_or_open_to_them_is_found() {
        let dir = tempfile::tempdir().unwrap();
        let (data, us) = (dir.path(), geteuid().as_raw());
        std::fs::create_dir(data.join("objects")).unwrap();
        mode(&data.join("objects"), 0o755);
        for (bits, expected) in [
            (0o700, vec![]),
            (0o755, vec![Trouble::Open(data.join("objects"))]),
            (
                0o775,
                vec![Trouble::OthersWrite(data.to_owned()), Trouble::Open(data.join("objects"))],
            ),
        ] {
            mode(data, bits);
            assert_eq!(directory(data, us), expected, "{bits:o}");
        }
        mode(data, 0o700);
        assert_eq!(directory(data, us + 1), [Trouble::Owner(data.to_owned(), us)]);
        assert_eq!(directory(&data.join("none"), us), []);
    }

    #[test]
    fn a_password_for_everybody_to_read_is_found() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("verst.toml");
        let tongue = Tongue::new(Some("en"));
        for (text, bits, found) in [
            ("database = \"postgres://a:b@c/d\"\n", 0o644, true),
            ("database = \"postgres://a:b@c/d\"\n", 0o640, false),
            ("workers = 1\n", 0o644, false),
        ] {
            std::fs::write(&file, text).unwrap();
            mode(&file, bits);
            let loaded = Settings::read(&file, true).unwrap();
            assert_eq!(secrets(&loaded, &file, &tongue).is_some(), found, "{text} {bits:o}");
        }
    }

    #[test]
    fn writing_is_tried_and_leaves_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let tongue = Tongue::new(Some("en"));
        let look = writable(&[dir.path().to_owned()], &tongue).unwrap();
        assert_eq!(look.state, State::Ok);
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
        assert!(writable(&[dir.path().join("none")], &tongue).is_none());
        // A place where nobody makes files, whoever it is.
        let look = writable(&["/proc".into()], &tongue).unwrap();
        assert_eq!(look.state, State::Bad);
    }
}
