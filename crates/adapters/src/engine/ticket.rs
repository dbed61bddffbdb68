//! The ticket of a recognition: the plan of its slices and the model, as JSON.
//!
//! All that an operation needs is in the ticket and in the parts kept so far, so any process can
//! go on with it. It holds no text and no path of audio.

use serde::{Deserialize, Serialize};
use verst_engine::{Plan, protocol};
use verst_kernel::Failure;
use verst_recordings::codes;
use verst_recordings::ports::{Part, Ticket};
use verst_recordings::transcript::{Segment, Transcript};

use super::model;

/// What a ticket holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Kept {
    /// Reference to the model.
    pub(super) model: String,
    /// The slices.
    pub(super) plan: Plan,
}

impl Kept {
    /// As a ticket.
    pub(super) fn ticket(&self) -> Result<Ticket, Failure> {
        serde_json::to_string(self).map(Ticket).map_err(|_| unreadable())
    }

    /// From a ticket.
    pub(super) fn read(ticket: &Ticket) -> Result<Self, Failure> {
        serde_json::from_str(&ticket.0).map_err(|_| unreadable())
    }

    /// How much of the speech is heard after the first `slices`, from 0 to 1.
    pub(super) fn progress(&self, slices: usize) -> f64 {
        let seconds = |slices: &[verst_engine::Slice]| -> f64 {
            let ms: u64 = slices.iter().map(verst_engine::Slice::length_ms).sum();
            std::time::Duration::from_millis(ms).as_secs_f64()
        };
        let all = &self.plan.slices;
        seconds(&all[..slices.min(all.len())]) / seconds(all).max(f64::EPSILON)
    }

    /// The transcript from all parts.
    pub(super) fn transcript(&self, parts: &[Part]) -> Transcript {
        Transcript {
            language: language(parts),
            model: model::name(&self.model),
            segments: parts.iter().flat_map(|part| part.segments.iter().cloned()).collect(),
        }
    }
}

/// The language of the first part that has one.
pub(super) fn language(parts: &[Part]) -> Option<String> {
    parts.iter().find_map(|part| part.language.clone())
}

/// A segment as the line has it.
pub(super) fn segment(segment: protocol::Segment) -> Segment {
    let protocol::Segment { start_ms, end_ms, text } = segment;
    Segment { start_ms, end_ms, text, speaker: None }
}

fn unreadable() -> Failure {
    Failure::new(codes::ENGINE_FAILED).term("reason", "ticket_unreadable")
}

#[cfg(test)]
mod tests {
    use super::*;
    use verst_engine::Slice;

    fn kept() -> Kept {
        let slice = |pieces: &[(u64, u64)]| Slice {
            pieces: pieces.iter().map(|&piece| piece.into()).collect(),
        };
        let slices = vec![slice(&[(0, 10_000), (20_000, 30_000)]), slice(&[(40_000, 60_000)])];
        let plan = Plan { duration_ms: 60_000, slices, whole: false, level_dbfs: -20.0 };
        Kept { model: "/opt/base.bin".into(), plan }
    }

    fn part(index: u32, text: &str, language: Option<&str>) -> Part {
        let segment = Segment {
            start_ms: u64::from(index) * 1000,
            end_ms: u64::from(index) * 1000 + 900,
            text: text.into(),
            speaker: None,
        };
        let segments = if text.is_empty() { Vec::new() } else { vec![segment] };
        Part { index, segments, language: language.map(Into::into) }
    }

    #[test]
    fn a_ticket_comes_back() {
        let ticket = kept().ticket().unwrap();
        assert_eq!(Kept::read(&ticket).unwrap(), kept());
        let failure = Kept::read(&Ticket("{}".into())).unwrap_err();
        assert_eq!(failure.code, codes::ENGINE_FAILED);
    }

    #[test]
    fn parts_are_joined() {
        let parts = [part(0, "", None), part(1, "one", Some("ru")), part(2, "two", Some("en"))];
        let transcript = kept().transcript(&parts);
        assert_eq!(transcript.text(), "one two");
        assert_eq!(transcript.language.as_deref(), Some("ru"));
        assert_eq!(transcript.model, "base.bin");
        assert_eq!(kept().transcript(&[]).language, None);
    }

    #[test]
    fn progress_is_by_audio() {
        for (slices, expected) in [(0, 0.0), (1, 0.5), (2, 1.0), (9, 1.0)] {
            assert!((kept().progress(slices) - expected).abs() < 1e-9);
        }
    }
}
