//! What an export is made of: the transcript, and what is told of the recording above it.

use crate::model::Recording;
use crate::transcript::{Segment, Transcript};

/// A pause after which a new paragraph begins.
const PAUSE_MS: u64 = 3000;
/// A paragraph ends with the segment that brings it to so many bytes of text.
const PARAGRAPH_BYTES: usize = 1200;

/// A heading and what stands under it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// The heading.
    pub heading: String,
    /// The paragraphs, or the points of a list.
    pub lines: Vec<String>,
}

/// What an export is made of. The words in it are those of whoever reads it.
#[derive(Clone, Debug)]
pub struct Sheet<'a> {
    pub(super) transcript: &'a Transcript,
    pub(super) recording: Option<&'a Recording>,
    /// What is known of it, each thing with its name: when, how long, in which language.
    pub facts: Vec<(String, String)>,
    /// What stands above the text.
    pub heading: String,
    /// What was written about it.
    pub summary: Option<Section>,
    /// What it is about.
    pub topics: Option<Section>,
    /// What stands above the transcript.
    pub text: String,
    /// What is said where nothing was.
    pub silence: String,
    /// Where the recording can be heard; seconds are put behind it, as in `...#t=83`.
    pub link: Option<String>,
}

/// A paragraph: what one person said without a long pause.
pub(super) struct Turn<'a> {
    pub(super) speaker: Option<&'a str>,
    pub(super) start_ms: u64,
    pub(super) text: String,
}

impl<'a> Sheet<'a> {
    /// The transcript alone, for formats that are nothing but text.
    pub fn bare(transcript: &'a Transcript) -> Self {
        Self {
            transcript,
            recording: None,
            facts: Vec::new(),
            heading: String::new(),
            summary: None,
            topics: None,
            text: String::new(),
            silence: String::new(),
            link: None,
        }
    }

    /// The recording with its text. `say` knows the words for `export-untitled`, `export-language`,
    /// `export-model`, `export-summary`, `export-topics`, `export-text` and `export-silence`;
    /// what else is known of it is added to the facts.
    pub fn new(
        recording: &'a Recording,
        transcript: &'a Transcript,
        say: impl Fn(&str) -> String,
    ) -> Self {
        let named = recording.title.as_ref().or(recording.given.name.as_ref());
        let lines = |text: &str| text.lines().map(str::to_owned).collect();
        let summary = recording.summary.as_deref().map(lines);
        let topics = (!recording.topics.is_empty()).then(|| recording.topics.clone());
        let section = |key: &str, lines| Section { heading: say(key), lines };
        let language = transcript.language.clone().map(|it| (say("export-language"), it));
        let model = (say("export-model"), transcript.model.clone());
        Self {
            transcript,
            recording: Some(recording),
            facts: language.into_iter().chain([model]).collect(),
            heading: named.cloned().unwrap_or_else(|| say("export-untitled")),
            summary: summary.map(|lines| section("export-summary", lines)),
            topics: topics.map(|lines| section("export-topics", lines)),
            text: say("export-text"),
            silence: say("export-silence"),
            link: None,
        }
    }

    /// Who says it: by name if somebody gave one.
    pub(super) fn speaker<'s>(&self, segment: &'s Segment) -> Option<&'s str>
    where
        'a: 's,
    {
        let label = segment.speaker.as_deref()?;
        let name = self.recording.and_then(|recording| recording.speakers.get(label));
        Some(name.map_or(label, String::as_str))
    }

    /// The text in paragraphs.
    pub(super) fn turns(&self) -> Vec<Turn<'_>> {
        let mut turns: Vec<Turn<'_>> = Vec::new();
        let mut end_ms = 0;
        for segment in &self.transcript.segments {
            let (speaker, text) = (self.speaker(segment), super::line(&segment.text));
            let pause = segment.start_ms > end_ms + PAUSE_MS;
            end_ms = segment.end_ms;
            match turns.last_mut() {
                Some(turn)
                    if !pause && turn.speaker == speaker && turn.text.len() < PARAGRAPH_BYTES =>
                {
                    turn.text.push(' ');
                    turn.text.push_str(&text);
                }
                _ => turns.push(Turn { speaker, start_ms: segment.start_ms, text }),
            }
        }
        turns
    }

    /// Where this moment can be heard.
    pub(super) fn moment(&self, ms: u64) -> Option<String> {
        self.link.as_ref().map(|link| format!("{link}#t={}", ms / 1000))
    }
}
