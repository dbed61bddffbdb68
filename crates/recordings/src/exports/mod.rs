//! A transcript as people and programs want it: text, SubRip, WebVTT, JSON, Markdown, a document of
//! Word.
//!
//! It refuses to know a language: what is said above the text comes in with the [`Sheet`].
//!
//! **Invariant:** characters that steer a screen, turn the direction of writing or have no place in
//! XML are in no export but JSON, which is for programs and has them escaped.

mod docx;
mod json;
mod markdown;
mod plain;
mod sheet;

pub use sheet::{Section, Sheet};

/// An export format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A line per segment.
    Txt,
    /// SubRip subtitles.
    Srt,
    /// WebVTT subtitles: <https://www.w3.org/TR/webvtt1/>.
    Vtt,
    /// The whole transcript with times in milliseconds.
    Json,
    /// Markdown: what is known of the recording, and the text by speaker with its times.
    Md,
    /// The same as a document of Word, as ISO 29500 has it.
    Docx,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 6] = [Self::Txt, Self::Srt, Self::Vtt, Self::Json, Self::Md, Self::Docx];

    /// Name and file extension.
    pub fn name(self) -> &'static str {
        match self {
            Self::Txt => "txt",
            Self::Srt => "srt",
            Self::Vtt => "vtt",
            Self::Json => "json",
            Self::Md => "md",
            Self::Docx => "docx",
        }
    }

    /// The format of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// As HTTP names it.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Txt => "text/plain; charset=utf-8",
            Self::Srt => "application/x-subrip; charset=utf-8",
            Self::Vtt => "text/vtt; charset=utf-8",
            Self::Json => "application/json",
            Self::Md => "text/markdown; charset=utf-8",
            Self::Docx => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        }
    }

    /// Whether it is text in UTF-8, and no file that only a program can read.
    pub fn is_text(self) -> bool {
        self != Self::Docx
    }
}

/// Renders the transcript. Text formats end with a newline unless they are empty.
pub fn export(sheet: &Sheet<'_>, format: Format) -> Vec<u8> {
    match format {
        Format::Txt => plain::txt(sheet).into_bytes(),
        Format::Srt => plain::srt(sheet).into_bytes(),
        Format::Vtt => plain::vtt(sheet).into_bytes(),
        Format::Json => json::json(sheet).into_bytes(),
        Format::Md => markdown::markdown(sheet).into_bytes(),
        Format::Docx => docx::docx(sheet),
    }
}

/// One line of it, for a person to read: nothing that ends a line, steers a screen, turns the
/// direction of what stands around it, or is no character at all.
fn line(text: &str) -> String {
    let shown = |c: char| match c {
        '\u{61c}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}'
        | '\u{feff}'
        | '\u{fffe}'
        | '\u{ffff}' => None,
        c if c.is_control() || c.is_whitespace() => Some(' '),
        c => Some(c),
    };
    let text: String = text.chars().filter_map(shown).collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `M:SS`, with hours where there are any.
fn time(ms: u64) -> String {
    let s = ms / 1000;
    match s / 3600 {
        0 => format!("{}:{:02}", s / 60, s % 60),
        hours => format!("{hours}:{:02}:{:02}", s / 60 % 60, s % 60),
    }
}

#[cfg(test)]
mod tests;
