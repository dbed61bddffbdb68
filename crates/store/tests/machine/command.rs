//! What may be asked of a store, and how a sequence of it is drawn.
//!
//! A command names claims, attempts and recordings by their place and never by a store's own ids,
//! so that it means something on any store and after others were left out of the sequence.

use std::time::Duration;

use proptest::prelude::*;
use proptest::sample::select;
use verst_kernel::{Failure, Outcome, Stage};
use verst_recordings::LINE;

use crate::model::{Model, Scene};

/// Instances that share the store.
pub(crate) const INSTANCES: usize = 3;

#[derive(Clone, Debug)]
pub(crate) enum Command {
    Accept { small: bool },
    Claim { by: usize },
    Settle { claim: Age, saw: Saw },
    Note { claim: Age, write: Write },
    OpenAttempt { claim: Age, lanes: bool, short: bool },
    KeepTicket { work: i64 },
    OpenCall { claim: Age, index: u32 },
    KeepAnswer { work: i64 },
    Stop { by: usize, work: i64 },
    Lift { work: i64, to: Option<&'static str>, write: Option<Write> },
    Restart { by: usize },
    TakeNotice { place: usize },
    TakeLeftovers { by: usize },
    Rename { work: i64, title: Option<&'static str> },
    Anew { work: i64 },
    Remove { work: i64 },
    Pass(Duration),
    StepBack(Duration),
    Look(Look),
}

/// A claim, counted from the newest one that was ever made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Age(pub(crate) usize);

/// How a run ended.
#[derive(Clone, Debug)]
pub(crate) enum Saw {
    Outcome(Outcome<Write>),
    /// Our own service stops.
    Shutdown,
    /// The guards are asked; where they let it go, the service stops.
    Guards,
}

/// A product, about the newest attempt, and the newest call, of the recording it is written for.
#[derive(Clone, Debug)]
pub(crate) enum Write {
    Normalised { seconds: u32 },
    Submitted,
    Begun,
    AttemptClosed,
    Warned,
    Part { index: u32 },
    Transcribed,
    Finished { original_deleted: bool },
    SubmitAgain,
    KeepWaiting,
    CallClosed,
    Answered,
    CallAgain,
}

/// Reads through the ports; everything in the tables is compared besides, after every command.
#[derive(Clone, Debug)]
pub(crate) enum Look {
    Standing(Age),
    View(i64),
    List { moving: bool, before: Option<i64>, limit: u32 },
    Journal(i64),
    Depth,
    Ahead(i64),
    OpenAttempt(i64),
    Parts(i64),
    Calls(i64),
    Transcript(i64),
}

/// The next command: mostly one that the model can do something with, and always some that must be
/// refused, lost or in vain.
pub(crate) fn next(model: &Model) -> BoxedStrategy<Command> {
    let scene = model.scene();
    let idle = !scene.ready && scene.held.is_empty();
    let accept = any::<bool>().prop_map(|small| Command::Accept { small });
    let claim = (0..INSTANCES).prop_map(|by| Command::Claim { by });
    prop_oneof![
        // The first is what others are simplified to, and then left out.
        if idle { 8 } else { 3 } => time(),
        if scene.works < 3 { 8 } else { 1 } => accept,
        if scene.ready { 10 } else { 1 } => claim,
        if scene.held.is_empty() { 2 } else { 16 } => of_a_holder(&scene),
        4 => of_people(&scene),
        2 => of_processes(),
        2 => work(&scene).prop_flat_map(look).prop_map(Command::Look),
    ]
    .boxed()
}

fn work(scene: &Scene) -> impl Strategy<Value = i64> + use<> {
    let works = scene.works;
    prop_oneof![15 => 1..=works.max(1), 1 => Just(works + 1)]
}

fn time() -> impl Strategy<Value = Command> {
    // A moment, a pause and the longest pause; a lease, either patience, and more than any of them.
    let short = vec![Duration::from_micros(1), SECOND * 5, Duration::from_mins(15)];
    let long = vec![
        Duration::from_mins(61),
        Duration::from_hours(2),
        Duration::from_hours(25),
        Duration::from_hours(24 * 30),
    ];
    prop_oneof![
        3 => select(short).prop_map(Command::Pass),
        2 => select(long).prop_map(Command::Pass),
        1 => select(vec![SECOND, Duration::from_hours(3)]).prop_map(Command::StepBack),
    ]
}

fn of_a_holder(scene: &Scene) -> BoxedStrategy<Command> {
    if scene.claims == 0 {
        return (0..INSTANCES).prop_map(|by| Command::Claim { by }).boxed();
    }
    let mut claim = (0..scene.claims.min(12)).prop_map(Age).boxed();
    if !scene.held.is_empty() {
        let held = select(scene.held.clone()).prop_map(Age);
        claim = prop_oneof![4 => held, 1 => claim].boxed();
    }
    prop_oneof![
        10 => (claim.clone(), saw()).prop_map(|(claim, saw)| Command::Settle { claim, saw }),
        2 => (claim.clone(), write()).prop_map(|(claim, write)| Command::Note { claim, write }),
        5 => (claim.clone(), any::<bool>(), any::<bool>())
            .prop_map(|(claim, lanes, short)| Command::OpenAttempt { claim, lanes, short }),
        1 => work(scene).prop_map(|work| Command::KeepTicket { work }),
        3 => (claim.clone(), 0_u32..2)
            .prop_map(|(claim, index)| Command::OpenCall { claim, index }),
        2 => work(scene).prop_map(|work| Command::KeepAnswer { work }),
        1 => claim.prop_map(|claim| Command::Look(Look::Standing(claim))),
    ]
    .boxed()
}

fn of_people(scene: &Scene) -> impl Strategy<Value = Command> + use<> {
    let mut stopped = work(scene).boxed();
    if !scene.stopped.is_empty() {
        stopped = prop_oneof![6 => select(scene.stopped.clone()), 1 => stopped].boxed();
    }
    let to = proptest::option::weighted(0.3, select(milestones()));
    let lift = (stopped, to, proptest::option::weighted(0.4, write()))
        .prop_map(|(work, to, write)| Command::Lift { work, to, write });
    prop_oneof![
        2 => (0..INSTANCES, work(scene)).prop_map(|(by, work)| Command::Stop { by, work }),
        if scene.stopped.is_empty() { 1 } else { 6 } => lift,
        1 => (work(scene), select(vec![None, Some("a title")]))
            .prop_map(|(work, title)| Command::Rename { work, title }),
        1 => work(scene).prop_map(|work| Command::Anew { work }),
        1 => work(scene).prop_map(|work| Command::Remove { work }),
    ]
}

fn of_processes() -> impl Strategy<Value = Command> {
    prop_oneof![
        3 => (0..INSTANCES).prop_map(|by| Command::Restart { by }),
        2 => (0_usize..3).prop_map(|place| Command::TakeNotice { place }),
        1 => (0..INSTANCES).prop_map(|by| Command::TakeLeftovers { by }),
    ]
}

/// Whether the command still means something after others were left out before it.
pub(crate) fn possible(model: &Model, command: &Command) -> bool {
    command.claim().is_none_or(|claim| claim.0 < model.scene().claims)
}

/// The sequence without the command at `place`. What comes after it is about the same claims and
/// recordings as before, if these are still there.
pub(crate) fn without(commands: &[Command], place: usize) -> Vec<Command> {
    let mut left = commands.to_vec();
    let accepted = |it: &Command| matches!(it, Command::Accept { .. });
    match left.remove(place) {
        Command::Accept { .. } => {
            let before = commands[..place].iter().filter(|it| accepted(it)).count();
            for work in left[place..].iter_mut().filter_map(Command::work_mut) {
                *work -= i64::from(usize::try_from(*work).is_ok_and(|work| work > before + 1));
            }
        }
        Command::Claim { .. } => {
            let mut since = 0;
            for later in &mut left[place..] {
                since += usize::from(matches!(later, Command::Claim { .. }));
                if let Some(age) = later.claim_mut() {
                    age.0 -= usize::from(age.0 > since);
                }
            }
        }
        _ => {}
    }
    left
}

impl Command {
    pub(crate) fn claim(&self) -> Option<Age> {
        self.clone().claim_mut().copied()
    }

    fn claim_mut(&mut self) -> Option<&mut Age> {
        match self {
            Self::Settle { claim, .. }
            | Self::Note { claim, .. }
            | Self::OpenAttempt { claim, .. }
            | Self::OpenCall { claim, .. }
            | Self::Look(Look::Standing(claim)) => Some(claim),
            _ => None,
        }
    }

    fn work_mut(&mut self) -> Option<&mut i64> {
        match self {
            Self::KeepTicket { work }
            | Self::KeepAnswer { work }
            | Self::Stop { work, .. }
            | Self::Lift { work, .. }
            | Self::Rename { work, .. }
            | Self::Anew { work }
            | Self::Remove { work } => Some(work),
            Self::Look(look) => match look {
                Look::View(work)
                | Look::Journal(work)
                | Look::Ahead(work)
                | Look::OpenAttempt(work)
                | Look::Parts(work)
                | Look::Calls(work)
                | Look::Transcript(work) => Some(work),
                Look::List { before, .. } => before.as_mut(),
                Look::Standing(_) | Look::Depth => None,
            },
            _ => None,
        }
    }
}

const SECOND: Duration = Duration::from_secs(1);

fn milestones() -> Vec<&'static str> {
    LINE.stages().iter().map(|stage| stage.name).filter(|name| *name != Stage::FINAL).collect()
}

fn delay() -> impl Strategy<Value = Duration> {
    select(vec![Duration::ZERO, SECOND, SECOND * 60, Duration::from_hours(24 * 300), Duration::MAX])
}

fn saw() -> impl Strategy<Value = Saw> {
    let why = || select(vec![Failure::new("waits"), Failure::new("lane_taken").int("ahead", 3)]);
    let failed = || select(vec![Failure::new("failed"), Failure::new("died").term("by", "KILL")]);
    let part = proptest::option::weighted(0.4, write());
    prop_oneof![
        9 => write().prop_map(|write| Saw::Outcome(Outcome::Advance(write))),
        2 => (delay(), why(), part).prop_map(|(delay, why, product)| {
            Saw::Outcome(Outcome::Defer { delay, why, product })
        }),
        3 => (delay(), why(), any::<bool>()).prop_map(|(delay, why, trouble)| {
            Saw::Outcome(Outcome::Busy { delay, why, trouble })
        }),
        3 => failed().prop_map(|failure| Saw::Outcome(Outcome::Fail(failure))),
        1 => failed().prop_map(|failure| Saw::Outcome(Outcome::Verdict(failure))),
        2 => Just(Saw::Shutdown),
        4 => Just(Saw::Guards),
    ]
}

fn write() -> impl Strategy<Value = Write> {
    prop_oneof![
        3 => select(vec![20_u32, 900]).prop_map(|seconds| Write::Normalised { seconds }),
        3 => Just(Write::Submitted),
        2 => Just(Write::Begun),
        1 => Just(Write::AttemptClosed),
        2 => (0_u32..2).prop_map(|index| Write::Part { index }),
        1 => Just(Write::Warned),
        2 => Just(Write::Transcribed),
        1 => any::<bool>().prop_map(|original_deleted| Write::Finished { original_deleted }),
        1 => Just(Write::SubmitAgain),
        1 => Just(Write::KeepWaiting),
        1 => Just(Write::CallClosed),
        2 => Just(Write::Answered),
        1 => Just(Write::CallAgain),
    ]
}

fn look(work: i64) -> impl Strategy<Value = Look> {
    let before = proptest::option::of(Just(work));
    prop_oneof![
        2 => Just(Look::View(work)),
        2 => (any::<bool>(), before, 1_u32..4)
            .prop_map(|(moving, before, limit)| Look::List { moving, before, limit }),
        1 => Just(Look::Journal(work)),
        1 => Just(Look::Depth),
        1 => Just(Look::Ahead(work)),
        1 => Just(Look::OpenAttempt(work)),
        1 => Just(Look::Parts(work)),
        1 => Just(Look::Calls(work)),
        1 => Just(Look::Transcript(work)),
    ]
}
