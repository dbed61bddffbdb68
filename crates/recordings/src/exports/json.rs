//! JSON: the transcript as it is, and what people wrote about it where they did.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Sheet;
use crate::transcript::Transcript;

#[derive(Serialize)]
struct Export<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<&'a str>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    topics: &'a [String],
    /// Names by the labels that stand in the segments.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    speakers: &'a BTreeMap<String, String>,
    text: String,
    #[serde(flatten)]
    transcript: &'a Transcript,
}

pub(super) fn json(sheet: &Sheet<'_>) -> String {
    let none = BTreeMap::new();
    let transcript = sheet.transcript;
    let export = Export {
        title: sheet.recording.and_then(|it| it.title.as_deref()),
        summary: sheet.recording.and_then(|it| it.summary.as_deref()),
        topics: sheet.recording.map_or(&[], |it| &it.topics),
        speakers: sheet.recording.map_or(&none, |it| &it.speakers),
        text: transcript.text(),
        transcript,
    };
    let mut out = serde_json::to_string_pretty(&export).unwrap_or_default();
    out.push('\n');
    out
}
