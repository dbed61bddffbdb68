//! A transcript as people and programs want it: text, SubRip, WebVTT, JSON.

use std::fmt::Write;

use serde::Serialize;

use crate::transcript::{Segment, Transcript};

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
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 4] = [Self::Txt, Self::Srt, Self::Vtt, Self::Json];

    /// Name and file extension.
    pub fn name(self) -> &'static str {
        match self {
            Self::Txt => "txt",
            Self::Srt => "srt",
            Self::Vtt => "vtt",
            Self::Json => "json",
        }
    }
}

/// Renders the transcript. Text formats end with a newline unless they are empty.
pub fn export(transcript: &Transcript, format: Format) -> String {
    match format {
        Format::Txt => transcript.segments.iter().map(|s| line(s) + "\n").collect(),
        Format::Srt => srt(&transcript.segments),
        Format::Vtt => vtt(&transcript.segments),
        Format::Json => json(transcript),
    }
}

fn line(segment: &Segment) -> String {
    // A line break inside a cue would end it early, a blank one would start another.
    let text = segment.text.split_whitespace().collect::<Vec<_>>().join(" ");
    match &segment.speaker {
        Some(speaker) => format!("{speaker}: {text}"),
        None => text,
    }
}

fn srt(segments: &[Segment]) -> String {
    let mut out = String::new();
    for (n, s) in segments.iter().enumerate() {
        let (from, to) = (clock(s.start_ms, ','), clock(end(s), ','));
        // Subtitles carry no escape for the arrow; a person never says it.
        let _ = write!(out, "{}\n{from} --> {to}\n{}\n\n", n + 1, line(s).replace("-->", "→"));
    }
    out
}

fn vtt(segments: &[Segment]) -> String {
    let mut out = String::from("WEBVTT\n\n");
    for s in segments {
        let text = line(s).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let _ = write!(out, "{} --> {}\n{text}\n\n", clock(s.start_ms, '.'), clock(end(s), '.'));
    }
    out
}

/// Players drop a cue that lasts no time at all.
fn end(segment: &Segment) -> u64 {
    segment.end_ms.max(segment.start_ms + 1)
}

fn json(transcript: &Transcript) -> String {
    #[derive(Serialize)]
    struct Export<'a> {
        text: String,
        #[serde(flatten)]
        transcript: &'a Transcript,
    }
    let export = Export { text: transcript.text(), transcript };
    let mut out = serde_json::to_string_pretty(&export).unwrap_or_default();
    out.push('\n');
    out
}

/// `HH:MM:SS` and milliseconds behind `point`; hours grow beyond two digits as needed.
fn clock(ms: u64, point: char) -> String {
    let (s, ms) = (ms / 1000, ms % 1000);
    format!("{:02}:{:02}:{:02}{point}{ms:03}", s / 3600, s / 60 % 60, s % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn transcript() -> Transcript {
        let segment = |start_ms, end_ms, text: &str| Segment {
            start_ms,
            end_ms,
            text: text.into(),
            speaker: None,
        };
        Transcript {
            language: Some("ru".into()),
            model: "base".into(),
            segments: vec![
                segment(0, 1500, "Привет,\n\nмир"),
                segment(3_599_999, 360_000_001, "a < b --> c & d"),
            ],
        }
    }

    #[test]
    fn text_has_a_line_per_segment() {
        assert_eq!(export(&transcript(), Format::Txt), "Привет, мир\na < b --> c & d\n");
        assert_eq!(export(&Transcript::default(), Format::Txt), "");
    }

    #[test]
    fn subrip_numbers_cues_and_uses_a_comma() {
        assert_eq!(
            export(&transcript(), Format::Srt),
            "1\n00:00:00,000 --> 00:00:01,500\nПривет, мир\n\n\
             2\n00:59:59,999 --> 100:00:00,001\na < b → c & d\n\n"
        );
    }

    #[test]
    fn webvtt_escapes_markup() {
        assert_eq!(
            export(&transcript(), Format::Vtt),
            "WEBVTT\n\n00:00:00.000 --> 00:00:01.500\nПривет, мир\n\n\
             00:59:59.999 --> 100:00:00.001\na &lt; b --&gt; c &amp; d\n\n"
        );
    }

    #[test]
    fn json_reads_back_and_has_the_whole_text() {
        let text = export(&transcript(), Format::Json);
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["language"], "ru");
        assert_eq!(value["segments"][1]["end_ms"], 360_000_001);
        assert_eq!(value["text"], "Привет,\n\nмир a < b --> c & d");
    }
}
