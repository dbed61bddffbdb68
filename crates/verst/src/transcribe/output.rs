//! Where the text goes. A file that is there and says something else is never overwritten.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use verst_kernel::{StoreError, WorkId};
use verst_recordings::exports::Format;
use verst_words::Arg;

use crate::cli::Transcribe;
use crate::house::House;
use crate::inspect::clean;
use crate::intake::Named;
use crate::publish::{Saved, save};
use crate::refusal::Refusal;
use crate::sheet;
use crate::tongue::Tongue;

enum Place {
    Stdout,
    File(PathBuf),
    Directory(PathBuf),
}

pub(crate) struct Output {
    place: Place,
    format: Format,
}

impl Output {
    pub(crate) fn of(args: &Transcribe) -> Result<Self, Refusal> {
        let format = Format::from(args.format);
        let several = args.files.len() != 1;
        let place = match &args.output {
            None if several && matches!(format, Format::Srt | Format::Vtt | Format::Docx) => {
                return Err(Refusal::Usage("cli-several-need-output", Vec::new()));
            }
            None => {
                sheet::check_terminal(format)?;
                Place::Stdout
            }
            // What it leads to may be a file with something in it, which is for the shell to judge.
            Some(path) if is_stdout(path) && !several => Place::Stdout,
            Some(path) => {
                let slash = path.as_os_str().as_encoded_bytes().ends_with(b"/");
                if path.is_dir() || slash {
                    Place::Directory(path.clone())
                } else if args.files.is_empty() || (several && path.exists()) {
                    let named = vec![("file", clean(&path.display().to_string()))];
                    return Err(Refusal::Usage("cli-output-no-directory", named));
                } else if several {
                    Place::Directory(path.clone())
                } else {
                    Place::File(path.clone())
                }
            }
        };
        Ok(Self { place, format })
    }

    /// Writes the texts that are there, in order. Whether every file had one that could be
    /// written.
    pub(crate) async fn write(
        &self,
        house: &House,
        named: &[Named],
        tongue: &Tongue,
    ) -> Result<bool, StoreError> {
        let mut all = true;
        let mut first = true;
        for (one, name) in named.iter().zip(names(named, self.format.name())) {
            let Some(text) = self.text(house, one.id, tongue).await? else {
                all = false;
                continue;
            };
            match &self.place {
                Place::Stdout => {
                    let apart = !first && !text.is_empty() && self.format == Format::Txt;
                    first &= text.is_empty();
                    let text = if apart { [b"\n", text.as_slice()].concat() } else { text };
                    if let Err(refusal) = tongue.put(&text) {
                        tongue.err(&refusal.sentence(tongue));
                        return Ok(false);
                    }
                }
                Place::File(file) => all &= tell(file, &text, tongue),
                Place::Directory(dir) => all &= tell(&dir.join(name), &text, tongue),
            }
        }
        Ok(all)
    }

    async fn text(
        &self,
        house: &House,
        id: Option<WorkId>,
        tongue: &Tongue,
    ) -> Result<Option<Vec<u8>>, StoreError> {
        let Some(id) = id else { return Ok(None) };
        let view = house.service.ledger.view(id).await?;
        let transcript = house.service.recordings.transcript(id).await?;
        let both = view.zip(transcript);
        Ok(both.map(|(view, text)| sheet::written(&view, &text, self.format, tongue)))
    }
}

fn is_stdout(path: &Path) -> bool {
    ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].iter().any(|out| path == Path::new(out))
}

/// A file name for each, all of them different but for the same file named twice. Refused files
/// keep theirs, so that a later run gives the others the same names.
fn names(named: &[Named], extension: &str) -> Vec<String> {
    let mut taken: BTreeMap<String, &Named> = BTreeMap::new();
    let name = |one| {
        let stem = stem(one);
        let mut name = format!("{stem}.{extension}");
        let mut count = 1;
        while taken.get(&name).is_some_and(|other| *other != one) {
            count += 1;
            name = format!("{stem}-{count}.{extension}");
        }
        taken.insert(name.clone(), one);
        name
    };
    named.iter().map(name).collect()
}

/// The name as it was typed without its extension; the recording's number where that is no plain
/// name or would not fit.
fn stem(named: &Named) -> String {
    if named.file == Path::new("-") {
        return "stdin".to_owned();
    }
    let stem = named.file.file_stem().and_then(|stem| stem.to_str());
    let plain = |stem: &&str| {
        let odd = |c: char| c.is_control() || c == '/' || c == '\\';
        !stem.contains(odd) && !stem.starts_with('.') && stem.len() <= 200
    };
    let number = || named.id.map_or_else(|| "0".to_owned(), |id| id.to_string());
    stem.filter(plain).map_or_else(number, str::to_owned)
}

fn tell(file: &Path, text: &[u8], tongue: &Tongue) -> bool {
    let shown = clean(&file.display().to_string());
    let named = ("file", Arg::Text(&shown));
    match save(file, text) {
        Ok(Saved::There) => true,
        Ok(Saved::Occupied) => {
            tongue.err(&tongue.say("cli-output-exists", &[named]));
            false
        }
        Err(error) => {
            let cause = error.to_string();
            tongue.err(&tongue.say("cli-output-failed", &[named, ("cause", Arg::Text(&cause))]));
            false
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use verst_kernel::WorkId;

    fn check(files: &[(&str, i64)]) -> Vec<String> {
        let named = |(file, id): &(&str, i64)| Named { file: file.into(), id: Some(WorkId(*id)) };
        names(&files.iter().map(named).collect::<Vec<_>>(), "srt")
    }

    #[test]
    fn each_file_named_has_a_name_of_its_own() {
        assert_eq!(check(&[("a/x.ogg", 1), ("b/x.ogg", 2)]), ["x.srt", "x-2.srt"]);
        assert_eq!(check(&[("c1.ogg", 1), ("c2.ogg", 1)]), ["c1.srt", "c2.srt"]);
        assert_eq!(check(&[("x.ogg", 1), ("x.ogg", 1)]), ["x.srt", "x.srt"]);
        let files = [("a/x.ogg", 1), ("b/x.ogg", 2), ("x-2.ogg", 3)];
        assert_eq!(check(&files), ["x.srt", "x-2.srt", "x-2-2.srt"]);
    }

    #[test]
    fn what_is_no_plain_name_becomes_a_number() {
        assert_eq!(check(&[("a\nb.ogg", 4), ("a\u{9b}b.ogg", 5)]), ["4.srt", "5.srt"]);
        assert_eq!(check(&[("..ogg", 6), (".hidden", 7), ("", 8)]), ["6.srt", "7.srt", "8.srt"]);
        assert_eq!(check(&[("-", 9)]), ["stdin.srt"]);
    }
}
