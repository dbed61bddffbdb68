//! The index card of a recording: its stems, and in which stretches of its transcript they are.
//!
//! A stretch is some neighbouring segments, given as a part of the text in which a store keeps them
//! all, so that a list of fifty recordings reads a few hundred characters of each and not its hours.
//! The written form is compact and of no use outside a store: stems in order, each without what it
//! shares with the one before.
//!
//! **Invariant:** what was written reads back the same; bytes that nothing here has written are
//! `None` and never a panic.

use std::collections::{BTreeMap, BTreeSet};

use super::query::Query;
use super::words::{Stems, words};
use crate::transcript::Segment;

/// A stretch ends with the segment that brings it to so many bytes of text.
const STRETCH_BYTES: usize = 400;
/// The most different stems of a recording. A day of talk has about as many.
const MOST_STEMS: usize = 20_000;
/// And all of them together: PostgreSQL's vectors end at a megabyte.
const MOST_BYTES: usize = 600_000;
/// In how many stretches a stem is looked up; the first ones count.
const MOST_PLACES: usize = 8;

/// A part of the stored text of segments, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// The first one, from 0.
    pub from: usize,
    /// How many.
    pub length: usize,
}

/// What is searched of a recording besides its transcript.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Content<'a>(Vec<&'a str>);

impl<'a> Content<'a> {
    /// These texts: title, summary, topics, the name it came with, who speaks.
    pub fn new(texts: impl IntoIterator<Item = &'a str>) -> Self {
        Self(texts.into_iter().collect())
    }
}

/// The index card of a recording.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Card {
    /// The lengths of all stretches.
    lengths: Vec<usize>,
    /// In which stretches each stem is.
    stems: BTreeMap<String, Vec<u16>>,
}

impl Card {
    /// Makes the card of a transcript whose segments are stored one after another, with one byte
    /// before each: `lengths` says how many bytes each takes.
    pub fn new(segments: &[Segment], lengths: &[usize]) -> Self {
        let mut card = Self::default();
        let (mut known, mut bytes, mut text_bytes) = (Stems::default(), 0, STRETCH_BYTES);
        for (segment, length) in segments.iter().zip(lengths) {
            if text_bytes >= STRETCH_BYTES {
                card.lengths.push(*length);
                text_bytes = 0;
            } else if let Some(last) = card.lengths.last_mut() {
                *last += 1 + length;
            }
            text_bytes += segment.text.len();
            let place = u16::try_from(card.lengths.len() - 1);
            for word in words(&segment.text) {
                card.add(known.of(&word), place.ok(), &mut bytes);
            }
        }
        card
    }

    fn add(&mut self, stem: &str, place: Option<u16>, bytes: &mut usize) {
        if !self.stems.contains_key(stem) {
            if stem.is_empty() || self.stems.len() == MOST_STEMS || *bytes + stem.len() > MOST_BYTES
            {
                return;
            }
            *bytes += stem.len();
            self.stems.insert(stem.to_owned(), Vec::new());
        }
        let places = self.stems.get_mut(stem);
        if let (Some(places), Some(place)) = (places, place)
            && places.last() != Some(&place)
            && places.len() < MOST_PLACES
        {
            places.push(place);
        }
    }

    /// All stems by which the recording is found.
    pub fn stems(&self, content: &Content<'_>) -> Vec<String> {
        let mut all: BTreeSet<&str> = self.stems.keys().map(String::as_str).collect();
        let mut known = Stems::default();
        let more: Vec<String> = content
            .0
            .iter()
            .flat_map(|text| words(text))
            .take(MOST_STEMS)
            .map(|word| known.of(&word).to_owned())
            .filter(|stem| !stem.is_empty())
            .collect();
        all.extend(more.iter().map(String::as_str));
        all.into_iter().map(str::to_owned).collect()
    }

    /// The written form.
    pub fn write(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        number(self.lengths.len(), &mut bytes);
        for length in &self.lengths {
            number(*length, &mut bytes);
        }
        number(self.stems.len(), &mut bytes);
        let mut before: &[u8] = &[];
        for (stem, places) in &self.stems {
            let stem = stem.as_bytes();
            let shared = before.iter().zip(stem).take_while(|(a, b)| a == b).count();
            number(shared, &mut bytes);
            number(stem.len() - shared, &mut bytes);
            bytes.extend(&stem[shared..]);
            number(places.len(), &mut bytes);
            for place in places {
                number(usize::from(*place), &mut bytes);
            }
            before = stem;
        }
        bytes
    }

    /// From the written form.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let mut card = Self::default();
        let mut reader = Reader(bytes);
        card.lengths = reader.lengths()?;
        reader.stems(|stem, places| {
            card.stems.insert(stem.to_owned(), places.to_vec());
        })?;
        Some(card)
    }

    /// The stretches, two at most, where what is looked for is best seen; from the written form.
    pub fn stretches(bytes: &[u8], query: &Query) -> Option<Vec<Stretch>> {
        let mut reader = Reader(bytes);
        let lengths = reader.lengths()?;
        // Which terms each stretch has, a bit for each.
        let mut seen: BTreeMap<u16, u32> = BTreeMap::new();
        reader.stems(|stem, places| {
            for (n, _) in query.terms().iter().enumerate().filter(|(_, term)| term.meets(stem)) {
                for place in places {
                    *seen.entry(*place).or_default() |= 1 << n;
                }
            }
        })?;
        let mut chosen: Vec<u16> = Vec::new();
        let mut shown = 0;
        for _ in 0..2 {
            let rest = seen.iter().filter(|(place, _)| !chosen.contains(place));
            // The most that was not shown yet, then the most; of equals the first.
            let best = rest
                .rev()
                .max_by_key(|(_, terms)| ((**terms & !shown).count_ones(), terms.count_ones()));
            let Some((place, terms)) = best else { break };
            chosen.push(*place);
            shown |= terms;
        }
        chosen.sort_unstable();
        chosen.into_iter().map(|place| stretch(&lengths, usize::from(place))).collect()
    }
}

fn stretch(lengths: &[usize], place: usize) -> Option<Stretch> {
    let length = *lengths.get(place)?;
    let from = lengths[..place].iter().map(|length| 1 + length).sum::<usize>() + 1;
    Some(Stretch { from, length })
}

/// Seven bits a byte, the least first.
fn number(mut value: usize, bytes: &mut Vec<u8>) {
    loop {
        let low = value.to_le_bytes()[0] & 0x7f;
        value >>= 7;
        if value == 0 {
            bytes.push(low);
            return;
        }
        bytes.push(0x80 | low);
    }
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn number(&mut self) -> Option<usize> {
        let mut value: u32 = 0;
        for shift in [0, 7, 14, 21] {
            let (byte, rest) = self.0.split_first()?;
            self.0 = rest;
            value |= u32::from(byte & 0x7f) << shift;
            if *byte < 0x80 {
                return usize::try_from(value).ok();
            }
        }
        None
    }

    fn lengths(&mut self) -> Option<Vec<usize>> {
        let count = self.number()?;
        // As many as are there, whatever is said.
        let mut lengths = Vec::with_capacity(count.min(self.0.len()));
        for _ in 0..count {
            lengths.push(self.number()?);
        }
        Some(lengths)
    }

    fn stems(&mut self, mut take: impl FnMut(&str, &[u16])) -> Option<()> {
        let (mut stem, mut places) = (Vec::new(), Vec::new());
        for _ in 0..self.number()? {
            let (shared, more) = (self.number()?, self.number()?);
            let (new, rest) = self.0.split_at_checked(more)?;
            self.0 = rest;
            stem.truncate(shared);
            stem.extend(new);
            places.clear();
            for _ in 0..self.number()? {
                places.push(u16::try_from(self.number()?).ok()?);
            }
            take(std::str::from_utf8(&stem).ok()?, &places);
        }
        self.0.is_empty().then_some(())
    }
}

#[cfg(test)]
mod tests;
