//! Names in the watched folder: which are left alone, and what the files beside are called. Pure.
//!
//! **Invariant:** a name is bytes. What is not UTF-8 is kept as it is, and no name that is made
//! here is longer than a file system takes.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use percent_encoding::{percent_decode_str, percent_encode_byte};
use verst_kernel::WorkId;

/// Where files go that were taken in.
pub(super) const TAKEN: &str = "taken";
/// What the name of a report ends with.
const REPORT: &str = ".verst.txt";
/// The longest name, in bytes.
const LONGEST: usize = 255;

/// Ends of names of files in the making: browsers, rsync, Syncthing, Dropbox, Nextcloud, editors.
const UNFINISHED: [&str; 14] = [
    ".part",
    ".partial",
    ".crdownload",
    ".download",
    ".opdownload",
    ".tmp",
    ".temp",
    ".filepart",
    ".!qb",
    ".!ut",
    ".aria2",
    ".dropboxtemp",
    ".swp",
    "~",
];
/// Beginnings of such names.
const UNFINISHED_BEGIN: [&str; 3] = ["~", "unconfirmed ", "syncthing-tmp"];
/// Ends of names of texts, which Verst writes here itself and which nobody hears anything in.
const TEXTS: [&str; 6] = [".txt", ".srt", ".vtt", ".json", ".md", ".docx"];
/// What systems put into every folder.
const SYSTEM: [&str; 3] = ["thumbs.db", "desktop.ini", "icon\r"];

/// Whether a file or directory of this name is left alone: hidden, in the making, or a text.
pub(super) fn is_left_alone(name: &OsStr) -> bool {
    let name = name.as_bytes().to_ascii_lowercase();
    let ends = |end: &&str| name.ends_with(end.as_bytes());
    let begins = |begin: &&str| name.starts_with(begin.as_bytes());
    name.starts_with(b".")
        || SYSTEM.iter().any(|system| name == system.as_bytes())
        || UNFINISHED.iter().any(ends)
        || UNFINISHED_BEGIN.iter().any(begins)
        || TEXTS.iter().any(ends)
}

/// The name of the report about a file.
pub(super) fn report(name: &OsStr) -> OsString {
    joined(name.as_bytes(), REPORT.as_bytes())
}

/// The name of a text of a file: that of the file with another extension.
pub(super) fn text(name: &OsStr, extension: &str) -> OsString {
    joined(stem(name), format!(".{extension}").as_bytes())
}

/// A name that no other recording has.
pub(super) fn numbered(name: &OsStr, id: WorkId) -> OsString {
    marked(name, &format!(" ({id})"))
}

/// A name for another copy of a recording that is there under its number already.
pub(super) fn copy(name: &OsStr, id: WorkId, count: u32) -> OsString {
    marked(name, &format!(" ({id}-{count})"))
}

fn marked(name: &OsStr, mark: &str) -> OsString {
    let stem = stem(name);
    joined(stem, &[mark.as_bytes(), &name.as_bytes()[stem.len()..]].concat())
}

/// The name without its extension, which is short and is no name by itself.
fn stem(name: &OsStr) -> &[u8] {
    let bytes = name.as_bytes();
    match bytes.iter().rposition(|byte| *byte == b'.') {
        Some(dot) if dot > 0 && bytes.len() - dot <= 17 => &bytes[..dot],
        _ => bytes,
    }
}

/// Both together; the first is cut between two characters where both do not fit.
fn joined(begin: &[u8], end: &[u8]) -> OsString {
    let mut kept = begin.len().min(LONGEST.saturating_sub(end.len()));
    // The bytes that go on with a character of UTF-8 begin with 10.
    while kept > 0 && kept < begin.len() && begin[kept] & 0xc0 == 0x80 {
        kept -= 1;
    }
    OsString::from_vec([&begin[..kept], end].concat())
}

/// A path below the folder as text, from which it can be read back. Only what is not UTF-8 is
/// escaped, and the escape itself.
pub(super) fn to_text(path: &Path) -> String {
    let mut text = String::new();
    for chunk in path.as_os_str().as_bytes().utf8_chunks() {
        text.push_str(&chunk.valid().replace('%', "%25"));
        text.extend(chunk.invalid().iter().map(|byte| percent_encode_byte(*byte)));
    }
    text
}

/// The path that such a text stands for, if it stays below the folder.
pub(super) fn from_text(text: &str) -> Option<PathBuf> {
    let path = PathBuf::from(OsString::from_vec(percent_decode_str(text).collect()));
    let below = path.components().all(|part| matches!(part, std::path::Component::Normal(_)));
    (below && path.file_name().is_some()).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_hidden_in_the_making_or_a_text_is_left_alone() {
        for name in [
            ".hidden.ogg",
            ".syncthing.talk.ogg.tmp",
            ".talk.ogg.aB3dE6",
            "talk.ogg.part",
            "talk.ogg.crdownload",
            "talk.ogg~",
            "~$talk.ogg",
            "TALK.TMP",
            "talk.!qB",
            "talk.txt",
            "talk.ogg.verst.txt",
            "talk.SRT",
            "Thumbs.db",
            "Unconfirmed 12.crdownload",
        ] {
            assert!(is_left_alone(OsStr::new(name)), "{name}");
        }
        for name in ["talk.ogg", "доклад.m4a", "part", "a.part.ogg", "talk", "tmp.wav", "x.html"]
        {
            assert!(!is_left_alone(OsStr::new(name)), "{name}");
        }
    }

    #[track_caller]
    fn check(made: &OsStr, expected: &str) {
        assert_eq!(made, OsStr::new(expected));
    }

    #[test]
    fn files_beside_are_named_after_theirs() {
        check(&report(OsStr::new("talk.ogg")), "talk.ogg.verst.txt");
        check(&text(OsStr::new("talk.ogg"), "srt"), "talk.srt");
        check(&text(OsStr::new("доклад"), "txt"), "доклад.txt");
        check(
            &text(OsStr::new("v1.2 of the quarterly talk"), "txt"),
            "v1.2 of the quarterly talk.txt",
        );
        check(&numbered(OsStr::new("talk.ogg"), WorkId(17)), "talk (17).ogg");
        check(&numbered(OsStr::new("talk (17).ogg"), WorkId(18)), "talk (17) (18).ogg");
        check(&numbered(OsStr::new("talk"), WorkId(17)), "talk (17)");
        check(&copy(OsStr::new("talk.ogg"), WorkId(17), 2), "talk (17-2).ogg");
    }

    #[test]
    fn names_stay_within_what_a_file_system_takes() {
        let long = OsString::from(format!("{}.ogg", "я".repeat(125)));
        assert_eq!(long.len(), 254);
        for made in [report(&long), numbered(&long, WorkId(1)), text(&long, "json")] {
            assert!(made.len() <= LONGEST && made.to_str().is_some(), "{made:?}");
        }
        assert!(numbered(&long, WorkId(1)).to_str().unwrap().ends_with("я (1).ogg"));
    }

    #[test]
    fn a_path_survives_being_a_text() {
        let odd = PathBuf::from(OsString::from_vec(b"a/100%/\xff\xd0\xb4.ogg".to_vec()));
        for path in [Path::new("talk.ogg"), Path::new("папка/доклад 1.ogg"), &odd] {
            assert_eq!(from_text(&to_text(path)).as_deref(), Some(path));
        }
        assert_eq!(to_text(Path::new("папка/доклад.ogg")), "папка/доклад.ogg");
        assert_eq!(to_text(&odd), "a/100%25/%FFд.ogg");
        for outside in ["", "/etc/passwd", "../x", "a/../../x", "%2e%2e/x", "%2Fetc"] {
            assert_eq!(from_text(outside), None, "{outside}");
        }
    }
}
