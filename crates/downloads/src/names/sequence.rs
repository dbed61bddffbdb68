//! Numbers that only a row of files shows: `01. Pilot`, `02. The Lake`.
//!
//! **Invariant:** a row is one only if every file of it has a number of its own, and the numbers are
//! close together.

use super::text;

/// Files that a row has at least.
const FEWEST: usize = 2;

/// The number of each name of a row and what stands before it, or nothing if it is none.
pub(super) fn numbers(stems: &[&str]) -> Option<(Vec<u16>, String)> {
    if stems.len() < FEWEST {
        return None;
    }
    let stems: Vec<String> = stems.iter().map(|it| text::cut(it)).collect();
    let prefix = prefix(&stems);
    let all: Option<Vec<u16>> = stems.iter().map(|it| number(&it[prefix..])).collect();
    let numbers = all?;
    let mut sorted = numbers.clone();
    sorted.sort_unstable();
    let distinct = sorted.windows(2).all(|pair| pair[0] < pair[1]);
    let span = usize::from(sorted.last()? - sorted.first()?);
    let close = span < sorted.len() * 2 + 2;
    (distinct && close).then(|| (numbers, stems[0][..prefix].to_owned()))
}

/// Bytes that all names begin with, short of a number.
fn prefix(stems: &[String]) -> usize {
    let first = &stems[0];
    let same = |at: usize| stems.iter().all(|it| it.get(..at) == first.get(..at));
    let mut longest = first.len();
    while longest > 0 && !(first.is_char_boundary(longest) && same(longest)) {
        longest -= 1;
    }
    let head = &first[..longest];
    head.trim_end_matches(|it: char| it.is_ascii_digit()).len()
}

/// The number at the beginning, of at most four digits.
fn number(rest: &str) -> Option<u16> {
    let digits = rest.len() - rest.trim_start_matches(|it: char| it.is_ascii_digit()).len();
    let behind = rest[digits..].chars().next();
    let ends = behind.is_none_or(|it| !it.is_alphanumeric()) || rest[digits..].starts_with("of");
    ((1..=4).contains(&digits) && ends).then(|| rest[..digits].parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(stems: &[&str], found: Option<(&[u16], &str)>) {
        let expected = found.map(|(numbers, before)| (numbers.to_vec(), before.to_owned()));
        assert_eq!(numbers(stems), expected, "{stems:?}");
    }

    #[test]
    fn a_row_has_a_number_each() {
        check(&["01. Pilot", "02. Lake", "03. End"], Some((&[1, 2, 3], "")));
        check(&["Show 09 a", "Show 10 b"], Some((&[9, 10], "Show ")));
        check(&["Show 10", "Show 11"], Some((&[10, 11], "Show ")));
        check(&["01. Pilot", "Trailer"], None);
        check(&["1. One", "90. Ninety"], None);
        check(&["1. One", "1. Again"], None);
        check(&["01. Alone"], None);
    }
}
