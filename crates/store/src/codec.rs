//! How values that are not numbers or text stand in a column: JSON of a fixed shape, the same in
//! every store. The kernel's types are deliberately not serialisable; their stored form is here.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use verst_kernel::{Failure, StoreError, Value};
use verst_recordings::ports::Warning;
use verst_recordings::transcript::Segment;

#[derive(Serialize, Deserialize)]
struct StoredFailure {
    code: String,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    params: BTreeMap<String, StoredValue>,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum StoredValue {
    Int(i64),
    Term(String),
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum StoredWarning {
    CutOff,
    DamagedParts,
    TrackChosen { track: u32, of: u32 },
    SpeakersUnknown,
}

pub(crate) fn write<T: Serialize>(value: &T) -> String {
    // None of these shapes has a map with keys that are not text, the one way this can fail.
    serde_json::to_string(value).unwrap_or_default()
}

pub(crate) fn read<'a, T: Deserialize<'a>>(
    text: &'a str,
    what: &'static str,
) -> Result<T, StoreError> {
    serde_json::from_str(text).map_err(|_| StoreError::Damaged { what })
}

/// A failure as text.
pub(crate) fn write_failure(failure: &Failure) -> String {
    let params = failure.params.iter().map(|(name, value)| {
        let value = match value {
            Value::Int(n) => StoredValue::Int(*n),
            Value::Term(t) => StoredValue::Term(t.clone()),
        };
        (name.to_string(), value)
    });
    write(&StoredFailure { code: failure.code.to_string(), params: params.collect() })
}

/// A failure from text.
pub(crate) fn read_failure(text: &str) -> Result<Failure, StoreError> {
    let stored: StoredFailure = read(text, "failure")?;
    let params = stored.params.into_iter().map(|(name, value)| {
        let value = match value {
            StoredValue::Int(n) => Value::Int(n),
            StoredValue::Term(t) => Value::Term(t),
        };
        (Cow::Owned(name), value)
    });
    Ok(Failure { code: Cow::Owned(stored.code), params: params.collect() })
}

/// Topics, or names by label, as text.
pub(crate) fn write_typed<T: Serialize>(typed: &T) -> String {
    write(typed)
}

/// What [`write_typed`] made of what a person typed.
pub(crate) fn read_typed<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, StoreError> {
    read(text, "topics or speakers")
}

/// Warnings as text.
pub(crate) fn write_warnings(warnings: &[Warning]) -> String {
    let stored: Vec<StoredWarning> = warnings
        .iter()
        .map(|w| match *w {
            Warning::CutOff => StoredWarning::CutOff,
            Warning::DamagedParts => StoredWarning::DamagedParts,
            Warning::TrackChosen { track, of } => StoredWarning::TrackChosen { track, of },
            Warning::SpeakersUnknown => StoredWarning::SpeakersUnknown,
        })
        .collect();
    write(&stored)
}

/// Warnings from text.
pub(crate) fn read_warnings(text: &str) -> Result<Vec<Warning>, StoreError> {
    let stored: Vec<StoredWarning> = read(text, "warnings")?;
    Ok(stored
        .into_iter()
        .map(|w| match w {
            StoredWarning::CutOff => Warning::CutOff,
            StoredWarning::DamagedParts => Warning::DamagedParts,
            StoredWarning::TrackChosen { track, of } => Warning::TrackChosen { track, of },
            StoredWarning::SpeakersUnknown => Warning::SpeakersUnknown,
        })
        .collect())
}

/// Warnings as text, with another one unless it is among them.
pub(crate) fn with_warning(text: &str, warning: Warning) -> Result<String, StoreError> {
    let mut warnings = read_warnings(text)?;
    if !warnings.contains(&warning) {
        warnings.push(warning);
    }
    Ok(write_warnings(&warnings))
}

/// Segments as text.
pub(crate) fn write_segments(segments: &[Segment]) -> String {
    write(&segments)
}

/// The same text, and how many bytes each segment takes in it. Before each is one more.
pub(crate) fn write_segments_measured(segments: &[Segment]) -> (String, Vec<usize>) {
    let (mut text, mut lengths) = (String::from("["), Vec::with_capacity(segments.len()));
    for segment in segments {
        let written = write(segment);
        if !lengths.is_empty() {
            text.push(',');
        }
        lengths.push(written.len());
        text.push_str(&written);
    }
    text.push(']');
    (text, lengths)
}

/// Segments from text.
pub(crate) fn read_segments(text: &str) -> Result<Vec<Segment>, StoreError> {
    read(text, "segments")
}

/// A place in a recording.
pub(crate) fn write_ms(ms: u64) -> i64 {
    i64::try_from(ms).unwrap_or(i64::MAX)
}

/// A place in a recording, read back.
pub(crate) fn read_ms(ms: i64) -> Result<u64, StoreError> {
    u64::try_from(ms).map_err(|_| StoreError::Damaged { what: "call" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_reads_back_as_it_was() {
        let failure = Failure::new("too_long").int("limit_s", -7).term("track", "«второй»");
        assert_eq!(read_failure(&write_failure(&failure)).unwrap(), failure);
        assert_eq!(write_failure(&Failure::new("stuck")), r#"{"code":"stuck"}"#);
        assert!(read_failure("{").is_err());
    }

    #[test]
    fn segments_are_written_one_way_and_measured() {
        let segment = |text: &str| Segment {
            start_ms: 1,
            end_ms: 2,
            text: text.to_owned(),
            speaker: Some("Ё".to_owned()),
        };
        for segments in [vec![], vec![segment("a")], vec![segment("«\"\n🎈»"), segment("")]] {
            let (text, lengths) = write_segments_measured(&segments);
            assert_eq!(text, write_segments(&segments));
            let mut from = 1;
            for (segment, length) in segments.iter().zip(lengths) {
                let part = &text[from..from + length];
                let read = read_segments(&format!("[{part}]")).unwrap();
                assert_eq!(read, std::slice::from_ref(segment));
                from += length + 1;
            }
        }
    }

    #[test]
    fn warnings_read_back_as_they_were() {
        let all = [
            Warning::CutOff,
            Warning::DamagedParts,
            Warning::TrackChosen { track: 2, of: 3 },
            Warning::SpeakersUnknown,
        ];
        let text = write_warnings(&all);
        assert_eq!(read_warnings(&text).unwrap(), all);
        assert_eq!(with_warning(&text, Warning::CutOff).unwrap(), text, "it stands there once");
    }
}
