//! A provider outside that is called once for each part and cannot be asked about a call, by script.
//!
//! It counts the calls that reached it: each is paid for.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

use async_trait::async_trait;
use verst_kernel::{Failure, Supervisor};
use verst_recordings::codes;
use verst_recordings::ports::{
    Begins, Begun, Call, Called, Codec, Hearing, Inquiry, Lanes, Obstacle, Part, Profile,
    Recogniser, Ticket, Wish,
};
use verst_recordings::transcript::{Segment, Transcript};

use crate::Gate;

/// What happens to the next call.
#[derive(Clone, Debug)]
pub enum Ring {
    /// It is heard and answered.
    Answer,
    /// It is heard, and the answer is lost on the way.
    LoseAnswer,
    /// It is heard, and answered when the gate opens.
    Hold(Gate),
    /// It does not come through.
    Decline(Obstacle),
}

/// The provider.
pub struct ScriptedCaller {
    parts: u32,
    paid: bool,
    codec: Codec,
    rings: Mutex<VecDeque<Ring>>,
    /// Parts that were called for and heard, in order.
    heard: Mutex<Vec<u32>>,
}

impl ScriptedCaller {
    /// Its name in attempt rows.
    pub const NAME: &'static str = "called";
    const PLAN: &'static str = "plan";

    /// Every recording is heard in so many parts, each of which costs money.
    pub fn new(parts: u32) -> Self {
        let codec = Codec::OggOpus;
        Self { parts, paid: true, codec, rings: Mutex::default(), heard: Mutex::default() }
    }

    /// The same for nothing.
    pub fn free(parts: u32) -> Self {
        Self { paid: false, ..Self::new(parts) }
    }

    /// The same with another kind of audio.
    pub fn taking(self, codec: Codec) -> Self {
        Self { codec, ..self }
    }

    /// Decides about the next call.
    pub fn order(&self, ring: Ring) {
        self.rings.lock().unwrap().push_back(ring);
    }

    /// The parts of the calls that were paid for, in order.
    pub fn heard(&self) -> Vec<u32> {
        self.heard.lock().unwrap().clone()
    }

    fn hear(&self, call: Call) -> Called {
        self.heard.lock().unwrap().push(call.index);
        let text = format!("part {}", call.index);
        let (start_ms, end_ms) = (call.from_ms, call.until_ms);
        let segments = vec![Segment { start_ms, end_ms, text, speaker: None }];
        Called::Heard(Part { index: call.index, segments, language: Some("en".to_owned()) })
    }
}

#[async_trait]
impl Recogniser for ScriptedCaller {
    fn profile(&self) -> Profile {
        Profile {
            name: Self::NAME,
            codec: self.codec,
            paid: self.paid,
            begins: Begins::Here,
            lanes: Lanes::Unlimited,
            poll_every: Duration::ZERO,
            longest: Duration::from_hours(4),
        }
    }

    async fn begin(&self, audio: &Path, _wish: &Wish, _supervisor: &dyn Supervisor) -> Begun {
        assert!(audio.is_file(), "a provider is given audio");
        Begun::Ticket(Ticket(Self::PLAN.to_owned()))
    }

    async fn ask(&self, inquiry: Inquiry<'_>, _supervisor: &dyn Supervisor) -> Hearing {
        if inquiry.ticket.0 != Self::PLAN {
            let failure = Failure::new(codes::RECOGNISER_REFUSED);
            return Hearing::Obstacle(Obstacle::Refused(failure));
        }
        let answered: Vec<u32> = inquiry.calls.iter().map(|call| call.index).collect();
        let kept: Vec<u32> = inquiry.parts.iter().map(|part| part.index).collect();
        assert_eq!(answered, kept, "an answer and its part are written together");
        let index = u32::try_from(kept.len()).unwrap();
        if index < self.parts {
            let from_ms = u64::from(index) * 100;
            return Hearing::Next(Call { index, from_ms, until_ms: from_ms + 100 });
        }
        Hearing::Done(Transcript {
            language: Some("en".to_owned()),
            model: "called".to_owned(),
            segments: inquiry.parts.iter().flat_map(|part| part.segments.clone()).collect(),
        })
    }

    async fn call(
        &self,
        _inquiry: Inquiry<'_>,
        call: Call,
        _supervisor: &dyn Supervisor,
    ) -> Called {
        let ring = self.rings.lock().unwrap().pop_front().unwrap_or(Ring::Answer);
        match ring {
            Ring::Answer => self.hear(call),
            Ring::LoseAnswer => {
                self.hear(call);
                Called::Unknown(Failure::new(codes::PROVIDER_FAILED))
            }
            Ring::Hold(gate) => {
                let called = self.hear(call);
                gate.hold().await;
                called
            }
            Ring::Decline(obstacle) => Called::NotMade(obstacle),
        }
    }

    async fn forget(&self, _ticket: &Ticket) {}

    async fn check(&self, _wish: &Wish) -> Result<String, Failure> {
        Ok("called".to_owned())
    }
}
