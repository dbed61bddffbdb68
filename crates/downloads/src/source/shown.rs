//! Names of others as they may be shown.
//!
//! **Invariant:** what comes from here is one plain name: no part of it leads anywhere, ends a line or
//! turns around what stands beside it. It is shown; nothing is opened by it.

/// Names longer than this, in bytes, are cut.
pub(super) const NAME_BYTES: usize = 1024;

/// What stands for a character that a name must not have.
const BLANK: char = '_';

/// A part of a path as a plain name, and whether it was one.
pub(super) fn part(bytes: &[u8]) -> (String, bool) {
    let said = String::from_utf8_lossy(bytes);
    let shown: String = said.chars().map(|c| if c == '/' || bad(c) { BLANK } else { c }).collect();
    let plain = shown.as_bytes() == bytes;
    match shown.as_str() {
        "" | "." | ".." => (BLANK.to_string(), false),
        _ => (shown, plain),
    }
}

/// A name to call something by, cut to so many bytes; nothing if nothing is left.
pub(super) fn name(said: &str, bytes: usize) -> Option<String> {
    let shown: String = said.trim().chars().map(|c| if bad(c) { BLANK } else { c }).collect();
    let end = shown.floor_char_boundary(bytes);
    let cut = shown.get(..end).unwrap_or_default().trim();
    (!cut.is_empty()).then(|| cut.to_owned())
}

fn bad(c: char) -> bool {
    // The latter change the direction of writing: https://www.unicode.org/reports/tr9/
    c.is_control() || c == '\\' || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_part_that_leads_elsewhere_becomes_a_plain_name() {
        for good in ["a.mkv", "Имя (2010): часть 1", "...", "..a", "~", "-rf", " a "] {
            assert_eq!(part(good.as_bytes()), (good.to_owned(), true));
        }
        for (bad, shown) in [
            (b"".as_slice(), "_"),
            (b".", "_"),
            (b"..", "_"),
            (b"/etc/passwd", "_etc_passwd"),
            (b"..\\..\\a", ".._.._a"),
            (b"a\0b\n", "a_b_"),
            (b"\xff", "\u{fffd}"),
            ("gnp\u{202e}.exe".as_bytes(), "gnp_.exe"),
        ] {
            assert_eq!(part(bad), (shown.to_owned(), false));
        }
    }

    #[test]
    fn a_name_is_cut_between_characters() {
        assert_eq!(name("  имя \n", 64).as_deref(), Some("имя"));
        assert_eq!(name("имя", 5).as_deref(), Some("им"));
        assert_eq!(name("a b", 2).as_deref(), Some("a"));
        assert_eq!(name("a\nb/c", 64).as_deref(), Some("a_b/c"));
        assert_eq!((name(" \n ", 64), name("имя", 1)), (None, None));
    }

    proptest! {
        #[test]
        fn what_was_made_plain_is_plain(bytes: Vec<u8>, cut in 0_usize..64) {
            let (shown, _) = part(&bytes);
            prop_assert_eq!(part(shown.as_bytes()), (shown.clone(), true));
            prop_assert!(!shown.contains(['/', '\\', '\0']) && shown != "..");
            let again = |shown: &str| name(shown, cut);
            let once = again(&shown);
            prop_assert_eq!(once.as_deref().and_then(again), once);
        }
    }
}
