//! The ticket of a recognition: the plan of its slices and the models, as JSON.
//!
//! All that an operation needs is in the ticket and in the parts kept so far, so any process can
//! go on with it. It holds no text and no path of audio. The parts are those of the windows in which
//! speakers are told apart, if that is done, and then those of the slices.

use serde::{Deserialize, Serialize};
use verst_engine::{Piece, Plan, Slice};
use verst_kernel::Failure;
use verst_recordings::codes;
use verst_recordings::ports::{Part, Ticket};
use verst_recordings::transcript::Transcript;

use super::{model, speakers};

/// Of all the work, what telling speakers apart is.
const SPEAKERS_SHARE: f64 = 0.2;

/// What a ticket holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Kept {
    /// Reference to the model.
    pub(super) model: String,
    /// The language, where it was found out in order to choose the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) language: Option<String>,
    /// Reference to the model that tells speakers apart, if that is done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) diariser: Option<String>,
    /// The slices.
    pub(super) plan: Plan,
}

/// What is to be done next.
#[derive(Debug, PartialEq)]
pub(super) enum Next<'a> {
    /// Tell apart who speaks in this stretch.
    Window {
        /// Reference to the model.
        diariser: &'a str,
        /// The stretch.
        window: Piece,
    },
    /// Hear the slice of this number.
    Slice(usize),
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

    /// The stretches in which speakers are told apart.
    pub(super) fn windows(&self) -> Vec<Piece> {
        self.diariser.as_ref().map_or_else(Vec::new, |_| speakers::windows(&self.plan))
    }

    /// What comes after so many parts, if anything does.
    pub(super) fn next(&self, parts: usize) -> Option<Next<'_>> {
        let windows = self.windows();
        if let (Some(diariser), Some(&window)) = (&self.diariser, windows.get(parts)) {
            return Some(Next::Window { diariser, window });
        }
        let slice = parts - windows.len();
        (slice < self.plan.slices.len()).then_some(Next::Slice(slice))
    }

    /// How much is done after so many parts, from 0 to 1.
    pub(super) fn progress(&self, parts: usize) -> f64 {
        let seconds = |ms: u64| std::time::Duration::from_millis(ms).as_secs_f64();
        let all = &self.plan.slices;
        let heard = |slices: &[Slice]| seconds(slices.iter().map(Slice::length_ms).sum());
        let windows = self.windows();
        let looked = |windows: &[Piece]| seconds(windows.iter().map(|w| w.length_ms()).sum());
        let done = parts.min(windows.len());
        let slices = (parts - done).min(all.len());
        let text = heard(&all[..slices]) / heard(all).max(f64::EPSILON);
        if windows.is_empty() {
            return text;
        }
        let told = looked(&windows[..done]) / looked(&windows).max(f64::EPSILON);
        SPEAKERS_SHARE * told + (1.0 - SPEAKERS_SHARE) * text
    }

    /// The transcript from all parts.
    pub(super) fn transcript(&self, parts: &[Part]) -> Transcript {
        let slices = parts.get(self.windows().len()..).unwrap_or_default();
        Transcript {
            language: language(parts).or_else(|| self.language.clone()),
            model: model::name(&self.model),
            segments: slices.iter().flat_map(|part| part.segments.iter().cloned()).collect(),
        }
    }
}

/// The language of the first part that has one.
pub(super) fn language(parts: &[Part]) -> Option<String> {
    parts.iter().find_map(|part| part.language.clone())
}

fn unreadable() -> Failure {
    Failure::new(codes::ENGINE_FAILED).term("reason", "ticket_unreadable")
}

#[cfg(test)]
mod tests {
    use super::*;
    use verst_recordings::transcript::Segment;

    fn kept() -> Kept {
        let slice = |pieces: &[(u64, u64)]| Slice {
            pieces: pieces.iter().map(|&piece| piece.into()).collect(),
        };
        let slices = vec![slice(&[(0, 10_000), (20_000, 30_000)]), slice(&[(40_000, 60_000)])];
        let plan = Plan { duration_ms: 60_000, slices, whole: false, level_dbfs: -20.0 };
        Kept { model: "/opt/base.bin".into(), language: None, diariser: None, plan }
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
        let diarised = Kept {
            language: Some("ru".into()),
            diariser: Some("sortformer.gguf".into()),
            ..kept()
        };
        for kept in [kept(), diarised] {
            assert_eq!(Kept::read(&kept.ticket().unwrap()).unwrap(), kept);
        }
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
    fn windows_come_before_slices_and_are_no_text() {
        let kept = Kept { diariser: Some("who.gguf".into()), ..kept() };
        let window = Next::Window { diariser: "who.gguf", window: (0, 60_000).into() };
        assert_eq!(kept.next(0), Some(window));
        assert_eq!(kept.next(1), Some(Next::Slice(0)));
        assert_eq!(kept.next(2), Some(Next::Slice(1)));
        assert_eq!(kept.next(3), None);
        let parts = [speakers::given_up(0), part(1, "one", None), part(2, "two", None)];
        assert_eq!(kept.transcript(&parts).segments.len(), 2);
        for (parts, expected) in [(0, 0.0), (1, 0.2), (2, 0.6), (3, 1.0), (9, 1.0)] {
            assert!((kept.progress(parts) - expected).abs() < 1e-9, "{parts}");
        }
    }

    #[test]
    fn progress_is_by_audio() {
        for (slices, expected) in [(0, 0.0), (1, 0.5), (2, 1.0), (9, 1.0)] {
            assert!((kept().progress(slices) - expected).abs() < 1e-9);
        }
    }
}
