//! Milestones, declared once per line, and the port through which a line's steps are run.
//!
//! A line's table is the only place that names a lease, a patience or a step. The claimable set,
//! the closed list of values in the schema, the labels of metrics and the pages in the docs are
//! all derived from it through [`Stage`].

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;

use crate::{Claim, Outcome, Standing};

/// Whose work is waited for at a milestone, and so which limit applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patience {
    /// A step of ours.
    Own,
    /// An operation outside.
    Foreign,
    /// No limit.
    Unlimited,
}

/// How work leaves a milestone.
#[derive(Clone, Copy, Debug)]
pub struct Leave<S> {
    /// The step that does it.
    pub step: S,
    /// Not shorter than the longest admissible run of that step.
    pub lease: Duration,
    /// Which limit on standing here applies.
    pub patience: Patience,
}

/// One milestone. It names what is achieved, never what is next.
#[derive(Clone, Copy, Debug)]
pub struct Milestone<S> {
    /// Name in the schema, the metrics and the panel.
    pub name: &'static str,
    /// `None` for the final one, and for one that is followed.
    pub leave: Option<Leave<S>>,
}

/// The name of a step, for journal and metrics.
pub trait StepName: Copy + Send + Sync + 'static {
    /// Lower snake case.
    fn name(self) -> &'static str;
}

/// A road: its milestones in order. An advance goes to the next row.
#[derive(Clone, Copy, Debug)]
pub struct Line<S: 'static> {
    name: &'static str,
    milestones: &'static [Milestone<S>],
}

/// One milestone with the step's type erased: what stores, guards and pages need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    /// The line's name.
    pub line: &'static str,
    /// The milestone's name.
    pub name: &'static str,
    /// Place on the road, from zero.
    pub position: usize,
    /// The step that leaves it; `None` for the final one and for one that is followed.
    pub step: Option<&'static str>,
    /// Lease of a claim made here; zero where there is no step.
    pub lease: Duration,
    /// Limit on standing here.
    pub patience: Patience,
    /// Where an advance goes.
    pub next: Option<&'static str>,
}

impl Stage {
    /// The name that every line gives its final milestone. Stores repeat it literally in the
    /// predicate of the claim, because an index on that predicate is only used when it is literal.
    pub const FINAL: &'static str = "done";

    /// The name of a milestone that has no step of its own: other work, which looks at everything
    /// that stands there at once, moves it on. No worker ever claims it. In the predicate of the claim
    /// as well.
    pub const FOLLOWED: &'static str = "downloading";
}

impl<S: Copy> Line<S> {
    /// Declares a line.
    ///
    /// # Panics
    /// Fails to compile, being evaluated there, unless the last milestone, which is final, alone is
    /// called [`Stage::FINAL`], and all others have a step but one called [`Stage::FOLLOWED`].
    pub const fn new(name: &'static str, milestones: &'static [Milestone<S>]) -> Self {
        let mut i = 0;
        while i < milestones.len() {
            let last = i + 1 == milestones.len();
            let followed = same(milestones[i].name, Stage::FOLLOWED);
            assert!(same(milestones[i].name, Stage::FINAL) == last, "the final one is called done");
            assert!(
                milestones[i].leave.is_none() == (last || followed),
                "a step leaves the others"
            );
            i += 1;
        }
        Self { name, milestones }
    }

    /// The line's name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The first milestone: where work is taken in.
    pub fn first(&self) -> &'static str {
        self.milestones[0].name
    }

    /// How work leaves the milestone of that name; `None` when it is final or unknown.
    pub fn leave(&self, milestone: &str) -> Option<Leave<S>> {
        self.milestones.iter().find(|m| m.name == milestone)?.leave
    }
}

impl<S: StepName> Line<S> {
    /// All milestones in order.
    pub fn stages(&self) -> Vec<Stage> {
        self.milestones
            .iter()
            .enumerate()
            .map(|(position, m)| Stage {
                line: self.name,
                name: m.name,
                position,
                step: m.leave.map(|l| l.step.name()),
                lease: m.leave.map_or(Duration::ZERO, |l| l.lease),
                patience: m.leave.map_or(Patience::Unlimited, |l| l.patience),
                next: self.milestones.get(position + 1).map(|m| m.name),
            })
            .collect()
    }
}

const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}

/// The link from a running step to whoever runs it.
#[async_trait]
pub trait Supervisor: Send + Sync {
    /// Whether the step should end now: the service stops, or a person stopped the work.
    fn interrupted(&self) -> bool;
    /// Returns when the step should end.
    async fn interruption(&self);
    /// How much of this run is done, from 0 to 1. Shown, never stored.
    fn progress(&self, fraction: f64);
}

/// What a step is given.
pub struct Visit<'a> {
    /// The right to write; a step lends it to `note` and never keeps it.
    pub claim: &'a Claim,
    /// The work as it stood at the claim.
    pub standing: &'a Standing,
    /// Whoever runs the step.
    pub supervisor: &'a dyn Supervisor,
}

/// A line's steps. `P` is what they write besides the move.
#[async_trait]
pub trait Road<P>: Send + Sync {
    /// The line's milestones.
    fn stages(&self) -> Vec<Stage>;
    /// Runs the step that leaves `visit.standing.milestone`.
    async fn step(&self, visit: Visit<'_>) -> Outcome<P>;
}

/// The same road for a queue that several lines share.
pub fn widen<P, Q>(road: Arc<dyn Road<P>>) -> Arc<dyn Road<Q>>
where
    P: Send + 'static,
    Q: From<P> + Send + 'static,
{
    Arc::new(Wide(road))
}

struct Wide<P>(Arc<dyn Road<P>>);

#[async_trait]
impl<P: Send + 'static, Q: From<P> + Send + 'static> Road<Q> for Wide<P> {
    fn stages(&self) -> Vec<Stage> {
        self.0.stages()
    }

    async fn step(&self, visit: Visit<'_>) -> Outcome<Q> {
        self.0.step(visit).await.map(Q::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy)]
    struct Only;
    impl StepName for Only {
        fn name(self) -> &'static str {
            "only"
        }
    }

    const LINE: Line<Only> = Line::new(
        "test",
        &[
            Milestone {
                name: "in",
                leave: Some(Leave {
                    step: Only,
                    lease: Duration::from_secs(9),
                    patience: Patience::Own,
                }),
            },
            Milestone { name: "done", leave: None },
        ],
    );

    #[test]
    fn stages_are_derived_from_the_table() {
        let stages = LINE.stages();
        assert_eq!(stages[0].next, Some("done"));
        assert_eq!(stages[0].step, Some("only"));
        assert_eq!(stages[1].next, None);
        assert_eq!(stages[1].step, None);
        assert_eq!(LINE.first(), "in");
        assert_eq!((LINE.name(), stages[0].line), ("test", "test"));
        assert!(LINE.leave("done").is_none() && LINE.leave("elsewhere").is_none());
        let lease = LINE.leave("in").map(|leave| leave.lease);
        assert_eq!(lease, Some(Duration::from_secs(9)));
    }

    #[test]
    fn names_are_compared_to_their_last_letter() {
        assert!(same("done", "done") && same("", ""));
        for other in ["done.", "don", "dine", "Done", "donE", ""] {
            assert!(!same("done", other), "{other}");
        }
    }
}
