//! A recording as an export shows it, in the language of whoever asked.

use std::io::IsTerminal;

use verst_recordings::exports::{Format, Sheet, export};
use verst_recordings::transcript::Transcript;
use verst_service::View;

use crate::cli::Form;
use crate::refusal::Refusal;
use crate::tongue::{Tongue, moment};

impl From<Form> for Format {
    fn from(form: Form) -> Self {
        match form {
            Form::Txt => Self::Txt,
            Form::Srt => Self::Srt,
            Form::Vtt => Self::Vtt,
            Form::Json => Self::Json,
            Form::Md => Self::Md,
            Form::Docx => Self::Docx,
        }
    }
}

/// The transcript in a format, with what is known of the recording where the format has a place
/// for it.
pub(crate) fn written(
    view: &View,
    transcript: &Transcript,
    format: Format,
    tongue: &Tongue,
) -> Vec<u8> {
    let mut sheet = Sheet::new(&view.recording, transcript, |key| tongue.say(key, &[]));
    let length =
        view.recording.duration.map(|it| (tongue.say("export-length", &[]), tongue.length(it)));
    let taken = (tongue.say("export-taken", &[]), moment(view.work.created_at));
    sheet.facts.splice(0..0, [taken].into_iter().chain(length));
    export(&sheet, format)
}

/// The transcript of a recording just finished, of which nobody wrote anything yet.
pub(crate) fn fresh(
    name: Option<&str>,
    transcript: &Transcript,
    format: Format,
    tongue: &Tongue,
) -> Vec<u8> {
    let mut sheet = Sheet::bare(transcript);
    sheet.heading = name.map_or_else(|| tongue.say("export-untitled", &[]), str::to_owned);
    sheet.text = tongue.say("export-text", &[]);
    sheet.silence = tongue.say("export-silence", &[]);
    sheet.facts = vec![(tongue.say("export-model", &[]), transcript.model.clone())];
    export(&sheet, format)
}

/// Refuses to write a document to a terminal, which would show nothing of it.
pub(crate) fn check_terminal(format: Format) -> Result<(), Refusal> {
    if !format.is_text() && std::io::stdout().is_terminal() {
        let named = vec![("format", format.name().to_owned())];
        return Err(Refusal::Usage("export-terminal", named));
    }
    Ok(())
}
