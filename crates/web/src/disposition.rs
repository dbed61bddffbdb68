//! Names of files in `Content-Disposition`: RFC 6266, and RFC 8187 for letters beyond ASCII.
//!
//! **Invariant:** a name that goes out is quoted or percent-encoded, so that it can end no header.

use axum::http::HeaderValue;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// What may stand in an extended value as it is: `attr-char` of RFC 8187.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The name in a header, the extended one first.
pub(crate) fn name(header: Option<&HeaderValue>) -> Option<String> {
    let text = header?.to_str().ok()?;
    let mut plain = None;
    for (key, value) in parameters(text) {
        if key.eq_ignore_ascii_case("filename*")
            && let Some((charset, rest)) = value.split_once('\'')
            && charset.eq_ignore_ascii_case("utf-8")
            && let Some((_, encoded)) = rest.split_once('\'')
            && let Ok(name) = percent_decode_str(encoded).decode_utf8()
        {
            return Some(name.into_owned());
        }
        if key.eq_ignore_ascii_case("filename") {
            plain = Some(value);
        }
    }
    plain
}

/// The parameters behind the first word. A quoted value may have semicolons in it.
fn parameters(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut rest = text.split_once(';').map_or("", |(_, rest)| rest);
    while let Some((key, after)) = rest.split_once('=') {
        let (value, left) = if let Some(quoted) = after.trim_start().strip_prefix('"') {
            unquote(quoted)
        } else {
            let (value, left) = after.split_once(';').unwrap_or((after, ""));
            (value.trim().to_owned(), left)
        };
        found.push((key.trim().trim_start_matches(';').trim().to_owned(), value));
        rest = left;
    }
    found
}

/// What stands before the closing quote, and what comes after it.
fn unquote(text: &str) -> (String, &str) {
    let mut value = String::new();
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => {
                value.push(c);
                escaped = false;
            }
            '\\' => escaped = true,
            '"' => return (value, &text[at + 1..]),
            _ => value.push(c),
        }
    }
    (value, "")
}

/// A header that gives a name to what is saved or, with `inline`, shown.
pub(crate) fn header(kind: &str, name: &str) -> HeaderValue {
    let encoded = utf8_percent_encode(name, ENCODED);
    let text = format!("{kind}; filename*=UTF-8''{encoded}");
    HeaderValue::from_str(&text).unwrap_or(HeaderValue::from_static("attachment"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<&str>) {
        let header = HeaderValue::from_str(text).unwrap();
        assert_eq!(name(Some(&header)).as_deref(), expected, "{text}");
    }

    #[test]
    fn names_are_read_in_either_form() {
        check("attachment; filename=talk.mp3", Some("talk.mp3"));
        check("attachment; filename=\"a; b \\\"c\\\".mp3\"", Some("a; b \"c\".mp3"));
        check("attachment; filename=x; filename*=UTF-8''%D0%B4.mp3", Some("д.mp3"));
        check("attachment; filename*=utf-8'ru'%D0%B4; filename=\"x\"", Some("д"));
        check("attachment; filename*=UTF-8''%FF", None);
        check("inline", None);
        check("attachment; filename=\"open", Some("open"));
        check(";;;===", None);
    }

    #[test]
    fn a_name_that_goes_out_ends_no_header() {
        let header = header("attachment", "д\r\nSet-Cookie: a=\"b\".mp3");
        assert_eq!(
            header.to_str().unwrap(),
            "attachment; filename*=UTF-8''%D0%B4%0D%0ASet-Cookie%3A%20a%3D%22b%22.mp3"
        );
    }
}
