//! Files that Verst writes beside a recording: its texts, and a report of what went wrong.
//!
//! **Invariant:** a file is whole or not there. One that is somebody else's is never replaced; the
//! names of reports, and names with a recording's number, are Verst's own.

use std::io;
use std::path::{Path, PathBuf};

use verst_recordings::exports::Format;
use verst_recordings::transcript::Transcript;
use verst_service::Letter;

use super::names;
use crate::publish::{Saved, replace, save};
use crate::sheet;
use crate::tongue::Tongue;

/// Writes the texts of the recording that lies at `place`.
pub(super) fn write_texts(
    place: &Path,
    letter: &Letter,
    transcript: &Transcript,
    formats: &[Format],
    tongue: &Tongue,
) -> io::Result<()> {
    in_a_directory(place)?;
    let name = place.file_name().unwrap_or_default();
    for format in formats {
        let text = sheet::fresh(letter.name.as_deref(), transcript, *format, tongue);
        let usual = names::text(name, format.name());
        if save(&place.with_file_name(&usual), &text)? == Saved::Occupied {
            replace(&place.with_file_name(names::numbered(&usual, letter.work)), &text)?;
        }
    }
    Ok(())
}

/// Writes the report about the file at `place`, unless it says the same already.
pub(super) fn write_report(place: &Path, text: &str) -> io::Result<()> {
    in_a_directory(place)?;
    let report = report_of(place);
    let said = std::fs::read(&report).is_ok_and(|said| said == text.as_bytes());
    if said { Ok(()) } else { replace(&report, text.as_bytes()) }
}

/// Removes the report about the file at `place`, if there is one.
pub(super) fn remove_report(place: &Path) {
    // One that cannot be removed only says what is over.
    let _ = std::fs::remove_file(report_of(place));
}

fn report_of(place: &Path) -> PathBuf {
    place.with_file_name(names::report(place.file_name().unwrap_or_default()))
}

/// A directory that somebody removed is not made again for the sake of a text.
fn in_a_directory(place: &Path) -> io::Result<()> {
    if place.parent().is_some_and(Path::is_dir) {
        return Ok(());
    }
    Err(io::ErrorKind::NotFound.into())
}
