//! The oracle: what the downloads' verbs mean, said once more over a plain list.

use std::collections::BTreeSet;

use proptest::prelude::*;
use proptest_state_machine::ReferenceStateMachine;
use verst_downloads::LINE;
use verst_downloads::codes;
use verst_downloads::hash::Hashes;
use verst_downloads::merge::{Rival, survivor};
use verst_kernel::{Event, Failure, StopReason, WorkId};

use super::command::{self, Age, Command, Saw, Seen, all_names, names};

/// What a command came to.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Answer {
    Silence,
    /// A download, and whether it is new.
    Caught(i64, bool),
    Claimed(Option<(i64, i64)>),
    /// Whether it was written.
    Written(bool),
    /// Ids and fences.
    Followed(Vec<(i64, i64)>),
    WatchLost,
    Owned(i64),
    Merged {
        into: i64,
        from: i64,
    },
    Begun(i64),
    NotStopped,
    Missing,
}

/// A download as it is stored.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Row {
    pub(super) id: i64,
    pub(super) milestone: String,
    pub(super) stop: Option<(StopReason, String)>,
    pub(super) held: bool,
    pub(super) names: Hashes,
    pub(super) in_client: bool,
    pub(super) filed: bool,
    pub(super) chats: BTreeSet<u8>,
    pub(super) merged: Option<i64>,
    pub(super) story: Vec<(Event, String)>,
}

impl Row {
    /// May still go on, so that nobody else may have its names.
    pub(super) fn is_active(&self) -> bool {
        let waits = self.stop.as_ref().is_none_or(|(reason, code)| {
            *reason == StopReason::Person && self.in_client || code == codes::NEEDS_CHOICE
        });
        self.milestone != "done" && waits
    }

    pub(super) fn meets(&self, other: &Self) -> bool {
        self.names.meets(&other.names)
    }

    fn moves(&self) -> bool {
        self.stop.is_none()
    }

    fn is_followed(&self) -> bool {
        let kept = |(reason, code): &(StopReason, String)| {
            *reason == StopReason::Person && self.in_client
                || [codes::MAGNET_TIMEOUT, codes::STALLED].contains(&code.as_str())
        };
        self.milestone == "downloading" && self.stop.as_ref().is_none_or(kept)
    }
}

/// What is not seen of a row from outside, but in what is answered.
#[derive(Clone, Copy, Debug)]
struct Hidden {
    fence: i64,
    ready_at: u64,
}

/// A download as a look read it.
#[derive(Clone, Debug)]
struct Reading {
    row: Row,
    fence: i64,
    written: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Model {
    now: u64,
    /// The record of the watch comes first, and is no download.
    hidden: Vec<Hidden>,
    rows: Vec<Row>,
    claims: Vec<(i64, i64)>,
    retries: Vec<(i64, i64)>,
    reading: Vec<Reading>,
    pub(super) answer: Answer,
}

/// As much of the model as the choice of a command needs.
pub(super) struct Scene {
    pub(super) works: i64,
    pub(super) claims: usize,
    /// Ages of the last claims of the watch.
    pub(super) watches: Vec<usize>,
    /// Places in the last reading of which nothing was written yet.
    pub(super) unwritten: Vec<usize>,
    pub(super) retries: usize,
}

/// The number of the watch's record.
pub(super) const WATCH: i64 = 1;
/// Longer than a sequence lasts.
const LEASE: u64 = 1_000_000;

impl ReferenceStateMachine for Model {
    type State = Self;
    type Transition = Command;

    fn init_state() -> BoxedStrategy<Self> {
        Just(Self {
            now: 0,
            hidden: vec![Hidden { fence: 0, ready_at: 0 }],
            rows: Vec::new(),
            claims: Vec::new(),
            retries: Vec::new(),
            reading: Vec::new(),
            answer: Answer::Silence,
        })
        .boxed()
    }

    fn transitions(model: &Self) -> BoxedStrategy<Command> {
        command::next(model)
    }

    fn preconditions(model: &Self, command: &Command) -> bool {
        match command {
            Command::Settle { claim, .. } => claim.0 < model.claims.len(),
            Command::Observe { watch, place, .. } => {
                let unwritten = model.reading.get(*place).is_some_and(|it| !it.written);
                watch.0 < model.claims.len() && model.claimed(*watch).0 == WATCH && unwritten
            }
            Command::FinishRetry { retry } => retry.0 < model.retries.len(),
            _ => true,
        }
    }

    fn apply(mut model: Self, command: &Command) -> Self {
        model.answer = model.obey(command);
        model
    }
}

impl Model {
    /// What the next command may be about.
    pub(super) fn scene(&self) -> Scene {
        let claims = self.claims.len();
        let watches = (0..claims).filter(|age| self.claimed(Age(*age)).0 == WATCH).take(2);
        let read = self.reading.iter().enumerate();
        Scene {
            works: i64::try_from(self.rows.len()).unwrap(),
            claims,
            watches: watches.collect(),
            unwritten: read.filter(|(_, it)| !it.written).map(|(place, _)| place).collect(),
            retries: self.retries.len(),
        }
    }

    pub(super) fn rows(&self) -> Vec<Row> {
        self.rows.clone()
    }

    fn claimed(&self, age: Age) -> (i64, i64) {
        self.claims[self.claims.len() - 1 - age.0]
    }

    fn hidden(&mut self, id: i64) -> &mut Hidden {
        &mut self.hidden[usize::try_from(id).unwrap() - 1]
    }

    fn row(&mut self, id: i64) -> Option<&mut Row> {
        self.rows.iter_mut().find(|row| row.id == id)
    }

    fn owner(&self, of: &Hashes, but: i64) -> Option<Row> {
        let owns = |row: &&Row| row.id != but && row.is_active() && row.names.meets(of);
        self.rows.iter().find(owns).cloned()
    }

    /// Takes it from whoever has it; it may be claimed at once.
    fn free(&mut self, id: i64) {
        let now = self.now;
        let hidden = self.hidden(id);
        (hidden.fence, hidden.ready_at) = (hidden.fence + 1, now);
        if let Some(row) = self.row(id) {
            row.held = false;
        }
    }

    fn go(&mut self, id: i64, to: &str, event: Event) {
        self.free(id);
        let row = self.row(id).unwrap();
        (row.milestone, row.stop) = (to.to_owned(), None);
        row.story.push((event, to.to_owned()));
    }

    fn halt(&mut self, id: i64, reason: StopReason, code: &str) {
        let ready_at = self.hidden(id).ready_at;
        self.free(id);
        self.hidden(id).ready_at = ready_at;
        let row = self.row(id).unwrap();
        row.stop = Some((reason, code.to_owned()));
        row.story.push((Event::Stopped, row.milestone.clone()));
    }

    fn obey(&mut self, command: &Command) -> Answer {
        match *command {
            Command::Catch { torrent, known, chat } => self.catch(&names(torrent, known), chat),
            Command::Claim => self.claim(),
            Command::Settle { claim, saw } => self.settle(claim, saw),
            Command::Read => {
                let read = self.rows.iter().filter(|row| row.is_followed()).cloned();
                let fence = |id: i64| self.hidden[usize::try_from(id).unwrap() - 1].fence;
                self.reading =
                    read.map(|row| Reading { fence: fence(row.id), row, written: false }).collect();
                let told = self.reading.iter().map(|it| (it.row.id, it.fence));
                Answer::Followed(told.collect())
            }
            Command::Observe { watch, place, seen, learns } => {
                self.observe(watch, place, seen, learns)
            }
            Command::Stop { work } => self.stop(work),
            Command::GoOn { work } => self.go_on(work),
            Command::BeginRetry { work } => self.begin_retry(work),
            Command::FinishRetry { retry } => self.finish_retry(retry),
            Command::PlaceAgain { work } => self.place_again(work),
            Command::Restart => {
                let held = self.rows.iter().filter(|row| row.held).map(|row| row.id);
                let held: Vec<i64> = held.collect();
                for id in held {
                    self.free(id);
                }
                if self.hidden(WATCH).ready_at >= LEASE {
                    self.free(WATCH);
                }
                Answer::Silence
            }
            Command::Pass => {
                self.now += 1;
                Answer::Silence
            }
        }
    }

    fn catch(&mut self, names: &Hashes, chat: u8) -> Answer {
        if let Some(owner) = self.owner(names, 0) {
            self.row(owner.id).unwrap().chats.insert(chat);
            return Answer::Caught(owner.id, false);
        }
        self.hidden.push(Hidden { fence: 0, ready_at: self.now });
        let id = i64::try_from(self.hidden.len()).unwrap();
        self.rows.push(Row {
            id,
            milestone: LINE.first().to_owned(),
            stop: None,
            held: false,
            names: names.clone(),
            in_client: false,
            filed: false,
            chats: [chat].into(),
            merged: None,
            story: Vec::new(),
        });
        Answer::Caught(id, true)
    }

    fn claim(&mut self) -> Answer {
        let idle =
            |row: &&Row| row.moves() && !["done", "downloading"].contains(&row.milestone.as_str());
        let ids = self.rows.iter().filter(idle).map(|row| row.id).chain([WATCH]);
        let ready = ids.map(|id| (self.hidden[usize::try_from(id).unwrap() - 1].ready_at, id));
        let Some((_, id)) = ready.filter(|(at, _)| *at <= self.now).min() else {
            return Answer::Claimed(None);
        };
        let until = self.now + LEASE;
        let hidden = self.hidden(id);
        (hidden.fence, hidden.ready_at) = (hidden.fence + 1, until);
        let claim = (id, hidden.fence);
        if let Some(row) = self.row(id) {
            row.held = true;
        }
        self.claims.push(claim);
        Answer::Claimed(Some(claim))
    }

    fn settle(&mut self, claim: Age, saw: Saw) -> Answer {
        let (id, fence) = self.claimed(claim);
        if self.hidden(id).fence != fence {
            return Answer::Written(false);
        }
        self.free(id);
        let Some(row) = self.row(id) else { return Answer::Written(true) };
        let verdict = |code: &str| Some((StopReason::Verdict, code.to_owned()));
        match (saw, row.milestone.as_str()) {
            (Saw::Well, "caught") => {
                (row.milestone, row.in_client) = ("downloading".to_owned(), true);
            }
            (Saw::Well, "completed") => {
                (row.milestone, row.filed) = ("identified".to_owned(), true);
            }
            (Saw::Well, _) => "done".clone_into(&mut row.milestone),
            (Saw::Refused, _) => row.stop = verdict(codes::ADD_REFUSED),
            (Saw::Doubt, _) => row.stop = verdict(codes::NEEDS_CHOICE),
            (Saw::Nothing, _) => {}
        }
        Answer::Written(true)
    }

    fn observe(&mut self, watch: Age, place: usize, seen: Seen, learns: bool) -> Answer {
        let (_, watch_fence) = self.claimed(watch);
        self.reading[place].written = true;
        let Reading { row: read, fence, .. } = self.reading[place].clone();
        let id = read.id;
        if self.hidden(WATCH).fence != watch_fence {
            return Answer::WatchLost;
        }
        if self.hidden(id).fence != fence {
            return Answer::Written(false);
        }
        let written = what(&read, seen, learns);
        let moves = read.moves();
        let becomes = matches!(written.turn, Turn::Revive(_));
        if becomes || !written.learned.is_empty() {
            let all = written.learned.iter().chain(read.names.iter()).cloned().collect();
            if let Some(other) = self.owner(&all, id) {
                if becomes || !moves {
                    return Answer::Owned(other.id);
                }
                self.row(id).unwrap().learn(&written.learned);
                return self.merge(id, &other);
            }
        }
        let row = self.row(id).unwrap();
        row.learn(&written.learned);
        row.in_client = written.in_client;
        match written.turn {
            Turn::Stay => {}
            Turn::Complete => self.go(id, "completed", Event::Advanced),
            Turn::Stop(code) => self.halt(id, StopReason::Stuck, code),
            Turn::Revive(to) => self.go(id, to, Event::Lifted),
        }
        Answer::Written(true)
    }

    fn merge(&mut self, id: i64, other: &Row) -> Answer {
        let one = self.row(id).unwrap().clone();
        let rival = |row: &Row| Rival { id: WorkId(row.id), milestone: row.milestone.clone() };
        let into = survivor(&rival(&one), &rival(other)).0;
        let (from, names) =
            if into == id { (other.id, other.names.clone()) } else { (id, one.names.clone()) };
        let moved = self.row(from).unwrap().chats.clone();
        let kept = self.row(into).unwrap();
        let both = kept.chats.intersection(&moved).copied().collect();
        kept.chats.extend(moved);
        kept.learn(&names);
        kept.in_client = true;
        self.free(into);
        let ended = self.row(from).unwrap();
        (ended.chats, ended.merged, ended.in_client) = (both, Some(into), false);
        self.go(from, "done", Event::Advanced);
        Answer::Merged { into, from }
    }

    fn stop(&mut self, id: i64) -> Answer {
        let Some(row) = self.row(id).cloned() else { return Answer::Missing };
        if row.milestone == "done" || !row.moves() {
            return Answer::Written(false);
        }
        self.halt(id, StopReason::Person, Failure::BY_PERSON);
        Answer::Written(true)
    }

    /// Whether it is stopped, and nobody else has its names.
    fn liftable(&mut self, id: i64) -> Result<Row, Answer> {
        let row = self.row(id).cloned().ok_or(Answer::Missing)?;
        if row.moves() {
            return Err(Answer::NotStopped);
        }
        match self.owner(&row.names, id) {
            Some(other) => Err(Answer::Owned(other.id)),
            None => Ok(row),
        }
    }

    fn go_on(&mut self, id: i64) -> Answer {
        match self.liftable(id) {
            Err(answer) => answer,
            Ok(row) => {
                self.go(id, &row.milestone, Event::Lifted);
                Answer::Written(true)
            }
        }
    }

    fn begin_retry(&mut self, id: i64) -> Answer {
        if let Err(answer) = self.liftable(id) {
            return answer;
        }
        let hidden = self.hidden(id);
        hidden.fence += 1;
        let fence = hidden.fence;
        self.retries.push((id, fence));
        Answer::Begun(fence)
    }

    fn finish_retry(&mut self, retry: Age) -> Answer {
        let (id, fence) = self.retries[self.retries.len() - 1 - retry.0];
        if self.hidden(id).fence != fence {
            return Answer::Written(false);
        }
        match self.liftable(id) {
            Err(Answer::NotStopped) => Answer::Written(false),
            Err(answer) => answer,
            Ok(_) => {
                self.row(id).unwrap().in_client = true;
                self.go(id, "downloading", Event::Lifted);
                Answer::Written(true)
            }
        }
    }

    fn place_again(&mut self, id: i64) -> Answer {
        let Some(row) = self.row(id).cloned() else { return Answer::Missing };
        if row.milestone != "done" || !row.filed {
            return Answer::NotStopped;
        }
        if let Some(other) = self.owner(&row.names, id) {
            return Answer::Owned(other.id);
        }
        self.go(id, "identified", Event::Restarted);
        Answer::Written(true)
    }
}

impl Row {
    fn learn(&mut self, names: &Hashes) {
        for name in names.iter() {
            self.names.insert(name.clone());
        }
    }
}

/// How a download moves after a look.
pub(super) enum Turn {
    Stay,
    Complete,
    Stop(&'static str),
    Revive(&'static str),
}

/// What is written after a look.
pub(super) struct Look {
    pub(super) turn: Turn,
    pub(super) learned: Hashes,
    pub(super) in_client: bool,
}

/// What a look at a download that stood so writes.
pub(super) fn what(read: &Row, seen: Seen, learns: bool) -> Look {
    let person = read.stop.as_ref().is_some_and(|(reason, _)| *reason == StopReason::Person);
    let turn = match seen {
        _ if person => Turn::Stay,
        Seen::Whole if read.moves() => Turn::Complete,
        Seen::Idle if read.moves() => Turn::Stop(codes::STALLED),
        Seen::Gone if read.moves() => Turn::Stop(codes::TORRENT_GONE),
        Seen::Whole => Turn::Revive("completed"),
        Seen::Alive if !read.moves() => Turn::Revive("downloading"),
        Seen::Still | Seen::Alive | Seen::Idle | Seen::Gone => Turn::Stay,
    };
    let gone = matches!(seen, Seen::Gone);
    let all = all_names(&read.names);
    let learned = if learns && !gone { read.names.unknown(&all) } else { Hashes::default() };
    let in_client = if gone { !(person || read.moves()) && read.in_client } else { true };
    Look { turn, learned, in_client }
}
