//! Regions of speech from the probabilities of a voice-activity detector, one frame at a time.
//!
//! The hysteresis of `get_speech_timestamps` of silero-vad 6.2.3 (`silero_vad/utils_vad.py`, MIT):
//! a frame at or above the upper threshold begins speech, and speech ends where the frames have
//! stayed below the lower one for the shortest silence. Two things differ. Padding and the limit
//! on length are left to [`crate::pack`], which knows the calls that the regions end up in. And a
//! region shorter than the reference's minimum is kept where the detector was sure of it: the
//! reference drops a "yes" of 0.2 s.
//!
//! *Invariant*: regions come in order, do not overlap and are not empty.

/// A frame at or above this begins speech.
const ENTER: f32 = 0.5;
/// A frame below this counts as silence inside speech.
const LEAVE: f32 = 0.35;
/// Silence of this many frames ends speech: the reference's 100 ms, in frames of 32 ms.
const SILENCE_FRAMES: usize = 4;
/// A region of this many frames is speech: the reference's more than 250 ms.
const SPEECH_FRAMES: usize = 8;
/// A shorter one, down to this many frames, is speech only if its highest frame reaches [`SURE`].
const SHORT_FRAMES: usize = 3;
const SURE: f32 = 0.9;

/// Speech, `[start, end)` in frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Region {
    /// First frame of speech.
    pub(crate) start: usize,
    /// First frame after it.
    pub(crate) end: usize,
}

#[derive(Debug)]
struct Speech {
    start: usize,
    silent_since: Option<usize>,
    highest: f32,
}

impl Speech {
    fn close(&self, end: usize) -> Option<Region> {
        let frames = end - self.start;
        let counts = frames >= SPEECH_FRAMES || (frames >= SHORT_FRAMES && self.highest >= SURE);
        counts.then_some(Region { start: self.start, end })
    }
}

/// The state between frames.
#[derive(Debug, Default)]
pub(crate) struct Hysteresis {
    frames: usize,
    speech: Option<Speech>,
}

impl Hysteresis {
    /// Takes in the next frame's probability; returns the region that ended with it, if any.
    pub(crate) fn push(&mut self, probability: f32) -> Option<Region> {
        let frame = self.frames;
        self.frames += 1;
        let Some(speech) = &mut self.speech else {
            if probability >= ENTER {
                self.speech =
                    Some(Speech { start: frame, silent_since: None, highest: probability });
            }
            return None;
        };
        speech.highest = speech.highest.max(probability);
        if probability >= ENTER {
            speech.silent_since = None;
        } else if probability < LEAVE {
            let since = *speech.silent_since.get_or_insert(frame);
            if frame - since >= SILENCE_FRAMES {
                return self.speech.take().and_then(|speech| speech.close(since));
            }
        }
        None
    }

    /// The region that reaches to the end of the recording, if any.
    pub(crate) fn finish(self) -> Option<Region> {
        self.speech.and_then(|speech| speech.close(self.frames))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Runs<'a> = &'a [(f32, usize)];
    type Found<'a> = &'a [(usize, usize)];

    fn regions(runs: Runs<'_>) -> Vec<(usize, usize)> {
        let mut hysteresis = Hysteresis::default();
        let frames = runs.iter().flat_map(|&(p, n)| std::iter::repeat_n(p, n));
        let mut found: Vec<Region> = frames.filter_map(|p| hysteresis.push(p)).collect();
        found.extend(hysteresis.finish());
        found.into_iter().map(|r| (r.start, r.end)).collect()
    }

    #[test]
    fn runs_of_probabilities_become_regions() {
        let cases: [(&str, Runs<'_>, Found<'_>); 11] = [
            ("nothing", &[], &[]),
            ("silence", &[(0.0, 50)], &[]),
            ("speech", &[(0.0, 10), (0.7, 20), (0.0, 10)], &[(10, 30)]),
            ("to the end", &[(0.0, 10), (0.7, 20)], &[(10, 30)]),
            ("a pause of four frames joins", &[(0.7, 9), (0.1, 4), (0.7, 9)], &[(0, 22)]),
            ("a pause of five divides", &[(0.7, 9), (0.1, 5), (0.7, 9)], &[(0, 9), (14, 23)]),
            ("between the thresholds goes on", &[(0.7, 9), (0.4, 40), (0.1, 9)], &[(0, 49)]),
            ("and never begins", &[(0.4, 40)], &[]),
            ("unsure and short is dropped", &[(0.7, 7), (0.0, 9)], &[]),
            ("sure and short is kept", &[(0.95, 3), (0.0, 9)], &[(0, 3)]),
            ("a click is dropped", &[(0.99, 2), (0.0, 9)], &[]),
        ];
        for (name, runs, expected) in cases {
            assert_eq!(regions(runs), expected, "{name}");
        }
    }
}
