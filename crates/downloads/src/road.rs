//! The two tables of this line: a download's milestones, and the one of its client.

use std::time::Duration;

use verst_kernel::{Leave, Line, Milestone, Patience, Stage, StepName};

/// The steps of a download. What leaves `downloading` is the watch of its client.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    /// Gives it to the client.
    Add,
    /// Finds out what its files are.
    Identify,
    /// Lays them out in the library.
    Place,
}

impl StepName for Step {
    fn name(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Identify => "identify",
            Self::Place => "place",
        }
    }
}

/// The step of a client.
#[derive(Clone, Copy, Debug)]
pub enum WatchStep {
    /// Looks at all its torrents, and moves the downloads that belong to them.
    Reconcile,
}

impl StepName for WatchStep {
    fn name(self) -> &'static str {
        match self {
            Self::Reconcile => "reconcile",
        }
    }
}

/// Taken in.
pub const CAUGHT: &str = "caught";
/// In the client.
pub const DOWNLOADING: &str = Stage::FOLLOWED;
/// Whole, and where it is to stay.
pub const COMPLETED: &str = "completed";
/// It is known what its files are.
pub const IDENTIFIED: &str = "identified";

const ADD_LEASE: Duration = Duration::from_mins(10);
const IDENTIFY_LEASE: Duration = Duration::from_mins(10);
/// Copies between file systems take hours.
const PLACE_LEASE: Duration = Duration::from_hours(12);
/// Longer than listing and writing 10,000 torrents takes on a slow machine.
const WATCH_LEASE: Duration = Duration::from_mins(5);

const fn own(step: Step, lease: Duration) -> Leave<Step> {
    Leave { step, lease, patience: Patience::Own }
}

/// A download's milestones.
pub const LINE: Line<Step> = Line::new(
    "downloads",
    &[
        Milestone { name: CAUGHT, leave: Some(own(Step::Add, ADD_LEASE)) },
        Milestone { name: DOWNLOADING, leave: None },
        Milestone { name: COMPLETED, leave: Some(own(Step::Identify, IDENTIFY_LEASE)) },
        Milestone { name: IDENTIFIED, leave: Some(own(Step::Place, PLACE_LEASE)) },
        Milestone { name: Stage::FINAL, leave: None },
    ],
);

/// A client is watched for ever.
pub const CLIENT: Line<WatchStep> = Line::new(
    "client",
    &[
        Milestone {
            name: "watch",
            leave: Some(Leave {
                step: WatchStep::Reconcile,
                lease: WATCH_LEASE,
                patience: Patience::Unlimited,
            }),
        },
        Milestone { name: Stage::FINAL, leave: None },
    ],
);
