//! The oracle: what a queue means, said once more over plain maps.
//!
//! Decisions are the kernel's functions, as they are for a store. Everything that the stores say in
//! SQL is said here in another way: order, predicate, lease, fences, who is cleared and counted.
//!
//! **Invariant:** no command is half done. What is refused leaves the model as it was.

mod attempts;
mod calls;
mod look;
mod queue;
mod tables;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use proptest::prelude::*;
use proptest_state_machine::ReferenceStateMachine;
use verst_kernel::{
    Entry, Failure, Fence, Notice, NoticeId, NoticeKind, Standing, Stop, Timestamp, WorkId,
};
use verst_recordings::ports::Warning;

use crate::answer::Answer;
use crate::command::{self, Age, Command, INSTANCES, Write};
use crate::given;

#[derive(Clone, Debug)]
pub(crate) struct Model {
    now: Timestamp,
    /// When each instance's process started.
    started: [Timestamp; INSTANCES],
    work: BTreeMap<i64, Work>,
    /// Recordings that were ever handed in.
    accepted: i64,
    journal: Vec<(i64, Entry)>,
    notices: Vec<(usize, Notice)>,
    notices_written: i64,
    attempts: Vec<Attempt>,
    calls: Vec<Called>,
    /// By attempt and place.
    parts: BTreeSet<(usize, u32)>,
    /// By recording: the attempt that it came from.
    transcripts: BTreeMap<i64, usize>,
    discarded: BTreeSet<String>,
    /// All claims that were ever made, as their holders remember them.
    claims: Vec<Memory>,
    /// The answer to the last command.
    pub(crate) answer: Answer,
}

/// As much of the model as the choice of a command needs.
pub(crate) struct Scene {
    /// Ids that recordings had, counted from one.
    pub(crate) works: i64,
    pub(crate) ready: bool,
    pub(crate) stopped: Vec<i64>,
    pub(crate) claims: usize,
    /// Ages of the claims that are still held.
    pub(crate) held: Vec<usize>,
}

/// A row of work and its recording.
#[derive(Clone, Debug)]
struct Work {
    id: i64,
    milestone: &'static str,
    created_at: Timestamp,
    entered_at: Timestamp,
    held_us: i64,
    waiting_since: Option<Timestamp>,
    tried_at: Option<Timestamp>,
    ready_at: Timestamp,
    fence: i64,
    held: Option<Hold>,
    failures: u32,
    last_failure: Option<Failure>,
    why: Option<Failure>,
    stop: Option<(Timestamp, Stop)>,
    small: bool,
    title: Option<&'static str>,
    /// Seconds of the normalised audio.
    duration: Option<u32>,
    audio: bool,
    original_deleted: bool,
    warned: Option<Warning>,
}

#[derive(Clone, Debug)]
struct Hold {
    by: usize,
    at: Timestamp,
    lease: Duration,
}

/// What a holder knows: its claim, and the row as it stood then.
#[derive(Clone, Debug)]
struct Memory {
    by: usize,
    id: i64,
    fence: i64,
    standing: Standing,
}

#[derive(Clone, Debug)]
struct Attempt {
    work: i64,
    lane: Option<&'static str>,
    opened_at: Timestamp,
    ticket: bool,
    awaited: bool,
    closed: Option<(Timestamp, Option<Failure>)>,
}

#[derive(Clone, Debug)]
struct Called {
    /// The attempt, by its place.
    attempt: usize,
    index: u32,
    opened_at: Timestamp,
    answered_at: Option<Timestamp>,
    closed: Option<(Timestamp, Option<Failure>)>,
}

/// The schema forbids it.
struct Refusal;

impl ReferenceStateMachine for Model {
    type State = Self;
    type Transition = Command;

    fn init_state() -> BoxedStrategy<Self> {
        let now = Timestamp(given::START);
        Just(Self {
            now,
            started: [now; INSTANCES],
            work: BTreeMap::new(),
            accepted: 0,
            journal: Vec::new(),
            notices: Vec::new(),
            notices_written: 0,
            attempts: Vec::new(),
            calls: Vec::new(),
            parts: BTreeSet::new(),
            transcripts: BTreeMap::new(),
            discarded: BTreeSet::new(),
            claims: Vec::new(),
            answer: Answer::Silence,
        })
        .boxed()
    }

    fn transitions(model: &Self) -> BoxedStrategy<Command> {
        command::next(model)
    }

    fn preconditions(model: &Self, command: &Command) -> bool {
        command::possible(model, command)
    }

    fn apply(mut model: Self, command: &Command) -> Self {
        let before = model.clone();
        match model.obey(command) {
            Ok(answer) => Self { answer, ..model },
            Err(Refusal) => Self { answer: Answer::Refused, ..before },
        }
    }
}

impl Model {
    /// What the next command may be about.
    pub(crate) fn scene(&self) -> Scene {
        let claims = self.claims.len();
        let stopped = self.work.values().filter(|work| work.stop.is_some());
        Scene {
            works: self.accepted,
            ready: self.work.values().any(|work| work.moves() && work.ready_at <= self.now),
            stopped: stopped.map(|work| work.id).collect(),
            claims,
            held: (0..claims).filter(|it| self.current(self.memory(Age(*it))).is_some()).collect(),
        }
    }

    fn memory(&self, age: Age) -> &Memory {
        &self.claims[self.claims.len() - 1 - age.0]
    }

    fn current(&self, memory: &Memory) -> Option<&Work> {
        self.work.get(&memory.id).filter(|work| work.fence == memory.fence)
    }

    fn obey(&mut self, command: &Command) -> Result<Answer, Refusal> {
        Ok(match command {
            Command::Accept { small } => self.accept(*small),
            Command::Claim { by } => self.claim(*by),
            Command::Settle { claim, saw } => return self.settle(*claim, saw),
            Command::Note { claim, write } => return self.note(*claim, write),
            Command::OpenAttempt { claim, lanes, short } => {
                return self.open_attempt(*claim, *lanes, *short);
            }
            Command::KeepTicket { work } => self.keep_ticket(*work),
            Command::OpenCall { claim, index } => return self.open_call(*claim, *index),
            Command::KeepAnswer { work } => {
                self.answer(*work)?;
                Answer::Silence
            }
            Command::Stop { by, work } => self.stop(*by, *work),
            Command::Lift { work, to, write } => return self.lift(*work, *to, write.as_ref()),
            Command::Restart { by } => self.restart(*by),
            Command::TakeNotice { place } => self.take_notice(*place),
            Command::TakeLeftovers { by } => Answer::Notices(self.take_leftovers(*by)),
            Command::Rename { work, title } => self.rename(*work, *title),
            Command::Anew { work } => self.anew(*work),
            Command::Remove { work } => self.remove(*work),
            Command::Pass(time) => self.shift(micros(*time)),
            Command::StepBack(time) => self.shift(-micros(*time)),
            Command::Look(look) => self.look(look),
        })
    }

    fn shift(&mut self, by: i64) -> Answer {
        self.now.0 += by;
        Answer::Silence
    }

    fn accept(&mut self, small: bool) -> Answer {
        self.accepted += 1;
        let (id, now) = (self.accepted, self.now);
        let work = Work {
            id,
            milestone: verst_recordings::LINE.first(),
            created_at: now,
            entered_at: now,
            held_us: 0,
            waiting_since: None,
            tried_at: None,
            ready_at: now,
            fence: 0,
            held: None,
            failures: 0,
            last_failure: None,
            why: None,
            stop: None,
            small,
            title: None,
            duration: None,
            audio: false,
            original_deleted: false,
            warned: None,
        };
        self.work.insert(id, work);
        Answer::Accepted(WorkId(id))
    }

    fn rename(&mut self, id: i64, title: Option<&'static str>) -> Answer {
        let work = self.work.get_mut(&id);
        Answer::Yes(work.map(|work| work.title = title).is_some())
    }

    fn tell(&mut self, by: usize, work: i64, kind: NoticeKind) -> Notice {
        self.notices_written += 1;
        let notice = Notice { id: NoticeId(self.notices_written), work: WorkId(work), kind };
        self.notices.push((by, notice.clone()));
        notice
    }
}

impl Work {
    /// Neither stopped nor at the end.
    fn moves(&self) -> bool {
        self.stop.is_none() && self.milestone != "done"
    }

    /// Takes it from whoever has it.
    fn release(&mut self) {
        self.fence += 1;
        self.held = None;
    }

    /// Goes on from a milestone as if it had just come there.
    fn begin(&mut self, milestone: &'static str, now: Timestamp) {
        self.release();
        self.milestone = milestone;
        (self.entered_at, self.ready_at) = (now, now);
        (self.held_us, self.failures) = (0, 0);
        (self.waiting_since, self.tried_at) = (None, None);
        (self.last_failure, self.why, self.stop) = (None, None, None);
    }

    fn audio_key(&self) -> Option<String> {
        let seconds = self.duration.filter(|_| self.audio);
        seconds.map(|seconds| given::audio(seconds).0.key)
    }

    fn standing(&self, held: &Hold, now: Timestamp) -> Standing {
        Standing {
            id: WorkId(self.id),
            line: "recordings".to_owned(),
            milestone: self.milestone.to_owned(),
            entered_at: self.entered_at,
            held_us: self.held_us,
            waiting_since: self.waiting_since,
            claimed_at: held.at,
            tried_at: self.tried_at,
            failures: self.failures,
            last_failure: self.last_failure.clone(),
            now,
        }
    }

    fn fence(&self) -> Fence {
        Fence(self.fence)
    }
}

fn micros(time: Duration) -> i64 {
    i64::try_from(time.as_micros()).unwrap_or(i64::MAX)
}

/// What the newest attempt is to a [`Write`]; none is an attempt that does not exist.
fn newest(attempts: &[Attempt], work: i64) -> Option<usize> {
    attempts.iter().rposition(|attempt| attempt.work == work)
}

impl Write {
    /// Whether it cannot be written without the attempt that it names.
    fn hangs_on_an_attempt(&self) -> bool {
        matches!(self, Self::Part { .. } | Self::Transcribed)
    }
}
