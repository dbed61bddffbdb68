//! What a person put right in a transcript.
//!
//! A correction names the stretch of time and the text that was heard there. It holds wherever a
//! transcript has that stretch with that text, so it comes back when the same is heard again. What
//! finds no place in a new transcript is kept and not applied. **Invariant:** nothing that a person
//! wrote goes but by a person.

use verst_kernel::Timestamp;

use crate::transcript::Segment;

/// Identity of a correction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CorrectionId(pub i64);

/// A correction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Correction {
    /// Which.
    pub id: CorrectionId,
    /// Where the segment begins.
    pub from_ms: u64,
    /// Where it ends.
    pub until_ms: u64,
    /// What was heard there.
    pub heard: String,
    /// What was said.
    pub text: String,
    /// Since when.
    pub at: Timestamp,
    /// Who says so.
    pub by: String,
}

/// What is to become of a segment's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wording {
    /// Which segment, from 0.
    pub index: usize,
    /// How it reads to whoever changes it.
    pub was: String,
    /// How it is to read; `None`: as it was heard.
    pub text: Option<String>,
}

/// What becomes of the corrections that are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// One more: of which stretch, and what was heard there.
    Add(Segment),
    /// One reads differently.
    Reword(CorrectionId),
    /// One goes.
    Remove(CorrectionId),
    /// They stay as they are.
    Nothing,
}

/// There is no such segment, or it reads differently by now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Changed;

impl Correction {
    fn is_of(&self, segment: &Segment) -> bool {
        (self.from_ms, self.until_ms) == (segment.start_ms, segment.end_ms)
    }

    /// Whether it has a place in a transcript, as that is shown.
    pub fn fits(&self, shown: &[Segment]) -> bool {
        shown.iter().any(|segment| self.is_of(segment) && segment.text == self.text)
    }
}

/// Puts corrections into what was just heard.
pub fn apply(heard: &mut [Segment], kept: &[Correction]) {
    for segment in heard {
        let fits = |it: &&Correction| it.is_of(segment) && it.heard == segment.text;
        if let Some(correction) = kept.iter().rev().find(fits) {
            segment.text.clone_from(&correction.text);
        }
    }
}

/// Changes a segment that is shown.
pub fn reword(
    shown: &mut [Segment],
    kept: &[Correction],
    wording: &Wording,
) -> Result<Step, Changed> {
    let segment = shown.get(wording.index).filter(|it| it.text == wording.was).ok_or(Changed)?;
    let applied = kept.iter().rev().find(|it| it.is_of(segment) && it.text == segment.text);
    match (applied, &wording.text) {
        (Some(correction), None) => Ok(withdraw(shown, correction)),
        (Some(correction), Some(text)) if *text == correction.heard => {
            Ok(withdraw(shown, correction))
        }
        (None, None) => Ok(Step::Nothing),
        (_, Some(text)) if *text == segment.text => Ok(Step::Nothing),
        (Some(correction), Some(text)) => {
            let (id, heard) = (correction.id, segment.clone());
            put(shown, &heard, text);
            Ok(Step::Reword(id))
        }
        (None, Some(text)) => {
            let heard = segment.clone();
            put(shown, &heard, text);
            Ok(Step::Add(heard))
        }
    }
}

/// Takes a correction back, wherever it stands.
pub fn withdraw(shown: &mut [Segment], correction: &Correction) -> Step {
    for segment in shown {
        if correction.is_of(segment) && segment.text == correction.text {
            segment.text.clone_from(&correction.heard);
        }
    }
    Step::Remove(correction.id)
}

/// What reads alike at the same time is one, as it will be when it is heard again.
fn put(shown: &mut [Segment], was: &Segment, text: &str) {
    for segment in shown {
        let same = (segment.start_ms, segment.end_ms, &segment.text);
        if same == (was.start_ms, was.end_ms, &was.text) {
            text.clone_into(&mut segment.text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segment(from: u64, text: &str) -> Segment {
        Segment { start_ms: from, end_ms: from + 10, text: text.to_owned(), speaker: None }
    }

    fn correction(id: i64, from: u64, heard: &str, text: &str) -> Correction {
        Correction {
            id: CorrectionId(id),
            from_ms: from,
            until_ms: from + 10,
            heard: heard.to_owned(),
            text: text.to_owned(),
            at: Timestamp(0),
            by: "me".to_owned(),
        }
    }

    fn texts(segments: &[Segment]) -> Vec<&str> {
        segments.iter().map(|it| &*it.text).collect()
    }

    #[test]
    fn a_correction_holds_where_the_same_was_heard_at_the_same_time() {
        let kept = [correction(1, 0, "a", "A"), correction(2, 10, "b", "B")];
        for (heard, shown, fit) in [
            ([segment(0, "a"), segment(10, "b")], ["A", "B"], [true, true]),
            ([segment(0, "b"), segment(10, "a")], ["b", "a"], [false, false]),
            ([segment(1, "a"), segment(10, "b")], ["a", "B"], [false, true]),
        ] {
            let mut segments = heard;
            apply(&mut segments, &kept);
            assert_eq!(texts(&segments), shown);
            assert_eq!(kept.each_ref().map(|it| it.fits(&segments)), fit, "{shown:?}");
        }
    }

    #[test]
    fn what_a_person_writes_and_takes_back() {
        let say = |was: &str, text: Option<&str>| Wording {
            index: 0,
            was: was.to_owned(),
            text: text.map(str::to_owned),
        };
        let kept = [correction(7, 0, "a", "A")];
        let (fresh, none): (&[Correction], &[Correction]) = (&kept, &[]);
        for (shown, kept, wording, step, reads) in [
            ("a", none, say("a", Some("A")), Ok(Step::Add(segment(0, "a"))), "A"),
            ("A", fresh, say("A", Some("Á")), Ok(Step::Reword(CorrectionId(7))), "Á"),
            ("A", fresh, say("A", Some("a")), Ok(Step::Remove(CorrectionId(7))), "a"),
            ("A", fresh, say("A", None), Ok(Step::Remove(CorrectionId(7))), "a"),
            ("A", fresh, say("A", Some("A")), Ok(Step::Nothing), "A"),
            ("a", none, say("a", None), Ok(Step::Nothing), "a"),
            ("A", fresh, say("a", Some("x")), Err(Changed), "A"),
        ] {
            let mut segments = [segment(0, shown)];
            assert_eq!(reword(&mut segments, kept, &wording), step, "{wording:?}");
            assert_eq!(texts(&segments), [reads], "{wording:?}");
        }
        let beyond = Wording { index: 1, ..say("a", None) };
        assert_eq!(reword(&mut [segment(0, "a")], &[], &beyond), Err(Changed));
    }
}
