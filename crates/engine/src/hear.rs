//! Hearing one slice.
//!
//! Each call has a session of its own and no text of earlier ones, so that a restart in the middle
//! of a recording gives the same text. Whisper's sampling is seeded for the same reason.
//!
//! *Invariant*: segments are in order of time, lie in the slice and have text.

use std::path::Path;

use transcribe_cpp::{
    CancelToken, Capabilities, Error, Model, RunExtension, RunOptions, SessionOptions, Transcript,
    WhisperRunOptions,
};

use crate::accept::plausible;
use crate::audio::{Pcm, SAMPLES_PER_MS};
use crate::phrases::{Phrase, phrases};
use crate::plan::Slice;
use crate::protocol::{LONGEST_SLICE_MS, Segment};
use crate::timeline::Timeline;
use crate::trouble::Trouble;
use crate::words::words;

/// Shorter audio is filled up with silence: recognisers are not made for less than a second.
const SHORTEST_MS: u64 = 1_100;

/// The longest slice that is taken, whatever the request says.
const SLICE_LIMIT_MS: u64 = 3_600_000;

/// GigaAM was trained on up to 25 s; the library does not report it.
const GIGAAM_LONGEST_MS: u64 = 25_000;

/// Mean log probability of a token from which Whisper counts as sure. Its own recipe asks for -1.
const SURE_LOGPROB: f32 = -0.5;

/// What was heard.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Heard {
    /// In the time of the recording.
    pub(crate) segments: Vec<Segment>,
    /// The language asked for, else the one detected, else the only one that the model knows.
    /// Also where nothing was heard.
    pub(crate) language: Option<String>,
}

/// How to hear a slice.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Manner {
    /// ISO 639-1 code; `None` to detect it.
    pub(crate) language: Option<String>,
    /// Whether no speech was found by other means.
    pub(crate) whole: bool,
    /// 0 for the library's choice.
    pub(crate) threads: u16,
    /// Whether the words are wanted.
    pub(crate) words: bool,
}

/// Transcribes a slice of a recording.
pub(crate) fn hear(
    audio: &Path,
    model: &Model,
    slice: &Slice,
    manner: &Manner,
    cancel: &CancelToken,
) -> Result<Heard, Trouble> {
    let capabilities = model.capabilities().map_err(|error| Trouble::native(&error))?;
    let language = known_language(&capabilities, manner.language.as_deref())?;
    let samples = samples(audio, slice)?;
    if samples.is_empty() {
        return Ok(Heard::default());
    }
    let options = SessionOptions { n_threads: manner.threads.into(), ..SessionOptions::default() };
    let mut session = model.session_with(&options).map_err(|error| Trouble::native(&error))?;
    session.set_cancel_token(cancel);
    let options = RunOptions {
        language: language.clone(),
        family: (model.arch() == "whisper").then(|| RunExtension::Whisper(whisper(manner.whole))),
        ..RunOptions::default()
    };
    let transcript = complete(session.run(&samples, &options))?;
    let mut segments = segments(&transcript, slice);
    if !manner.words {
        for segment in &mut segments {
            segment.words.clear();
        }
    }
    if manner.whole && !plausible(&transcript.text, slice.length_ms()) {
        segments.clear();
    }
    let only = || match capabilities.languages.as_slice() {
        [only] => Some(only.clone()),
        _ => None,
    };
    let detected = transcript.language.filter(|language| !language.is_empty());
    Ok(Heard { segments, language: language.or(detected).or_else(only) })
}

/// The most audio that a model takes in a call, in milliseconds.
pub(crate) fn longest_slice_ms(model: &Model, capabilities: &Capabilities) -> u64 {
    let reported = u64::try_from(capabilities.max_audio_ms).ok().filter(|&ms| ms > 0);
    let family = if model.arch() == "gigaam" { GIGAAM_LONGEST_MS } else { LONGEST_SLICE_MS };
    reported.map_or(family, |reported| reported.min(family))
}

fn known_language(
    capabilities: &Capabilities,
    wanted: Option<&str>,
) -> Result<Option<String>, Trouble> {
    let Some(wanted) = wanted else { return Ok(None) };
    let known = &capabilities.languages;
    if known.is_empty() || known.iter().any(|language| language == wanted) {
        Ok(Some(wanted.to_owned()))
    } else {
        Err(Trouble::LanguageUnsupported(wanted.to_owned()))
    }
}

/// The slice's audio; empty when the recording has none of it.
fn samples(audio: &Path, slice: &Slice) -> Result<Vec<f32>, Trouble> {
    if slice.length_ms() > SLICE_LIMIT_MS {
        return Err(Trouble::BAD_REQUEST);
    }
    let mut pcm = Pcm::open(audio)?;
    let mut samples = Vec::new();
    for piece in &slice.pieces {
        let start = piece.start_ms.saturating_mul(SAMPLES_PER_MS);
        pcm.read(start, piece.length_ms() * SAMPLES_PER_MS, &mut samples)?;
    }
    let shortest = usize::try_from(SHORTEST_MS * SAMPLES_PER_MS).unwrap_or(usize::MAX);
    if !samples.is_empty() && samples.len() < shortest {
        samples.resize(shortest, 0.0);
    }
    Ok(samples)
}

/// Whisper's own recipe with a fixed seed. For a whole recording a single try, of which nothing is
/// taken unless the model itself is sure.
fn whisper(whole: bool) -> WhisperRunOptions {
    let common = WhisperRunOptions {
        condition_on_prev_tokens: Some(false),
        seed: Some(1),
        ..WhisperRunOptions::default()
    };
    if !whole {
        return common;
    }
    WhisperRunOptions {
        temperature_inc: Some(0.0),
        // Below every probability, so that the threshold on the text's own decides alone.
        no_speech_thold: Some(-1.0),
        logprob_thold: Some(SURE_LOGPROB),
        ..common
    }
}

/// A decode that was stopped at its budget or because it repeated itself has its text up to there.
fn complete(result: Result<Transcript, Error>) -> Result<Transcript, Trouble> {
    result.or_else(|error| match error {
        Error::OutputTruncated { partial: Some(partial), .. }
        | Error::OutputRepetition { partial: Some(partial), .. } => Ok(*partial),
        other => Err(Trouble::native(&other)),
    })
}

/// The segments in the time of the recording. A model that gives times to words alone has its text
/// divided into phrases, one without usable times gives one segment for the whole slice.
fn segments(transcript: &Transcript, slice: &Slice) -> Vec<Segment> {
    let timeline = Timeline::new(slice);
    let ms = |ms: i64| u64::try_from(ms).unwrap_or(0);
    let words = words(transcript);
    let timed = transcript.segments.iter().any(|segment| segment.t1_ms > segment.t0_ms);
    let heard: Vec<Phrase> = if transcript.segments.len() < 2 && !words.is_empty() {
        phrases(words)
    } else if timed {
        let phrase = |s: &transcribe_cpp::Segment| Phrase {
            start_ms: ms(s.t0_ms),
            end_ms: ms(s.t1_ms),
            text: s.text.clone(),
            words: Vec::new(),
        };
        transcript.segments.iter().map(phrase).collect()
    } else {
        let (end_ms, text) = (slice.length_ms(), transcript.text.clone());
        vec![Phrase { start_ms: 0, end_ms, text, words: Vec::new() }]
    };
    let mut earliest_ms = 0;
    let mut segments = Vec::new();
    for phrase in heard {
        let text = phrase.text.trim();
        if text.is_empty() {
            continue;
        }
        let mapped = timeline.map(phrase.start_ms, phrase.end_ms);
        let start_ms = mapped.start_ms.max(earliest_ms);
        earliest_ms = start_ms;
        let end_ms = mapped.end_ms.max(start_ms);
        let words = timeline.words(phrase.words, start_ms, end_ms);
        segments.push(Segment { start_ms, end_ms, text: text.to_owned(), words });
    }
    segments
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(segments: &[(i64, i64, &str)], text: &str) -> Vec<(u64, u64, String)> {
        let segments = segments.iter().map(|&(t0_ms, t1_ms, text)| transcribe_cpp::Segment {
            t0_ms,
            t1_ms,
            text: text.to_owned(),
            ..Default::default()
        });
        let transcript = Transcript {
            text: text.to_owned(),
            segments: segments.collect(),
            ..Transcript::default()
        };
        let slice = Slice { pieces: vec![(1000, 3000).into(), (9000, 12_000).into()] };
        let segments = super::segments(&transcript, &slice);
        segments.into_iter().map(|s| (s.start_ms, s.end_ms, s.text)).collect()
    }

    #[test]
    fn segments_are_trimmed_mapped_and_in_order() {
        let texts = [(0, 1500, " one "), (1500, 2000, "  "), (2000, 4000, "two"), (900, 4000, "3")];
        let expected = [(1200, 2500, "one"), (9200, 11_000, "two"), (9200, 11_000, "3")];
        assert_eq!(heard(&texts, "unused"), expected.map(|(s, e, t)| (s, e, t.to_owned())));
        assert_eq!(heard(&[(-5, 10_000, "odd")], ""), [(1200, 12_000, "odd".to_owned())]);
    }

    #[test]
    fn a_model_that_times_words_alone_is_divided_into_phrases() {
        let word = |t0_ms, t1_ms, text: &str| transcribe_cpp::Word {
            t0_ms,
            t1_ms,
            text: text.to_owned(),
            ..Default::default()
        };
        let words = vec![word(0, 500, "Да."), word(600, 1900, "Кто"), word(2100, 3000, "там?")];
        let transcript =
            Transcript { text: "Да. Кто там?".into(), words, ..Default::default() };
        let slice = Slice { pieces: vec![(1000, 3000).into(), (9000, 12_000).into()] };
        let segments = segments(&transcript, &slice);
        let said: Vec<_> =
            segments.iter().map(|s| (s.start_ms, s.end_ms, s.text.as_str())).collect();
        assert_eq!(said, [(1200, 1500, "Да."), (1600, 10_000, "Кто там?")]);
        let words: Vec<_> = segments[1].words.iter().map(|w| (w.start_ms, w.end_ms)).collect();
        assert_eq!(words, [(1600, 2900), (9200, 10_000)]);
    }

    #[test]
    fn a_model_without_times_gives_one_segment() {
        let expected = [(1200, 12_000, "all of it".to_owned())];
        assert_eq!(heard(&[], " all of it "), expected);
        assert_eq!(heard(&[(0, 0, "all"), (0, 0, "of it")], "all of it"), expected);
        assert!(heard(&[], " ").is_empty());
    }
}
