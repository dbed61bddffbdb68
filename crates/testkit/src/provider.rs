//! A provider outside that is asynchronous and costs money, by script.
//!
//! It behaves as such providers do: an operation gets a ticket, runs for as long as the script
//! says, keeps its result, and answers a ticket it never issued with a refusal. Beginning twice
//! costs twice, and the test counts it.

use std::collections::{HashMap, VecDeque};
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

use async_trait::async_trait;
use verst_kernel::{Failure, Supervisor};
use verst_recordings::codes;
use verst_recordings::ports::{
    Begins, Begun, Codec, Hearing, Inquiry, Lanes, Obstacle, Profile, Recogniser, Ticket, Warning,
    Wish,
};
use verst_recordings::transcript::{Segment, Transcript};

use crate::Gate;

/// What happens to the next begin.
#[derive(Clone, Debug)]
pub enum Order {
    /// It begins and answers.
    Accept,
    /// It begins, and the answer is lost on the way.
    LoseAnswer,
    /// It begins, and answers when the gate opens.
    Hold(Gate),
    /// It does not begin.
    Decline(Obstacle),
}

struct Operation {
    /// Answers "still running" before it is done.
    polls_left: u32,
    refused: bool,
}

/// The provider.
pub struct ScriptedProvider {
    operations: Mutex<HashMap<String, Operation>>,
    orders: Mutex<VecDeque<Order>>,
    polls: u32,
    poll_every: Duration,
    lanes: Lanes,
    paid: bool,
    text: String,
    obstacle: Mutex<Option<Obstacle>>,
    marred: Mutex<Option<Warning>>,
    asked: Mutex<Vec<String>>,
    forgotten: Mutex<Vec<String>>,
}

impl ScriptedProvider {
    /// Its name in attempt rows.
    pub const NAME: &'static str = "scripted";
    /// How long it asks to wait between polls, unless told otherwise.
    pub const POLL: Duration = Duration::from_secs(30);
    /// What it hears in every recording.
    pub const TEXT: &'static str = "a text that was paid for";

    /// Operations answer "still running" `polls` times before they are done.
    pub fn new(polls: u32) -> Self {
        Self {
            operations: Mutex::default(),
            orders: Mutex::default(),
            polls,
            poll_every: Self::POLL,
            lanes: Lanes::Unlimited,
            paid: true,
            text: Self::TEXT.to_owned(),
            obstacle: Mutex::default(),
            marred: Mutex::default(),
            asked: Mutex::default(),
            forgotten: Mutex::default(),
        }
    }

    /// Hears something else in every recording.
    pub fn hearing(self, text: &str) -> Self {
        Self { text: text.to_owned(), ..self }
    }

    /// Asks to wait so long between polls.
    pub fn polling_every(self, poll_every: Duration) -> Self {
        Self { poll_every, ..self }
    }

    /// Costs nothing, and works on two recordings at a time as our own engine does.
    pub fn like_the_engine(self, short: Duration) -> Self {
        Self { paid: false, lanes: Lanes::OldestAndShort { short }, ..self }
    }

    /// Decides about the next begin.
    pub fn order(&self, order: Order) {
        self.orders.lock().unwrap().push_back(order);
    }

    /// From now on every poll meets this; `None` lifts it.
    pub fn obstruct(&self, obstacle: Option<Obstacle>) {
        *self.obstacle.lock().unwrap() = obstacle;
    }

    /// From now on every text comes with this warning.
    pub fn mar(&self, warning: Warning) {
        *self.marred.lock().unwrap() = Some(warning);
    }

    /// From now on the provider refuses every operation it has.
    pub fn refuse_all(&self) {
        for operation in self.operations.lock().unwrap().values_mut() {
            operation.refused = true;
        }
    }

    /// How many operations were paid for.
    pub fn begun(&self) -> usize {
        self.operations.lock().unwrap().len()
    }

    /// Tickets that were asked about, in order.
    pub fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }

    /// Tickets whose results are no longer wanted.
    pub fn forgotten(&self) -> Vec<String> {
        self.forgotten.lock().unwrap().clone()
    }

    fn start(&self) -> Ticket {
        let mut operations = self.operations.lock().unwrap();
        let ticket = format!("operation-{}", operations.len() + 1);
        operations.insert(ticket.clone(), Operation { polls_left: self.polls, refused: false });
        Ticket(ticket)
    }
}

#[async_trait]
impl Recogniser for ScriptedProvider {
    fn profile(&self) -> Profile {
        Profile {
            name: Self::NAME,
            codec: Codec::OggOpus,
            paid: self.paid,
            begins: Begins::Outside,
            lanes: self.lanes,
            poll_every: self.poll_every,
            longest: Duration::from_hours(4),
        }
    }

    async fn begin(&self, audio: &Path, _wish: &Wish, _supervisor: &dyn Supervisor) -> Begun {
        assert!(audio.is_file(), "a provider is given audio");
        let order = self.orders.lock().unwrap().pop_front().unwrap_or(Order::Accept);
        match order {
            Order::Accept => Begun::Ticket(self.start()),
            Order::LoseAnswer => {
                self.start();
                Begun::Unknown(Failure::new(codes::PROVIDER_FAILED))
            }
            Order::Hold(gate) => {
                let ticket = self.start();
                gate.hold().await;
                Begun::Ticket(ticket)
            }
            Order::Decline(obstacle) => Begun::NotBegun(obstacle),
        }
    }

    async fn ask(&self, inquiry: Inquiry<'_>, _supervisor: &dyn Supervisor) -> Hearing {
        let ticket = &inquiry.ticket.0;
        self.asked.lock().unwrap().push(ticket.clone());
        if let Some(obstacle) = self.obstacle.lock().unwrap().clone() {
            return Hearing::Obstacle(obstacle);
        }
        let mut operations = self.operations.lock().unwrap();
        let refused = Hearing::Obstacle(Obstacle::Refused(Failure::new(codes::RECOGNISER_REFUSED)));
        match operations.get_mut(ticket) {
            None => refused,
            Some(operation) if operation.refused => refused,
            Some(operation) if operation.polls_left > 0 => {
                operation.polls_left -= 1;
                Hearing::Running { progress: None, part: None }
            }
            Some(_) => {
                let segments = vec![Segment {
                    start_ms: 0,
                    end_ms: 1000,
                    text: self.text.clone(),
                    speaker: None,
                }];
                let (language, model) = (Some("en".into()), "scripted".into());
                let transcript = Transcript { language, model, segments };
                match self.marred.lock().unwrap().clone() {
                    Some(warning) => Hearing::Marred { transcript, warning },
                    None => Hearing::Done(transcript),
                }
            }
        }
    }

    async fn forget(&self, ticket: &Ticket) {
        self.forgotten.lock().unwrap().push(ticket.0.clone());
    }

    async fn check(&self, _wish: &Wish) -> Result<String, Failure> {
        Ok("scripted".into())
    }
}
