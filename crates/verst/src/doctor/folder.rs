//! Whether the watched folder, if there is one, can be watched, and answered in.

use std::path::Path;

use verst_words::Arg;

use super::Finding;
use super::permissions::probe;
use crate::folder::check_place;
use crate::settings::{After, FolderSettings, Settings};
use crate::tongue::Tongue;

pub(super) fn finding(
    data: &Path,
    settings: &Settings,
    tongue: &Tongue,
) -> Option<(&'static str, Finding)> {
    let folder = settings.folder().ok().flatten()?;
    Some(("doctor-folder", judge(data, settings, &folder, tongue)))
}

fn judge(data: &Path, settings: &Settings, folder: &FolderSettings, tongue: &Tongue) -> Finding {
    check_place(data, settings, folder).map_err(|refusal| refusal.sentence(tongue))?;
    let shown = folder.root.display().to_string();
    let wrong = |key| Err(tongue.say(key, &[("folder", Arg::Text(&shown))]));
    if std::fs::read_dir(&folder.root).is_err() {
        return wrong("folder-gone");
    }
    match (probe(&folder.root), folder.after) {
        (Ok(()), _) => Ok(shown),
        (Err(_), After::Move) => wrong("folder-unmovable"),
        (Err(_), After::Keep) => wrong("folder-unwritable"),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[track_caller]
    fn check(root: &Path, after: After, expected: Result<&str, &str>) {
        let tongue = Tongue::new(Some("en"));
        let (settle, formats) = (Duration::ZERO, Vec::new());
        let folder =
            FolderSettings { root: root.to_owned(), after, settle, formats, language: None };
        let found = judge(Path::new("/srv/verst"), &Settings::default(), &folder, &tongue);
        match (&found, expected) {
            (Ok(text), Ok(part)) | (Err(text), Err(part)) => assert!(text.contains(part), "{text}"),
            _ => panic!("{found:?}"),
        }
    }

    #[test]
    fn a_folder_that_cannot_be_watched_is_found() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        check(root, After::Move, Ok(&root.display().to_string()));
        assert_eq!(std::fs::read_dir(root).unwrap().count(), 0, "a look leaves nothing");
        check(&root.join("none"), After::Move, Err("is not there"));
        check(Path::new("/srv"), After::Keep, Err("lie in one another"));
        // A place where nobody makes files, whoever it is.
        check(Path::new("/proc"), After::Move, Err("cannot be moved"));
        check(Path::new("/proc"), After::Keep, Err("cannot write"));
    }
}
