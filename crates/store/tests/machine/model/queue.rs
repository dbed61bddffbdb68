//! The queue's verbs.

use verst_kernel::{
    Actor, Change, Entry, Event, Failure, Guard, Lifted, NoticeKind, Reclaimed, Settled, Stop,
    StopByPerson, StopReason, Timestamp, Wait, give_back, guards, settle, stop,
};
use verst_recordings::LINE;

use super::{Hold, Memory, Model, Refusal, micros};
use crate::answer::Answer;
use crate::command::{Age, Saw, Write};
use crate::given;

impl Model {
    pub(super) fn claim(&mut self, by: usize) -> Answer {
        let now = self.now;
        let ready = self.work.values_mut().filter(|work| work.moves() && work.ready_at <= now);
        let Some(work) = ready.min_by_key(|work| (work.ready_at, work.id)) else {
            return Answer::Claimed(None);
        };
        let lease = given::stage(work.milestone).lease;
        let held = Hold { by, at: now, lease };
        work.fence += 1;
        work.failures += 1;
        work.ready_at = now.after(lease);
        let standing = work.standing(&held, now);
        work.held = Some(held);
        let (id, fence) = (work.id, work.fence());
        self.claims.push(Memory { by, id, fence: fence.0, standing: standing.clone() });
        Answer::Claimed(Some((fence, standing)))
    }

    pub(super) fn settle(&mut self, claim: Age, saw: &Saw) -> Result<Answer, Refusal> {
        let memory = self.memory(claim).clone();
        let change = self.change(&memory, saw);
        if self.current(&memory).is_none() {
            return Ok(Answer::Settled(Settled::Lost));
        }
        let held = self.apply_change(memory.id, &change);
        if let Some(write) = &change.product {
            self.write(memory.id, write)?;
        }
        if let Some((step, event)) = change.journal {
            let took = self.now.since(held.at);
            let failure = change.stop.map(|mark| mark.failure);
            self.record(memory.id, Actor::Step(step.to_owned()), event, took, failure);
        }
        let notice = change.notice.map(|kind| self.tell(held.by, memory.id, kind));
        Ok(Answer::Settled(Settled::Done(notice)))
    }

    /// What the holder makes of the row as it stood when it was claimed.
    fn change(&self, memory: &Memory, saw: &Saw) -> Change<Write> {
        let (standing, started) = (&memory.standing, self.started[memory.by]);
        let stage = given::stage(&standing.milestone);
        match saw {
            Saw::Outcome(outcome) => {
                let limits = given::limits();
                settle(standing, &stage, outcome.clone(), &limits, started, given::ROLL)
            }
            Saw::Shutdown => give_back(standing),
            Saw::Guards => match guards(standing, &stage, &given::limits(), started) {
                Guard::Stop(mark) => stop(standing, &stage, mark),
                Guard::Go => give_back(standing),
            },
        }
    }

    fn apply_change(&mut self, id: i64, change: &Change<Write>) -> Hold {
        let now = self.now;
        let work = self.work.get_mut(&id).expect("it is held");
        let held = work.held.clone().expect("a current fence is that of a holder");
        work.release();
        if let Some(milestone) = change.advance {
            work.milestone = milestone;
            work.entered_at = now;
            work.held_us = 0;
            work.tried_at = None;
        } else {
            work.held_us += change.held_us;
            if change.run_held {
                work.held_us += micros(now.since(held.at));
            }
            if change.tried {
                work.tried_at = Some(now);
            }
        }
        match change.wait {
            Wait::Over => work.waiting_since = None,
            Wait::Begins => work.waiting_since = Some(now),
            Wait::GoesOn => {}
        }
        work.ready_at = now.after(change.ready_in);
        work.failures = change.failures;
        work.last_failure.clone_from(&change.last_failure);
        work.why.clone_from(&change.why);
        work.stop = change.stop.clone().map(|mark| (now, mark));
        held
    }

    fn record(
        &mut self,
        id: i64,
        actor: Actor,
        event: Event,
        duration: std::time::Duration,
        failure: Option<Failure>,
    ) {
        let milestone = self.work[&id].milestone.to_owned();
        self.journal.push((id, Entry { at: self.now, actor, event, milestone, duration, failure }));
    }

    fn record_person(&mut self, id: i64, event: Event, failure: Option<Failure>) {
        let person = Actor::Person(given::PERSON.to_owned());
        self.record(id, person, event, std::time::Duration::ZERO, failure);
    }

    pub(super) fn stop(&mut self, by: usize, id: i64) -> Answer {
        let failure = Failure::new(Failure::BY_PERSON);
        Answer::Stopped(match self.work.get_mut(&id) {
            None => StopByPerson::Missing,
            Some(work) if work.stop.is_some() => StopByPerson::AlreadyStopped,
            Some(work) if work.milestone == "done" => StopByPerson::Finished,
            Some(work) => {
                work.release();
                let mark = Stop { reason: StopReason::Person, failure: failure.clone() };
                work.stop = Some((self.now, mark));
                self.record_person(id, Event::Stopped, Some(failure.clone()));
                StopByPerson::Stopped(self.tell(by, id, NoticeKind::Stopped(failure)))
            }
        })
    }

    pub(super) fn lift(
        &mut self,
        id: i64,
        to: Option<&'static str>,
        write: Option<&Write>,
    ) -> Result<Answer, Refusal> {
        let now = self.now;
        let Some(work) = self.work.get_mut(&id) else { return Ok(Answer::Lifted(Lifted::Missing)) };
        if work.stop.is_none() {
            return Ok(Answer::Lifted(Lifted::NotStopped));
        }
        work.begin(to.unwrap_or(work.milestone), now);
        if let Some(write) = write {
            self.write(id, write)?;
        }
        self.record_person(id, Event::Lifted, None);
        Ok(Answer::Lifted(Lifted::Lifted))
    }

    /// From wherever it stands. What was decoded and begun is given up.
    pub(super) fn anew(&mut self, id: i64) -> Answer {
        let now = self.now;
        let Some(work) = self.work.get_mut(&id) else { return Answer::Yes(false) };
        work.begin(given::FIRST, now);
        self.discarded.extend(work.audio_key());
        work.audio = false;
        self.give_up_attempts(id);
        self.record_person(id, Event::Restarted, None);
        Answer::Yes(true)
    }

    /// With all its rows.
    pub(super) fn remove(&mut self, id: i64) -> Answer {
        let Some(work) = self.work.remove(&id) else { return Answer::Yes(false) };
        self.discarded.extend(work.audio_key());
        if !work.original_deleted {
            self.discarded.insert(given::recording(work.small, id).original);
        }
        self.give_up_attempts(id);
        self.transcripts.remove(&id);
        self.journal.retain(|(of, _)| *of != id);
        self.notices.retain(|(_, notice)| notice.work.0 != id);
        Answer::Yes(true)
    }

    /// The instance died, whatever it held, and is there again.
    pub(super) fn restart(&mut self, by: usize) -> Answer {
        let (now, pause) = (self.now, given::pauses());
        self.started[by] = now;
        let lease = LINE.stages().iter().map(|stage| stage.lease).max().unwrap_or_default();
        let longest = lease.max(pause(u32::MAX) * 2);
        let mut reclaimed = 0;
        for work in self.work.values_mut().filter(|work| work.moves()) {
            if work.held.as_ref().is_some_and(|held| held.by == by) {
                work.release();
                work.ready_at = now.after(pause(work.failures));
                reclaimed += 1;
            } else if work.held.is_none() && work.ready_at > now {
                let ahead = work.ready_at > Timestamp(now.0 + micros(longest));
                if work.waiting_since.is_some() || ahead {
                    work.ready_at = now;
                }
            }
        }
        Answer::Restarted(Reclaimed(reclaimed), self.take_leftovers(by))
    }

    pub(super) fn take_leftovers(&mut self, by: usize) -> Vec<verst_kernel::Notice> {
        let (taken, left) = std::mem::take(&mut self.notices).into_iter().partition(|n| n.0 == by);
        self.notices = left;
        let taken: Vec<_> = taken;
        taken.into_iter().map(|(_, notice)| notice).collect()
    }

    /// The notice of that place among all that were ever written, from the newest.
    pub(super) fn take_notice(&mut self, place: usize) -> Answer {
        let place = i64::try_from(place).expect("a small number");
        let before = self.notices.len();
        self.notices.retain(|(_, notice)| notice.id.0 != self.notices_written - place);
        Answer::Yes(self.notices.len() < before)
    }
}
