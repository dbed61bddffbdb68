//! Putting a transcript right, segment by segment.
//!
//! **Invariant:** nobody changes a text that reads differently from what they saw.

use async_trait::async_trait;
use thiserror::Error;
use verst_kernel::{StoreError, WorkId};
use verst_recordings::corrections::{Correction, CorrectionId, Wording};

use crate::Service;

/// The longest text of a segment, in characters.
pub const WORDING_CHARACTERS: usize = 10_000;

/// What became of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reworded {
    /// It reads so now.
    Done,
    /// There is no such segment, or it reads differently by now.
    Changed,
    /// There is no text yet.
    NoText,
    /// More corrections of one recording than are kept.
    TooMany,
    /// No such recording or correction.
    Missing,
}

/// Keeps corrections.
#[async_trait]
pub trait Corrections: Send + Sync {
    /// Changes how a segment reads, in a person's name; the text and what finds it change together.
    /// At most 10,000 corrections of a recording are kept.
    async fn reword(&self, id: WorkId, wording: Wording, by: &str) -> Result<Reworded, StoreError>;
    /// The corrections of a recording in the order of its time, also those that have no place.
    async fn corrections(&self, id: WorkId) -> Result<Vec<Correction>, StoreError>;
    /// Takes one back: where it has a place, what was heard stands there again.
    async fn withdraw(&self, id: WorkId, which: CorrectionId) -> Result<Reworded, StoreError>;
}

/// Why a text was left as it is.
#[derive(Debug, Error)]
pub enum RewordError {
    /// Nothing would be left; a segment without a text is none.
    #[error("an empty text")]
    Empty,
    /// It has more than [`WORDING_CHARACTERS`].
    #[error("a text of too many characters")]
    TooLong,
    /// The segment reads differently by now.
    #[error("the text was changed meanwhile")]
    Changed,
    /// There is no text yet.
    #[error("no text yet")]
    NoText,
    /// More corrections than are kept.
    #[error("too many corrections")]
    TooMany,
    /// No such recording or correction.
    #[error("no such recording or correction")]
    Missing,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// On one line, as what was heard is.
fn tidy(text: &str) -> Result<String, RewordError> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.chars().count() {
        0 => Err(RewordError::Empty),
        count if count > WORDING_CHARACTERS => Err(RewordError::TooLong),
        _ => Ok(text),
    }
}

fn answered(reworded: Reworded) -> Result<(), RewordError> {
    match reworded {
        Reworded::Done => Ok(()),
        Reworded::Changed => Err(RewordError::Changed),
        Reworded::NoText => Err(RewordError::NoText),
        Reworded::TooMany => Err(RewordError::TooMany),
        Reworded::Missing => Err(RewordError::Missing),
    }
}

impl Service {
    /// Changes how a segment reads; without a text, to what was heard.
    pub async fn reword(
        &self,
        id: WorkId,
        wording: Wording,
        person: &str,
    ) -> Result<(), RewordError> {
        let text = wording.text.as_deref().map(tidy).transpose()?;
        answered(self.corrections.reword(id, Wording { text, ..wording }, person).await?)
    }

    /// Takes a correction back, whether it has a place or not.
    pub async fn withdraw(&self, id: WorkId, which: CorrectionId) -> Result<(), RewordError> {
        answered(self.corrections.withdraw(id, which).await?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_one_line_with_something_on_it() {
        assert_eq!(tidy(" один\n два\t ").unwrap(), "один два");
        assert!(matches!(tidy(" \n"), Err(RewordError::Empty)));
        assert!(tidy(&"ы".repeat(WORDING_CHARACTERS)).is_ok());
        assert!(matches!(tidy(&"ы".repeat(WORDING_CHARACTERS + 1)), Err(RewordError::TooLong)));
    }
}
