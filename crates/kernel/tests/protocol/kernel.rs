//! The kernel's rules as the model asks for them: a small line, tight limits, no clock.

use std::sync::LazyLock;
use std::time::Duration;

use verst_kernel::{
    Change, Failure, Guard, Leave, Limits, Line, Milestone, Outcome, Patience, Roll, Stage,
    Standing, StepName, Timestamp, WorkId, give_back, guards, settle, stop,
};

#[derive(Clone, Copy)]
struct Only;

impl StepName for Only {
    fn name(self) -> &'static str {
        "only"
    }
}

const fn leave(patience: Patience) -> Leave<Only> {
    Leave { step: Only, lease: Duration::from_secs(1), patience }
}

const LINE: Line<Only> = Line::new(
    "model",
    &[
        Milestone { name: "in", leave: Some(leave(Patience::Own)) },
        Milestone { name: "middle", leave: Some(leave(Patience::Foreign)) },
        Milestone { name: Stage::FINAL, leave: None },
    ],
);

static STAGES: LazyLock<Vec<Stage>> = LazyLock::new(|| LINE.stages());

/// The milestone at this place of the road.
pub(crate) fn stage(milestone: u8) -> &'static Stage {
    &STAGES[usize::from(milestone)]
}

/// The place of a milestone.
pub(crate) fn place(name: &str) -> u8 {
    let place = STAGES.iter().position(|stage| stage.name == name);
    u8::try_from(place.expect("it is on the road")).expect("the road is short")
}

fn limits() -> Limits {
    Limits {
        own_patience: Duration::from_secs(1),
        foreign_patience: Duration::from_secs(1),
        failures: 1,
        ..Limits::default()
    }
}

/// What a worker read under its fence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Seen {
    pub(crate) milestone: u8,
    pub(crate) failures: u8,
    pub(crate) tried: bool,
}

/// How a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum End {
    Advance,
    Defer,
    Busy,
    Fail,
    Verdict,
    GiveBack,
    /// The guards' answer, before any step. Whether patience has run out is anybody's guess.
    Guarded {
        late: bool,
    },
}

impl End {
    const STEPS: [Self; 6] =
        [Self::Advance, Self::Defer, Self::Busy, Self::Fail, Self::Verdict, Self::GiveBack];

    /// Those that would let a record go on for ever are rationed.
    pub(crate) fn is_disturbance(self) -> bool {
        matches!(self, Self::Defer | Self::Busy | Self::GiveBack)
    }

    /// Whether this run's own claim no longer counts among the failures.
    pub(crate) fn gives_back(self) -> bool {
        matches!(self, Self::Busy | Self::GiveBack)
    }

    /// Whether nothing counts any more.
    pub(crate) fn resets(self) -> bool {
        matches!(self, Self::Advance | Self::Defer)
    }
}

fn standing(seen: Seen, stood: Duration) -> Standing {
    let entered_at = Timestamp(0);
    let now = entered_at.after(stood);
    Standing {
        id: WorkId(1),
        line: "model".to_owned(),
        milestone: stage(seen.milestone).name.to_owned(),
        entered_at,
        held_us: 0,
        waiting_since: None,
        claimed_at: now,
        tried_at: seen.tried.then_some(entered_at),
        failures: u32::from(seen.failures),
        last_failure: None,
        now,
    }
}

fn judged(seen: Seen, late: bool) -> Guard {
    let stood = if late { Duration::from_secs(2) } else { Duration::ZERO };
    guards(&standing(seen, stood), stage(seen.milestone), &limits(), Timestamp(0))
}

/// Every way in which a run that read this may end.
pub(crate) fn ends(seen: Seen) -> Vec<End> {
    let mut ends = Vec::new();
    for late in [false, true] {
        match judged(seen, late) {
            Guard::Go if late => {}
            Guard::Go => ends.extend(End::STEPS),
            Guard::Stop(_) => ends.push(End::Guarded { late }),
        }
    }
    ends
}

/// What follows, by the kernel.
pub(crate) fn change(seen: Seen, end: End) -> Change<()> {
    let (standing, stage) = (standing(seen, Duration::ZERO), stage(seen.milestone));
    let (why, delay) = (Failure::new("why"), Duration::from_secs(1));
    let outcome = match end {
        End::Advance => Outcome::Advance(()),
        End::Defer => Outcome::Defer { delay, why, product: None },
        End::Busy => Outcome::Busy { delay, why, trouble: false },
        End::Fail => Outcome::Fail(why),
        End::Verdict => Outcome::Verdict(why),
        End::GiveBack => return give_back(&standing),
        End::Guarded { late } => {
            let Guard::Stop(mark) = judged(seen, late) else { unreachable!("it was judged so") };
            return stop(&standing, stage, mark);
        }
    };
    settle(&standing, stage, outcome, &limits(), Timestamp(0), Roll(0))
}
