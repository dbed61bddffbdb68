//! Telegram's HTML: <https://core.telegram.org/bots/api#html-style>.
//!
//! **Invariant:** what Telegram does not take is an error here, in its words.

use serde_json::{Value, json};

/// Text without its markup, and its entities.
#[derive(Debug, PartialEq)]
pub(super) struct Parsed {
    pub(super) text: String,
    pub(super) entities: Vec<Value>,
}

struct Open {
    tag: String,
    begun: usize,
    href: Option<String>,
}

/// Reads HTML, or says in Telegram's words why not.
pub(super) fn parse(html: &str) -> Result<Parsed, String> {
    let mut parsed = Parsed { text: String::new(), entities: Vec::new() };
    let mut open: Vec<Open> = Vec::new();
    let mut rest = html;
    while let Some(character) = rest.chars().next() {
        let at = html.len() - rest.len();
        match character {
            '<' => {
                let end =
                    rest.find('>').ok_or(format!("Unclosed start tag at byte offset {at}"))?;
                tag(&rest[1..end], at, &mut open, &mut parsed)?;
                rest = &rest[end + 1..];
            }
            '&' => {
                let (character, length) = entity(rest).unwrap_or(('&', 1));
                parsed.text.push(character);
                rest = &rest[length..];
            }
            other => {
                parsed.text.push(other);
                rest = &rest[other.len_utf8()..];
            }
        }
    }
    match open.last() {
        Some(left) => {
            Err(format!("Can't find end tag corresponding to start tag \"{}\"", left.tag))
        }
        None => Ok(parsed),
    }
}

fn tag(inside: &str, at: usize, open: &mut Vec<Open>, parsed: &mut Parsed) -> Result<(), String> {
    let now = parsed.text.encode_utf16().count();
    if let Some(name) = inside.strip_prefix('/') {
        let last = open.pop().ok_or(format!("Unexpected end tag at byte offset {at}"))?;
        if !name.eq_ignore_ascii_case(&last.tag) {
            let expected = format!("expected \"</{}>\", found \"</{name}>\"", last.tag);
            return Err(format!("Unmatched end tag at byte offset {at}, {expected}"));
        }
        let length = now - last.begun;
        if length > 0 {
            let mut entity =
                json!({"type": kind(&last.tag), "offset": last.begun, "length": length});
            if let Some(url) = last.href {
                entity["url"] = json!(url);
            }
            parsed.entities.push(entity);
        }
        return Ok(());
    }
    let (name, attributes) = inside.split_once(' ').unwrap_or((inside, ""));
    let name = name.to_ascii_lowercase();
    if !matches!(
        &*name,
        "b" | "strong" | "i" | "em" | "u" | "s" | "code" | "pre" | "a" | "blockquote"
    ) {
        return Err(format!("Unsupported start tag \"{name}\" at byte offset {at}"));
    }
    let href = attributes.strip_prefix("href=\"").and_then(|it| it.strip_suffix('"'));
    open.push(Open { tag: name, begun: now, href: href.map(str::to_owned) });
    Ok(())
}

fn kind(tag: &str) -> &str {
    match tag {
        "b" | "strong" => "bold",
        "i" | "em" => "italic",
        "u" => "underline",
        "s" => "strikethrough",
        "a" => "text_link",
        other => other,
    }
}

/// Only these, and numbers.
fn entity(rest: &str) -> Option<(char, usize)> {
    let end = rest.find(';')?;
    let character = match &rest[1..end] {
        "lt" => '<',
        "gt" => '>',
        "amp" => '&',
        "quot" => '"',
        number => char::from_u32(number.strip_prefix('#')?.parse().ok()?)?,
    };
    Some((character, end + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_read_as_telegram_reads_it() {
        let read = parse("<b>🎙 a</b> &lt;b&gt; &amp; &#1078; &nbsp;").unwrap();
        assert_eq!(read.text, "🎙 a <b> & ж &nbsp;");
        assert_eq!(read.entities, [json!({"type": "bold", "offset": 0, "length": 4})]);
        for (html, said) in [
            ("a < b", "Unclosed start tag"),
            ("<b>a", "Can't find end tag"),
            ("a</b>", "Unexpected end tag"),
            ("<b><i>a</b></i>", "Unmatched end tag"),
            ("<img>", "Unsupported start tag"),
        ] {
            assert!(parse(html).unwrap_err().starts_with(said), "{html}");
        }
    }
}
