//! What a caller of OpenAI's interface says besides the file.

use serde_json::{Value as Json, json};
use utoipa::ToSchema;
use verst_service::{Format, Sheet, Transcript, View, export};

use crate::input::wrong;
use crate::languages;
use crate::problem::Answer;
use crate::recordings::arrival::Form;

/// A recording and what is wanted of it. Fields that are not named here are left aside.
#[derive(ToSchema)]
#[schema(as = Transcription)]
#[expect(dead_code, reason = "it describes the form; the fields are read as they come")]
pub(super) struct Transcription {
    /// The audio or video.
    #[schema(value_type = String, format = Binary, content_media_type = "application/octet-stream")]
    file: Vec<u8>,
    /// `whisper-1` for the configured model, or the name of an installed one.
    #[schema(example = "whisper-1")]
    model: String,
    /// Language spoken, as a two-letter code.
    language: Option<String>,
    /// Taken and left aside: no recogniser here is led by a text.
    prompt: Option<String>,
    /// The form of the answer; `json` if it is left out.
    #[schema(value_type = Option<String>, pattern = "^(json|text|srt|vtt|verbose_json)$")]
    response_format: Option<String>,
    /// Taken and left aside: recognition here is always by the likeliest word.
    #[schema(value_type = Option<f64>, minimum = 0, maximum = 1)]
    temperature: Option<f64>,
    /// `segment`. Times of words are not known.
    #[schema(rename = "timestamp_granularities[]", value_type = Option<Vec<String>>)]
    timestamp_granularities: Option<Vec<String>>,
}

/// The form of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Json,
    Verbose,
    Text(Format),
}

impl Shape {
    /// Reads what is wanted and checks what is left aside.
    pub(super) fn of(form: &Form) -> Answer<Self> {
        let shape = match form.field("response_format").unwrap_or("json") {
            "json" => Self::Json,
            "verbose_json" => Self::Verbose,
            "text" => Self::Text(Format::Txt),
            "srt" => Self::Text(Format::Srt),
            "vtt" => Self::Text(Format::Vtt),
            _ => return Err(wrong("response_format")),
        };
        if let Some(text) = form.field("temperature") {
            let temperature: f32 = text.parse().map_err(|_| wrong("temperature"))?;
            if !(0.0..=1.0).contains(&temperature) {
                return Err(wrong("temperature"));
            }
        }
        for name in ["timestamp_granularities[]", "timestamp_granularities"] {
            if form.all(name).any(|granularity| granularity != "segment") {
                return Err(wrong("timestamp_granularities[]"));
            }
        }
        Ok(shape)
    }

    pub(super) fn kind(self) -> &'static str {
        match self {
            Self::Json | Self::Verbose => "application/json",
            Self::Text(_) => "text/plain; charset=utf-8",
        }
    }

    pub(super) fn write(self, view: &View, transcript: &Transcript) -> Vec<u8> {
        match self {
            Self::Json => json!({ "text": transcript.text() }).to_string().into_bytes(),
            Self::Verbose => verbose(view, transcript).to_string().into_bytes(),
            Self::Text(format) => export(&Sheet::bare(transcript), format),
        }
    }
}

/// The whole answer. What the recognisers here do not tell is the number that means nothing.
fn verbose(view: &View, transcript: &Transcript) -> Json {
    let seconds = |ms: u64| std::time::Duration::from_millis(ms).as_secs_f64();
    let segments: Vec<Json> = transcript
        .segments
        .iter()
        .enumerate()
        .map(|(id, segment)| {
            json!({
                "id": id,
                "seek": 0,
                "start": seconds(segment.start_ms),
                "end": seconds(segment.end_ms),
                "text": segment.text,
                "tokens": [],
                "temperature": 0.0,
                "avg_logprob": 0.0,
                "compression_ratio": 0.0,
                "no_speech_prob": 0.0,
            })
        })
        .collect();
    let code = transcript.language.as_deref().unwrap_or_default();
    json!({
        "task": "transcribe",
        "language": languages::name(code).unwrap_or(code),
        "duration": view.recording.duration.unwrap_or_default().as_secs_f64(),
        "text": transcript.text(),
        "segments": segments,
    })
}
