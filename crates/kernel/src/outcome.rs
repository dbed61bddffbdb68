//! What a step saw, as a value.

use std::time::Duration;

use crate::Failure;

/// The outcome of one run of a step. There is no way to say "lost" here: only a store can know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome<P> {
    /// The next milestone is reached.
    Advance(P),
    /// A foreign operation still runs. Spends no failure and resets them.
    Defer {
        /// When to look again; a fixed number, not derived from failures.
        delay: Duration,
        /// What is waited for.
        why: Failure,
        /// What to keep besides.
        product: Option<P>,
    },
    /// A resource of ours is taken, or a provider is paused. Only this run's attempt is given
    /// back; earlier failures stay and the wait does not count against patience.
    Busy {
        /// When to look again.
        delay: Duration,
        /// What is waited for.
        why: Failure,
        /// Whether the provider as a whole is in trouble: the run is then logged and counted as a
        /// failure, though the work does not pay for it.
        trouble: bool,
    },
    /// Something went wrong that may go right later.
    Fail(Failure),
    /// Something that will not go right without a person.
    Verdict(Failure),
}

impl<P> Outcome<P> {
    /// Name for metrics and journal.
    pub fn label(&self) -> &'static str {
        match self {
            Self::Advance(_) => "success",
            Self::Defer { .. } => "deferred",
            Self::Busy { trouble: false, .. } => "busy",
            Self::Busy { trouble: true, .. } => "trouble",
            Self::Fail(_) => "failure",
            Self::Verdict(_) => "verdict",
        }
    }

    /// The same outcome with another kind of product.
    pub fn map<Q>(self, f: impl Fn(P) -> Q) -> Outcome<Q> {
        match self {
            Self::Advance(p) => Outcome::Advance(f(p)),
            Self::Defer { delay, why, product } => {
                Outcome::Defer { delay, why, product: product.map(f) }
            }
            Self::Busy { delay, why, trouble } => Outcome::Busy { delay, why, trouble },
            Self::Fail(failure) => Outcome::Fail(failure),
            Self::Verdict(failure) => Outcome::Verdict(failure),
        }
    }
}
