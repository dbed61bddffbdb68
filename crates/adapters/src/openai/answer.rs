//! What a server answered, read as leniently as can be: servers differ, and what was paid for is
//! not thrown away over a field.
//!
//! **Invariant:** times are those of the recording and within the stretch that was heard, in order.
//! No time is invented: where a server gives none, sentences stand for the whole stretch.

use serde_json::Value;
use verst_recordings::transcript::Segment;

use super::languages;

/// What was heard.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Heard {
    pub(super) segments: Vec<Segment>,
    pub(super) language: Option<String>,
}

/// Reads a body about the stretch from `from_ms` until `until_ms`. `None` when there is no
/// transcription in it.
pub(super) fn read(body: &[u8], json: bool, (from_ms, until_ms): (u64, u64)) -> Option<Heard> {
    let text = String::from_utf8_lossy(body);
    let value = parse(&text);
    let Some(fields) = value.as_ref().and_then(Value::as_object) else {
        // Some servers answer in plain text whatever they are asked for; a number may be all of it.
        return (!json)
            .then(|| Heard { segments: sentences(&text, from_ms, until_ms), language: None });
    };
    let timed = fields.get("segments").and_then(Value::as_array);
    let whole = fields.get("text").and_then(Value::as_str);
    if timed.is_none() && whole.is_none() {
        return None;
    }
    let mut segments: Vec<Segment> =
        timed.into_iter().flatten().filter_map(|it| segment(it, from_ms, until_ms)).collect();
    segments.sort_by_key(|segment| segment.start_ms);
    if segments.is_empty() {
        segments = sentences(whole.unwrap_or_default(), from_ms, until_ms);
    }
    let language = fields.get("language").and_then(Value::as_str).and_then(languages::code);
    // What is guessed about silence is no language.
    Some(Heard { language: language.filter(|_| !segments.is_empty()), segments })
}

fn parse(text: &str) -> Option<Value> {
    serde_json::from_str(text).or_else(|_| serde_json::from_str(&without_nan(text))).ok()
}

/// Python writes numbers that JSON does not have; they become null.
fn without_nan(text: &str) -> String {
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    let (mut quoted, mut escaped) = (false, false);
    while let Some(next) = rest.chars().next() {
        let bare = ["-Infinity", "Infinity", "NaN"].into_iter().find(|name| rest.starts_with(name));
        if let Some(name) = bare.filter(|_| !quoted) {
            out.push_str("null");
            rest = &rest[name.len()..];
            continue;
        }
        quoted ^= next == '"' && !escaped;
        escaped = quoted && next == '\\' && !escaped;
        out.push(next);
        rest = &rest[next.len_utf8()..];
    }
    out
}

fn segment(value: &Value, from_ms: u64, until_ms: u64) -> Option<Segment> {
    let text = clean(value.get("text")?.as_str()?);
    let time = |key| value.get(key).and_then(seconds).map(|ms| from_ms.saturating_add(ms));
    let start_ms = time("start").unwrap_or(from_ms).clamp(from_ms, until_ms);
    let end_ms = time("end").unwrap_or(until_ms).clamp(start_ms, until_ms);
    (!text.is_empty()).then_some(Segment { start_ms, end_ms, text, speaker: None })
}

/// Seconds as a number or as text, in milliseconds.
fn seconds(value: &Value) -> Option<u64> {
    let seconds = value.as_f64().or_else(|| value.as_str()?.trim().parse().ok());
    let seconds = seconds.filter(|seconds| seconds.is_finite())?;
    let time = std::time::Duration::try_from_secs_f64(seconds.max(0.0)).ok()?;
    u64::try_from(time.as_millis()).ok()
}

/// Words with single spaces, and nothing that is no character of a text.
fn clean(text: &str) -> String {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A segment for each sentence, all over the whole stretch.
fn sentences(text: &str, start_ms: u64, end_ms: u64) -> Vec<Segment> {
    let (mut found, mut sentence) = (Vec::new(), String::new());
    let text = clean(text);
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        if !sentence.is_empty() {
            sentence.push(' ');
        }
        sentence.push_str(word);
        let bare = word.trim_end_matches(['"', '”', '»', ')', '’']);
        if bare.ends_with(['.', '!', '?', '…', '。', '！', '？']) {
            found.push(std::mem::take(&mut sentence));
        }
    }
    found.push(sentence);
    let spoken = found.into_iter().filter(|text| !text.is_empty());
    spoken.map(|text| Segment { start_ms, end_ms, text, speaker: None }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const STRETCH: (u64, u64) = (10_000, 20_000);

    fn check(body: &str, expected: &[(u64, u64, &str)], language: Option<&str>) {
        let heard = read(body.as_bytes(), true, STRETCH).unwrap_or_else(|| panic!("{body}"));
        let found: Vec<_> =
            heard.segments.iter().map(|s| (s.start_ms, s.end_ms, s.text.as_str())).collect();
        assert_eq!(found, expected, "{body}");
        assert_eq!(heard.language.as_deref(), language, "{body}");
    }

    #[test]
    fn answers_of_many_servers_are_read() {
        check(
            r#"{"task":"transcribe","language":"russian","duration":10.0,"text":"Раз. Два.",
                "segments":[{"id":0,"seek":0,"start":0.0,"end":4.5,"text":" Раз.","tokens":[1],
                "avg_logprob":-0.3},{"id":1,"start":4.5,"end":9.0,"text":" Два."}]}"#,
            &[(10_000, 14_500, "Раз."), (14_500, 19_000, "Два.")],
            Some("ru"),
        );
        // Not a number, no number, beyond the stretch, backwards, out of order, without text.
        check(
            r#"{"text":"\" NaN \\\" NaN","segments":[
                {"start":5,"end":900,"text":"late","avg_logprob":NaN},
                {"start":"1.5","end":null,"text":"a\u0000 b\n c","no_speech_prob":-Infinity},
                {"start":4,"end":2,"text":"back"},{"start":-3,"end":1,"text":"early"},
                {"start":NaN,"end":1,"text":"  "},{"start":1,"end":2},7]}"#,
            &[
                (10_000, 11_000, "early"),
                (11_500, 20_000, "a b c"),
                (14_000, 14_000, "back"),
                (15_000, 20_000, "late"),
            ],
            None,
        );
        check(
            r#"{"text":" One. Two, three? “Four!” five 1.5 six ","usage":{"type":"tokens"}}"#,
            &[
                (10_000, 20_000, "One."),
                (10_000, 20_000, "Two, three?"),
                (10_000, 20_000, "“Four!”"),
                (10_000, 20_000, "five 1.5 six"),
            ],
            None,
        );
        check(
            r#"{"text":"Yes","segments":null,"language":"en"}"#,
            &[(10_000, 20_000, "Yes")],
            Some("en"),
        );
        check(r#"{"text":"","segments":[],"language":"nn"}"#, &[], None);
    }

    #[test]
    fn what_is_no_transcription_is_none() {
        for body in ["", "[]", "{}", "<html>", r#"{"error":{"message":"no"}}"#, r#"{"text":5}"#] {
            assert_eq!(read(body.as_bytes(), true, STRETCH), None, "{body}");
        }
        let plain = read("Just text.".as_bytes(), false, STRETCH).unwrap();
        assert_eq!(plain.segments[0].text, "Just text.");
        for text in ["42", "\"Quoted,\" and null", "null"] {
            let plain = read(text.as_bytes(), false, STRETCH).unwrap();
            assert_eq!(plain.segments[0].text, text);
        }
        assert_eq!(read(br#"{"error":"no"}"#, false, STRETCH), None);
    }

    proptest! {
        #[test]
        fn anything_is_read_without_harm(
            body in prop::collection::vec(any::<u8>(), 0..200),
            inner in "[ -~]{0,80}",
        ) {
            let _ = read(&body, true, STRETCH);
            let wrapped = format!("{{\"text\":\"x\",\"segments\":[{{\"text\":\"a\",{inner}}}]}}");
            if let Some(heard) = read(wrapped.as_bytes(), true, STRETCH) {
                for segment in heard.segments {
                    prop_assert!(STRETCH.0 <= segment.start_ms && segment.end_ms <= STRETCH.1);
                    prop_assert!(segment.start_ms <= segment.end_ms);
                }
            }
        }
    }
}
