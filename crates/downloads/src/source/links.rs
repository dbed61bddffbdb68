//! Magnets in a text that people wrote: a message, a forwarded post, a page that was copied.
//!
//! **Invariant:** whatever begins as a magnet is answered for: it is found, it is the same as one that
//! is, or it is counted as broken.

use super::magnet::{self, Magnet};

/// Brackets that sentences put around a link.
const BRACKETS: [(char, char); 3] = [('(', ')'), ('[', ']'), ('{', '}')];

/// What a text has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Each torrent once, in the order in which they stand.
    pub magnets: Vec<Magnet>,
    /// How many links begin as a magnet and are none.
    pub broken: usize,
    /// Whether there are more torrents than were asked for.
    pub more: bool,
}

/// Finds the magnets of a text, up to so many.
pub fn find(text: &str, limit: usize) -> Found {
    let small = text.to_ascii_lowercase();
    let starts = small.match_indices("magnet:").map(|(at, _)| at);
    let mut rests = starts.filter_map(|at| text.get(at..)).filter(|rest| magnet::begins(rest));
    let mut found = Found::default();
    let mut next = rests.next();
    while let Some(rest) = next {
        next = rests.next();
        // A link may touch the next one.
        let end = rest.len() - next.map_or(0, str::len);
        let Ok(magnet) = Magnet::parse(link(rest.get(..end).unwrap_or(rest))) else {
            found.broken += 1;
            continue;
        };
        let hashes = magnet.hashes();
        if found.magnets.iter().any(|known| known.hashes().meets(&hashes)) {
            continue;
        }
        if found.magnets.len() == limit {
            found.more = true;
            return found;
        }
        found.magnets.push(magnet);
    }
    found
}

/// The link that a text begins with, without what the sentence around it added.
fn link(text: &str) -> &str {
    let ends = |c: char| {
        c.is_whitespace() || c.is_control() || matches!(c, '<' | '>' | '"' | '`' | '\u{200b}')
    };
    let link = text.split(ends).next().unwrap_or_default();
    // Brackets that end in it without having begun there, counted once: a text may be all brackets.
    let mut unopened = BRACKETS.map(|(opens, closes)| {
        link.matches(closes).count().saturating_sub(link.matches(opens).count())
    });
    link.trim_end_matches(|last: char| {
        match BRACKETS.iter().position(|(_, closes)| *closes == last) {
            Some(kind) => {
                let added = unopened[kind] > 0;
                unopened[kind] = unopened[kind].saturating_sub(1);
                added
            }
            None => ".,;:!?'*_~|…»”’".contains(last),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const A: &str = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
    const B: &str = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb";

    /// The names of what is found in a text, the hash where there is none, and what is broken.
    #[track_caller]
    fn check(text: &str, names: &[&str], broken: usize) {
        let found = find(text, 10);
        let name = |magnet: &Magnet| match magnet.name() {
            Some(name) => name.to_owned(),
            None => magnet.hashes().iter().next().unwrap().to_string(),
        };
        let called: Vec<String> = found.magnets.iter().map(name).collect();
        assert_eq!(called, names, "{text}");
        assert_eq!(found.broken, broken, "{text}");
        assert!(!found.more);
    }

    #[test]
    fn links_are_found_in_the_midst_of_sentences() {
        check("", &[], 0);
        check("a magnet: it draws iron; magnet:xt=urn:btih", &[], 0);
        check(&format!("Смотри: magnet:?xt=urn:btih:{A}."), &[A], 0);
        check(&format!("(magnet:?xt=urn:btih:{A})"), &[A], 0);
        check(&format!("[film](magnet:?xt=urn:btih:{A}&dn=One+(2010))"), &["One (2010)"], 0);
        check(&format!("**MAGNET:?xt=urn:btih:{A}**"), &[A], 0);
        check(&format!("«magnet:?xt=urn:btih:{A}»"), &[A], 0);
        check(&format!("<a href=\"magnet:?xt=urn:btih:{A}&amp;dn=One\">two</a>"), &["One"], 0);
        check(
            &format!("magnet:?dn=One&xt=urn:btih:{A}\u{200b}\nmagnet://?xt=urn:btih:{B}"),
            &["One", B],
            0,
        );
    }

    #[test]
    fn several_links_come_in_their_order_and_each_torrent_once() {
        let both = format!("magnet:?xt=urn:btih:{B}\nmagnet:?xt=urn:btih:{A}");
        check(&both, &[B, A], 0);
        check(&format!("magnet:?xt=urn:btih:{B}magnet:?xt=urn:btih:{A}"), &[B, A], 0);
        check(&format!("{both} {both} magnet:?xt=urn:btih:{}", A.to_uppercase()), &[B, A], 0);
        check(
            &format!("magnet:?xt=urn:btih:1 {both} magnet:? magnet:?xt=urn:sha1:{A}"),
            &[B, A],
            3,
        );
    }

    #[test]
    fn no_more_are_found_than_were_asked_for() {
        let two = format!("magnet:?xt=urn:btih:{B} magnet:?xt=urn:btih:{A}");
        let (one, all) = (find(&two, 1), find(&two, 2));
        assert_eq!((one.magnets.len(), one.more), (1, true));
        assert_eq!((all.magnets.len(), all.more), (2, false));
        assert!(!find(&format!("{two} {two}"), 2).more, "the same once more are no more");
    }

    proptest! {
        #[test]
        fn any_text_is_looked_through(text in r"(magnet:\?|MAGNET:/|xt=urn:btih:|[a-f0-9]{40}|&|\PC|\s){0,40}") {
            let found = find(&text, 3);
            prop_assert!(found.magnets.len() <= 3);
            for magnet in &found.magnets {
                prop_assert_eq!(&find(&magnet.to_string(), 1).magnets[0].hashes(), &magnet.hashes());
            }
        }
    }
}
