//! What a file is called by whoever sends it: the header `Content-Disposition`
//! (<https://www.rfc-editor.org/rfc/rfc6266>), or else the end of the address.
//!
//! **Invariant:** a name has no directory in it and no control characters. It is shown, and never
//! used as a path.

use percent_encoding::percent_decode;
use reqwest::Url;

/// The longest name, in bytes; the header may say anything.
const NAME_BYTES: usize = 1024;

/// The name that a header says.
pub(super) fn said(header: &[u8]) -> Option<String> {
    let parameters = parameters(header);
    let find = |name: &str| parameters.iter().find(|(key, _)| key == name).map(|(_, value)| value);
    // The form with an encoding is the better one where there are both.
    let extended = find("filename*").and_then(|value| decoded(value));
    extended.or_else(|| find("filename").map(|value| lossy(value))).and_then(|name| plain(&name))
}

/// The name at the end of an address.
pub(super) fn of(url: &Url) -> Option<String> {
    let last = url.path_segments()?.rfind(|segment| !segment.is_empty())?;
    plain(&lossy(&percent_decode(last.as_bytes()).collect::<Vec<u8>>()))
}

/// `UTF-8'en'na%C3%AFve.ogg`: <https://www.rfc-editor.org/rfc/rfc8187>.
fn decoded(value: &[u8]) -> Option<String> {
    let mut parts = value.splitn(3, |byte| *byte == b'\'');
    let charset = parts.next()?.to_ascii_lowercase();
    let bytes: Vec<u8> = percent_decode(parts.nth(1)?).collect();
    match charset.as_slice() {
        b"utf-8" => String::from_utf8(bytes).ok(),
        b"iso-8859-1" => Some(bytes.into_iter().map(char::from).collect()),
        _ => None,
    }
}

/// What stands behind the first semicolon, as keys in small letters and values without quotes.
fn parameters(header: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    let mut rest = header.iter().copied().skip_while(|byte| *byte != b';').peekable();
    while rest.next_if_eq(&b';').is_some() {
        let mut key = Vec::new();
        while let Some(byte) = rest.next_if(|byte| !matches!(byte, b'=' | b';')) {
            key.push(byte);
        }
        let mut value = Vec::new();
        let (mut quoted, mut escaped) = (false, false);
        rest.next_if_eq(&b'=');
        while let Some(byte) = rest.next_if(|byte| quoted || *byte != b';') {
            match byte {
                _ if escaped => {
                    value.push(byte);
                    escaped = false;
                }
                b'\\' if quoted => escaped = true,
                b'"' => quoted = !quoted,
                byte => value.push(byte),
            }
        }
        let key = lossy(&key).trim().to_ascii_lowercase();
        found.push((key, value.trim_ascii().to_vec()));
    }
    found
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The last part, if it says anything.
fn plain(name: &str) -> Option<String> {
    let last = name.rsplit(['/', '\\']).next()?;
    let mut clean: String = last.chars().filter(|c| !c.is_control()).collect();
    while clean.len() > NAME_BYTES {
        clean.pop();
    }
    let clean = clean.trim();
    (!clean.is_empty() && clean.chars().any(|c| c != '.')).then(|| clean.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(header: &str, name: Option<&str>) {
        assert_eq!(said(header.as_bytes()).as_deref(), name, "{header}");
    }

    #[test]
    fn a_header_names_a_file() {
        check("attachment; filename=talk.ogg", Some("talk.ogg"));
        check("inline; FileName=\"a talk; part 2.ogg\"; size=1", Some("a talk; part 2.ogg"));
        check("attachment; filename=\"a \\\"quoted\\\" talk.ogg\"", Some("a \"quoted\" talk.ogg"));
        check("attachment; filename=\"доклад.ogg\"", Some("доклад.ogg"));
        let both = "attachment; filename=x.ogg; filename*=UTF-8''%D0%B4%D0%BE%D0%BC.ogg";
        check(both, Some("дом.ogg"));
        check("attachment; filename*=iso-8859-1'en'%A3.ogg", Some("£.ogg"));
        check("attachment; filename*=utf-7''x; filename=y.ogg", Some("y.ogg"));
    }

    #[test]
    fn a_header_that_names_none_or_a_path_names_no_more_than_a_file() {
        for nothing in ["attachment", "", ";", ";;=", "attachment; filename=\"\"", "a; filename"] {
            check(nothing, None);
        }
        check("attachment; filename=\"../../etc/passwd\"", Some("passwd"));
        check("attachment; filename=\"C:\\\\Users\\\\talk.ogg\"", Some("talk.ogg"));
        check("attachment; filename=\"..\"", None);
        check("attachment; filename=\"a\u{1b}[2Jb\nc.ogg\"", Some("a[2Jbc.ogg"));
        check("attachment; filename*=UTF-8''..%2F..%2Fa%00b", Some("ab"));
        let long = said(format!("a; filename={}", "я".repeat(5000)).as_bytes()).unwrap();
        assert_eq!(long.len(), NAME_BYTES);
    }

    #[test]
    fn an_address_ends_with_a_name() {
        let name = |url: &str| of(&Url::parse(url).unwrap());
        assert_eq!(name("https://a.test/x/talk.ogg?sig=1#t").as_deref(), Some("talk.ogg"));
        let cyrillic = "https://a.test/%D0%B4%D0%BE%D0%BC.ogg/";
        assert_eq!(name(cyrillic).as_deref(), Some("дом.ogg"));
        assert_eq!(name("https://a.test/a%2Fb%2Fc.ogg").as_deref(), Some("c.ogg"));
        assert_eq!(name("https://a.test/"), None);
    }
}
