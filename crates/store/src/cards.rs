//! What both stores do with index cards: what is written of a recording, and what a search asks for.
//!
//! Beside the stems of words there are marks in an index, which begin with a colon as no stem does:
//! whose a recording is, so that an owner's search costs what the owner has.
//!
//! **Invariant:** a card and its stems are written by the transaction that changes what they are
//! made of.

use verst_kernel::StoreError;
use verst_recordings::model::{NewRecording, Recording};
use verst_recordings::search::{Card, Content, Query, Stretch};
use verst_recordings::transcript::{Segment, Transcript};
use verst_service::Filter;

use crate::codec;

/// The longest owner that is marked whole, in bytes; rows are compared as well.
const LONGEST_OWNER: usize = 100;

/// The mark of an owner's recordings: letters and digits, whatever the name is.
fn owner(name: &str) -> String {
    let marked = &name.as_bytes()[..name.len().min(LONGEST_OWNER)];
    format!(":o{}", base16ct::lower::encode_string(marked))
}

/// Everything by which a recording is found.
pub(crate) fn stems(recording: &Recording, card: &Card) -> Vec<String> {
    let typed = [&recording.title, &recording.summary, &recording.given.name];
    let typed = typed.into_iter().flatten().map(String::as_str);
    let listed = recording.topics.iter().chain(recording.speakers.values()).map(String::as_str);
    let mut stems = card.stems(&Content::new(typed.chain(listed)));
    stems.extend(recording.given.owner.as_deref().map(owner));
    stems
}

/// Everything by which a recording is found that was just taken in.
pub(crate) fn first_stems(new: &NewRecording) -> Vec<String> {
    let mut stems = Card::default().stems(&Content::new(new.name.as_deref()));
    stems.extend(new.owner.as_deref().map(owner));
    stems
}

/// The card of a transcript, and how its segments are stored.
pub(crate) fn of(transcript: &Transcript) -> (String, Card) {
    let (text, lengths) = codec::write_segments_measured(&transcript.segments);
    let card = Card::new(&transcript.segments, &lengths);
    (text, card)
}

/// The words of a query as an expression of an index, with its own signs for them.
pub(crate) struct Signs {
    /// Around a word.
    pub(crate) quote: char,
    /// Behind the beginning of a word.
    pub(crate) any_ending: &'static str,
    /// One or the other.
    pub(crate) or: &'static str,
    /// Both.
    pub(crate) and: &'static str,
}

impl Signs {
    /// What has to be in the index: every word, and the owner's mark.
    pub(crate) fn expression(&self, query: &Query, filter: &Filter) -> String {
        let quoted = |stem: &str| format!("{0}{stem}{0}", self.quote);
        let words = query.terms().iter().map(|term| match &term.beginning {
            None => quoted(&term.stem),
            Some(begins) => {
                let Self { or, any_ending, .. } = self;
                format!("({}{or}{}{any_ending})", quoted(&term.stem), quoted(begins))
            }
        });
        let owner = filter.owner.as_deref().map(|name| quoted(&owner(name)));
        words.chain(owner).collect::<Vec<_>>().join(self.and)
    }
}

/// A stretch as the numbers of `substr`, which counts from one.
pub(crate) fn numbers(stretch: Stretch) -> (i32, i32) {
    let number = |count: usize| i32::try_from(count).unwrap_or(i32::MAX);
    (number(stretch.from + 1), number(stretch.length))
}

/// The segments of a stretch.
pub(crate) fn read_stretch(part: &[u8]) -> Result<Vec<Segment>, StoreError> {
    let part = std::str::from_utf8(part).map_err(|_| StoreError::Damaged { what: "stretch" })?;
    codec::read_segments(&format!("[{part}]"))
}
