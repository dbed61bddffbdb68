//! What was said and when.

use serde::{Deserialize, Serialize};

/// A stretch of speech.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Segment {
    /// Milliseconds from the start of the recording.
    pub start_ms: u64,
    /// Milliseconds from the start of the recording; never before `start_ms`.
    pub end_ms: u64,
    /// What was said, without surrounding whitespace.
    pub text: String,
    /// Who said it, where a diarising model is present.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speaker: Option<String>,
}

/// The text of a recording. No segments means that no speech was found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transcript {
    /// ISO 639-1 code of the language heard, where known.
    pub language: Option<String>,
    /// Name of the model that heard it.
    pub model: String,
    /// In order of time.
    pub segments: Vec<Segment>,
}

impl Transcript {
    /// The text alone, segments joined by spaces.
    pub fn text(&self) -> String {
        let texts: Vec<&str> = self.segments.iter().map(|s| s.text.as_str()).collect();
        texts.join(" ")
    }
}
