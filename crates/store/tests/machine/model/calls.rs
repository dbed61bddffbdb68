//! Calls for parts.

use verst_recordings::model::{CallId, RecordedCall};

use super::{Called, Model, Refusal, newest};
use crate::answer::Answer;
use crate::command::Age;
use crate::given;

impl Called {
    fn is_open(&self) -> bool {
        self.answered_at.is_none() && self.closed.is_none()
    }
}

impl Model {
    pub(super) fn open_call(&mut self, claim: Age, index: u32) -> Result<Answer, Refusal> {
        let memory = self.memory(claim).clone();
        if self.current(&memory).is_none() {
            return Ok(Answer::Yes(false));
        }
        let attempt = newest(&self.attempts, memory.id).ok_or(Refusal)?;
        if self.calls.iter().any(|it| it.attempt == attempt && it.is_open()) {
            return Err(Refusal);
        }
        let opened_at = self.now;
        self.calls.push(Called { attempt, index, opened_at, answered_at: None, closed: None });
        Ok(Answer::Yes(true))
    }

    /// The answer to the newest call of a recording.
    pub(super) fn answer(&mut self, id: i64) -> Result<(), Refusal> {
        let Some(call) = self.newest_call(id) else { return Ok(()) };
        let Called { attempt, index, .. } = self.calls[call];
        if !self.calls[call].is_open() || self.attempts[attempt].closed.is_some() {
            return Ok(());
        }
        // Another call may have brought this part, or another recogniser.
        if !self.parts.insert((attempt, index)) {
            return Err(Refusal);
        }
        self.calls[call].answered_at = Some(self.now);
        let twice = |it: &&Called| it.answered_at.is_some() && it.index == index;
        let of_this = self.calls.iter().filter(|it| it.attempt == attempt).filter(twice);
        if of_this.count() > 1 { Err(Refusal) } else { Ok(()) }
    }

    pub(super) fn close_call(&mut self, id: i64) {
        let now = self.now;
        if let Some(call) = self.newest_call(id)
            && self.calls[call].is_open()
        {
            self.calls[call].closed = Some((now, Some(given::not_begun())));
        }
    }

    pub(super) fn call_again(&mut self, id: i64) {
        let now = self.now;
        let Some(attempt) = self.open_attempt_of(id) else { return };
        for call in self.calls.iter_mut().filter(|it| it.attempt == attempt && it.is_open()) {
            call.closed = Some((now, None));
        }
    }

    fn newest_call(&self, id: i64) -> Option<usize> {
        self.calls.iter().rposition(|it| self.attempts[it.attempt].work == id)
    }

    /// The calls of the newest attempt that are not closed.
    pub(super) fn calls_of(&self, id: i64) -> Vec<RecordedCall> {
        let newest = self.work.contains_key(&id).then(|| newest(&self.attempts, id)).flatten();
        let of_it = self.calls.iter().zip(1..).filter(|(it, _)| newest == Some(it.attempt));
        let mut calls: Vec<_> = of_it
            .filter(|(it, _)| it.closed.is_none())
            .map(|(it, id)| RecordedCall {
                id: CallId(id),
                call: given::call(it.index),
                answered: it.answered_at.is_some(),
            })
            .collect();
        calls.sort_by_key(|it| (it.call.index, it.id.0));
        calls
    }
}
