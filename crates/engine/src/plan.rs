//! The plan of a recording: which stretches of it are heard, and in which calls.
//!
//! It is made once and kept by the client as the recogniser's ticket, so its JSON is compact:
//! twelve hours have about 1,500 slices. It names no file and no model.
//!
//! *Invariant*: pieces are in order of time, do not overlap and are not empty.

use serde::{Deserialize, Serialize};

/// A stretch of the recording, `[start_ms, end_ms)`. In JSON a pair of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "(u64, u64)", into = "(u64, u64)")]
pub struct Piece {
    /// Milliseconds from the start of the recording.
    pub start_ms: u64,
    /// Milliseconds from the start of the recording.
    pub end_ms: u64,
}

impl Piece {
    /// Its length in milliseconds.
    pub fn length_ms(self) -> u64 {
        self.end_ms.saturating_sub(self.start_ms)
    }
}

impl From<(u64, u64)> for Piece {
    fn from((start_ms, end_ms): (u64, u64)) -> Self {
        Self { start_ms, end_ms }
    }
}

impl From<Piece> for (u64, u64) {
    fn from(piece: Piece) -> Self {
        (piece.start_ms, piece.end_ms)
    }
}

/// What one call of the recogniser hears: pieces one after the other, without what lies between.
/// In JSON the list of its pieces.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Slice {
    /// In order of time.
    pub pieces: Vec<Piece>,
}

impl Slice {
    /// How much audio it has, in milliseconds.
    pub fn length_ms(&self) -> u64 {
        self.pieces.iter().map(|piece| piece.length_ms()).sum()
    }
}

/// The plan of a recording. No slices means that there is nothing to hear in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// Length of the recording in milliseconds.
    pub duration_ms: u64,
    /// In order of time.
    pub slices: Vec<Slice>,
    /// Voice activity found nothing although the recording is loud, and the slices are all of it:
    /// what is heard must pass stricter checks.
    pub whole: bool,
    /// Root mean square of the whole recording in decibels below full scale; -100 for silence.
    pub level_dbfs: f32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_compact_and_comes_back() {
        let slice = Slice { pieces: vec![(0, 1200).into(), (2000, 2900).into()] };
        let plan = Plan { duration_ms: 3000, slices: vec![slice], whole: false, level_dbfs: -21.5 };
        let json = serde_json::to_string(&plan).unwrap();
        assert_eq!(
            json,
            r#"{"duration_ms":3000,"slices":[[[0,1200],[2000,2900]]],"whole":false,"level_dbfs":-21.5}"#
        );
        assert_eq!(serde_json::from_str::<Plan>(&json).unwrap(), plan);
        assert_eq!(plan.slices[0].length_ms(), 2100);
    }
}
