//! Hits in the original text, as it was said: with its case, its accents and its commas.
//!
//! What comes out is data, a text and where in it the hits are. How they are shown is a face's.
//!
//! **Invariant:** a text is cut between words, or between characters where a word has no end.

use std::ops::Range;

use super::query::Query;
use super::words::words;
use crate::transcript::Segment;

/// The longest snippet, in characters, without the marks of what was cut off.
const LONGEST: usize = 160;
/// What is shown before the first hit of a snippet that begins in the middle.
const BEFORE: usize = 40;
/// The most hits that are marked in one text.
const MOST_HITS: usize = 1000;

/// A piece of a transcript in which something was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snippet {
    /// The text; where something was cut off there is an ellipsis.
    pub text: String,
    /// Where the hits are in it: in bytes, in order, apart from each other.
    pub hits: Vec<Range<usize>>,
    /// When the segment with the first hit begins, in milliseconds from the start of the recording.
    pub start_ms: u64,
}

impl Snippet {
    /// The piece of a text that somebody wrote; its time is none.
    pub fn of(text: &str, query: &Query) -> Option<Self> {
        cut(&shown(text), &[(0, 0)], query)
    }

    /// The text in pieces, each with whether it is a hit.
    pub fn pieces(&self) -> impl Iterator<Item = (&str, bool)> {
        let mut rest = 0;
        let end = self.text.len()..self.text.len();
        let ends = self.hits.iter().cloned().chain(std::iter::once(end));
        ends.flat_map(move |hit| {
            let before = &self.text[rest..hit.start];
            rest = hit.end;
            [(before, false), (&self.text[hit], true)]
        })
        .filter(|(piece, _)| !piece.is_empty())
    }
}

/// Where in a text the words are that are looked for, in bytes.
pub fn hits(text: &str, query: &Query) -> Vec<Range<usize>> {
    found(text, query).map(|(at, _)| at).take(MOST_HITS).collect()
}

/// Each hit, and which term it is.
fn found<'a>(text: &'a str, query: &'a Query) -> impl Iterator<Item = (Range<usize>, usize)> + 'a {
    words(text).filter_map(|word| {
        // No rule changes the beginning of a word, and most words begin otherwise.
        let begins = word.initial();
        if !query.terms().iter().any(|term| term.stem.chars().next() == begins) {
            return None;
        }
        let stem = word.stem();
        let term = query.terms().iter().position(|term| term.meets(&stem))?;
        Some((word.at, term))
    })
}

/// The piece of these segments where most of what is looked for is together; `None` without a hit.
pub fn snippet(segments: &[Segment], query: &Query) -> Option<Snippet> {
    let mut text = String::new();
    let mut starts = Vec::with_capacity(segments.len());
    for segment in segments {
        if !text.is_empty() {
            text.push(' ');
        }
        starts.push((text.len(), segment.start_ms));
        text.push_str(&shown(&segment.text));
    }
    cut(&text, &starts, query)
}

/// What breaks lines or steers a screen has no place in a line of a list.
fn shown(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Cuts the best piece out of a text whose segments start at these bytes and times.
fn cut(text: &str, starts: &[(usize, u64)], query: &Query) -> Option<Snippet> {
    let all: Vec<(Range<usize>, usize)> = found(text, query).take(MOST_HITS).collect();
    let shown = window(text, best(text, &all)?);
    let inside = |at: &&Range<usize>| shown.start <= at.start && at.end <= shown.end;
    let inside: Vec<&Range<usize>> = all.iter().map(|(at, _)| at).filter(inside).collect();
    let first = inside.first()?.start;
    let start_ms = starts.iter().rev().find(|(at, _)| *at <= first).map_or(0, |(_, ms)| *ms);
    let before = if shown.start > 0 { "…" } else { "" };
    let after = if shown.end < text.len() { "…" } else { "" };
    let moved = |at: usize| at - shown.start + before.len();
    Some(Snippet {
        hits: inside.iter().map(|at| moved(at.start)..moved(at.end)).collect(),
        text: format!("{before}{}{after}", &text[shown]),
        start_ms,
    })
}

/// The hits that are shown together: the most different terms, then the most, then the first.
fn best(text: &str, all: &[(Range<usize>, usize)]) -> Option<Range<usize>> {
    let near = |from: usize, to: usize| text[from..to].chars().take(LONGEST + 1).count() <= LONGEST;
    let mut best: Option<((u32, usize), Range<usize>)> = None;
    let mut end = 0;
    for (n, (first, _)) in all.iter().enumerate() {
        end = end.max(n + 1);
        while end < all.len() && near(first.start, all[end].0.end) {
            end += 1;
        }
        let terms = all[n..end].iter().fold(0_u32, |terms, (_, term)| terms | 1 << term);
        let worth = (terms.count_ones(), end - n);
        if best.as_ref().is_none_or(|(most, _)| worth > *most) {
            best = Some((worth, first.start..all[end - 1].0.end));
        }
    }
    best.map(|(_, range)| range)
}

/// Words around the hits, so many that it stays short.
fn window(text: &str, hits: Range<usize>) -> Range<usize> {
    let mut room = LONGEST.saturating_sub(text[hits.clone()].chars().count());
    let start = back(text, hits.start, room.min(BEFORE));
    room = room.saturating_sub(text[start..hits.start].chars().count());
    let end = forth(text, hits.end, room);
    // At the end of the text there is room for more before it.
    room = room.saturating_sub(text[hits.end..end].chars().count());
    let start = if end == text.len() { back(text, start, room) } else { start };
    start..end
}

/// At most so many characters back, to the beginning of a word.
fn back(text: &str, from: usize, room: usize) -> usize {
    let before = &text[..from];
    let Some((far, _)) = before.char_indices().rev().take(room).last() else { return from };
    if far == 0 || text[..far].ends_with(char::is_whitespace) {
        return far;
    }
    // A word that has no end is cut where the room ends.
    let gap = text[far..from].char_indices().find(|(_, c)| c.is_whitespace());
    gap.map_or(far, |(at, c)| far + at + c.len_utf8())
}

/// At most so many characters forth, to the end of a word.
fn forth(text: &str, from: usize, room: usize) -> usize {
    let far = text[from..].char_indices().nth(room).map_or(text.len(), |(at, _)| from + at);
    if far == text.len() || text[far..].starts_with(char::is_whitespace) {
        return far;
    }
    text[from..far].rfind(char::is_whitespace).map_or(far, |at| from + at)
}

#[cfg(test)]
mod tests;
