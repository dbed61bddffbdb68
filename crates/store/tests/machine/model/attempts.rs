//! Attempts and what steps write besides the move.

use std::time::Duration;

use verst_kernel::Noted;
use verst_recordings::model::AttemptId;
use verst_recordings::ports::Admission;

use super::{Attempt, Model, Refusal, Work, newest};
use crate::answer::Answer;
use crate::command::{Age, Write};
use crate::given;

impl Model {
    pub(super) fn note(&mut self, claim: Age, write: &Write) -> Result<Answer, Refusal> {
        let memory = self.memory(claim).clone();
        if self.current(&memory).is_none() {
            return Ok(Answer::Noted(Noted::Lost));
        }
        self.write(memory.id, write)?;
        Ok(Answer::Noted(Noted::Held))
    }

    pub(super) fn open_attempt(
        &mut self,
        claim: Age,
        lanes: bool,
        short: bool,
    ) -> Result<Answer, Refusal> {
        let memory = self.memory(claim).clone();
        if self.current(&memory).is_none() {
            return Ok(Answer::Admitted(Admission::Lost));
        }
        let lane = if lanes {
            match self.turn(memory.id, short) {
                Ok(lane) => Some(lane),
                Err(ahead) => return Ok(Answer::Admitted(Admission::Wait { ahead })),
            }
        } else {
            None
        };
        if self.open_attempt_of(memory.id).is_some() {
            return Err(Refusal);
        }
        self.attempts.push(Attempt {
            work: memory.id,
            lane,
            opened_at: self.now,
            ticket: false,
            awaited: false,
            closed: None,
        });
        Ok(Answer::Admitted(Admission::Opened(place(self.attempts.len() - 1))))
    }

    /// The lane that takes it, or how many are to go first.
    fn turn(&self, id: i64, short: bool) -> Result<&'static str, u64> {
        let free = |lane| {
            !self.attempts.iter().any(|attempt| {
                let at_recogniser = |work: &Work| {
                    work.stop.is_none() && ["normalized", "submitted"].contains(&work.milestone)
                };
                attempt.closed.is_none()
                    && attempt.lane == Some(lane)
                    && self.work.get(&attempt.work).is_some_and(at_recogniser)
            })
        };
        let older = |longest: Duration| {
            let older = self.work.range(..id).map(|(_, work)| work).filter(|work| {
                work.milestone == "normalized"
                    && work.stop.is_none()
                    && work.last_failure.is_none()
                    && work.duration.is_some_and(|s| Duration::from_secs(s.into()) <= longest)
                    && self.open_attempt_of(work.id).is_none()
            });
            u64::try_from(older.count()).expect("a small number")
        };
        let (all, shorter) = (older(Duration::MAX), older(given::SHORT));
        if all == 0 && free("oldest") {
            Ok("oldest")
        } else if short && shorter == 0 && free("short") {
            Ok("short")
        } else {
            Err(if short { shorter } else { all })
        }
    }

    pub(super) fn keep_ticket(&mut self, work: i64) -> Answer {
        if let Some(attempt) = newest(&self.attempts, work) {
            self.attempts[attempt].ticket = true;
        }
        Answer::Silence
    }

    /// The product of a settle, a note or a lift.
    pub(super) fn write(&mut self, id: i64, write: &Write) -> Result<(), Refusal> {
        let attempt = newest(&self.attempts, id);
        if write.hangs_on_an_attempt() && attempt.is_none() {
            return Err(Refusal);
        }
        match write {
            Write::Normalised { seconds } => {
                let work = self.recording(id);
                work.audio = true;
                work.duration = Some(*seconds);
                work.warned = None;
            }
            Write::Warned => self.recording(id).warned = Some(given::WARNING),
            Write::Submitted => {}
            Write::Begun => {
                self.keep_ticket(id);
            }
            Write::AttemptClosed => self.close(attempt, true),
            Write::Part { index } => {
                let place = attempt.map(|attempt| (attempt, *index)).ok_or(Refusal)?;
                if !self.parts.insert(place) {
                    return Err(Refusal);
                }
            }
            Write::Transcribed => {
                self.transcripts.insert(id, attempt.ok_or(Refusal)?);
            }
            Write::Finished { original_deleted } => {
                let work = self.recording(id);
                work.audio = false;
                work.original_deleted = *original_deleted;
                self.give_up_attempts(id);
            }
            Write::SubmitAgain => self.close(self.open_attempt_of(id), false),
            Write::KeepWaiting => {
                if let Some(open) = self.open_attempt_of(id) {
                    self.attempts[open].awaited = true;
                }
            }
            Write::CallClosed => self.close_call(id),
            Write::Answered => self.answer(id)?,
            Write::CallAgain => self.call_again(id),
        }
        Ok(())
    }

    /// Without their parts, and the open one is closed.
    pub(super) fn give_up_attempts(&mut self, id: i64) {
        let attempts = &self.attempts;
        self.parts.retain(|(attempt, _)| attempts[*attempt].work != id);
        self.close(self.open_attempt_of(id), false);
    }

    fn close(&mut self, attempt: Option<usize>, failed: bool) {
        let now = self.now;
        if let Some(attempt) = attempt.map(|attempt| &mut self.attempts[attempt]) {
            attempt.closed.get_or_insert((now, failed.then(given::not_begun)));
        }
    }

    fn recording(&mut self, id: i64) -> &mut Work {
        self.work.get_mut(&id).expect("what is claimed or stopped is there")
    }

    pub(super) fn open_attempt_of(&self, id: i64) -> Option<usize> {
        self.attempts.iter().position(|it| it.work == id && it.closed.is_none())
    }
}

/// The attempt's id in an answer.
pub(super) fn place(attempt: usize) -> AttemptId {
    AttemptId(i64::try_from(attempt).expect("a small number") + 1)
}
