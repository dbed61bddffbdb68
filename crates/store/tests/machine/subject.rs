//! The store under test: takes commands through its ports and answers in the model's words.

use std::sync::Arc;

use tokio::runtime::Handle;
use verst_kernel::{
    Change, Claim, Guard, Instance, Notice, NoticeId, Outcome, Settled, Standing, StopByPerson,
    StoreError, Timestamp, WorkId, give_back, guards, settle, stop,
};
use verst_recordings::model::{AttemptId, CallId, Product};
use verst_recordings::ports::{Admission, Ticket, Wish};
use verst_service::Product as AnyProduct;
use verst_service::{Edit, Filter, State};
use verst_store::Store;

use crate::answer::Answer;
use crate::command::{Age, Command, INSTANCES, Look, Saw, Write};
use crate::given;
use crate::ground::Ground;
use crate::tables::Tables;

/// A holder's memory of its claim.
struct Held {
    by: usize,
    claim: Claim,
    standing: Standing,
}

pub(crate) struct Subject<'a> {
    ground: &'a mut dyn Ground,
    store: Arc<dyn Store>,
    claims: Vec<Held>,
    accepted: i64,
    started: [Timestamp; INSTANCES],
    attempts: Vec<(WorkId, AttemptId)>,
    calls: Vec<(WorkId, AttemptId, CallId)>,
    notices: Vec<NoticeId>,
}

impl<'a> Subject<'a> {
    /// An empty one.
    pub(crate) fn fresh(ground: &'a mut dyn Ground) -> Self {
        ground.clear();
        Self {
            store: ground.store(),
            ground,
            claims: Vec::new(),
            accepted: 0,
            started: [Timestamp(given::START); INSTANCES],
            attempts: Vec::new(),
            calls: Vec::new(),
            notices: Vec::new(),
        }
    }

    pub(crate) fn tables(&self) -> Tables {
        self.ground.tables()
    }

    /// The work and fence of a claim.
    pub(crate) fn claimed(&self, age: Age) -> (i64, i64) {
        let claim = &self.held(age).claim;
        (claim.id().0, claim.fence().0)
    }

    pub(crate) fn obey(&mut self, command: &Command) -> Answer {
        match Handle::current().block_on(self.ask(command)) {
            Err(StoreError::Refused(_)) => Answer::Refused,
            answered => answered.expect("the store is up"),
        }
    }

    fn held(&self, age: Age) -> &Held {
        &self.claims[self.claims.len() - 1 - age.0]
    }

    async fn ask(&mut self, command: &Command) -> Result<Answer, StoreError> {
        let store = self.store.clone();
        let person = given::PERSON;
        Ok(match command {
            Command::Accept { small } => {
                self.accepted += 1;
                Answer::Accepted(store.accept(given::recording(*small, self.accepted)).await?.id)
            }
            Command::Claim { by } => self.claim(*by).await?,
            Command::Settle { claim, saw } => {
                let held = self.held(*claim);
                let settled = store.settle(&held.claim, &self.change(held, saw)).await?;
                Answer::Settled(match settled {
                    Settled::Done(Some(notice)) => Settled::Done(Some(self.numbered(notice))),
                    other => other,
                })
            }
            Command::Note { claim, write } => {
                let claim = &self.held(*claim).claim;
                let product = self.product(claim.id(), write);
                Answer::Noted(store.note(claim, product).await?)
            }
            Command::OpenAttempt { claim, lanes, short } => {
                self.open_attempt(*claim, *lanes, *short).await?
            }
            Command::KeepTicket { work } => {
                let ticket = Ticket(given::TICKET.to_owned());
                store.keep_ticket(self.newest(WorkId(*work)), &ticket).await?;
                Answer::Silence
            }
            Command::OpenCall { claim, index } => self.open_call(*claim, *index).await?,
            Command::KeepAnswer { work } => {
                let id = WorkId(*work);
                let (attempt, call) = self.newest_call(id);
                store.keep_answer(attempt, call, &given::part(0)).await?;
                Answer::Silence
            }
            Command::Stop { by, work } => {
                let stopped = store.stop(&given::instance(*by), WorkId(*work), person).await?;
                Answer::Stopped(match stopped {
                    StopByPerson::Stopped(notice) => StopByPerson::Stopped(self.numbered(notice)),
                    other => other,
                })
            }
            Command::Lift { work, to, write } => {
                let id = WorkId(*work);
                let product = write.as_ref().map(|write| self.product(id, write).into());
                let lift = verst_kernel::Lift { to: *to, product };
                Answer::Lifted(store.lift(id, person, lift).await?)
            }
            Command::Restart { by } => self.restart(*by).await?,
            Command::TakeNotice { place } => {
                let newest = self.notices.iter().rev().nth(*place);
                Answer::Yes(store.take_notice(newest.copied().unwrap_or(NoticeId(0))).await?)
            }
            Command::TakeLeftovers { by } => {
                Answer::Notices(self.leftovers(&given::instance(*by)).await?)
            }
            Command::Rename { work, title } => {
                let title = Some(title.unwrap_or_default().to_owned());
                let edit = Edit { title, ..Edit::default() };
                Answer::Yes(store.edit(WorkId(*work), edit).await?)
            }
            Command::Anew { work } => {
                let product = Some(Product::Again(Wish::default()).into());
                let lift = verst_kernel::Lift { to: Some(given::FIRST), product };
                Answer::Yes(store.restart(WorkId(*work), person, lift).await?)
            }
            Command::Remove { work } => Answer::Yes(store.remove(WorkId(*work)).await?),
            Command::Pass(time) => {
                self.ground.clock().pass(*time);
                Answer::Silence
            }
            Command::StepBack(time) => {
                self.ground.clock().step_back(*time);
                Answer::Silence
            }
            Command::Look(look) => self.look(look).await?,
        })
    }

    async fn claim(&mut self, by: usize) -> Result<Answer, StoreError> {
        let Some(claim) = self.store.claim(&given::instance(by)).await? else {
            return Ok(Answer::Claimed(None));
        };
        let standing = self.store.standing(&claim).await?.expect("nobody else is here");
        let answer = Answer::Claimed(Some((claim.fence(), standing.clone())));
        self.claims.push(Held { by, claim, standing });
        Ok(answer)
    }

    fn change(&self, held: &Held, saw: &Saw) -> Change<AnyProduct> {
        let (standing, started) = (&held.standing, self.started[held.by]);
        let (stage, limits) = (given::stage(&standing.milestone), given::limits());
        match saw {
            Saw::Outcome(outcome) => {
                let outcome: Outcome<AnyProduct> =
                    outcome.clone().map(|write| self.product(standing.id, &write).into());
                settle(standing, &stage, outcome, &limits, started, given::ROLL)
            }
            Saw::Shutdown => give_back(standing),
            Saw::Guards => match guards(standing, &stage, &limits, started) {
                Guard::Stop(mark) => stop(standing, &stage, mark),
                Guard::Go => give_back(standing),
            },
        }
    }

    fn product(&self, id: WorkId, write: &Write) -> Product {
        let attempt = self.newest(id);
        match *write {
            Write::Normalised { seconds } => {
                let (audio, warnings) = given::audio(seconds);
                Product::Normalised { audio, warnings }
            }
            Write::Submitted => Product::Submitted,
            Write::Begun => Product::Begun { attempt, ticket: Ticket(given::TICKET.to_owned()) },
            Write::AttemptClosed => Product::AttemptClosed { attempt, failure: given::not_begun() },
            Write::Warned => Product::Warned { warning: given::WARNING },
            Write::Part { index } => Product::Part { attempt, part: given::part(index) },
            Write::Transcribed => Product::Transcribed { attempt, transcript: given::transcript() },
            Write::Finished { original_deleted } => Product::Finished { original_deleted },
            Write::SubmitAgain => Product::SubmitAgain,
            Write::KeepWaiting => Product::KeepWaiting,
            Write::CallClosed => {
                let (_, call) = self.newest_call(id);
                Product::CallClosed { call, failure: given::not_begun() }
            }
            Write::Answered => {
                let (attempt, call) = self.newest_call(id);
                Product::Answered { attempt, call, part: given::part(0) }
            }
            Write::CallAgain => Product::CallAgain,
        }
    }

    async fn open_attempt(
        &mut self,
        claim: Age,
        lanes: bool,
        short: bool,
    ) -> Result<Answer, StoreError> {
        let claim = &self.held(claim).claim;
        let (id, lanes, duration) = (claim.id(), given::lanes(lanes), given::duration(short));
        let admitted = self.store.open_attempt(claim, given::RECOGNISER, lanes, duration).await?;
        Ok(Answer::Admitted(match admitted {
            Admission::Opened(attempt) => {
                self.attempts.push((id, attempt));
                Admission::Opened(self.place(attempt))
            }
            other => other,
        }))
    }

    async fn open_call(&mut self, claim: Age, index: u32) -> Result<Answer, StoreError> {
        let claim = &self.held(claim).claim;
        let (id, attempt) = (claim.id(), self.newest(claim.id()));
        let opened = self.store.open_call(claim, attempt, given::call(index)).await?;
        if let Some(call) = opened {
            self.calls.push((id, attempt, call));
        }
        Ok(Answer::Yes(opened.is_some()))
    }

    /// The newest call of the recording, with its attempt, or one that does not exist.
    fn newest_call(&self, id: WorkId) -> (AttemptId, CallId) {
        let newest = self.calls.iter().rev().find(|(work, _, _)| *work == id);
        newest.map_or((AttemptId(0), CallId(0)), |(_, attempt, call)| (*attempt, *call))
    }

    /// The process dies and another one takes its place: nothing of it is left but the database.
    async fn restart(&mut self, by: usize) -> Result<Answer, StoreError> {
        self.ground.reopen();
        self.store = self.ground.store();
        let instance = given::instance(by);
        self.started[by] = self.store.now().await?;
        let reclaimed = self.store.reclaim(&instance, given::pauses()).await?;
        Ok(Answer::Restarted(reclaimed, self.leftovers(&instance).await?))
    }

    async fn leftovers(&self, instance: &Instance) -> Result<Vec<Notice>, StoreError> {
        let mut left = self.store.leftover_notices(instance).await?;
        for notice in &mut left {
            let written = self.notices.iter().zip(1..).find(|(id, _)| **id == notice.id);
            notice.id = NoticeId(written.expect("the store answered with it before").1);
        }
        left.sort_by_key(|notice| notice.id.0);
        Ok(left)
    }

    async fn look(&self, look: &Look) -> Result<Answer, StoreError> {
        let store = &self.store;
        Ok(match look {
            Look::Standing(age) => Answer::Standing(store.standing(&self.held(*age).claim).await?),
            Look::View(id) => Answer::Views(store.view(WorkId(*id)).await?.into_iter().collect()),
            Look::List { moving, before, limit } => {
                let filter = Filter {
                    state: moving.then_some(State::Moving),
                    before: before.map(WorkId),
                    limit: *limit,
                    ..Filter::default()
                };
                Answer::Views(store.list(filter).await?)
            }
            Look::Journal(id) => Answer::Journal(store.journal(WorkId(*id)).await?),
            Look::Depth => {
                let mut depth = store.depth().await?;
                depth.sort_by(|a, b| a.milestone.cmp(&b.milestone));
                Answer::Depth(depth)
            }
            Look::Ahead(id) => Answer::Ahead(store.ahead(WorkId(*id), given::SMALL_BYTES).await?),
            Look::OpenAttempt(id) => {
                let attempt = store.open_attempt_of(WorkId(*id)).await?;
                Answer::Attempt(attempt.map(|mut attempt| {
                    attempt.id = self.place(attempt.id);
                    attempt
                }))
            }
            Look::Parts(id) => Answer::Parts(store.parts(self.newest(WorkId(*id))).await?),
            Look::Calls(id) => {
                let mut calls = store.calls(self.newest(WorkId(*id))).await?;
                for it in &mut calls {
                    let opened = self.calls.iter().zip(1..).find(|((_, _, id), _)| *id == it.id);
                    it.id = CallId(opened.expect("the store answered with it before").1);
                }
                Answer::Calls(calls)
            }
            Look::Transcript(id) => Answer::Transcript(store.transcript(WorkId(*id)).await?),
        })
    }

    /// The newest attempt of the recording, or one that does not exist.
    fn newest(&self, id: WorkId) -> AttemptId {
        let newest = self.attempts.iter().rev().find(|(work, _)| *work == id);
        newest.map_or(AttemptId(0), |(_, attempt)| *attempt)
    }

    fn place(&self, attempt: AttemptId) -> AttemptId {
        let opened = self.attempts.iter().zip(1..).find(|((_, id), _)| *id == attempt);
        AttemptId(opened.expect("the store answered with it before").1)
    }

    /// The notice by its place among all that were written.
    fn numbered(&mut self, mut notice: Notice) -> Notice {
        assert!(self.notices.iter().all(|id| id.0 < notice.id.0), "ids of notices repeat");
        self.notices.push(notice.id);
        notice.id = NoticeId(i64::try_from(self.notices.len()).expect("a small number"));
        notice
    }
}
