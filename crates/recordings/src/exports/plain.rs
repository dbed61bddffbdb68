//! Text and subtitles: what was said and nothing else.

use std::fmt::Write;

use super::{Sheet, line};
use crate::transcript::Segment;

pub(super) fn txt(sheet: &Sheet<'_>) -> String {
    sheet.transcript.segments.iter().map(|segment| cue(sheet, segment) + "\n").collect()
}

/// A line break inside a cue would end it early, a blank one would start another.
fn cue(sheet: &Sheet<'_>, segment: &Segment) -> String {
    let text = line(&segment.text);
    match sheet.speaker(segment) {
        Some(speaker) => format!("{}: {text}", line(speaker)),
        None => text,
    }
}

pub(super) fn srt(sheet: &Sheet<'_>) -> String {
    let mut out = String::new();
    for (n, s) in sheet.transcript.segments.iter().enumerate() {
        let (from, to) = (clock(s.start_ms, ','), clock(end(s), ','));
        // Subtitles carry no escape for the arrow; a person never says it.
        let text = cue(sheet, s).replace("-->", "→");
        let _ = write!(out, "{}\n{from} --> {to}\n{text}\n\n", n + 1);
    }
    out
}

pub(super) fn vtt(sheet: &Sheet<'_>) -> String {
    let mut out = String::from("WEBVTT\n\n");
    for s in &sheet.transcript.segments {
        let text = cue(sheet, s).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let _ = write!(out, "{} --> {}\n{text}\n\n", clock(s.start_ms, '.'), clock(end(s), '.'));
    }
    out
}

/// Players drop a cue that lasts no time at all.
fn end(segment: &Segment) -> u64 {
    segment.end_ms.max(segment.start_ms + 1)
}

/// `HH:MM:SS` and milliseconds behind `point`; hours grow beyond two digits as needed.
fn clock(ms: u64, point: char) -> String {
    let (s, ms) = (ms / 1000, ms % 1000);
    format!("{:02}:{:02}:{:02}{point}{ms:03}", s / 3600, s / 60 % 60, s % 60)
}
