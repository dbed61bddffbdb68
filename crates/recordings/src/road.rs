//! The line's table and its steps' dispatch.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use verst_kernel::{
    Failure, Leave, Line, Milestone, Outcome, Patience, Road, Stage, StepName, StoreError, Visit,
};

use crate::codes;
use crate::model::Product;
use crate::ports::{Media, ObjectError, Objects, Recogniser, RecordingStore};
use crate::steps;

/// The steps of the line.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    /// Decodes to what the recogniser takes.
    Normalise,
    /// Begins the recognition.
    Submit,
    /// Asks for the text.
    Poll,
    /// Removes what is no longer needed.
    Finish,
}

impl StepName for Step {
    fn name(self) -> &'static str {
        match self {
            Self::Normalise => "normalise",
            Self::Submit => "submit",
            Self::Poll => "poll",
            Self::Finish => "finish",
        }
    }
}

/// The longest recording that is taken in.
pub const LONGEST: Duration = Duration::from_hours(24);
/// Seconds of audio that decoding must get through in a second, in each of its two passes.
pub const FLOOR_RATE: u32 = 30;

/// Also where a recogniser is about to begin: a recording that was decoded for another one is
/// decoded anew, and its pauses may have to be found.
const NORMALISE_LEASE: Duration = Duration::from_hours(2);
/// Longer than an engine may work on one slice on a slow machine before it is given up.
const RECOGNISER_LEASE: Duration = Duration::from_mins(40);
const FINISH_LEASE: Duration = Duration::from_mins(15);

// A lease shorter than the longest admissible run would make losing it an everyday event.
const _: () = assert!(2 * LONGEST.as_secs() / (FLOOR_RATE as u64) < NORMALISE_LEASE.as_secs());

/// The milestones: the only place that names a lease, a patience or a step of this line.
pub const LINE: Line<Step> = Line::new(
    "recordings",
    &[
        Milestone {
            name: "uploaded",
            leave: Some(Leave {
                step: Step::Normalise,
                lease: NORMALISE_LEASE,
                patience: Patience::Own,
            }),
        },
        Milestone {
            name: NORMALIZED,
            leave: Some(Leave {
                step: Step::Submit,
                lease: NORMALISE_LEASE,
                patience: Patience::Foreign,
            }),
        },
        Milestone {
            name: SUBMITTED,
            leave: Some(Leave {
                step: Step::Poll,
                lease: RECOGNISER_LEASE,
                patience: Patience::Foreign,
            }),
        },
        Milestone {
            name: "transcribed",
            leave: Some(Leave { step: Step::Finish, lease: FINISH_LEASE, patience: Patience::Own }),
        },
        Milestone { name: Stage::FINAL, leave: None },
    ],
);

/// Where recordings wait for their turn, and where a new attempt begins.
pub const NORMALIZED: &str = "normalized";
/// Where a recogniser works on a recording.
pub const SUBMITTED: &str = "submitted";

/// The line with its ports.
pub struct Recordings {
    /// Its tables.
    pub store: Arc<dyn RecordingStore>,
    /// Where audio lies.
    pub objects: Arc<dyn Objects>,
    /// Decodes.
    pub media: Arc<dyn Media>,
    /// Those that can be asked; the first one gets new recordings.
    pub recognisers: Vec<Arc<dyn Recogniser>>,
    /// Whether originals stay after `done`.
    pub keep_originals: bool,
}

impl Recordings {
    /// The recogniser of that name.
    pub(crate) fn recogniser(&self, name: &str) -> Option<&dyn Recogniser> {
        self.recognisers.iter().find(|r| r.profile().name == name).map(AsRef::as_ref)
    }

    /// The recogniser that gets new recordings.
    pub(crate) fn current(&self) -> Option<&dyn Recogniser> {
        self.recognisers.first().map(AsRef::as_ref)
    }
}

#[async_trait]
impl Road<Product> for Recordings {
    fn stages(&self) -> Vec<Stage> {
        LINE.stages()
    }

    async fn step(&self, visit: Visit<'_>) -> Outcome<Product> {
        let Some(leave) = LINE.leave(&visit.standing.milestone) else {
            return Outcome::Verdict(Failure::new(Failure::UNKNOWN_MILESTONE));
        };
        let ended = match leave.step {
            Step::Normalise => steps::normalise(self, &visit).await,
            Step::Submit => steps::submit(self, &visit).await,
            Step::Poll => steps::poll(self, &visit).await,
            Step::Finish => steps::finish(self, &visit).await,
        };
        ended.unwrap_or_else(Trouble::outcome)
    }
}

/// Trouble of our own house that any step may meet.
#[derive(Debug)]
pub(crate) enum Trouble {
    Store(StoreError),
    Objects(ObjectError),
}

impl Trouble {
    fn outcome(self) -> Outcome<Product> {
        steps::failed(self.failure())
    }

    pub(crate) fn failure(self) -> Failure {
        Failure::new(match self {
            Self::Store(StoreError::Full) | Self::Objects(ObjectError::Full) => codes::DISK_FULL,
            Self::Store(_) => codes::STORE_FAILED,
            Self::Objects(ObjectError::Missing) => codes::AUDIO_MISSING,
            Self::Objects(ObjectError::Unreachable(_)) => codes::OBJECTS_UNREACHABLE,
            Self::Objects(_) => codes::OBJECTS_FAILED,
        })
    }
}

impl From<StoreError> for Trouble {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<ObjectError> for Trouble {
    fn from(error: ObjectError) -> Self {
        Self::Objects(error)
    }
}
