//! Where the text goes. A file that is there and says something else is never overwritten.

use std::path::{Path, PathBuf};

use verst_kernel::WorkId;
use verst_recordings::exports::{Format, export};
use verst_words::Arg;

use crate::cli::{Form, Transcribe};
use crate::house::House;
use crate::refusal::Refusal;
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
        let format = match args.format {
            Form::Txt => Format::Txt,
            Form::Srt => Format::Srt,
            Form::Vtt => Format::Vtt,
            Form::Json => Format::Json,
        };
        let several = args.files.len() != 1;
        let place = match &args.output {
            None if several && matches!(format, Format::Srt | Format::Vtt) => {
                return Err(Refusal::Usage("cli-several-need-output", Vec::new()));
            }
            None => Place::Stdout,
            Some(path) => {
                let slash = path.as_os_str().as_encoded_bytes().ends_with(b"/");
                if several || slash || path.is_dir() {
                    Place::Directory(path.clone())
                } else {
                    Place::File(path.clone())
                }
            }
        };
        Ok(Self { place, format })
    }

    /// Writes the texts in order. Whether every recording had one that could be written.
    pub(crate) async fn write(
        &self,
        house: &House,
        ids: &[WorkId],
        tongue: &Tongue,
    ) -> Result<bool, Refusal> {
        let mut all = true;
        let mut first = true;
        for id in ids {
            let Some(transcript) = house.service.recordings.transcript(*id).await? else {
                all = false;
                continue;
            };
            let text = export(&transcript, self.format);
            match &self.place {
                Place::Stdout => {
                    if !first && !text.is_empty() && self.format == Format::Txt {
                        tongue.out("\n");
                    }
                    first &= text.is_empty();
                    tongue.out(&text);
                }
                Place::File(file) => all &= save(file, &text, tongue),
                Place::Directory(dir) => {
                    let view = house.service.ledger.view(*id).await?;
                    let name = view.and_then(|view| view.recording.given.name);
                    all &= save(&dir.join(self.file_name(*id, name.as_deref())), &text, tongue);
                }
            }
        }
        Ok(all)
    }

    /// The name it came with and another extension; its number where that is no plain name or
    /// would not fit.
    fn file_name(&self, id: WorkId, name: Option<&str>) -> String {
        let extension = self.format.name();
        let stem = name.and_then(|name| Path::new(name).file_stem()?.to_str());
        let plain = |stem: &&str| {
            !stem.contains(['/', '\\', '\0']) && !stem.starts_with('.') && stem.len() <= 200
        };
        match stem.filter(plain) {
            Some(stem) => format!("{stem}.{extension}"),
            None => format!("{id}.{extension}"),
        }
    }
}

fn save(file: &Path, text: &str, tongue: &Tongue) -> bool {
    let shown = file.display().to_string();
    let named = ("file", Arg::Text(&shown));
    if let Ok(there) = std::fs::read(file) {
        if there == text.as_bytes() {
            return true;
        }
        tongue.err(&tongue.say("cli-output-exists", &[named]));
        return false;
    }
    let parent = file.parent().filter(|dir| !dir.as_os_str().is_empty());
    let made = parent.map_or(Ok(()), std::fs::create_dir_all);
    match made.and_then(|()| std::fs::write(file, text)) {
        Ok(()) => true,
        Err(error) => {
            let cause = error.to_string();
            tongue.err(&tongue.say("cli-output-failed", &[named, ("cause", Arg::Text(&cause))]));
            false
        }
    }
}
