//! Reads.

use std::collections::BTreeMap;
use std::time::Duration;

use verst_kernel::{Depth, WorkId};
use verst_recordings::model::{Attempt, Recording};
use verst_recordings::ports::Ticket;
use verst_service::{StopMark, View, WorkView};

use super::attempts::place;
use super::{Model, Work, newest};
use crate::answer::Answer;
use crate::command::Look;
use crate::given;

impl Model {
    pub(super) fn look(&self, look: &Look) -> Answer {
        match look {
            Look::Standing(claim) => {
                let work = self.current(self.memory(*claim));
                let held = |work: &Work| work.held.clone().expect("its fence is current");
                Answer::Standing(work.map(|work| work.standing(&held(work), self.now)))
            }
            Look::View(id) => {
                Answer::Views(self.work.get(id).map(|w| self.view(w)).into_iter().collect())
            }
            Look::List { moving, before, limit } => {
                let older = self.work.range(..before.unwrap_or(i64::MAX)).rev();
                let shown = older.map(|(_, work)| work).filter(|work| !moving || work.moves());
                let limit = usize::try_from(*limit).expect("a small number");
                Answer::Views(shown.take(limit).map(|work| self.view(work)).collect())
            }
            Look::Journal(id) => {
                let entries = self.journal.iter().filter(|(work, _)| work == id);
                Answer::Journal(entries.map(|(_, entry)| entry.clone()).collect())
            }
            Look::Depth => Answer::Depth(self.depth()),
            Look::Ahead(id) => Answer::Ahead(self.ahead(*id)),
            Look::OpenAttempt(id) => Answer::Attempt(self.open_attempt_of(*id).map(|attempt| {
                let it = &self.attempts[attempt];
                Attempt {
                    id: place(attempt),
                    recogniser: given::RECOGNISER.to_owned(),
                    ticket: it.ticket.then(|| Ticket(given::TICKET.to_owned())),
                    awaited: it.awaited,
                }
            })),
            Look::Parts(id) => {
                let attempt = newest(&self.attempts, *id);
                let parts = self.parts.iter().filter(|(of, _)| Some(*of) == attempt);
                Answer::Parts(parts.map(|(_, index)| given::part(*index)).collect())
            }
            Look::Calls(id) => Answer::Calls(self.calls_of(*id)),
            Look::Transcript(id) => {
                Answer::Transcript(self.transcripts.get(id).map(|_| given::transcript()))
            }
        }
    }

    /// By name of the milestone.
    fn depth(&self) -> Vec<Depth> {
        let mut depths: BTreeMap<&str, Depth> = BTreeMap::new();
        for work in self.work.values().filter(|work| work.moves()) {
            let depth = depths.entry(work.milestone).or_insert_with(|| Depth {
                line: "recordings".to_owned(),
                milestone: work.milestone.to_owned(),
                waiting: 0,
                oldest: Some(work.entered_at),
            });
            depth.waiting += 1;
            depth.oldest = depth.oldest.min(Some(work.entered_at));
        }
        depths.into_values().collect()
    }

    /// Those of its size that are to be decoded before it, and those that wait for a recogniser.
    fn ahead(&self, id: i64) -> u64 {
        let Some(me) = self.work.get(&id) else { return 0 };
        let ahead = self.work.values().filter(|work| {
            let before = match work.milestone {
                "uploaded" => work.id < id,
                "normalized" => self.open_attempt_of(work.id).is_none(),
                _ => false,
            };
            work.id != id
                && work.moves()
                && work.last_failure.is_none()
                && work.small == me.small
                && before
        });
        u64::try_from(ahead.count()).expect("a small number")
    }

    fn view(&self, work: &Work) -> View {
        let (audio, decoded) = given::audio(work.duration.unwrap_or(0));
        let decoded = decoded.into_iter().filter(|_| work.duration.is_some());
        let warned = work.warned.clone();
        let parts = self.parts.iter().filter(|(of, _)| Some(*of) == self.open_attempt_of(work.id));
        View {
            work: WorkView {
                id: WorkId(work.id),
                milestone: work.milestone.to_owned(),
                created_at: work.created_at,
                entered_at: work.entered_at,
                ready_at: work.ready_at,
                held: work.held.is_some(),
                failures: work.failures,
                why: work.why.clone(),
                stop: work.stop.clone().map(|(at, mark)| StopMark {
                    at,
                    reason: mark.reason,
                    failure: mark.failure,
                }),
            },
            recording: Recording {
                id: WorkId(work.id),
                given: given::recording(work.small, work.id),
                original_deleted: work.original_deleted,
                title: work.title.map(str::to_owned),
                summary: None,
                topics: Vec::new(),
                speakers: BTreeMap::new(),
                audio: work.audio.then_some(audio),
                duration: work.duration.map(|seconds| Duration::from_secs(seconds.into())),
                warnings: decoded.chain(warned).collect(),
            },
            parts: u64::try_from(parts.count()).expect("a small number"),
        }
    }
}
