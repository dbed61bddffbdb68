//! What the settings say of the watched folder.

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use verst_recordings::exports::Format;

use super::Settings;

/// Longer than anybody waits for a file to come to rest.
const LONGEST_SETTLE_S: u64 = 3600;

/// What becomes of a file that was taken in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum After {
    /// It goes to a directory in the folder.
    Move,
    /// It stays where it is.
    Keep,
}

/// The watched folder, checked.
#[derive(Clone, Debug)]
pub(crate) struct FolderSettings {
    pub(crate) root: PathBuf,
    pub(crate) after: After,
    pub(crate) settle: Duration,
    pub(crate) formats: Vec<Format>,
    pub(crate) language: Option<String>,
}

impl Settings {
    /// The watched folder, if there is one. The error is a sentence with the key.
    pub(crate) fn folder(&self) -> Result<Option<FolderSettings>, String> {
        if self.watch.is_empty() {
            return Ok(None);
        }
        let root = PathBuf::from(&self.watch);
        if !root.is_absolute() {
            return Err(format!("`watch`: “{}” is not an absolute path", self.watch));
        }
        if self.watch_settle_s > LONGEST_SETTLE_S {
            return Err(format!("`watch_settle_s` has to be 0 to {LONGEST_SETTLE_S}"));
        }
        let names = self.watch_text.split(',').map(str::trim).filter(|name| !name.is_empty());
        let formats: Result<Vec<Format>, String> = names.map(format_of).collect();
        let language = (!self.watch_language.is_empty()).then(|| self.watch_language.clone());
        let code = |code: &String| code.len() == 2 && code.bytes().all(|b| b.is_ascii_lowercase());
        if let Some(wrong) = language.as_ref().filter(|language| !code(language)) {
            return Err(format!("`watch_language`: “{wrong}” is not a two-letter code"));
        }
        Ok(Some(FolderSettings {
            root,
            after: self.watch_after,
            settle: Duration::from_secs(self.watch_settle_s),
            formats: formats?,
            language,
        }))
    }
}

fn format_of(name: &str) -> Result<Format, String> {
    let known = Format::ALL.into_iter().find(|format| format.name() == name);
    known.ok_or_else(|| {
        let names: Vec<&str> = Format::ALL.iter().map(|format| format.name()).collect();
        format!("`watch_text`: “{name}” is none of {}", names.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn watching(watch: &str) -> Settings {
        Settings { watch: watch.to_owned(), ..Settings::default() }
    }

    #[test]
    fn a_folder_is_an_absolute_path_with_known_wishes() {
        assert!(Settings::default().folder().unwrap().is_none());
        let text = "txt, srt".to_owned();
        let folder = Settings { watch_text: text, ..watching("/in") }.folder().unwrap().unwrap();
        assert_eq!(folder.formats, [Format::Txt, Format::Srt]);
        assert_eq!((folder.after, folder.settle.as_secs()), (After::Move, 10));
        for (settings, named) in [
            (watching("in"), "`watch`"),
            (Settings { watch_text: "pdf".to_owned(), ..watching("/in") }, "`watch_text`"),
            (
                Settings { watch_language: "Russian".to_owned(), ..watching("/in") },
                "`watch_language`",
            ),
            (Settings { watch_settle_s: 3601, ..watching("/in") }, "`watch_settle_s`"),
        ] {
            let error = settings.folder().err().unwrap();
            assert!(error.starts_with(named), "{error}");
        }
    }
}
